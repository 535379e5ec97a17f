/*
 * ETags of responses that are computed from a revision, without the body. Such an ETag covers everything else that the body
 * depends on: the code, the settings and the language of constant texts.
 */
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { linkSettings, wrapLink } from '../auth/outgoing-links.ts';
import { config } from '../config.ts';
import { wordsKey } from './words.ts';

/** The folders of `src` with the code that responses are built from. */
const FOLDERS = [
  'auth',
  'domain',
  'execution',
  'generated/operations',
  'graphql',
  'http',
  'infra',
  'package',
  'rest',
  'settings',
  'texts',
];
const FILES = ['src/config.ts', 'src/errors.ts', 'package-lock.json'];

/** SHA-256 of the source code that responses are built from, and of the versions of all libraries. `root` is the folder of the project. */
export function hashCode(root: string): string {
  const files = [...FILES, ...FOLDERS.flatMap((folder) => filesIn(root, join('src', folder)))];
  const texts = files.sort().flatMap((file) => [file, readFileSync(join(root, file), 'utf8')]);
  return hash('sha256', texts.join('\0'), 'base64url').slice(0, 10);
}

const filesIn = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { encoding: 'utf8', recursive: true })
    .filter((file) => /\.(?:ts|json)$/.test(file))
    .map((file) => join(folder, file));

/** An external link whose wrapped form changes with the signing key and the outgoing-link host (the host is reserved by RFC 2606). */
const SAMPLE_LINK = 'https://sample.invalid/';

let codeHash: string | undefined;

/** Names everything but the revision and the URL that a response depends on. `locale` is the language of constant texts. */
function variantKey(locale: string): string {
  // ETags of another release never match.
  codeHash ??= hashCode(join(import.meta.dirname, '../..'));
  return `${codeHash}.${settingsHash()}.${locale}`;
}

let hashed: { of: readonly unknown[]; hash: string } | undefined;

function settingsHash(): string {
  const { BASE_URL, OUTGOING_ALLOWED_HOSTS, DEFAULT_LOCALE, SITE_NAME } = config;
  const of = [...linkSettings(), DEFAULT_LOCALE, SITE_NAME, wordsKey()];
  if (hashed === undefined || of.some((setting, index) => setting !== hashed?.of[index])) {
    const texts = [BASE_URL, wrapLink(SAMPLE_LINK), OUTGOING_ALLOWED_HOSTS, DEFAULT_LOCALE, SITE_NAME, wordsKey()];
    hashed = { of, hash: hash('sha1', texts.join(' '), 'base64url').slice(0, 8) };
  }
  return hashed.hash;
}

/** The ETag of the response built from `revision`. */
export function etagOfRevision(revision: string, locale: string): string {
  return `"${variantKey(locale)}.${revision}"`;
}
