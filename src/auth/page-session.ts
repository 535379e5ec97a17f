import { createHash, randomBytes } from 'node:crypto';
import { db, type Transaction } from '../infra/db.ts';
import { CREDENTIAL_ACCOUNT, type CredentialAccount } from './credential-account.ts';
import { ANONYMOUS, type Viewer } from './viewer.ts';

/** A page session ends this many days after its last use. */
const PAGE_SESSION_IDLE_DAYS = 7;

/** A random value for a cookie: 256 bits, 43 characters. */
export const newCookieValue = (): string => randomBytes(32).toString('base64url');

const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** Whether a text has the form of such a value. */
export const isCookieValue = (text: string): boolean => SHAPE.test(text);

/** The stored form of a random value: its SHA-256. */
export function hashCookieValue(value: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(value).digest());
}

/**
 * Turns the session cookie into the viewer of a page, in one statement; anonymous without a valid one. For pages only: REST and
 * GraphQL read the Authorization header. A session is valid while its access token is. `via.signedInAt` is the time of the sign-in
 * that started it, which pages of credentials require to be recent.
 */
export async function viewerOfPage(cookie: string | null): Promise<Viewer> {
  if (cookie === null || !isCookieValue(cookie)) return ANONYMOUS;
  const [found] = await db.$queryRaw<(CredentialAccount & { tokenId: number; signedInAt: Date })[]>`
    WITH used AS (
      UPDATE page_session SET last_used = now()
      WHERE hash = ${hashCookieValue(cookie)} AND last_used < now() - interval '1 minute'
        AND last_used > now() - make_interval(days => ${PAGE_SESSION_IDLE_DAYS}))
    SELECT t.id AS "tokenId", s.created AS "signedInAt", ${CREDENTIAL_ACCOUNT}
    FROM page_session s JOIN access_token t ON t.id = s.access_token_id JOIN account a ON a.id = t.account_id
    WHERE s.hash = ${hashCookieValue(cookie)} AND s.expires > now() AND t.expires > now() AND t.revoked_at IS NULL
      AND s.last_used > now() - make_interval(days => ${PAGE_SESSION_IDLE_DAYS})`;
  if (found === undefined || found.isInactive) return ANONYMOUS;
  const { accountId, username, rules, tokenId, signedInAt } = found;
  return { kind: 'account', accountId, username, rules, via: { scheme: 'page', tokenId, signedInAt } };
}

/**
 * Ends the page sessions of accounts whose groups, or the rules of whose groups, change: a session never has other rights than
 * those it was opened with. The access tokens of the same sign-ins stay valid.
 */
export async function endPageSessionsOf(tx: Transaction, accountIds: readonly number[]): Promise<void> {
  await tx.pageSession.deleteMany({ where: { accessToken: { accountId: { in: [...accountIds] } } } });
}

/** Removes sign-ins and page sessions that have expired. Returns how many. */
export async function purgeSignIns(): Promise<number> {
  const attempts = await db.$executeRaw`DELETE FROM login_attempt WHERE expires < now()`;
  const sessions = await db.$executeRaw`
    DELETE FROM page_session
    WHERE expires < now() OR last_used < now() - make_interval(days => ${PAGE_SESSION_IDLE_DAYS})`;
  return attempts + sessions;
}
