import { type AttemptSecrets, authorizationUrl, redeemCode } from '../../auth/identity-provider.ts';
import { safeNextPath } from '../../auth/next-path.ts';
import { hashCookieValue, isCookieValue, newCookieValue, viewerOfPage } from '../../auth/page-session.ts';
import { requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { config } from '../../config.ts';
import { NotFoundError, SignInError } from '../../errors.ts';
import { retryAfterConflict } from '../../infra/database-errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { networkOf } from '../../infra/network.ts';
import { consumeLimit } from '../../infra/rate-limits.ts';
import { applyClaimedGroups, recordChangedGroups } from '../groups/claimed-groups.ts';
import { type IdentifiedAccount, identifiedAccount } from './identified-account.ts';
import { linkProven, recordIdentityAct } from './link-identity.ts';
import { type OpenedSession, openBrowserSession, type SigningBrowser } from './open-session.ts';

/** How long a sign-in may take (docs/decisions.md D102). */
const ATTEMPT_MINUTES = 10;

interface StartedAttempt extends AttemptSecrets {
  /** Value of the cookie that binds the sign-in to the browser. */
  browser: string;
  nextPath: string | null;
}

/**
 * The secrets of a new sign-in that leads to `to`. `browser` is the cookie of an earlier one, which is kept so that sign-ins in
 * several tabs do not disturb each other.
 */
function newAttempt(to: string | null, browser: string | null): StartedAttempt {
  const nextPath = safeNextPath(to);
  const ending = nextPath === null ? '' : `:${Buffer.from(nextPath).toString('base64url')}`;
  return {
    state: newCookieValue() + ending,
    nonce: newCookieValue(),
    verifier: newCookieValue(),
    browser: browser !== null && isCookieValue(browser) ? browser : newCookieValue(),
    nextPath,
  };
}

/** Stores a sign-in for all processes. Its identity will be linked to the account `linkAccountId`; null signs in. */
async function storeAttempt(
  { state, browser, nonce, verifier, nextPath }: StartedAttempt,
  linkAccountId: number | null,
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO login_attempt (state_hash, browser_hash, nonce, verifier, next_path, link_account_id, expires)
    VALUES (${hashCookieValue(state)}, ${hashCookieValue(browser)}, ${nonce}, ${verifier}, ${nextPath}, ${linkAccountId},
      now() + make_interval(mins => ${ATTEMPT_MINUTES}))`;
}

/** A sign-in that returns from the provider. */
interface TakenAttempt extends AttemptSecrets {
  nextPath: string | null;
  linkAccountId: number | null;
}

/** Takes the sign-in with this state, which is thereby used; null unless this browser has started it within ten minutes. */
async function takeAttempt(state: string, browser: string): Promise<TakenAttempt | null> {
  const [attempt] = await db.$queryRaw<Omit<TakenAttempt, 'state'>[]>`
    DELETE FROM login_attempt
    WHERE state_hash = ${hashCookieValue(state)} AND browser_hash = ${hashCookieValue(browser)} AND expires > now()
    RETURNING nonce, verifier, next_path AS "nextPath", link_account_id AS "linkAccountId"`;
  return attempt === undefined ? null : { ...attempt, state, nextPath: safeNextPath(attempt.nextPath) };
}

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
 * Starts a sign-in through the identity provider that leads to `to` afterwards (docs/decisions.md D101). `browser` is the cookie of an
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
  return start(issuer, { to, browser, linkAccountId: null });
}

async function start(
  issuer: string,
  { to, browser, linkAccountId }: { to: string | null; browser: string | null; linkAccountId: number | null },
): Promise<StartedSignIn> {
  const attempt = newAttempt(to, browser);
  const location = await authorizationUrl(issuer, attempt);
  await storeAttempt(attempt, linkAccountId);
  return { location, browser: attempt.browser };
}

/** Where a browser goes after it has linked an identity. */
const IDENTITIES_PATH = '/account/identities/';

/**
 * Starts a sign-in whose identity is linked to the account of the viewer. It ends in the browser that has the returned cookie and a page
 * session of this account.
 * @throws {NotAuthenticatedError}, and as `startSignIn` does.
 */
export async function startIdentityLink(viewer: Viewer): Promise<StartedSignIn> {
  const { accountId } = requireSignedIn(viewer);
  const issuer = requireIssuer();
  await consumeLimit('sign-in-start', `account ${accountId}`);
  return start(issuer, { to: `${IDENTITIES_PATH}?done=link-identity`, browser: null, linkAccountId: accountId });
}

/** What a browser brings back from the provider. Absent values are null. */
interface SignInCallback {
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
 * Finishes a sign-in: verifies the response of the provider, finds or creates the account, opens a session (docs/decisions.md D103-D105).
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
  const owner = attempt.linkAccountId === null ? null : await linkingAccount(attempt.linkAccountId, previous);
  const opened = await retryAfterConflict(() =>
    db.$transaction(async (tx) => {
      const account = owner ?? (await identifiedAccount(tx, identity));
      const label = `Sign-in through ${new URL(issuer).host}`;
      const groups = await applyClaimedGroups(tx, account.id, identity.groupValues);
      await requireAcr(tx, account.id, identity.acr);
      const session = await openBrowserSession(tx, account.id, label, { ...client, previous });
      const person = { accountId: account.id, username: account.username };
      if (owner !== null) await linkProven(tx, person, identity);
      else if (account.isJoined) await recordIdentityAct(tx, 'identity-linked', { ...identity, ...person, person });
      await recordChangedGroups(tx, { ...person, issuer }, groups);
      return { ...session, email: account.email ?? identity.email ?? '' };
    }),
  );
  return { ...opened, nextPath: attempt.nextPath ?? '/' };
}

/**
 * The account that an identity is linked to: that of the browser's page session, which the person has not left since the start.
 * @throws {SignInError} `state-mismatch` for another account and without a session.
 */
async function linkingAccount(accountId: number, pageSession: string | null): Promise<IdentifiedAccount> {
  const viewer = await viewerOfPage(pageSession);
  if (viewer.kind !== 'account' || viewer.accountId !== accountId) throw new SignInError('state-mismatch');
  const { email } = await db.account.findUniqueOrThrow({ where: { id: accountId }, select: { email: true } });
  return { id: accountId, username: viewer.username, email, isJoined: false };
}

/**
 * Checks that the provider has authenticated a developer or member of staff as strongly as `OIDC_REQUIRED_ACR` requires: an account with a
 * permission rule, an author, and the sender of an upload.
 * @throws {SignInError} `acr-required`.
 */
async function requireAcr(tx: Transaction, accountId: number, acr: string | null): Promise<void> {
  const { OIDC_REQUIRED_ACR: accepted } = config;
  if (accepted.length === 0 || (acr !== null && accepted.includes(acr))) return;
  const [row] = await tx.$queryRaw<{ needsAcr: boolean }[]>`
    SELECT EXISTS (SELECT FROM addon_author WHERE account_id = ${accountId})
      OR EXISTS (SELECT FROM upload WHERE account_id = ${accountId})
      OR EXISTS (SELECT FROM group_member m JOIN permission_group g ON g.id = m.group_id
        WHERE m.account_id = ${accountId} AND cardinality(g.rules) > 0) AS "needsAcr"`;
  if (row?.needsAcr === true) throw new SignInError('acr-required');
}
