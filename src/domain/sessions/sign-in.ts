import { authorizationUrl, redeemCode } from '../../auth/identity-provider.ts';
import { viewerOfPage } from '../../auth/page-session.ts';
import { config } from '../../config.ts';
import { NotFoundError, SignInError } from '../../errors.ts';
import { retryAfterConflict } from '../../infra/database-errors.ts';
import { db } from '../../infra/db.ts';
import { networkOf } from '../../infra/network.ts';
import { consumeLimit } from '../../infra/rate-limits.ts';
import { identifiedAccount } from './identified-account.ts';
import { newAttempt, storeAttempt, takeAttempt } from './login-attempt.ts';
import { type OpenedSession, openBrowserSession, type SigningBrowser } from './open-session.ts';

/** @throws {NotFoundError} without an identity provider. */
function requireIssuer(): string {
  if (config.OIDC_ISSUER === undefined) throw new NotFoundError();
  return config.OIDC_ISSUER;
}

export interface StartedSignIn {
  /** Where the provider signs the person in. */
  location: string;
  /** Value of the cookie that binds the sign-in to the browser. */
  browser: string;
}

/**
 * Counts a started sign-in: for the account of the browser's page session, so that others at its address cannot keep it from signing
 * in again, else for its address.
 * @throws {ThrottledError}.
 */
export async function countSignInStart(pageSession: string | null, ip: string | null): Promise<void> {
  const viewer = await viewerOfPage(pageSession);
  if (viewer.kind === 'account') await consumeLimit('sign-in-start', `account ${viewer.accountId}`);
  else if (ip !== null) await consumeLimit('sign-in-start', networkOf(ip));
}

/**
 * Starts a sign-in through the identity provider that leads to `to` afterwards (people.md D101). `browser` is the cookie of an
 * earlier sign-in, `pageSession` that of the page session.
 * @throws {NotFoundError} without a provider, {ThrottledError}, {UnavailableError} when the provider cannot be reached.
 */
export async function startSignIn(
  to: string | null,
  { browser, pageSession }: { browser: string | null; pageSession: string | null },
  ip: string | null,
): Promise<StartedSignIn> {
  const issuer = requireIssuer();
  await countSignInStart(pageSession, ip);
  const attempt = newAttempt(to, browser);
  const location = await authorizationUrl(issuer, attempt);
  await storeAttempt(attempt);
  return { location, browser: attempt.browser };
}

/** What a browser brings back from the provider. Absent values are null. */
export interface SignInCallback {
  code: string | null;
  state: string | null;
  /** `error` of the provider. */
  error: string | null;
  /** `iss` of the provider. */
  issuer: string | null;
  /** Cookie of the started sign-in. */
  browser: string | null;
  /** Cookie of an earlier page session of this browser. */
  pageSession: string | null;
}

export interface FinishedSignIn extends OpenedSession {
  email: string;
  nextPath: string;
}

/**
 * Finishes a sign-in: verifies what the provider says, finds or creates the account, opens a session (people.md D103-D105).
 * @throws {NotFoundError} without a provider, {SignInError}, {UnavailableError} when the provider cannot be reached,
 * {ThrottledError} after many failures from one address.
 */
export async function finishSignIn(
  callback: SignInCallback,
  client: Pick<SigningBrowser, 'ip' | 'locale'>,
): Promise<FinishedSignIn> {
  const issuer = requireIssuer();
  try {
    return await finish(issuer, callback, client);
  } catch (error) {
    const { ip } = client;
    if (error instanceof SignInError && ip !== null) await consumeLimit('failed-authenticate', networkOf(ip));
    throw error;
  }
}

async function finish(
  issuer: string,
  callback: SignInCallback,
  client: Pick<SigningBrowser, 'ip' | 'locale'>,
): Promise<FinishedSignIn> {
  const { code, state, error, browser, pageSession: previous } = callback;
  if (code === null || code === '' || error !== null) throw new SignInError('no-code');
  if (state === null || browser === null) throw new SignInError('state-mismatch');
  const attempt = await takeAttempt(state, browser);
  if (attempt === null) throw new SignInError('state-mismatch');
  const identity = await redeemCode(issuer, { code, issuer: callback.issuer }, attempt);
  const opened = await retryAfterConflict(() =>
    db.$transaction(async (tx) => {
      const account = await identifiedAccount(tx, identity);
      const label = `Sign-in through ${new URL(issuer).host}`;
      const session = await openBrowserSession(tx, account.id, label, { ...client, previous });
      return { ...session, email: account.email ?? identity.email ?? '' };
    }),
  );
  return { ...opened, nextPath: attempt.nextPath ?? '/' };
}
