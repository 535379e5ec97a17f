import type { Viewer } from '../../auth/viewer.ts';
import { db } from '../../infra/db.ts';
import type { UploadedFile } from '../../infra/staging/staging.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { recordAddonAct } from '../addons/record-addon-act.ts';
import { lockEditableAddon, requireEditableAddon } from '../listing/lock-addon.ts';
import { publishAddons } from '../listing/publish-addons.ts';
import { ICON } from './picture-kinds.ts';
import { receivePicture } from './receive-picture.ts';

/** Sets the icon of an add-on; null removes it. @throws what `requireEditableAddon` and `receivePicture` throw. */
export async function setAddonIcon(viewer: Viewer, addonId: number, file: Promise<UploadedFile> | null): Promise<void> {
  const { editor } = await requireEditableAddon(viewer, addonId, 'listing');
  const iconSha256 = file && (await receivePicture(editor.accountId, file, ICON)).sha256;
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
