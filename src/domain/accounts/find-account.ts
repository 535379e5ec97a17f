import { canEditAccount, canEditAnyAccount, canSeePrivateAccount } from '../../auth/account-permissions.ts';
import { refuse, requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { type AccountRef, accountKey } from './account-ref.ts';
import { isPublicAccount } from './public-account.ts';
import { rulesOfAccount } from './target-accounts.ts';

interface FoundAccount {
  id: number;
  isPublic: boolean;
  rules: string[];
}

const find = (name: string, column: string) =>
  prepared<FoundAccount>(
    lookupPool,
    name,
    `SELECT found.id, ${isPublicAccount('found.id')} AS "isPublic", ${rulesOfAccount('found.id')} AS rules
     FROM account found WHERE found.${column} AND found.deleted_at IS NULL AND found.id > 0`,
  );

const findById = find('account-by-id', 'id = $1::int');
const findByName = find('account-by-name', 'username = $1::citext');

/**
 * Finds an account that is not deleted, without access checks. The built-in account is not found. One statement, whether the account
 * exists or not.
 */
async function findAccount(by: AccountRef): Promise<FoundAccount | null> {
  const key = accountKey(by);
  if ('username' in key && key.username.includes('\0')) return null;
  const [found] = 'id' in key ? await findById(key.id) : await findByName(key.username);
  return found ?? null;
}

/**
 * The id of the account that `by` names.
 * @throws {NotFoundError} for unknown and deleted accounts, and for those that the viewer may not see (docs/decisions.md D84).
 */
export async function visibleAccountId(viewer: Viewer, by: AccountRef): Promise<number> {
  const found = await findAccount(by);
  if (found === null || !(found.isPublic || canSeePrivateAccount(viewer, found.id))) throw new NotFoundError();
  return found.id;
}

/**
 * The id of the account that `by` names, for a change by the viewer.
 * @throws {NotAuthenticatedError}; {NotPermittedError} for every account but the viewer's own, whether it exists or not, unless
 * the viewer holds `Users:Edit`: then {NotPermittedError} only for an account above the viewer's rank, and {NotFoundError} for an
 * unknown or deleted one (docs/decisions.md D84).
 */
export async function editableAccountId(viewer: Viewer, by: AccountRef): Promise<number> {
  const { id, rules } = await privateAccount(viewer, by);
  if (!canEditAccount(viewer, { accountId: id, rules })) throw refuse(viewer);
  return id;
}

/** The id of the account that `by` names, for reading what only it and holders of `Users:Edit` may. @throws as `editableAccountId`. */
export async function privateAccountId(viewer: Viewer, by: AccountRef): Promise<number> {
  return (await privateAccount(viewer, by)).id;
}

async function privateAccount(viewer: Viewer, by: AccountRef): Promise<FoundAccount> {
  requireSignedIn(viewer);
  const found = await findAccount(by);
  if (found !== null && canSeePrivateAccount(viewer, found.id)) return found;
  throw canEditAnyAccount(viewer) ? new NotFoundError() : refuse(viewer);
}
