import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { db } from '../../infra/db.ts';
import type { UploadedFile } from '../../infra/staging/staging.ts';
import { requireEditableAccount } from '../accounts/target-accounts.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { recordAddonAct } from '../addons/record-addon-act.ts';
import { lockEditableAddon, requireEditableAddon } from '../listing/lock-addon.ts';
import { publishAddons, publishAddonsOf } from '../listing/publish-addons.ts';
import { recordAccountAct } from '../mail/record-staff-act.ts';
import { ACCOUNT_PICTURE, ICON_KIND } from './picture-kinds.ts';
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

/** Sets the icon of an add-on; null removes it. @throws what `requireEditableAddon` and `receivePicture` throw. */
export async function setAddonIcon(viewer: Viewer, addonId: number, file: Promise<UploadedFile> | null): Promise<void> {
  const { editor } = await requireEditableAddon(viewer, addonId, 'listing');
  const iconSha256 = file && (await receivePicture(editor.accountId, file, ICON_KIND)).sha256;
  await db.$transaction(async (tx) => {
    const { addon, account } = await lockEditableAddon(tx, viewer, addonId, 'listing');
    if (addon.iconSha256 === iconSha256) return;
    await tx.addon.update({ where: { id: addonId }, data: { iconSha256 } });
    const action = iconSha256 === null ? 'icon-removed' : 'icon-set';
    const details = { sha256: iconSha256 ?? addon.iconSha256 };
    await recordActivity(tx, { action, accountId: account.accountId, addonId, details });
    await publishAddons(tx, [addonId]);
    await recordAddonAct(tx, account, addonId, { action, details, notice: `addon-${action}` });
  });
}
