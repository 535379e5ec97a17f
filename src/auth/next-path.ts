import { config } from '../config.ts';

const MAX_LENGTH = 2000;

/**
 * The path on this site that a sign-in leads to: `to` as a path, or without BASE_URL if it is an address below it; null for
 * anything else, as the redirect must not lead to other sites (docs/decisions.md D102).
 */
export function safeNextPath(to: string | null): string | null {
  if (to === null || to.length > MAX_LENGTH || /[\\\p{Cc}]/u.test(to)) return null;
  const isBelow = to === config.BASE_URL || to.startsWith(`${config.BASE_URL}/`);
  const path = isBelow ? pathOf(to) : to;
  if (path === null || !path.startsWith('/') || path.includes('//')) return null;
  const { origin } = new URL(config.BASE_URL);
  if (!URL.canParse(path, origin) || new URL(path, origin).origin !== origin) return null;
  const encoded = pathOf(path);
  return encoded?.startsWith('//') ? null : encoded;
}

/** Path, query and fragment of an address, percent-encoded. */
function pathOf(address: string): string | null {
  if (!URL.canParse(address, config.BASE_URL)) return null;
  const { pathname, search, hash } = new URL(address, config.BASE_URL);
  return `${pathname}${search}${hash}`;
}
