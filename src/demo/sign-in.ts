/* Sign-in to the demo without an identity provider: people choose one of the demo's accounts. */
import type { IncomingMessage } from 'node:http';
import { safeNextPath } from '../auth/next-path.ts';
import { config } from '../config.ts';
import { chosenUsernameProblem } from '../domain/accounts/account-names.ts';
import { createAccount } from '../domain/accounts/administration.ts';
import { openLabelledSession } from '../domain/sessions/open-session.ts';
import { countSignInStart } from '../domain/sessions/sign-in.ts';
import { InvalidInputError, refusedField } from '../errors.ts';
import { type Cookie, readCookie, sessionCookieName, sessionCookies, setCookie } from '../http/cookies.ts';
import { setHeaders } from '../http/headers.ts';
import { unknownAddress } from '../http/http-refusal.ts';
import { chooseLocale, type IdentifiedResponse, senderOf } from '../http/request-services.ts';
import { requestPath, requestQuery } from '../http/request-target.ts';
import { requireSameOrigin } from '../http/same-origin.ts';
import { readUrlencoded } from '../http/small-body.ts';
import { withDatabaseErrorsExplained } from '../infra/database-errors.ts';
import { db } from '../infra/db.ts';
import { requireWritable } from '../infra/read-only.ts';
import type { PageContent } from '../pages/page.ts';
import { messagesOf } from '../pages/refusal.ts';
import { sendPage } from '../pages/send.ts';
import { demoSignIn } from '../pages/site/demo-sign-in.ts';
import type { Ui } from '../pages/ui.ts';
import { type ApiVersion, isServed } from '../rest/view.ts';
import { message } from '../texts/messages.ts';
import { DEMO_ACCOUNTS } from './accounts.ts';
import { isDemo } from './state.ts';

/** Where the form of the page is sent. */
export const DEMO_SIGN_IN_PATH = '/demo/sign-in/';

/** Whether people sign in on this page: in a demo without an identity provider. */
async function hasDemoSignIn(): Promise<boolean> {
  return config.OIDC_ISSUER === undefined && (await isDemo());
}

/** Where a sign-in starts, with the version of the API. */
export const LOGIN_START_PATH = /^\/api\/(v3|v4|v4dev)\/accounts\/login\/start\/?$/;

/**
 * Shows the page, which leads to the query parameter `to`, instead of the redirect to the identity provider. Calls `next` outside of the
 * demo.
 */
export async function startDemoSignIn(
  request: IncomingMessage,
  response: IdentifiedResponse,
  next: () => void,
): Promise<void> {
  const path = requestPath(request);
  const isKnown = isServed(LOGIN_START_PATH.exec(path)?.[1] as ApiVersion, config.ENVIRONMENT);
  const isDemo = request.method === 'GET' && isKnown && (await withDatabaseErrorsExplained(hasDemoSignIn));
  if (!isDemo) return next();
  const to = requestQuery(request).get('to');
  await sendPage(request, response, senderOf(response), (ui) => pageOf(ui, to, null));
}

/** Signs in as an account of the demo, and leads to where the sign-in started. */
export async function finishDemoSignIn(request: IncomingMessage, response: IdentifiedResponse): Promise<void> {
  const locale = chooseLocale(null, request.headers['accept-language']);
  await requireWritable(locale);
  const sender = senderOf(response);
  const result = await withDatabaseErrorsExplained(() => submitDemoSignIn(request, { ip: sender.ip, locale }));
  if ('page' in result) return sendPage(request, response, sender, result.page);
  for (const cookie of result.cookies) setCookie(response, cookie);
  setHeaders(response, { Location: result.location, 'Cache-Control': 'no-store', 'Content-Length': 0 });
  response.statusCode = 303;
  response.end();
}

const pageOf = (ui: Ui, to: string | null, refused: Parameters<typeof demoSignIn>[1]['refused']): PageContent =>
  demoSignIn(ui, {
    ...{ accounts: DEMO_ACCOUNTS, nextPath: safeNextPath(to) ?? '/', action: DEMO_SIGN_IN_PATH },
    ...{ isOpen: isOpen(), refused },
  });

/** Whether people create accounts: never in production, where the demo may share its database with real accounts. */
const isOpen = (): boolean => config.ENVIRONMENT !== 'production';

/** A sign-in, or the page again for a name that a new account cannot have. */
type DemoSignIn = { location: string; cookies: Cookie[] } | { page: (ui: Ui) => PageContent };

/**
 * Signs in as the account that the form names, or as a new one with the name `newcomer`.
 * @throws {HttpRefusal} 404 outside of the demo, 403 for a form of another site; {InvalidInputError} for another account.
 */
async function submitDemoSignIn(
  request: IncomingMessage,
  { ip, locale }: { ip: string | null; locale: string },
): Promise<DemoSignIn> {
  if (!(await hasDemoSignIn())) throw unknownAddress();
  requireSameOrigin(request);
  const previous = readCookie(request, sessionCookieName());
  await countSignInStart(previous, ip);
  const form = await readUrlencoded(request);
  const arrival = { to: form.get('to') ?? null, browser: { ip, locale, previous } };
  const newcomer = form.get('newcomer');
  if (newcomer !== undefined && isOpen()) return createNewcomer(newcomer.trim(), arrival);
  const username = DEMO_ACCOUNTS.find((account) => account.username === form.get('username'))?.username;
  const account =
    username === undefined
      ? null
      : await db.account.findFirst({ where: { username, disabledAt: null, deletedAt: null }, select: { id: true } });
  if (account === null) throw new InvalidInputError(message('demo.unknown_account'));
  return signIn(account.id, arrival);
}

interface Arrival {
  /** Where the sign-in leads. */
  to: string | null;
  browser: Parameters<typeof openLabelledSession>[2];
}

async function signIn(accountId: number, { to, browser }: Arrival): Promise<DemoSignIn> {
  const { token, pageSession, maxAge } = await openLabelledSession(accountId, 'Sign-in to the demo', browser);
  return { location: safeNextPath(to) ?? '/', cookies: sessionCookies(token, pageSession, maxAge) };
}

/** Creates an account without any rule, and signs in with it. */
async function createNewcomer(username: string, arrival: Arrival): Promise<DemoSignIn> {
  try {
    const problem = chosenUsernameProblem(username);
    if (problem !== null) throw refusedField('username', problem);
    const { id } = await createAccount({ username, email: `${username.toLowerCase()}@example.org` });
    return signIn(id, arrival);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { page: (ui) => pageOf(ui, arrival.to, { username, reasons: reasonsOf(ui, error) }) };
  }
}

function reasonsOf(ui: Ui, error: InvalidInputError) {
  const { errors, summary } = messagesOf(ui, error, ['username'], new Map([['username', ['']]]));
  return [...(errors.username ?? []), ...summary];
}
