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
import { holdAuthor, lockEditableAddon } from './lock-addon.ts';
import { publishAddons } from './publish-addons.ts';

/** All authors of an add-on, those that it does not show among them, in their order. */
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
  /** Whether an author who is no owner may do it. */
  mayBeDoneBy?: number;
  /** The account that becomes one of the authors. */
  joining?: number;
  apply(authors: AuthorList): AuthorList;
}

/** Changes the list of authors as a whole, whoever else changes it at the same time. */
async function changeAuthors(viewer: Viewer, addonId: number, change: Change): Promise<void> {
  const isOwn = viewer.kind === 'account' && viewer.accountId === change.mayBeDoneBy;
  await db.$transaction(async (tx) => {
    if (change.joining !== undefined && !(await holdAuthor(tx, change.joining))) throw unknownAccount();
    const { account } = await lockEditableAddon(tx, viewer, addonId, { asOwner: !isOwn });
    const authors = checkAuthors(change.apply(await readAuthors(tx, addonId)));
    await writeAuthors(tx, addonId, authors);
    const { action, details } = change;
    await recordActivity(tx, { action, accountId: account.accountId, addonId, details });
    await publishAddons(tx, [addonId]);
  });
}

/** Who is to become an author: by database id or by name. */
export type AccountRef = { id: number } | { username: string };

const unknownAccount = () => refusedField('account', 'There is no such account.');

async function livingAccount(ref: AccountRef): Promise<number> {
  const known = !('username' in ref) || !ref.username.includes('\0');
  const account = known ? await db.account.findFirst({ where: { ...ref, deletedAt: null, disabledAt: null } }) : null;
  if (account === null) throw unknownAccount();
  return account.id;
}

/**
 * Makes an account an author of an add-on; for its owners.
 * @throws {NotFoundError}, {NotPermittedError}, {InvalidInputError} on `account` for an unknown one and a present author.
 */
export async function addAuthor(
  viewer: Viewer,
  addonId: number,
  { account, position, ...author }: { account: AccountRef; role: AuthorRole; listed: boolean; position?: number },
): Promise<number> {
  await requireOwnership(viewer, addonId);
  const accountId = await livingAccount(account);
  await changeAuthors(viewer, addonId, {
    action: 'author-added',
    details: { accountId, ...author },
    joining: accountId,
    apply: (authors) => withAuthor(authors, { accountId, ...author }, position),
  });
  return accountId;
}

/** Nobody learns which accounts there are by adding them to an add-on that is not his. */
async function requireOwnership(viewer: Viewer, addonId: number): Promise<void> {
  await db.$transaction((tx) => lockEditableAddon(tx, viewer, addonId, { asOwner: true }));
}

/**
 * Changes role, place or visibility of an author; for owners. An add-on keeps an owner and an author that it shows.
 * @throws {NotFoundError}, {NotPermittedError}, {InvalidInputError} on `account`.
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
 * Ends an authorship; for owners, and for every author his own.
 * @throws {NotFoundError}, {NotPermittedError}, {InvalidInputError} on `account`, as the last owner and the last author
 * that is shown stay.
 */
export async function removeAuthor(viewer: Viewer, addonId: number, accountId: number): Promise<void> {
  await changeAuthors(viewer, addonId, {
    action: 'author-removed',
    details: { accountId },
    mayBeDoneBy: accountId,
    apply: (authors) => withoutAuthor(authors, accountId),
  });
}

/**
 * Puts the authors into another order; for owners.
 * @throws {NotFoundError}, {NotPermittedError}, {InvalidInputError} on `accounts` unless all are named, each once.
 */
export async function reorderAuthors(viewer: Viewer, addonId: number, accountIds: readonly number[]): Promise<void> {
  await changeAuthors(viewer, addonId, {
    action: 'authors-reordered',
    details: { accountIds },
    apply: (authors) => inOrder(authors, accountIds),
  });
}
