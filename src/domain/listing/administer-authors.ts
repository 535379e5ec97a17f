/* Changes of authors by commands. Through the API, staff change no authors: see invite-author.ts. */
import { NotFoundError } from '../../errors.ts';
import { databaseId } from '../../graphql/global-id.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { isGuid } from '../../package/manifest/identity.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { accountName } from '../accounts/account-names.ts';
import { accountNamed } from '../accounts/administration.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { COMMAND_LINE } from '../activity/record-audit.ts';
import { recordAddonAct } from '../addons/record-addon-act.ts';
import { type AuthorList, type AuthorRole, checkAuthors, withAuthor, withoutAuthor } from './author-list.ts';
import { authorNotices } from './author-notices.ts';
import { readAuthors, writeAuthors } from './change-authors.ts';
import { lockAuthorAccount, lockExistingAddon } from './lock-addon.ts';
import { publishAddons } from './publish-addons.ts';

/** An add-on by id, guid or slug, and a user. */
export interface Authorship {
  addon: string;
  username: string;
}

interface AuthorsChange {
  action: 'author-added' | 'author-removed';
  notice: 'addon-author-added' | 'addon-author-removed';
  ownNotice: 'author-added-self' | 'author-removed-self';
  /** Placeholder of the account in the notice. */
  placeholder: 'added' | 'removed';
  details?: Record<string, unknown>;
  apply(authors: AuthorList, accountId: number): AuthorList;
}

/**
 * Makes a user an author of an add-on without an invitation, and mails both sides.
 * @throws {NotFoundError} for an unknown add-on or user, {InvalidInputError} for an author and above the number of authors.
 */
export function addAuthorByCommand(
  authorship: Authorship,
  { role, listed }: { role: AuthorRole; listed: boolean },
): Promise<void> {
  return changeAuthorsByCommand(authorship, {
    ...{ action: 'author-added', notice: 'addon-author-added', ownNotice: 'author-added-self', placeholder: 'added' },
    details: { role, listed },
    apply: (authors, accountId) => withAuthor(authors, { accountId, role, listed }),
  });
}

/**
 * Removes a user from the authors of an add-on, and mails both sides.
 * @throws {NotFoundError} for an unknown add-on or user, {InvalidInputError} for another account and for the last owner or listed author.
 */
export function removeAuthorByCommand(authorship: Authorship): Promise<void> {
  return changeAuthorsByCommand(authorship, {
    ...{ action: 'author-removed', notice: 'addon-author-removed', ownNotice: 'author-removed-self' },
    placeholder: 'removed',
    apply: (authors, accountId) => withoutAuthor(authors, accountId),
  });
}

async function changeAuthorsByCommand({ addon, username }: Authorship, change: AuthorsChange): Promise<void> {
  await db.$transaction(async (tx) => {
    const { id: accountId } = await accountNamed(tx, username);
    if (!(await lockAuthorAccount(tx, accountId)))
      throw new NotFoundError(message('account.unknown_username', { name: printable(username) }));
    const { id: addonId } = await lockExistingAddon(tx, await addonIdOf(tx, addon));
    await writeAuthors(tx, addonId, checkAuthors(change.apply(await readAuthors(tx, addonId), accountId)));
    await tx.authorInvitation.deleteMany({ where: { addonId, OR: [{ accountId }, { invitedBy: accountId }] } });
    const details = { accountId, ...change.details };
    await recordActivity(tx, { action: change.action, addonId, details });
    await publishAddons(tx, [addonId]);
    await (await authorNotices(tx, addonId)).toAccount(accountId, change.ownNotice);
    const account = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
    const { action, notice, placeholder } = change;
    const values = { [placeholder]: accountName(account) };
    await recordAddonAct(tx, COMMAND_LINE, addonId, { action, details, notice, values, exceptId: accountId });
  });
}

async function addonIdOf(tx: Transaction, ref: string): Promise<number> {
  const unknown = () => new NotFoundError(message('addon.unknown', { name: printable(ref) }));
  if (ref.includes('\0')) throw unknown();
  const where = /^\d+$/.test(ref) ? { id: databaseId(ref) } : isGuid(ref) ? { guid: ref } : { slug: ref };
  const found = await tx.addon.findFirst({ where: { ...where, deletedAt: null }, select: { id: true } });
  if (found === null) throw unknown();
  return found.id;
}
