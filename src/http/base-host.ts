/*
 * Pages work under the host of BASE_URL only: sessions belong to it, and pictures and files have absolute addresses. A browser that opened
 * a page under another name of the service is redirected.
 *
 * A proxy may replace `Host` by the address of its upstream. A redirect by such a `Host` would lead to the same request for ever. So the host
 * of a request through a proxy is that of `X-Forwarded-Host`, and unknown without it; and a browser is redirected once in a few seconds.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { config } from '../config.ts';
import { readCookie, setCookie } from './cookies.ts';
import { setHeaders } from './headers.ts';
import { isRead, sentUrl } from './request-target.ts';

/** Headers that show a proxy. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-proto', 'x-real-ip'] as const;

/** Marks a browser that was redirected. */
const GUARD = { name: 'addons_redirected', value: '1', maxAge: 10 };

/** The host that the browser opened; null if it is unknown. */
function openedHost({ headers }: IncomingMessage): string | null {
  const [forwarded] = [headers['x-forwarded-host'] ?? []].flat();
  if (forwarded !== undefined) return (forwarded.split(',')[0] ?? '').trim();
  return PROXY_HEADERS.some((name) => headers[name] !== undefined) ? null : (headers.host ?? null);
}

/**
 * Redirects a request for a page under another host to BASE_URL. Returns false, without a response, for requests that are served where they
 * came: those of the right or an unknown host, and those that write.
 */
export function redirectToBase(request: IncomingMessage, response: ServerResponse): boolean {
  const host = isRead(request) ? openedHost(request) : null;
  const base = new URL(config.BASE_URL);
  const address = `${base.protocol}//${host}`;
  if (host === null || !URL.canParse(address) || new URL(address).host === base.host) return false;
  if (readCookie(request, GUARD.name) !== null) return false;
  setCookie(response, GUARD);
  setHeaders(response, { Location: base.origin + sentUrl(request), 'Content-Length': 0, 'Cache-Control': 'no-store' });
  response.statusCode = 302;
  response.end();
  return true;
}
