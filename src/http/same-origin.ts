import type { IncomingMessage } from 'node:http';
import { config } from '../config.ts';
import { message } from '../texts/messages.ts';
import { HttpRefusal } from './http-refusal.ts';

/**
 * Refuses forms that another site sends: the browser must say that the request comes from this origin, by
 * `Sec-Fetch-Site`, or by `Origin` where it is older.
 * @throws {HttpRefusal} 403.
 */
export function requireSameOrigin({ headers }: IncomingMessage): void {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? headers.origin === new URL(config.BASE_URL).origin : site === 'same-origin';
  if (!isOwn) throw new HttpRefusal(403, message('form.other_site'));
}
