import { requireAccountAdministrator } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotFoundError } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { accountNamed } from '../accounts/administration.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { type Actor, COMMAND_LINE, recordAudit } from '../activity/record-audit.ts';
import { publishAddonsOf } from '../listing/publish-addons.ts';

/**
 * Disables an account, which invalidates its tokens from the next request on, or enables it again. Its keys are kept.
 * Idempotent.
 * @throws {NotAuthenticatedError}, {NotPermittedError} without `Users:Edit`, {NotFoundError} for an unknown or deleted
 * account, {InvalidInputError} when the viewer disables their own account.
 */
export async function setAccountDisabled(
  viewer: Viewer,
  id: number,
  isDisabled: boolean,
  reason: string,
): Promise<void> {
  const administrator = requireAccountAdministrator(viewer);
  if (isDisabled && id === administrator.accountId) throw new InvalidInputError('You cannot disable your own account.');
  const account = await db.account.findUnique({ where: { id }, select: { deletedAt: true } });
  if (account === null || account.deletedAt !== null) throw new NotFoundError();
  await db.$transaction((tx) => writeDisabled(tx, id, isDisabled, administrator, reason));
}

/** Disables a user by a command. Idempotent. @throws {NotFoundError} for an unknown or deleted user. */
export const disableAccountByName = (username: string, reason = ''): Promise<void> => setByName(username, true, reason);

/** Enables a user again by a command. Idempotent. @throws {NotFoundError} for an unknown or deleted user. */
export const enableAccountByName = (username: string, reason = ''): Promise<void> => setByName(username, false, reason);

async function setByName(username: string, isDisabled: boolean, reason: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const { id } = await accountNamed(tx, username);
    await writeDisabled(tx, id, isDisabled, COMMAND_LINE, reason);
  });
}

/** Also updates the documents of all add-ons that list the account as an author. */
async function writeDisabled(
  tx: Transaction,
  id: number,
  isDisabled: boolean,
  actor: Actor,
  reason: string,
): Promise<void> {
  const changed = await tx.account.updateMany({
    where: { id, deletedAt: null, disabledAt: isDisabled ? null : { not: null } },
    data: { disabledAt: isDisabled ? new Date() : null },
  });
  if (changed.count === 0) return;
  const action = isDisabled ? 'account-disabled' : 'account-enabled';
  const accountId = typeof actor === 'string' ? null : actor.accountId;
  await recordActivity(tx, { action, accountId, comments: reason, details: { accountId: id } });
  await publishAddonsOf(tx, id);
  await recordAudit(tx, actor, action, { accountId: id, reason });
}
