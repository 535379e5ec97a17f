/*
 * ETags of responses that are computed from a revision, without the body. Such an ETag covers everything else that the body
 * depends on: the code, the settings and the language of constant texts.
 */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { wrapLink } from '../auth/outgoing-links.ts';
import { config } from '../config.ts';
import { hashCode } from './hash-code.ts';

/** An external link whose wrapped form changes with the signing key and the outgoing-link host (the host is reserved by RFC 2606). */
const SAMPLE_LINK = 'https://sample.invalid/';

let codeHash: string | undefined;

/** Names everything but the revision and the URL that a response depends on. `locale` is the language of constant texts. */
function variantKey(locale: string): string {
  const { BASE_URL, OUTGOING_ALLOWED_HOSTS, DEFAULT_LOCALE, SITE_NAME } = config;
  const settings = [BASE_URL, wrapLink(SAMPLE_LINK), OUTGOING_ALLOWED_HOSTS, DEFAULT_LOCALE, SITE_NAME];
  // ETags of another release never match.
  codeHash ??= hashCode(join(import.meta.dirname, '../..'));
  return `${codeHash}.${hashSettings(settings)}.${locale}`;
}

let hashed: { settings: readonly unknown[]; hash: string } | undefined;

function hashSettings(settings: readonly unknown[]): string {
  if (hashed === undefined || settings.some((setting, index) => setting !== hashed?.settings[index])) {
    hashed = { settings, hash: hash('sha1', settings.join(' '), 'base64url').slice(0, 8) };
  }
  return hashed.hash;
}

/** The ETag of the response built from `revision`. */
export function etagOfRevision(revision: string, locale: string): string {
  return `"${variantKey(locale)}.${revision}"`;
}
