import { canEditListing, refuse, requireSignedIn } from '../../auth/permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import { db } from '../../infra/db.ts';

export interface EditableAddon {
  editor: SignedIn;
  type: string;
}

/**
 * Checks that the viewer may edit an add-on before a file is read; `lockEditableAddon` checks it again in the transaction.
 * @throws {NotFoundError}, {NotAuthenticatedError}, {NotPermittedError} as `canEditListing` decides.
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
