import { canEditReleases, refuse, requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import { db } from '../../infra/db.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { refreshAddonStatus } from '../addons/addon-status.ts';
import { UNUSABLE_STAGES } from '../addons/stages.ts';
import { lockExistingAddon } from '../listing/lock-addon.ts';
import { publishAddons } from '../listing/publish-addons.ts';

/**
 * Soft-deletes a version in any stage that has not failed. It leaves the review queue, its files are not public any more, and
 * its number stays taken. `addonId` is that of its add-on, whose status and current version are derived again.
 * @throws {NotAuthenticatedError}; {NotFoundError} for a deleted or failed version; {NotPermittedError} unless the viewer is
 * an author, or while the operator has disabled the add-on.
 */
export async function deleteVersion(viewer: Viewer, addonId: number, versionId: number): Promise<void> {
  const { accountId } = requireSignedIn(viewer);
  await db.$transaction(async (tx) => {
    const addon = await lockExistingAddon(tx, addonId);
    if (!canEditReleases(viewer, addon)) throw refuse(viewer);
    const where = { id: versionId, addonId, deletedAt: null, stage: { notIn: [...UNUSABLE_STAGES] } };
    const version = await tx.version.findFirst({ where, select: { version: true, channel: true, stage: true } });
    if (version === null) throw new NotFoundError();
    await tx.version.update({ where: { id: versionId }, data: { deletedAt: new Date() }, select: { id: true } });
    await refreshAddonStatus(tx, addonId);
    await recordActivity(tx, { action: 'version-deleted', accountId, addonId, versionId, details: version });
    await publishAddons(tx, [addonId]);
  });
}
