/*
 * Wrapped outgoing links: links to other sites lead through a redirect of this service, which accepts only targets that it has signed.
 * The other site gets no referrer, and the redirect cannot be abused as an open redirect.
 */
import { config } from '../config.ts';
import { isLinkCode, linkCode, linkKey } from './secret-box.ts';

/** The prefix of wrapped links, without a trailing slash. */
function outgoingUrl(): string {
  return config.OUTGOING_URL ?? `${config.BASE_URL}/outgoing`;
}

/** An http(s) URL without control characters and without user info, which can imitate a host. */
function parse(url: string): URL | null {
  if (/\p{Cc}/u.test(url) || !URL.canParse(url)) return null;
  const target = new URL(url);
  const isPlain = /^https?:$/.test(target.protocol) && target.username === '' && target.password === '';
  return isPlain ? target : null;
}

/**
 * Wraps a link: `<prefix>/<HMAC-SHA256 in hex>/<percent-encoded URL>`. Links to this site and to allowed hosts stay unchanged; anything
 * but a plain http(s) URL becomes `/`.
 */
export function wrapLink(url: string): string {
  const target = parse(url);
  if (target === null) return '/';
  const own = [config.BASE_URL, outgoingUrl()].map((address) => new URL(address).host);
  if (own.includes(target.host) || config.OUTGOING_ALLOWED_HOSTS.includes(target.hostname)) return url;
  return `${outgoingUrl()}/${linkCode('outgoing-links', url).toString('hex')}/${encodeURIComponent(url)}`;
}

/** What wrapped links depend on. One of these values changes whenever the links do. */
export const linkSettings = (): readonly unknown[] => [
  linkKey('outgoing-links'),
  config.BASE_URL,
  config.OUTGOING_URL,
  config.OUTGOING_ALLOWED_HOSTS,
];

const WRAPPED = /^\/([0-9a-f]{64})\/([^/?#]+)$/;

/** The target of a wrapped link, given the request path; null for other paths and for invalid signatures. */
export function openLink(path: string): string | null {
  const start = new URL(outgoingUrl()).pathname.replace(/\/$/, '');
  const [, signed, quoted] = (path.startsWith(`${start}/`) && WRAPPED.exec(path.slice(start.length))) || [];
  if (signed === undefined || quoted === undefined) return null;
  const url = decode(quoted);
  if (url === null || !isLinkCode('outgoing-links', url, Buffer.from(signed, 'hex'))) return null;
  return parse(url)?.href ?? null;
}

function decode(quoted: string): string | null {
  try {
    return decodeURIComponent(quoted);
  } catch {
    return null;
  }
}
