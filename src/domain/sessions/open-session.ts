import { ACCESS_TOKEN_DAYS } from '../../auth/access-token.ts';
import { hashCookieValue, newCookieValue } from '../../auth/page-session.ts';
import type { Transaction } from '../../infra/db.ts';
import { issueAccessToken } from '../accounts/issue-credentials.ts';

const DAY_S = 86_400;

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
  const maxAge = days * DAY_S;
  const expires = new Date(Date.now() + maxAge * 1000);
  const { id: tokenId, token } = await issueAccessToken(tx, accountId, { label, expires });
  const pageSession = newCookieValue();
  await tx.pageSession.create({ data: { accessTokenId: tokenId, hash: hashCookieValue(pageSession), expires } });
  return { tokenId, token, pageSession, maxAge };
}

/** Ends the page session that a browser had before it signed in again. Its access token stays valid. */
export async function replacePageSession(tx: Transaction, previous: string | null): Promise<void> {
  if (previous !== null) await tx.pageSession.deleteMany({ where: { hash: hashCookieValue(previous) } });
}
