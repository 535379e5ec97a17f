import { canEditAccount, refuse, requireSignedIn } from '../../auth/permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import { db } from '../../infra/db.ts';
import type { UploadedFile } from '../../infra/staging/uploaded-file.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { recordAudit } from '../activity/record-audit.ts';
import { publishAddonsOf } from '../listing/publish-addons.ts';
import { ACCOUNT_PICTURE } from './picture-kinds.ts';
import { receivePicture } from './receive-picture.ts';

/**
 * Sets the picture of an account (contract, PATCH account: picture_upload); null removes it (DELETE picture).
 * @throws {NotAuthenticatedError}, {NotPermittedError} unless the viewer is the account or holds `Users:Edit`, {NotFoundError},
 * and what `receivePicture` throws.
 */
export async function setAccountPicture(viewer: Viewer, id: number, file: Promise<UploadedFile> | null): Promise<void> {
  const editor = await requireEditor(viewer, id);
  await writePicture(editor, id, file && (await receivePicture(editor.accountId, file, ACCOUNT_PICTURE)).sha256);
}

async function requireEditor(viewer: Viewer, id: number): Promise<SignedIn> {
  const editor = requireSignedIn(viewer);
  if (!canEditAccount(viewer, id)) throw refuse(viewer);
  const account = await db.account.findUnique({ where: { id }, select: { deletedAt: true } });
  if (account === null || account.deletedAt !== null) throw new NotFoundError();
  return editor;
}

/** Also updates the documents of all add-ons that list the account as an author. */
async function writePicture(editor: SignedIn, id: number, pictureSha256: string | null): Promise<void> {
  await db.$transaction(async (tx) => {
    const changed = await tx.$executeRaw`
      UPDATE account SET picture_sha256 = ${pictureSha256}, modified = now()
      WHERE id = ${id} AND deleted_at IS NULL AND picture_sha256 IS DISTINCT FROM ${pictureSha256}`;
    if (changed === 0) return;
    const action = pictureSha256 === null ? 'account-picture-removed' : 'account-picture-set';
    const details = { accountId: id };
    await recordActivity(tx, { action, accountId: editor.accountId, details });
    await publishAddonsOf(tx, id);
    if (editor.accountId !== id) await recordAudit(tx, editor, action, details);
  });
}
