/*
 * Answers that a reader has already: every JSON answer to a GET of an anonymous sender names its state (RFC 9110, sections
 * 8.8.3 and 13.1.2), and one who names that state again is told that nothing has changed.
 */
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { config } from '../config.ts';
import type { HeaderList } from './headers.ts';

const digest = (text: string | Buffer): string => hash('sha1', text, 'base64url');

let settings: { of: readonly unknown[]; digest: string } | undefined;

/** What decides about an answer beside its state and its address: the language of constant texts, and how links are wrapped. */
export interface Circumstances {
  locale: string;
  /** A link as it is wrapped at present: others have its start, and are signed with the same key. */
  sampleLink(): string;
}

/** Changes with the settings that answers are made from, so that no answer of before is taken for one of now. */
export function settingsDigest(sampleLink: string): string {
  const { BASE_URL, OUTGOING_ALLOWED_HOSTS, DEFAULT_LOCALE, SITE_NAME } = config;
  const of = [BASE_URL, sampleLink, OUTGOING_ALLOWED_HOSTS, DEFAULT_LOCALE, SITE_NAME];
  if (settings === undefined || of.some((setting, index) => setting !== settings?.of[index])) {
    settings = { of, digest: digest(of.join(' ')).slice(0, 8) };
  }
  return settings.digest;
}

/**
 * The tag of an answer that is made from a state with this name. The address says the rest of what decides about the answer.
 * `form` is raised by hand with every change to how answers look.
 */
export function tagOfRevision(revision: string, { locale, sampleLink }: Circumstances, form = 2): string {
  return `"${form}.${settingsDigest(sampleLink())}.${locale}.${revision}"`;
}

/** The tag of an answer that has been written already. */
export function tagOfBody(payload: string | Buffer): string {
  return `"${digest(payload)}"`;
}

/** Whether the reader has the state that a tag names; a proxy may have marked it as weak. */
export function isKnown(request: IncomingMessage, tag: string): boolean {
  const header = request.headers['if-none-match'] ?? '';
  if (header === '' || header === tag) return header === tag;
  return header.split(',').some((known) => known.trim().replace(/^W\//, '') === tag || known.trim() === '*');
}

/** Tells the reader that nothing has changed. `headers` are added to those that the answer has already. */
export function sendNotModified(response: ServerResponse, tag: string, headers: HeaderList = []): void {
  response.writeHead(304, [...headers, 'ETag', tag]);
  response.end();
}
