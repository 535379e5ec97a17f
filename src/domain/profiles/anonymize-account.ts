import type { Transaction } from '../../infra/db.ts';
import { anonymousUsername } from '../accounts/account-names.ts';

/**
 * Deletes everything that an account states or owns, and marks it deleted (docs/decisions.md D96). Its row stays for notes, reports and
 * past authorships, under a new generated username. The file of its picture is collected when no row refers to it. A trigger on
 * `deleted_at` clears the outbox and ends its reply addresses.
 */
export async function anonymizeAccount(tx: Transaction, id: number): Promise<void> {
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
