import { requirePermission } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { InvalidInputError } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { accountNamed } from '../accounts/administration.ts';
import { keepingAdministrator, requireEditableAccount } from '../accounts/target-accounts.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { type AuditActor, COMMAND_LINE, recordAudit } from '../activity/record-audit.ts';
import { publishAddonsOf } from '../listing/publish-addons.ts';
import { announceEnd, recordStaffAct } from '../mail/record-staff-act.ts';

/**
 * Disables an account, which invalidates its tokens from the next request on, or enables it again. Its keys are kept.
 * Idempotent.
 * @throws {NotAuthenticatedError}, {NotPermittedError} without `Users:Edit` and for an account above the viewer's rank,
 * {NotFoundError} for an unknown or deleted account, {InvalidInputError} when the viewer disables their own account and for the last
 * administrator.
 */
export async function setAccountDisabled(
  viewer: Viewer,
  id: number,
  isDisabled: boolean,
  reason: string,
): Promise<void> {
  const administrator = requirePermission(viewer, 'Users:Edit');
  if (isDisabled && id === administrator.accountId) throw new InvalidInputError(message('account.disables_itself'));
  await db.$transaction((tx) =>
    keepingAdministrator(tx, async () => {
      await requireEditableAccount(tx, viewer, id);
      await writeDisabled(tx, id, isDisabled, administrator, reason);
    }),
  );
}

/** Disables a user by a command. Idempotent. @throws {NotFoundError} for an unknown or deleted user. */
export const disableAccountByName = (username: string, reason = ''): Promise<void> => setByName(username, true, reason);

/** Enables a user again by a command. Idempotent. @throws {NotFoundError} for an unknown or deleted user. */
export const enableAccountByName = (username: string, reason = ''): Promise<void> => setByName(username, false, reason);

async function setByName(username: string, isDisabled: boolean, reason: string): Promise<void> {
  await db.$transaction((tx) =>
    keepingAdministrator(tx, async () => {
      const { id } = await accountNamed(tx, username);
      await writeDisabled(tx, id, isDisabled, COMMAND_LINE, reason);
    }),
  );
}

/** Also updates the documents of all add-ons that list the account as an author. Callers run it in `keepingAdministrator`. */
async function writeDisabled(
  tx: Transaction,
  id: number,
  isDisabled: boolean,
  actor: AuditActor,
  reason: string,
): Promise<void> {
  const where = { id, deletedAt: null, disabledAt: isDisabled ? null : { not: null } };
  if ((await tx.account.count({ where })) === 0) return;
  if (isDisabled) await announceEnd(tx, actor, id, 'account-disabled', reason);
  await tx.account.updateMany({ where, data: { disabledAt: isDisabled ? new Date() : null } });
  const action = isDisabled ? 'account-disabled' : 'account-enabled';
  const accountId = typeof actor === 'string' ? null : actor.accountId;
  await recordActivity(tx, { action, accountId, comments: reason, details: { accountId: id } });
  await publishAddonsOf(tx, id);
  const details = { accountId: id, reason };
  const notice = { name: 'account-enabled', path: '/account/' } as const;
  if (isDisabled) await recordAudit(tx, actor, action, details);
  else await recordStaffAct(tx, actor, [id], { action, details, notice });
}
