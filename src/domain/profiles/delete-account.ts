import { isBuiltIn } from '../../auth/credential-account.ts';
import { requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotFoundError } from '../../errors.ts';
import { retryAfterConflict } from '../../infra/database-errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { anonymousUsername } from '../accounts/account-names.ts';
import type { AccountRef } from '../accounts/account-ref.ts';
import { accountNamed } from '../accounts/administration.ts';
import { editableAccountId } from '../accounts/find-account.ts';
import { keepingAdministrator } from '../accounts/target-accounts.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { type AuditActor, COMMAND_LINE, recordAudit } from '../activity/record-audit.ts';
import { publishAddonsOf } from '../listing/publish-addons.ts';
import { announceEnd } from '../mail/record-staff-act.ts';

const IS_AUTHOR = message('account.is_author');

/**
 * Deletes an account and everything it states (contract, DELETE account; docs/decisions.md D95, D96). Returns its id.
 * @throws what `editableAccountId` throws, {InvalidInputError} for an author of an add-on that is not deleted and for the
 * last administrator.
 */
export async function deleteAccount(viewer: Viewer, by: AccountRef): Promise<number> {
  const actor = requireSignedIn(viewer);
  const id = await editableAccountId(viewer, by);
  const work = (tx: Transaction) => keepingAdministrator(tx, () => eraseAccount(tx, id, actor));
  await retryAfterConflict(() => db.$transaction(work));
  return id;
}

/**
 * Deletes a user by a command.
 * @throws {NotFoundError} for an unknown or deleted user, and as `deleteAccount` does.
 */
export async function deleteAccountByName(username: string): Promise<void> {
  await db.$transaction((tx) =>
    keepingAdministrator(tx, async () => {
      const { id } = await accountNamed(tx, username);
      await eraseAccount(tx, id, COMMAND_LINE);
    }),
  );
}

async function eraseAccount(tx: Transaction, id: number, actor: AuditActor): Promise<void> {
  // The use of a credential is recorded in this order: key or token, then account.
  await tx.$queryRaw`SELECT FROM api_key WHERE account_id = ${id} ORDER BY id FOR UPDATE`;
  await tx.$queryRaw`SELECT FROM access_token WHERE account_id = ${id} ORDER BY id FOR UPDATE`;
  // New authorships lock the account too: the next statement sees each, or each sees the deletion.
  const found = await tx.$queryRaw<unknown[]>`SELECT FROM account WHERE id = ${id} AND deleted_at IS NULL FOR UPDATE`;
  if (found.length === 0) throw new NotFoundError();
  const authorship = { accountId: id, addon: { deletedAt: null } };
  if ((await tx.addonAuthor.findFirst({ where: authorship })) !== null) throw new InvalidInputError(IS_AUTHOR);
  if (isBuiltIn(id)) throw new InvalidInputError(message('account.automatic'));
  await announceEnd(tx, actor, id, 'account-deleted');
  await anonymizeAccount(tx, id);
  const accountId = typeof actor === 'string' ? null : actor.accountId;
  await recordActivity(tx, { action: 'account-deleted', accountId, details: { accountId: id } });
  await publishAddonsOf(tx, id);
  if (accountId !== id) await recordAudit(tx, actor, 'account-deleted', { accountId: id });
}

/**
 * Deletes everything that an account states or owns, and marks it deleted (docs/decisions.md D96). Its row stays for notes, reports and
 * past authorships, under a new generated username. The file of its picture is collected when no row refers to it. A trigger on
 * `deleted_at` clears the outbox and ends its reply addresses.
 */
async function anonymizeAccount(tx: Transaction, id: number): Promise<void> {
  await tx.groupMember.deleteMany({ where: { accountId: id } });
  await tx.notificationSetting.deleteMany({ where: { accountId: id } });
  await tx.accountIdentity.deleteMany({ where: { accountId: id } });
  await tx.authorInvitation.deleteMany({ where: { OR: [{ accountId: id }, { invitedBy: id }] } });
  // Page sessions end with their tokens.
  await tx.accessToken.deleteMany({ where: { accountId: id } });
  await tx.$executeRaw`
    UPDATE api_key SET revoked_at = coalesce(revoked_at, now()), sealed_secret = '', label = '' WHERE account_id = ${id}`;
  // Its packages that are no versions yet.
  await tx.upload.deleteMany({ where: { accountId: id, versionId: null } });
  await tx.reviewQueueEntry.updateMany({ where: { claimedBy: id }, data: { claimedBy: null, claimedUntil: null } });
  await tx.account.update({
    where: { id },
    data: {
      username: anonymousUsername(),
      hasChosenUsername: false,
      email: null,
      displayName: null,
      biography: null,
      homepage: null,
      location: null,
      occupation: null,
      pictureSha256: null,
      isVerified: false,
      readDevAgreement: null,
      lastLogin: null,
      lastLoginIp: null,
      locale: null,
      deletedAt: new Date(),
    },
    select: { id: true },
  });
}
