import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { db } from '../../infra/db.ts';
import type { UploadedFile } from '../../infra/staging/staging.ts';
import { requireEditableAccount } from '../accounts/target-accounts.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { publishAddonsOf } from '../listing/publish-addons.ts';
import { recordAccountAct } from '../mail/record-staff-act.ts';
import { ACCOUNT_PICTURE } from './picture-kinds.ts';
import { receivePicture } from './receive-picture.ts';

/**
 * Sets the picture of an account (contract, PATCH account); null removes it (DELETE picture).
 * @throws what `requireEditableAccount` and `receivePicture` throw.
 */
export async function setAccountPicture(viewer: Viewer, id: number, file: Promise<UploadedFile> | null): Promise<void> {
  const editor = await requireEditableAccount(db, viewer, id);
  await writePicture(editor, id, file && (await receivePicture(editor.accountId, file, ACCOUNT_PICTURE)).sha256);
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
    const notice = { name: 'account-picture-changed', path: '/account/' } as const;
    await recordAccountAct(tx, editor, id, { action, details, notice });
  });
}
