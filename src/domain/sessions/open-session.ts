import { ACCESS_TOKEN_DAYS } from '../../auth/access-token.ts';
import { hashCookieValue, newCookieValue } from '../../auth/page-session.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { issueAccessToken } from '../accounts/issue-credentials.ts';
import { recordActivity } from '../activity/record-activity.ts';

const DAY_S = 86_400;

/** The end of a session that starts now, by the clock that also decides whether it has come. */
async function endOfSession(tx: Transaction, days: number): Promise<Date> {
  const [row] = await tx.$queryRaw<{ expires: Date }[]>`SELECT now() + make_interval(days => ${days}::int) AS expires`;
  if (row === undefined) throw new Error('the database has no time');
  return row.expires;
}

/** The credentials of a new session. They are returned once; the database contains their hashes. */
export interface OpenedSession {
  tokenId: number;
  /** The access token, for the API. */
  token: string;
  /** The value of the session cookie, for pages. */
  pageSession: string;
  /** In seconds. */
  maxAge: number;
}

/** Signs an account in: issues an access token and a page session that ends with it. */
export async function openSession(
  tx: Transaction,
  accountId: number,
  { label, days = ACCESS_TOKEN_DAYS }: { label: string; days?: number },
): Promise<OpenedSession> {
  const expires = await endOfSession(tx, days);
  const { id: tokenId, token } = await issueAccessToken(tx, accountId, { label, expires });
  const pageSession = newCookieValue();
  await tx.pageSession.create({ data: { accessTokenId: tokenId, hash: hashCookieValue(pageSession), expires } });
  return { tokenId, token, pageSession, maxAge: days * DAY_S };
}

/** The browser of a sign-in: its address, its language, which mails to the account take, and the cookie of an earlier page session. */
export interface SigningBrowser {
  ip: string | null;
  locale: string;
  previous: string | null;
}

/**
 * Opens a session for a person at a browser and records the sign-in. Ends the page session that the browser had before; its
 * access token stays valid.
 */
export async function openBrowserSession(
  tx: Transaction,
  accountId: number,
  label: string,
  { ip, locale, previous }: SigningBrowser,
): Promise<OpenedSession> {
  if (previous !== null) await tx.pageSession.deleteMany({ where: { hash: hashCookieValue(previous) } });
  await tx.account.update({
    where: { id: accountId },
    data: { lastLogin: new Date(), lastLoginIp: ip, locale },
    select: { id: true },
  });
  const session = await openSession(tx, accountId, { label });
  await recordActivity(tx, { action: 'signed-in', accountId, details: { tokenId: session.tokenId } });
  return session;
}

/** Like `openBrowserSession`, in a new transaction. */
export function openLabelledSession(accountId: number, label: string, browser: SigningBrowser): Promise<OpenedSession> {
  return db.$transaction((tx) => openBrowserSession(tx, accountId, label, browser));
}
