import type { ServerResponse } from 'node:http';
import { config } from '../config.ts';

/** A cookie of a session, which scripts cannot read and other sites do not send. */
export interface Cookie {
  name: string;
  /** Letters, digits and the other characters of RFC 6265 that need no encoding. */
  value: string;
  /** In seconds; 0 deletes the cookie. */
  maxAge: number;
}

/** Adds a `Set-Cookie` header to the response. */
export function setCookie(response: ServerResponse, { name, value, maxAge }: Cookie): void {
  const attributes = [`${name}=${value}`, `Max-Age=${maxAge}`, 'Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (config.BASE_URL.startsWith('https:')) attributes.push('Secure');
  response.appendHeader('Set-Cookie', attributes.join('; '));
}
