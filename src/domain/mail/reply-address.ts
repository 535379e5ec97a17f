/*
 * Reply addresses (docs/decisions.md D118, D121): reviewreply+<32 hex>@MAIL_DOMAIN. The digits are derived from the installation's
 * secret key for one mail, so the database stores only their hash.
 */
import { createHash } from 'node:crypto';
import { validLinkCodes } from '../../auth/secret-box.ts';
import { config } from '../../config.ts';
import type { Transaction } from '../../infra/db.ts';
import { mailDomain } from './mail-settings.ts';

const TOKEN_BYTES = 16;
const LOCAL_PART = /^reviewreply\+([0-9a-f]{32})$/i;

/** The token for replies to a mail, which has one recipient: 128 bits in hex. With `hash`, the one that has this hash. */
function replyToken(mailId: number, hash: string | null = null): string {
  const tokens = validLinkCodes('reply-tokens', `mail:${mailId}`).map((code) =>
    code.subarray(0, TOKEN_BYTES).toString('hex'),
  );
  return tokens.find((token) => replyTokenHash(token) === hash) ?? tokens[0] ?? '';
}

/** What the database stores of a token. */
export const replyTokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** The address that takes replies to a mail. `tokenHash` is stored; the secret key may have been replaced since. */
export const replyAddress = (mailId: number, tokenHash?: string | null): string =>
  `reviewreply+${replyToken(mailId, tokenHash)}@${mailDomain()}`;

/** Makes the addresses valid that take replies to new mails about a version. */
export async function insertReplyAddresses(
  tx: Transaction,
  versionId: number,
  mails: readonly { id: number; accountId: number | null }[],
): Promise<void> {
  const data = mails.flatMap(({ id: mailId, accountId }) =>
    accountId === null ? [] : [{ mailId, accountId, versionId, tokenHash: replyTokenHash(replyToken(mailId)) }],
  );
  await tx.replyAddress.createMany({ data });
}

/** How many replies a mail takes, within REPLY_ADDRESS_DAYS. */
export const MAX_REPLIES = 5;

/** Counts a use of an address. Returns false when its uses or its time are over. */
export async function countReply(tx: Transaction, tokenHash: string): Promise<boolean> {
  const used = await tx.$executeRaw`
    UPDATE reply_address SET use_count = use_count + 1
    WHERE token_hash = ${tokenHash} AND use_count < ${MAX_REPLIES} AND created > now() - make_interval(days => ${config.REPLY_ADDRESS_DAYS}::int)`;
  return used > 0;
}

/** The token in a reply address of this installation, in any case; null for other addresses. */
export function tokenInAddress(address: string): string | null {
  const at = address.lastIndexOf('@');
  if (at < 0 || address.slice(at + 1).toLowerCase() !== mailDomain().toLowerCase()) return null;
  return LOCAL_PART.exec(address.slice(0, at))?.[1]?.toLowerCase() ?? null;
}
