/*
 * Invitations to become an author (docs/decisions.md D130). An account becomes an author only by its own acceptance, so no owner names an
 * account on a page without its consent, and no staff give themselves rights to releases.
 */
import { requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotFoundError, refusedField } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { consumeLimit } from '../../infra/rate-limits.ts';
import { message } from '../../texts/messages.ts';
import type { AccountRef } from '../accounts/account-ref.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { type AuthorRole, MAX_AUTHORS, withAuthor } from './author-list.ts';
import { authorNotices } from './author-notices.ts';
import { findActiveAccount, readAuthors, requireOwnership, writeAuthors } from './change-authors.ts';
import { lockAuthorAccount, lockEditableAddon, lockExistingAddon } from './lock-addon.ts';
import { publishAddons } from './publish-addons.ts';

const DAYS = 14;
const lasting = () => new Date(Date.now() + DAYS * 86_400_000);

/** The page on which the invited account accepts or declines. */
const ANSWER_PAGE = '/account/invitations/';

/** SQL and Prisma conditions name invitations that can be accepted by their expiry. */
const isOpen = () => ({ expires: { gt: new Date() } });

/**
 * Invites an account to become an author. It has no rights, and nothing public names it, until it accepts. Returns the id of the
 * invitation. Only owners may do this.
 * @throws {NotAuthenticatedError}, {NotFoundError}, {NotPermittedError}, {ThrottledError}; {InvalidInputError} on `account` if it is
 * unknown, an author or invited, and above the number of authors.
 */
export async function inviteAuthor(
  viewer: Viewer,
  addonId: number,
  { account, role, listed }: { account: AccountRef; role: AuthorRole; listed: boolean },
): Promise<number> {
  const { accountId: invitedBy } = requireSignedIn(viewer);
  await requireOwnership(viewer, addonId);
  const accountId = await findActiveAccount(account);
  await consumeLimit('author-invitation-day', invitedBy);
  return db.$transaction(async (tx) => {
    await lockEditableAddon(tx, viewer, addonId, 'ownership');
    const authors = await readAuthors(tx, addonId);
    withAuthor(authors, { accountId, role, listed });
    const key = { addonId, accountId };
    const others = { addonId, accountId: { not: accountId }, ...isOpen() };
    if ((await tx.authorInvitation.count({ where: { ...key, ...isOpen() } })) > 0) {
      throw refusedField('account', message('author.already_invited'));
    }
    if (authors.length + (await tx.authorInvitation.count({ where: others })) >= MAX_AUTHORS) {
      throw refusedField('account', message('author.too_many_invited', { count: MAX_AUTHORS }));
    }
    await tx.authorInvitation.deleteMany({ where: key });
    const data = { ...key, role, listed, invitedBy, expires: lasting() };
    const { id, expires } = await tx.authorInvitation.create({ data });
    const details = { accountId, role, listed };
    await recordActivity(tx, { action: 'author-invited', accountId: invitedBy, addonId, details });
    const notices = await authorNotices(tx, addonId);
    const people = { person: invitedBy };
    await notices.toAccount(accountId, 'author-invited', { people, expires, path: ANSWER_PAGE });
    await notices.toOwners('author-invitation-sent', { person: invitedBy, invited: accountId }, [invitedBy]);
    return id;
  });
}

interface Invitation {
  id: number;
  addonId: number;
  accountId: number;
  role: string;
  listed: boolean;
  invitedBy: number;
}

/** Locks the add-on of an invitation, then reads the invitation again. @throws {NotFoundError} for an unknown one, also expired if `open`. */
async function lockInvitation(
  tx: Transaction,
  viewer: Viewer,
  id: number,
  { as, open }: { as: 'owner' | 'invited'; open: boolean },
): Promise<Invitation> {
  const { accountId } = requireSignedIn(viewer);
  const where = { id, ...(open ? isOpen() : {}), ...(as === 'invited' ? { accountId } : {}) };
  const found = await tx.authorInvitation.findFirst({ where, select: { addonId: true } });
  if (found === null) throw new NotFoundError();
  if (as === 'invited') await lockAuthorAccount(tx, accountId);
  // An owner may know of the invitation; to others it is as unknown as one that does not exist.
  const addon = await lockExistingAddon(tx, found.addonId);
  if (as === 'owner' && !addon.authors.some((author) => author.accountId === accountId)) throw new NotFoundError();
  if (as === 'owner') await lockEditableAddon(tx, viewer, found.addonId, 'ownership');
  const invitation = await tx.authorInvitation.findFirst({ where });
  if (invitation === null) throw new NotFoundError();
  return invitation;
}

