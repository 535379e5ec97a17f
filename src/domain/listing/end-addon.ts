import { canDeleteAddon, canDisableAddon, canEditAddon, refuse, requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError, refusedField } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { recordAudit } from '../activity/record-audit.ts';
import { refreshAddonStatus } from '../addons/addon-status.ts';
import { type LockedAddon, lockAddon, lockLivingAddon } from './lock-addon.ts';
import { publishAddons } from './publish-addons.ts';
import { randomSlug } from './random-slug.ts';

/**
 * Deletes an add-on: it disappears, its guid and version numbers stay taken, its owner may upload it again.
 * @throws {NotFoundError}, {NotPermittedError} for anybody but its owner, and for him when the operator has disabled it.
 */
export async function deleteAddon(viewer: Viewer, id: number, reason: string): Promise<void> {
  const { accountId } = requireSignedIn(viewer);
  await db.$transaction(async (tx) => {
    const addon = await lockLivingAddon(tx, id);
    if (!canDeleteAddon(viewer, addon)) throw refuse(viewer);
    const deletedAt = new Date();
    await tx.addon.update({
      where: { id },
      data: { status: 'deleted', deletedAt, slug: null, currentVersionId: null, statusBeforeDisabling: null },
    });
    await tx.version.updateMany({
      where: { addonId: id, deletedAt: null, stage: { notIn: ['invalid', 'rejected', 'error'] } },
      data: { deletedAt },
    });
    const details = { slug: addon.slug, status: addon.status };
    await recordActivity(tx, { action: 'addon-deleted', accountId, addonId: id, comments: reason, details });
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
  const actor = requireSignedIn(viewer);
  await db.$transaction(async (tx) => {
    const addon = await lockLivingAddon(tx, id);
    const allowed = by === 'operator' ? canDisableAddon(viewer) : canEditAddon(viewer, addon.authors);
    if (!allowed) throw refuse(viewer);
    if (by === 'developer') await tx.addon.update({ where: { id }, data: { isDisabledByDeveloper: disabled } });
    const changesStatus = by === 'operator' && disabled !== (addon.status === 'disabled');
    if (changesStatus) await switchByOperator(tx, addon, disabled);
    const action = `addon-${disabled ? 'disabled' : 'enabled'}-by-${by}` as const;
    await recordActivity(tx, { action, accountId: actor.accountId, addonId: id, comments: reason });
    await publishAddons(tx, [id]);
    if (changesStatus) await recordAudit(tx, actor, action, { guid: addon.guid, reason });
  });
}

async function switchByOperator(tx: Transaction, addon: LockedAddon, disabled: boolean): Promise<void> {
  const { id } = addon;
  if (disabled) {
    await tx.addon.update({ where: { id }, data: { status: 'disabled', statusBeforeDisabling: addon.status } });
    return;
  }
  const status = addon.statusBeforeDisabling ?? 'incomplete';
  await tx.addon.update({ where: { id }, data: { status, statusBeforeDisabling: null } });
  await refreshAddonStatus(tx, id);
}

/** What the deletion has written down about the add-on as it was. */
async function beforeDeletion(tx: Transaction, addonId: number): Promise<{ slug?: string | null; status?: string }> {
  const row = await tx.activity.findFirst({
    where: { addonId, action: 'addon-deleted' },
    orderBy: { id: 'desc' },
    select: { details: true },
  });
  return (row?.details ?? {}) as { slug?: string | null; status?: string };
}

/** The slug that an add-on had, unless another one has taken it. */
async function slugAgain(tx: Transaction, slug: string | null | undefined): Promise<string> {
  const isFree = slug != null && (await tx.addon.count({ where: { slug } })) === 0;
  return isFree ? slug : randomSlug();
}

/**
 * Brings a deleted add-on back with the versions that were deleted with it; for operators. It has its slug again where that
 * is free, and the status that its versions give it: one that was disabled still is.
 * @throws {NotFoundError} for an unknown one, {NotPermittedError}, {InvalidInputError} for one that is not deleted.
 */
export async function reviveAddon(viewer: Viewer, id: number, reason: string): Promise<void> {
  const actor = requireSignedIn(viewer);
  if (!canDisableAddon(viewer)) throw refuse(viewer);
  await db.$transaction(async (tx) => {
    const addon = await lockAddon(tx, id);
    if (addon === null) throw new NotFoundError();
    if (addon.deletedAt === null) throw refusedField('id', 'This add-on is not deleted.');
    const before = await beforeDeletion(tx, id);
    const status = addon.type === 'persona' || before.status === 'disabled' ? before.status : 'incomplete';
    const slug = await slugAgain(tx, before.slug);
    await tx.version.updateMany({ where: { addonId: id, deletedAt: addon.deletedAt }, data: { deletedAt: null } });
    await tx.addon.update({ where: { id }, data: { status: status ?? 'incomplete', deletedAt: null, slug } });
    await refreshAddonStatus(tx, id);
    await recordActivity(tx, { action: 'addon-revived', accountId: actor.accountId, addonId: id, comments: reason });
    await publishAddons(tx, [id]);
    await recordAudit(tx, actor, 'addon-revived', { guid: addon.guid, reason });
  });
}
