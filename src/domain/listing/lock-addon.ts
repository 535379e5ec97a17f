import { canEditListing, canManageAddon, refuse, requireSignedIn } from '../../auth/permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import type { Prisma, Transaction } from '../../infra/db.ts';

const RIGHTS = { authors: { select: { accountId: true, role: true } } } satisfies Prisma.AddonInclude;

/**
 * Reads an add-on for a change and keeps it for this transaction: of two changes at once, the second starts from what the
 * first has left. Null for one that does not exist.
 */
export async function lockAddon(tx: Transaction, id: number) {
  await tx.$queryRaw`SELECT FROM addon WHERE id = ${id} FOR NO KEY UPDATE`;
  return tx.addon.findUnique({ where: { id }, include: RIGHTS });
}

export type LockedAddon = NonNullable<Awaited<ReturnType<typeof lockAddon>>>;

/** The same. @throws {NotFoundError} for an unknown and a deleted one. */
export async function lockLivingAddon(tx: Transaction, id: number): Promise<LockedAddon> {
  const addon = await lockAddon(tx, id);
  if (addon === null || addon.deletedAt !== null) throw new NotFoundError();
  return addon;
}

/**
 * The same for somebody who may edit it; `asOwner` asks for the rights of an owner.
 * @throws {NotAuthenticatedError}, {NotFoundError} for an unknown and a deleted one, {NotPermittedError}.
 */
export async function lockEditableAddon(
  tx: Transaction,
  viewer: Viewer,
  id: number,
  { asOwner }: { asOwner: boolean },
): Promise<{ addon: LockedAddon; account: SignedIn }> {
  const account = requireSignedIn(viewer);
  const addon = await lockLivingAddon(tx, id);
  if (!(asOwner ? canManageAddon : canEditListing)(viewer, addon)) throw refuse(viewer);
  return { addon, account };
}

/**
 * Keeps an account that becomes an author as it is for this transaction: whoever changes what add-ons show of it waits, and
 * finds the new one among its add-ons. To be asked for before the add-on, in the order of those changes. False for one that is
 * deleted or disabled.
 */
export async function holdAuthor(tx: Transaction, accountId: number): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT FROM account WHERE id = ${accountId} AND deleted_at IS NULL AND disabled_at IS NULL FOR SHARE`;
  return rows.length > 0;
}
