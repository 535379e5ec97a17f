import { Prisma, type Transaction } from '../../infra/db.ts';
import { type Message, message } from '../../texts/messages.ts';

/** SQL: whether the account that uploaded version `v` is disabled. */
export const isUploaderDisabled = Prisma.sql`EXISTS (SELECT FROM upload JOIN account ON account.id = upload.account_id
    WHERE upload.version_id = v.id AND account.disabled_at IS NOT NULL)`;

const jsonOf = (code: 'signing.addon_deleted' | 'signing.addon_disabled' | 'signing.uploader_disabled') =>
  Prisma.sql`${JSON.stringify(message(code))}::jsonb`;

/** SQL: the message why version `v` of add-on `a` may not be signed or published, as JSON; NULL when it may. */
export const blockReason = Prisma.sql`CASE
  WHEN a.deleted_at IS NOT NULL THEN ${jsonOf('signing.addon_deleted')}
  WHEN a.status = 'disabled' THEN ${jsonOf('signing.addon_disabled')}
  WHEN ${isUploaderDisabled} THEN ${jsonOf('signing.uploader_disabled')} END`;

/**
 * Locks the uploader's account and the add-on of a version until the end of the transaction, in the order of all other
 * changes. Returns whether the version is blocked: it may be neither signed nor published while the add-on is deleted or the
 * operator disables either.
 */
export async function lockForSigning(tx: Transaction, versionId: number): Promise<{ isBlocked: boolean }> {
  await tx.$queryRaw`
    SELECT FROM account JOIN upload ON upload.account_id = account.id
    WHERE upload.version_id = ${versionId} FOR SHARE OF account`;
  const [row] = await tx.$queryRaw<{ reason: Message | null }[]>`
    SELECT ${blockReason} AS reason FROM version v JOIN addon a ON a.id = v.addon_id
    WHERE v.id = ${versionId} FOR NO KEY UPDATE OF a`;
  return { isBlocked: row?.reason !== null };
}
