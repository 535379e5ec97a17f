import type { Viewer } from '../../auth/viewer.ts';
import { refusedField } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import type { ActivityAction } from '../activity/actions.ts';
import { recordActivity } from '../activity/record-activity.ts';
import {
  type AuthorChanges,
  type AuthorList,
  type AuthorRole,
  checkAuthors,
  inOrder,
  type ListedAuthor,
  withAuthor,
  withChangedAuthor,
  withoutAuthor,
} from './author-list.ts';
import { lockAuthorAccount, lockEditableAddon } from './lock-addon.ts';
import { publishAddons } from './publish-addons.ts';
import { requireReplaced } from './replaced-values.ts';

/** All authors of an add-on by position, unlisted ones included. */
async function readAuthors(tx: Transaction, addonId: number): Promise<ListedAuthor[]> {
  const rows = await tx.addonAuthor.findMany({
    where: { addonId },
    orderBy: [{ position: 'asc' }, { accountId: 'asc' }],
    select: { accountId: true, role: true, listed: true },
  });
  return rows.map((row) => ({ ...row, role: row.role as AuthorRole }));
}

async function writeAuthors(tx: Transaction, addonId: number, authors: AuthorList): Promise<void> {
  await tx.addonAuthor.deleteMany({ where: { addonId } });
  await tx.addonAuthor.createMany({ data: authors.map((author, position) => ({ ...author, addonId, position })) });
}

interface Change {
  action: ActivityAction;
  details: Record<string, unknown>;
  /** Account that may make this change without being an owner. */
  allowedAccountId?: number;
  newAuthorId?: number;
  apply(authors: AuthorList): AuthorList;
}

/** Replaces the whole author list while the add-on is locked, so concurrent changes do not conflict. */
async function changeAuthors(viewer: Viewer, addonId: number, change: Change): Promise<void> {
  const isOwn = viewer.kind === 'account' && viewer.accountId === change.allowedAccountId;
  await db.$transaction(async (tx) => {
    const { newAuthorId } = change;
    if (newAuthorId !== undefined && !(await lockAuthorAccount(tx, newAuthorId))) throw unknownAccount();
    const { account } = await lockEditableAddon(tx, viewer, addonId, { asOwner: !isOwn });
    const authors = checkAuthors(change.apply(await readAuthors(tx, addonId)));
    await writeAuthors(tx, addonId, authors);
    const { action, details } = change;
    await recordActivity(tx, { action, accountId: account.accountId, addonId, details });
    await publishAddons(tx, [addonId]);
  });
}

/** Database id or username of an account. */
export type AccountRef = { id: number } | { username: string };

const unknownAccount = () => refusedField('account', 'There is no such account.');

async function findActiveAccount(ref: AccountRef): Promise<number> {
  const isValid = !('username' in ref) || !ref.username.includes('\0');
  const account = isValid ? await db.account.findFirst({ where: { ...ref, deletedAt: null, disabledAt: null } }) : null;
  if (account === null) throw unknownAccount();
  return account.id;
}

/**
 * Makes an account an author of an add-on and returns the account id. Only owners may do this.
 * @throws {NotFoundError}, {NotPermittedError}, {InvalidInputError} on `account` if it is unknown or already an author.
 */
export async function addAuthor(
  viewer: Viewer,
  addonId: number,
  { account, position, ...author }: { account: AccountRef; role: AuthorRole; listed: boolean; position?: number },
): Promise<number> {
  await requireOwnership(viewer, addonId);
  const accountId = await findActiveAccount(account);
  await changeAuthors(viewer, addonId, {
    action: 'author-added',
    details: { accountId, ...author },
    newAuthorId: accountId,
    apply: (authors) => withAuthor(authors, { accountId, ...author }, position),
  });
  return accountId;
}

/** Runs before the account lookup, so that errors do not reveal to other viewers which accounts exist. */
async function requireOwnership(viewer: Viewer, addonId: number): Promise<void> {
  await db.$transaction((tx) => lockEditableAddon(tx, viewer, addonId, { asOwner: true }));
}

/**
 * Changes role, position or visibility of an author. Only owners may do this.
 * @throws {NotFoundError}, {NotPermittedError}, {InvalidInputError} on `account` if the new list is invalid.
 */
export async function updateAuthor(
  viewer: Viewer,
  addonId: number,
  accountId: number,
  changes: AuthorChanges,
): Promise<void> {
  await changeAuthors(viewer, addonId, {
    action: 'author-changed',
    details: { accountId, ...changes },
    apply: (authors) => withChangedAuthor(authors, accountId, changes),
  });
}

/**
 * Removes an author. Owners may remove any author; other authors only themselves.
 * @throws {NotFoundError}, {NotPermittedError}, {InvalidInputError} on `account` for the last owner or last listed author.
 */
export async function removeAuthor(viewer: Viewer, addonId: number, accountId: number): Promise<void> {
  await changeAuthors(viewer, addonId, {
    action: 'author-removed',
    details: { accountId },
    allowedAccountId: accountId,
    apply: (authors) => withoutAuthor(authors, accountId),
  });
}

/**
 * Reorders the authors. Only owners may do this.
 * @throws {NotFoundError}, {NotPermittedError}, {InvalidInputError} on `accounts` unless it has every author exactly once, and if the
 * present order is not `replaced`.
 */
export async function reorderAuthors(
  viewer: Viewer,
  addonId: number,
  accountIds: readonly number[],
  replaced?: readonly number[],
): Promise<void> {
  // As texts, because lists are compared as sets.
  const orderOf = (ids: readonly number[]) => ({ accounts: ids.join(' ') });
  await changeAuthors(viewer, addonId, {
    action: 'authors-reordered',
    details: { accountIds },
    apply: (authors) => {
      const present = orderOf(authors.map(({ accountId }) => accountId));
      if (replaced !== undefined)
        requireReplaced({ replaced: orderOf(replaced), present, wanted: orderOf(accountIds) });
      return inOrder(authors, accountIds);
    },
  });
}
