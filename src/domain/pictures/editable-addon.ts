import { canEditAddon, refuse, requireSignedIn } from '../../auth/permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';

/** Whoever may change the pictures of an add-on, and what decides how that is done. */
export interface EditableAddon {
  editor: SignedIn;
  type: string;
}

/**
 * Makes sure that the viewer may edit an add-on, before anything that he sends is read.
 * @throws {NotFoundError}, {NotAuthenticatedError}, {NotPermittedError} for others than its developers.
 */
export async function requireEditableAddon(viewer: Viewer, id: number): Promise<EditableAddon> {
  const editor = requireSignedIn(viewer);
  const addon = await db.addon.findUnique({
    where: { id },
    select: { type: true, deletedAt: true, authors: { select: { accountId: true, role: true } } },
  });
  if (addon === null || addon.deletedAt !== null) throw new NotFoundError();
  if (!canEditAddon(viewer, addon.authors)) throw refuse(viewer);
  return { editor, type: addon.type };
}

/** Lets one writer at a time change what belongs to an add-on. @throws {NotFoundError} when it was deleted meanwhile. */
export async function lockAddon(tx: Transaction, id: number): Promise<void> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM addon WHERE id = ${id} AND deleted_at IS NULL FOR NO KEY UPDATE`;
  if (rows.length === 0) throw new NotFoundError();
}
