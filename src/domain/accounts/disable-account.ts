import { requireAccountAdministrator } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotFoundError } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { recordAudit } from '../activity/record-audit.ts';

/**
 * Disables an account, which invalidates its tokens from the next request on. Its keys are kept for re-enabling. Idempotent.
 * @throws {NotAuthenticatedError}, {NotPermittedError} without `Users:Edit`, {NotFoundError} for an unknown or deleted
 * account, {InvalidInputError} for the viewer's own account.
 */
export async function disableAccount(viewer: Viewer, id: number, reason: string): Promise<void> {
  const administrator = requireAccountAdministrator(viewer);
  if (id === administrator.accountId) throw new InvalidInputError('You cannot disable your own account.');
  const account = await db.account.findUnique({ where: { id }, select: { deletedAt: true } });
  if (account === null || account.deletedAt !== null) throw new NotFoundError();
  await db.$transaction(async (tx) => {
    if (!(await markDisabled(tx, id, administrator.accountId, reason))) return;
    await recordAudit(tx, administrator, 'account-disabled', { accountId: id, reason });
  });
}

/** Marks an account disabled and logs it; `actor` is null for commands. Returns false when it was disabled before. */
export async function markDisabled(
  tx: Transaction,
  id: number,
  actor: number | null,
  reason: string,
): Promise<boolean> {
  const { count } = await tx.account.updateMany({ where: { id, disabledAt: null }, data: { disabledAt: new Date() } });
  if (count === 0) return false;
  const details = { accountId: id };
  await recordActivity(tx, { action: 'account-disabled', accountId: actor, comments: reason, details });
  return true;
}