/**
 * Sends an invitation again, which then lasts 14 days more. Also for one that has expired. Only owners may do this.
 * @throws {NotAuthenticatedError}, {NotFoundError}, {NotPermittedError}, {ThrottledError}.
 */
export async function resendInvitation(viewer: Viewer, id: number): Promise<void> {
  const { accountId: sender } = requireSignedIn(viewer);
  await consumeLimit('author-invitation-day', sender);
  await db.$transaction(async (tx) => {
    const { addonId, accountId } = await lockInvitation(tx, viewer, id, { as: 'owner', open: false });
    const { expires } = await tx.authorInvitation.update({
      where: { id },
      data: { expires: lasting(), invitedBy: sender },
    });
    await recordActivity(tx, {
      action: 'author-invited',
      accountId: sender,
      addonId,
      details: { accountId, again: true },
    });
    const notices = await authorNotices(tx, addonId);
    await notices.toAccount(accountId, 'author-invited', { people: { person: sender }, expires, path: ANSWER_PAGE });
  });
}

/** Withdraws an invitation. Only owners may do this. Returns the id of the add-on. @throws as `resendInvitation` does. */
export async function withdrawInvitation(viewer: Viewer, id: number): Promise<number> {
  return db.$transaction(async (tx) => {
    const { addonId, accountId } = await lockInvitation(tx, viewer, id, { as: 'owner', open: false });
    await tx.authorInvitation.delete({ where: { id } });
    const actor = requireSignedIn(viewer).accountId;
    await recordActivity(tx, {
      action: 'author-invitation-withdrawn',
      accountId: actor,
      addonId,
      details: { accountId },
    });
    return addonId;
  });
}

/** Declines an invitation of the viewer. @throws {NotAuthenticatedError}, {NotFoundError} for unknown and expired ones and those of others. */
export async function declineInvitation(viewer: Viewer, id: number): Promise<void> {
  await db.$transaction(async (tx) => {
    const { addonId, accountId } = await lockInvitation(tx, viewer, id, { as: 'invited', open: true });
    await tx.authorInvitation.delete({ where: { id } });
    await recordActivity(tx, { action: 'author-invitation-declined', accountId, addonId, details: { accountId } });
  });
}

/**
 * Accepts an invitation of the viewer, who becomes the last author of the add-on. Returns the ids of the add-on and the account.
 * @throws {NotAuthenticatedError}, {NotFoundError} for unknown and expired invitations and those of others.
 */
export async function acceptInvitation(viewer: Viewer, id: number): Promise<{ addonId: number; accountId: number }> {
  return db.$transaction(async (tx) => {
    const invitation = await lockInvitation(tx, viewer, id, { as: 'invited', open: true });
    const { addonId, accountId, listed, invitedBy } = invitation;
    const role = invitation.role as AuthorRole;
    const authors = await readAuthors(tx, addonId);
    if (authors.length >= MAX_AUTHORS) {
      throw new InvalidInputError(message('author.too_many_invited', { count: MAX_AUTHORS }));
    }
    await tx.authorInvitation.delete({ where: { id } });
    await writeAuthors(tx, addonId, withAuthor(authors, { accountId, role, listed }));
    const details = { accountId, role, listed, invitedBy };
    await recordActivity(tx, { action: 'author-added', accountId, addonId, details });
    await publishAddons(tx, [addonId]);
    await (await authorNotices(tx, addonId)).toOwners('author-accepted', { person: accountId }, [accountId]);
    return { addonId, accountId };
  });
}
