import type { Viewer } from '../../auth/viewer.ts';
import { refusedField } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { type AccountRef, accountKey } from '../accounts/account-ref.ts';
import type { ActivityAction } from '../activity/actions.ts';
import { recordActivity } from '../activity/record-activity.ts';
import {
  type AuthorChanges,
  type AuthorList,
  type AuthorRole,
  checkAuthors,
  inOrder,
  type ListedAuthor,
  withChangedAuthor,
  withoutAuthor,
} from './author-list.ts';
import { authorNotices } from './author-notices.ts';
import { requireExpected } from './expected-values.ts';
import { lockEditableAddon } from './lock-addon.ts';
import { publishAddons } from './publish-addons.ts';

/** All authors of an add-on by position, unlisted ones included. */
export async function readAuthors(tx: Transaction, addonId: number): Promise<ListedAuthor[]> {
  const rows = await tx.addonAuthor.findMany({
    where: { addonId },
    orderBy: [{ position: 'asc' }, { accountId: 'asc' }],
    select: { accountId: true, role: true, listed: true },
  });
  return rows.map((row) => ({ ...row, role: row.role as AuthorRole }));
}

/** Replaces the authors. The caller has locked the add-on, and publishes it. */
export async function writeAuthors(tx: Transaction, addonId: number, authors: AuthorList): Promise<void> {
  await tx.addonAuthor.deleteMany({ where: { addonId } });
  await tx.addonAuthor.createMany({ data: authors.map((author, position) => ({ ...author, addonId, position })) });
}

interface Change {
  action: ActivityAction;
  details: Record<string, unknown>;
  /** Account that may make this change without being an owner. */
  allowedAccountId?: number;
  apply(authors: AuthorList): AuthorList;
  /** Runs last, in the transaction. */
  announce?(tx: Transaction, actorId: number, before: AuthorList): Promise<void>;
}

/** Replaces the whole author list while the add-on is locked, so concurrent changes do not conflict. */
async function changeAuthors(viewer: Viewer, addonId: number, change: Change): Promise<void> {
  const isOwn = viewer.kind === 'account' && viewer.accountId === change.allowedAccountId;
  await db.$transaction(async (tx) => {
    const { account } = await lockEditableAddon(tx, viewer, addonId, isOwn ? 'releases' : 'ownership');
    const before = await readAuthors(tx, addonId);
    await writeAuthors(tx, addonId, checkAuthors(change.apply(before)));
    const { action, details } = change;
    await recordActivity(tx, { action, accountId: account.accountId, addonId, details });
    await publishAddons(tx, [addonId]);
    await change.announce?.(tx, account.accountId, before);
  });
}

const unknownAccount = () => refusedField('account', message('author.unknown_account'));

/** The id of an account. @throws {InvalidInputError} on `account` for an unknown, disabled or deleted one. */
export async function findActiveAccount(by: AccountRef): Promise<number> {
  const key = accountKey(by, 'account');
  const isValid = !('username' in key) || !key.username.includes('\0');
  const account = isValid ? await db.account.findFirst({ where: { ...key, deletedAt: null, disabledAt: null } }) : null;
  if (account === null) throw unknownAccount();
  return account.id;
}

/** Checks the rights of an owner. Runs before the account lookup, so that errors do not reveal to other viewers which accounts exist. */
export async function requireOwnership(viewer: Viewer, addonId: number): Promise<void> {
  await db.$transaction((tx) => lockEditableAddon(tx, viewer, addonId, 'ownership'));
}

/**
 * Changes role, position or visibility of an author. Only owners may do this; every author may change whether the add-on page shows
 * them, and no other account makes it do so.
 * @throws {NotFoundError}, {NotPermittedError}, {InvalidInputError} on `account` if the new list is invalid, and on `isListed`.
 */
export async function updateAuthor(
  viewer: Viewer,
  addonId: number,
  accountId: number,
  changes: AuthorChanges,
): Promise<void> {
  const isOwn = viewer.kind === 'account' && viewer.accountId === accountId;
  const isVisibilityOnly = changes.role === undefined && changes.position === undefined;
  await changeAuthors(viewer, addonId, {
    action: 'author-changed',
    details: { accountId, ...changes },
    ...(isVisibilityOnly ? { allowedAccountId: accountId } : {}),
    apply: (authors) => {
      const present = authors.find((author) => author.accountId === accountId);
      if (!isOwn && changes.listed === true && present?.listed === false) {
        throw refusedField('isListed', message('author.listed_by_others'));
      }
      return withChangedAuthor(authors, accountId, changes);
    },
    announce: async (tx, person, before) => {
      const role = before.find((author) => author.accountId === accountId)?.role;
      if (changes.role === undefined || changes.role === role) return;
      if (changes.role !== 'owner') await tx.authorInvitation.deleteMany({ where: { addonId, invitedBy: accountId } });
      const notices = await authorNotices(tx, addonId);
      const people = { person, changed: accountId };
      await notices.toOwners('author-changed', people, [person, accountId]);
      if (!isOwn) await notices.toAccount(accountId, 'author-changed', { people });
    },
  });
}

/**
 * Removes an author, with the invitations that the author sent. Owners may remove any author; other authors only themselves.
 * @throws {NotFoundError}, {NotPermittedError}, {InvalidInputError} on `account` for the last owner or last listed author.
 */
export async function removeAuthor(viewer: Viewer, addonId: number, accountId: number): Promise<void> {
  await changeAuthors(viewer, addonId, {
    action: 'author-removed',
    details: { accountId },
    allowedAccountId: accountId,
    apply: (authors) => withoutAuthor(authors, accountId),
    announce: async (tx, actorId) => {
      await tx.authorInvitation.deleteMany({ where: { addonId, invitedBy: accountId } });
      const notices = await authorNotices(tx, addonId);
      await notices.toOwners('author-removed', { removed: accountId }, [actorId]);
      if (actorId !== accountId) await notices.toAccount(accountId, 'author-removed-self');
    },
  });
}

/**
 * Reorders the authors. Only owners may do this.
 * @throws {NotFoundError}, {NotPermittedError}, {InvalidInputError} on `accounts` unless it has every author exactly once, and if the
 * present order is not `expected`.
 */
export async function reorderAuthors(
  viewer: Viewer,
  addonId: number,
  accountIds: readonly number[],
  expected?: readonly number[],
): Promise<void> {
  // As texts, because lists are compared as sets.
  const orderOf = (ids: readonly number[]) => ({ accounts: ids.join(' ') });
  await changeAuthors(viewer, addonId, {
    action: 'authors-reordered',
    details: { accountIds },
    apply: (authors) => {
      const present = orderOf(authors.map(({ accountId }) => accountId));
      if (expected !== undefined)
        requireExpected({ expected: orderOf(expected), present, wanted: orderOf(accountIds) });
      return inOrder(authors, accountIds);
    },
  });
}
