import { canActOn, canEditAccount, canSeePrivateAccount, type TargetAccount } from '../../auth/account-permissions.ts';
import { refuse, requireSignedIn } from '../../auth/permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotFoundError } from '../../errors.ts';
import { type Database, Prisma, type Transaction } from '../../infra/db.ts';
import { LOCK_KEYS } from '../../infra/lock-keys.ts';
import { message } from '../../texts/messages.ts';

/** The rules of the account with this id, as SQL. `id` is an SQL expression. */
export const rulesOfAccount = (id: string): string => `ARRAY(
  SELECT DISTINCT rule FROM group_member m JOIN permission_group g ON g.id = m.group_id, unnest(g.rules) AS rule
  WHERE m.account_id = ${id})`;

/** Accounts with the rules of their groups; deleted and unknown ones are left out. */
async function targetAccounts(tx: Database, ids: readonly number[]): Promise<TargetAccount[]> {
  return tx.$queryRaw<TargetAccount[]>`
    SELECT a.id AS "accountId", ${Prisma.raw(rulesOfAccount('a.id'))} AS rules FROM account a
    WHERE a.id = ANY (${[...ids]}::int[]) AND a.deleted_at IS NULL`;
}

/** @throws what `refuse` returns unless the rank of the viewer allows acts on all of the accounts. */
export async function requireRank(tx: Database, viewer: Viewer, ids: readonly number[]): Promise<void> {
  const targets = await targetAccounts(tx, ids);
  if (!targets.every((target) => canActOn(viewer, target))) throw refuse(viewer);
}

/**
 * Checks that the viewer may change an account, or end its keys and sessions.
 * @throws {NotAuthenticatedError}; {NotFoundError} for an unknown or deleted account; {NotPermittedError} for others without
 * `Users:Edit` and above the rank of the viewer.
 */
export async function requireEditableAccount(tx: Database, viewer: Viewer, id: number): Promise<SignedIn> {
  const editor = requireSignedIn(viewer);
  if (!canSeePrivateAccount(viewer, id)) throw refuse(viewer);
  const [target] = await targetAccounts(tx, [id]);
  if (target === undefined) throw new NotFoundError();
  if (!canEditAccount(viewer, target)) throw refuse(viewer);
  return editor;
}

/**
 * Runs a change that may end the rights of administrators, and refuses it if no account with the rule `*:*` that can sign in would
 * remain. Changes of several transactions run one after the other, so two administrators cannot remove each other. Call it before
 * the transaction locks rows.
 * @throws {InvalidInputError} for the last administrator.
 */
export async function keepingAdministrator<Result>(tx: Transaction, change: () => Promise<Result>): Promise<Result> {
  await tx.$queryRaw`SELECT FROM pg_advisory_xact_lock(${LOCK_KEYS.administrators})`;
  const hadAdministrator = await hasAdministrator(tx);
  const result = await change();
  if (hadAdministrator && !(await hasAdministrator(tx)))
    throw new InvalidInputError(message('account.last_administrator'));
  return result;
}

async function hasAdministrator(tx: Transaction): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT FROM group_member m JOIN permission_group g ON g.id = m.group_id JOIN account a ON a.id = m.account_id
    WHERE '*:*' = ANY (g.rules) AND a.deleted_at IS NULL AND a.disabled_at IS NULL LIMIT 1`;
  return rows.length > 0;
}
