import { canDisableAddon, canEditAddon, isOwner, refuse, requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import { db } from '../../infra/db.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { refreshAddonStatus } from './addon-status.ts';
import { publishAddons } from './publish-addons.ts';

async function livingAddon(id: number) {
  const addon = await db.addon.findUnique({
    where: { id },
    select: {
      id: true,
      status: true,
      deletedAt: true,
      statusBeforeDisabling: true,
      authors: { select: { accountId: true, role: true } },
    },
  });
  if (addon === null || addon.deletedAt !== null) throw new NotFoundError();
  return addon;
}

/**
 * Deletes an add-on: it disappears, its guid and version numbers stay taken, its owner may upload it again.
 * @throws {NotFoundError}, {NotPermittedError} for anybody but its owner.
 */
export async function deleteAddon(viewer: Viewer, id: number, reason: string): Promise<void> {
  const { accountId } = requireSignedIn(viewer);
  const addon = await livingAddon(id);
  if (!isOwner(viewer, addon.authors)) throw refuse(viewer);
  await db.$transaction(async (tx) => {
    const deletedAt = new Date();
    await tx.addon.update({
      where: { id },
      data: { status: 'deleted', deletedAt, slug: null, currentVersionId: null, statusBeforeDisabling: null },
    });
    await tx.version.updateMany({
      where: { addonId: id, deletedAt: null, stage: { notIn: ['invalid', 'rejected', 'error'] } },
      data: { deletedAt },
    });
    await recordActivity(tx, { action: 'addon-deleted', accountId, addonId: id, comments: reason });
    await publishAddons(tx, [id]);
  });
}

/**
 * Disables an add-on or lifts that, for its developers by their own wish, or by the operator.
 * @throws {NotFoundError}, {NotPermittedError} for anybody else.
 */
export async function setAddonDisabled(
  viewer: Viewer,
  id: number,
  { by, disabled, reason }: { by: 'developer' | 'operator'; disabled: boolean; reason: string },
): Promise<void> {
  const { accountId } = requireSignedIn(viewer);
  const addon = await livingAddon(id);
  const allowed = by === 'operator' ? canDisableAddon(viewer) : canEditAddon(viewer, addon.authors);
  if (!allowed) throw refuse(viewer);
  await db.$transaction(async (tx) => {
    if (by === 'developer') await tx.addon.update({ where: { id }, data: { isDisabledByDeveloper: disabled } });
    else if (disabled && addon.status !== 'disabled') {
      await tx.addon.update({ where: { id }, data: { status: 'disabled', statusBeforeDisabling: addon.status } });
    } else if (!disabled && addon.status === 'disabled') {
      const status = addon.statusBeforeDisabling ?? 'incomplete';
      await tx.addon.update({ where: { id }, data: { status, statusBeforeDisabling: null } });
      await refreshAddonStatus(tx, id);
    }
    const action = `addon-${disabled ? 'disabled' : 'enabled'}-by-${by}`;
    await recordActivity(tx, { action, accountId, addonId: id, comments: reason });
    await publishAddons(tx, [id]);
  });
}
