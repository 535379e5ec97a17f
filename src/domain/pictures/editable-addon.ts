import { canEditListing, refuse, requireSignedIn } from '../../auth/permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import { db } from '../../infra/db.ts';

/** Whoever may change the pictures of an add-on, and what decides how that is done. */
export interface EditableAddon {
  editor: SignedIn;
  type: string;
}

/**
 * Makes sure that the viewer may edit an add-on, before anything that he sends is read. What he may is asked again where
 * the add-on is locked for the change.
 * @throws {NotFoundError}, {NotAuthenticatedError}, {NotPermittedError} for others than its developers, and for them when
 * the operator has disabled it.
 */
export async function requireEditableAddon(viewer: Viewer, id: number): Promise<EditableAddon> {
  const editor = requireSignedIn(viewer);
  const addon = await db.addon.findUnique({
    where: { id },
    select: { type: true, status: true, deletedAt: true, authors: { select: { accountId: true, role: true } } },
  });
  if (addon === null || addon.deletedAt !== null) throw new NotFoundError();
  if (!canEditListing(viewer, addon)) throw refuse(viewer);
  return { editor, type: addon.type };
}
