import {
  canEditListing,
  canEditReleases,
  canManageAddon,
  type EditedAddon,
  refuse,
  requireSignedIn,
} from '../../auth/permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { NotAuthenticatedError, NotFoundError } from '../../errors.ts';
import { type Database, db, type Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';

/**
 * Locks and reads an add-on for this transaction, so that concurrent changes run one after the other. Null for an unknown
 * id.
 */
export async function lockAddon(tx: Transaction, id: number) {
  await tx.$queryRaw`SELECT FROM addon WHERE id = ${id} FOR NO KEY UPDATE`;
  return withAuthors(tx, id);
}

/** An add-on and its authors. The same statements for an unknown id: the time does not reveal which add-ons were deleted. */
async function withAuthors(tx: Database, id: number) {
  const addon = await tx.addon.findUnique({ where: { id } });
  const authors = await tx.addonAuthor.findMany({
    where: { addonId: id },
    select: { accountId: true, role: true },
  });
  return addon && { ...addon, authors };
}

export type LockedAddon = NonNullable<Awaited<ReturnType<typeof lockAddon>>>;

/** Like `lockAddon`. @throws {NotFoundError} for an unknown or deleted add-on. */
export async function lockExistingAddon(tx: Transaction, id: number): Promise<LockedAddon> {
  const addon = await lockAddon(tx, id);
  if (addon === null || addon.deletedAt !== null) throw new NotFoundError();
  return addon;
}

/** Who may change which part of an add-on. */
const CHANGES = { listing: canEditListing, releases: canEditReleases, ownership: canManageAddon };

/** The part of an add-on that a change needs the right to: listing, releases, or legal terms and authors. */
export type ChangedPart = keyof typeof CHANGES;

/** @throws what `refuse` returns unless the viewer may change this part of an add-on. */
export function requireRightTo(part: ChangedPart, viewer: Viewer, addon: EditedAddon): void {
  if (!CHANGES[part](viewer, addon)) throw refuse(viewer);
}

/**
 * Like `lockExistingAddon`, for viewers who may change a part of the add-on.
 * @throws {NotAuthenticatedError}, {NotFoundError} for an unknown or deleted add-on, {NotPermittedError}.
 */
export async function lockEditableAddon(
  tx: Transaction,
  viewer: Viewer,
  id: number,
  part: ChangedPart,
): Promise<{ addon: LockedAddon; account: SignedIn }> {
  const account = requireSignedIn(viewer);
  const addon = await lockExistingAddon(tx, id);
  requireRightTo(part, viewer, addon);
  return { addon, account };
}

/**
 * Checks that the viewer may change a part of an add-on before a file is read; `lockEditableAddon` checks it again in the transaction.
 * @throws {NotFoundError}, {NotAuthenticatedError}, {NotPermittedError}.
 */
export async function requireEditableAddon(
  viewer: Viewer,
  id: number,
  part: ChangedPart,
): Promise<{ editor: SignedIn; type: string }> {
  const editor = requireSignedIn(viewer);
  const addon = await withAuthors(db, id);
  if (addon === null || addon.deletedAt !== null) throw new NotFoundError();
  requireRightTo(part, viewer, addon);
  return { editor, type: addon.type };
}

/**
 * Locks an account that becomes an author. A concurrent change of its name or picture waits, and then also republishes this
 * add-on. Must run before the add-on is locked, in the same order as those changes. Returns false for a deleted or disabled
 * account.
 */
export async function lockAuthorAccount(tx: Transaction, accountId: number): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT FROM account WHERE id = ${accountId} AND deleted_at IS NULL AND disabled_at IS NULL FOR SHARE`;
  return rows.length > 0;
}

/**
 * Locks the account of an uploader, as `lockAuthorAccount` does.
 * @throws {NotAuthenticatedError} if it was deleted or disabled after the request was authenticated.
 */
export async function requireAuthorAccount(tx: Transaction, accountId: number): Promise<void> {
  if (await lockAuthorAccount(tx, accountId)) return;
  throw new NotAuthenticatedError(message('token.unknown_access_token'));
}
