import {
  canEditAccount,
  canEditAnyAccount,
  canSeePrivateAccount,
  refuse,
  requireSignedIn,
} from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import { databaseId } from '../../graphql/global-id.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { isPublicAccount } from './public-account.ts';

interface FoundAccount {
  id: number;
  isPublic: boolean;
}

const find = (name: string, column: string) =>
  prepared<FoundAccount>(
    lookupPool,
    name,
    `SELECT found.id, ${isPublicAccount('found.id')} AS "isPublic" FROM account found
     WHERE found.${column} AND found.deleted_at IS NULL AND found.id > 0`,
  );

const findById = find('account-by-id', 'id = $1::int');
const findByName = find('account-by-name', 'username = $1::citext');

/**
 * Finds an account that is not deleted, without access checks. Digits are an id, anything else is a username in any case
 * (people.md D83). The built-in account is not found. One statement, whether the account exists or not.
 */
async function findAccount(ref: string): Promise<FoundAccount | null> {
  if (ref.includes('\0')) return null;
  const [found] = /^\d+$/.test(ref) ? await findById(databaseId(ref)) : await findByName(ref);
  return found ?? null;
}

/**
 * The id of the account that `ref` names.
 * @throws {NotFoundError} for unknown and deleted accounts, and for those that the viewer may not see (people.md D84).
 */
export async function visibleAccountId(viewer: Viewer, ref: string): Promise<number> {
  const found = await findAccount(ref);
  if (found === null || !(found.isPublic || canSeePrivateAccount(viewer, found.id))) throw new NotFoundError();
  return found.id;
}

/**
 * The id of the account that `ref` names, for a change by the viewer.
 * @throws {NotAuthenticatedError}; {NotPermittedError} for every account but the viewer's own, whether it exists or not, unless
 * the viewer holds `Users:Edit`: then {NotFoundError} for an unknown or deleted one (people.md D84).
 */
export async function editableAccountId(viewer: Viewer, ref: string): Promise<number> {
  requireSignedIn(viewer);
  const found = await findAccount(ref);
  if (found !== null && canEditAccount(viewer, found.id)) return found.id;
  throw canEditAnyAccount(viewer) ? new NotFoundError() : refuse(viewer);
}
