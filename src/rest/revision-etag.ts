/*
 * ETags of responses that are computed from a revision, without the body. Such an ETag covers everything else that the body
 * depends on: the code, the settings and the language of constant texts.
 */
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { config } from '../config.ts';

/** Properties of a request that responses with the same revision and URL differ by. */
export interface Variant {
  /** The language of constant texts. */
  locale: string;
  /** Wraps a link to another site. */
  wrapLink(url: string): string;
}

/** An external link whose wrapped form changes with the signing key and the outgoing-link host (the host is reserved by RFC 2606). */
const SAMPLE_LINK = 'https://sample.invalid/';

/** SHA-256 of the source code that builds responses, so that ETags and cached JSON of another release never match. */
const CODE_HASH = hashSources(['rest', 'graphql', 'domain', 'generated/operations']);

function hashSources(folders: readonly string[]): string {
  const root = join(import.meta.dirname, '..');
  const filesIn = (folder: string) => readdirSync(join(root, folder), { encoding: 'utf8', recursive: true }).sort();
  const paths = folders.flatMap((folder) => filesIn(folder).map((file) => join(folder, file)));
  const texts = paths
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => [path, readFileSync(join(root, path), 'utf8')]);
  return hash('sha256', texts.join('\0'), 'base64url').slice(0, 10);
}

/** Names everything but the revision and the URL that a response depends on. */
export function variantKey({ locale, wrapLink }: Variant): string {
  const { BASE_URL, OUTGOING_ALLOWED_HOSTS, DEFAULT_LOCALE, SITE_NAME } = config;
  const settings = [BASE_URL, wrapLink(SAMPLE_LINK), OUTGOING_ALLOWED_HOSTS, DEFAULT_LOCALE, SITE_NAME];
  return `${CODE_HASH}.${hashSettings(settings)}.${locale}`;
}

let hashed: { settings: readonly unknown[]; hash: string } | undefined;

function hashSettings(settings: readonly unknown[]): string {
  if (hashed === undefined || settings.some((setting, index) => setting !== hashed?.settings[index])) {
    hashed = { settings, hash: hash('sha1', settings.join(' '), 'base64url').slice(0, 8) };
  }
  return hashed.hash;
}

/** The ETag of the response built from `revision`. */
export function etagOfRevision(revision: string, variant: Variant): string {
  return `"${variantKey(variant)}.${revision}"`;
}
