import type { Transaction } from '../../infra/db.ts';
import { anonymousUsername } from '../accounts/account-names.ts';

/**
 * Deletes everything that an account states or owns, and marks it deleted (docs/decisions.md D96). Its row stays for notes, reports and
 * past authorships, under a new generated username. The file of its picture is collected when no row refers to it. A trigger on
 * `deleted_at` clears the outbox and ends its reply addresses.
 */
export async function anonymizeAccount(tx: Transaction, id: number): Promise<void> {
  await tx.$executeRaw`DELETE FROM group_member WHERE account_id = ${id}`;
  await tx.$executeRaw`DELETE FROM notification_setting WHERE account_id = ${id}`;
  await tx.$executeRaw`DELETE FROM account_identity WHERE account_id = ${id}`;
  await tx.$executeRaw`DELETE FROM author_invitation WHERE account_id = ${id} OR invited_by = ${id}`;
  // Page sessions end with their tokens.
  await tx.$executeRaw`DELETE FROM access_token WHERE account_id = ${id}`;
  await tx.$executeRaw`
    UPDATE api_key SET revoked_at = coalesce(revoked_at, now()), sealed_secret = '', label = '' WHERE account_id = ${id}`;
  // Its packages that are no versions yet.
  await tx.$executeRaw`DELETE FROM upload WHERE account_id = ${id} AND version_id IS NULL`;
  await tx.$executeRaw`UPDATE review_queue SET claimed_by = NULL, claimed_until = NULL WHERE claimed_by = ${id}`;
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
