/*
 * Reply addresses (people.md D118, D121): reviewreply+<32 hex>@MAIL_DOMAIN. The digits are derived from the installation's
 * secret key for one version and one account, so the database stores only their hash.
 */
import { createHash, createHmac } from 'node:crypto';
import { derivedKey } from '../../auth/secret-box.ts';
import type { Transaction } from '../../infra/db.ts';
import { mailDomain } from './mail-settings.ts';

const TOKEN_LENGTH = 32;
const LOCAL_PART = /^reviewreply\+([0-9a-f]{32})$/i;

/** The token of an account for replies about a version: 128 bits in hex. */
export function replyToken(versionId: number, accountId: number): string {
  const digest = createHmac('sha256', derivedKey('reply-tokens')).update(`${versionId}:${accountId}`).digest('hex');
  return digest.slice(0, TOKEN_LENGTH);
}

/** What the database stores of a token. */
export const replyTokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** The address that takes replies of an account about a version. */
export const replyAddress = (versionId: number, accountId: number): string =>
  `reviewreply+${replyToken(versionId, accountId)}@${mailDomain()}`;

/** Makes the tokens of accounts valid for a version, with all of their uses (people.md D121). */
export async function renewReplyTokens(
  tx: Transaction,
  versionId: number,
  accountIds: readonly number[],
): Promise<void> {
  if (accountIds.length === 0) return;
  const hashes = accountIds.map((accountId) => replyTokenHash(replyToken(versionId, accountId)));
  await tx.$executeRaw`
    INSERT INTO reply_token (version_id, account_id, token_hash)
    SELECT ${versionId}::int, * FROM unnest(${[...accountIds]}::int[], ${hashes}::text[])
    ON CONFLICT (version_id, account_id) DO UPDATE SET token_hash = excluded.token_hash, use_count = 0`;
}

/** The token in a reply address of this installation, in any case; null for other addresses. */
export function tokenInAddress(address: string): string | null {
  const at = address.lastIndexOf('@');
  if (at < 0 || address.slice(at + 1).toLowerCase() !== mailDomain().toLowerCase()) return null;
  return LOCAL_PART.exec(address.slice(0, at))?.[1]?.toLowerCase() ?? null;
}
