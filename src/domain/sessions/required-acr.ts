import { config } from '../../config.ts';
import { SignInError } from '../../errors.ts';
import type { Transaction } from '../../infra/db.ts';

/**
 * Checks that the provider has authenticated a developer or member of staff as strongly as `OIDC_REQUIRED_ACR` says: an account with a
 * permission rule, an author, and the sender of an upload.
 * @throws {SignInError} `acr-required`.
 */
export async function requireAcr(tx: Transaction, accountId: number, acr: string | null): Promise<void> {
  const { OIDC_REQUIRED_ACR: accepted } = config;
  if (accepted.length === 0 || (acr !== null && accepted.includes(acr))) return;
  const [row] = await tx.$queryRaw<{ needsAcr: boolean }[]>`
    SELECT EXISTS (SELECT FROM addon_author WHERE account_id = ${accountId})
      OR EXISTS (SELECT FROM upload WHERE account_id = ${accountId})
      OR EXISTS (SELECT FROM group_member m JOIN permission_group g ON g.id = m.group_id
        WHERE m.account_id = ${accountId} AND cardinality(g.rules) > 0) AS "needsAcr"`;
  if (row?.needsAcr === true) throw new SignInError('acr-required');
}
