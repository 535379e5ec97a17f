/*
 * Links to other sites lead through an address of ours that forwards to nothing but what we have signed: it tells the other
 * site nothing of the page, and cannot be used to make a link of somebody else's look like one of ours.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { config } from '../config.ts';
import { SecondChanceCache } from '../infra/second-chance-cache.ts';
import { derivedKey } from './secret-box.ts';

/** The start of wrapped links, without a slash at its end. */
function outgoingUrl(): string {
  return config.OUTGOING_URL ?? `${config.BASE_URL}/outgoing`;
}

function signature(url: string): Buffer {
  return createHmac('sha256', derivedKey('outgoing-links')).update(url).digest();
}

/** A web address that may be forwarded to: without user info, which can pass for a host, and control characters. */
function parse(url: string): URL | null {
  if (/\p{Cc}/u.test(url) || !URL.canParse(url)) return null;
  const target = new URL(url);
  const isPlain = /^https?:$/.test(target.protocol) && target.username === '' && target.password === '';
  return isPlain ? target : null;
}

/**
 * A link as an answer shows it that wraps links to other sites: `<start>/<HMAC-SHA256 in hex>/<quoted address>`. Links to
 * this site and to hosts that the operator allows stay as they are; what is no plain web address becomes `/`.
 */
export function wrapLink(url: string): string {
  const wrapped = wrappedLinks();
  let link = wrapped.get(url);
  if (link === undefined) {
    link = wrapAnew(url);
    wrapped.set(url, link, url.length + link.length);
  }
  return link;
}

function wrapAnew(url: string): string {
  const target = parse(url);
  if (target === null) return '/';
  const own = [config.BASE_URL, outgoingUrl()].map((address) => new URL(address).host);
  if (own.includes(target.host) || config.OUTGOING_ALLOWED_HOSTS.includes(target.hostname)) return url;
  return `${outgoingUrl()}/${signature(url).toString('hex')}/${encodeURIComponent(url)}`;
}

/** Links that have been wrapped, so many characters of them: the same ones are shown again and again. */
const MOST_WRAPPED = 2_000_000;
let memory: { of: readonly unknown[]; wrapped: SecondChanceCache<string, string> } | undefined;

/** What is in memory for the present settings. */
function wrappedLinks(): SecondChanceCache<string, string> {
  const key = derivedKey('outgoing-links');
  const of = [key, config.BASE_URL, config.OUTGOING_URL, config.OUTGOING_ALLOWED_HOSTS];
  if (memory === undefined || of.some((setting, index) => setting !== memory?.of[index])) {
    memory = { of, wrapped: new SecondChanceCache(MOST_WRAPPED) };
  }
  return memory.wrapped;
}

const WRAPPED = /^\/([0-9a-f]{64})\/([^/?#]+)$/;

/**
 * Where a wrapped link leads, given its path as it was sent; null for a path that is no wrapped link, or that this service
 * has not signed.
 */
export function openLink(path: string): string | null {
  const start = new URL(outgoingUrl()).pathname.replace(/\/$/, '');
  const [, signed, quoted] = (path.startsWith(`${start}/`) && WRAPPED.exec(path.slice(start.length))) || [];
  if (signed === undefined || quoted === undefined) return null;
  const url = decode(quoted);
  if (url === null || !timingSafeEqual(signature(url), Buffer.from(signed, 'hex'))) return null;
  return parse(url)?.href ?? null;
}

function decode(quoted: string): string | null {
  try {
    return decodeURIComponent(quoted);
  } catch {
    return null;
  }
}
