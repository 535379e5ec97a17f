import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseCookie } from 'cookie';
import { config } from '../config.ts';

/** A cookie of a session, which scripts cannot read and other sites do not send. */
export interface Cookie {
  name: string;
  /** Letters, digits and the other characters of RFC 6265 that need no encoding. */
  value: string;
  /** In seconds; 0 deletes the cookie. */
  maxAge: number;
  /** Also sent to the hosts below this domain; by default only to the host that set it. */
  domain?: string | undefined;
}

const isHttps = (): boolean => config.BASE_URL.startsWith('https:');

/** Binds a sign-in at the identity provider to the browser that started it (docs/decisions.md D102). */
export const LOGIN_COOKIE = 'addons_login';

/** How long a sign-in at the identity provider may take, in seconds (docs/decisions.md D102). */
const LOGIN_AGE = 600;

/** The cookie of a sign-in that starts. */
export const loginCookie = (value: string): Cookie => ({ name: LOGIN_COOKIE, value, maxAge: LOGIN_AGE });

/** The cookie with an access token, for front ends on this site (contract, Authentication). The API never reads it. */
const TOKEN_COOKIE = 'frontend_auth_token';

/** Name of the cookie of page sessions. Browsers accept the prefix `__Host-` over https only. */
export const sessionCookieName = (): string => (isHttps() ? '__Host-addons_session' : 'addons_session');

/** The two cookies of a sign-in: the access token and the page session, both valid for `maxAge` seconds. */
export function sessionCookies(token: string, session: string, maxAge: number): Cookie[] {
  return [
    { name: TOKEN_COOKIE, value: token, maxAge, domain: config.COOKIE_DOMAIN },
    { name: sessionCookieName(), value: session, maxAge },
  ];
}

/** Deletes the two cookies of a sign-in. */
export const clearedSessionCookies = (): Cookie[] => sessionCookies('', '', 0);

/** Adds a `Set-Cookie` header to the response. */
export function setCookie(response: ServerResponse, { name, value, maxAge, domain }: Cookie): void {
  const attributes = [`${name}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${maxAge}`];
  if (isHttps()) attributes.push('Secure');
  if (domain !== undefined) attributes.push(`Domain=${domain}`);
  response.appendHeader('Set-Cookie', attributes.join('; '));
}

/** The value of a cookie of the request; null without it. Of several with this name, the first. */
export const readCookie = ({ headers }: IncomingMessage, name: string): string | null =>
  parseCookie(headers.cookie ?? '')[name] ?? null;
