/* Sign-in to the demo without an identity provider: people choose one of the demo's accounts. */
import type { IncomingMessage } from 'node:http';
import { safeNextPath } from '../auth/next-path.ts';
import { config } from '../config.ts';
import { openLabelledSession } from '../domain/sessions/open-session.ts';
import { countSignInStart } from '../domain/sessions/sign-in.ts';
import { InvalidInputError } from '../errors.ts';
import { type Cookie, readCookie, sessionCookieName, sessionCookies } from '../http/cookies.ts';
import { unknownAddress } from '../http/http-refusal.ts';
import { requestPath } from '../http/request-target.ts';
import { requireSameOrigin } from '../http/same-origin.ts';
import { readUrlencoded } from '../http/small-body.ts';
import { db } from '../infra/db.ts';
import type { Content } from '../pages/page.ts';
import { demoSignIn } from '../pages/site/demo-sign-in.ts';
import type { Ui } from '../pages/ui.ts';
import { DEMO_ACCOUNTS } from './accounts.ts';
import { isDemo } from './state.ts';

/** Where the form of the page is sent. */
export const DEMO_SIGN_IN_PATH = '/demo/sign-in/';

/** Whether people sign in on this page: in a demo without an identity provider. */
export async function hasDemoSignIn(): Promise<boolean> {
  return config.OIDC_ISSUER === undefined && (await isDemo());
}

/** The page. It leads to the query parameter `to`. */
export function showDemoSignIn(request: IncomingMessage, ui: Ui): Content {
  const query = new URLSearchParams(request.url?.slice(requestPath(request).length + 1));
  const nextPath = safeNextPath(query.get('to')) ?? '/';
  return demoSignIn(ui, { accounts: DEMO_ACCOUNTS, nextPath, action: DEMO_SIGN_IN_PATH });
}

/**
 * Signs in as the account that the form names.
 * @throws {HttpRefusal} 404 outside of the demo, 403 for a form of another site; {InvalidInputError} for another account.
 */
export async function submitDemoSignIn(
  request: IncomingMessage,
  { ip, locale }: { ip: string | null; locale: string },
): Promise<{ location: string; cookies: Cookie[] }> {
  if (!(await hasDemoSignIn())) throw unknownAddress();
  requireSameOrigin(request);
  const previous = readCookie(request, sessionCookieName());
  await countSignInStart(previous, ip);
  const form = await readUrlencoded(request);
  const username = DEMO_ACCOUNTS.find((account) => account.username === form.get('username'))?.username;
  const account =
    username === undefined
      ? null
      : await db.account.findFirst({ where: { username, disabledAt: null, deletedAt: null }, select: { id: true } });
  if (account === null) throw new InvalidInputError('There is no such account in the demo.');
  const browser = { ip, locale, previous };
  const { token, pageSession, maxAge } = await openLabelledSession(account.id, 'Sign-in to the demo', browser);
  return {
    location: safeNextPath(form.get('to') ?? null) ?? '/',
    cookies: sessionCookies(token, pageSession, maxAge),
  };
}
