import { Prisma, type Transaction } from '../../infra/db.ts';

/** SQL: whether the account that uploaded version `v` is disabled. */
export const isUploaderDisabled = Prisma.sql`EXISTS (SELECT FROM upload JOIN account ON account.id = upload.account_id
    WHERE upload.version_id = v.id AND account.disabled_at IS NOT NULL)`;

/** SQL: why version `v` of add-on `a` may not be signed or published, as text for its developers; NULL when it may. */
export const holdReason = Prisma.sql`CASE
  WHEN a.deleted_at IS NOT NULL THEN 'The add-on is deleted.'
  WHEN a.status = 'disabled' THEN 'The operator disabled the add-on.'
  WHEN ${isUploaderDisabled} THEN 'The account that uploaded it is disabled.' END`;

/**
 * Locks the uploader's account and the add-on of a version until the end of the transaction, in the order of all other
 * changes. Returns whether the version is held: it may be neither signed nor published while the add-on is deleted or the
 * operator disables either.
 */
export async function lockForSigning(tx: Transaction, versionId: number): Promise<{ isHeld: boolean }> {
  await tx.$queryRaw`
    SELECT FROM account JOIN upload ON upload.account_id = account.id
    WHERE upload.version_id = ${versionId} FOR SHARE OF account`;
  const [row] = await tx.$queryRaw<{ reason: string | null }[]>`
    SELECT ${holdReason} AS reason FROM version v JOIN addon a ON a.id = v.addon_id
    WHERE v.id = ${versionId} FOR NO KEY UPDATE OF a`;
  return { isHeld: row?.reason !== null };
}
