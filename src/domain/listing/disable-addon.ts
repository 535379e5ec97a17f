import { canDisableAddon, canSwitchAddon, refuse, requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { refreshAddonStatus } from '../addons/addon-status.ts';
import { recordAddonDecision } from '../addons/record-addon-act.ts';
import { type LockedAddon, lockExistingAddon } from './lock-addon.ts';
import { publishAddons } from './publish-addons.ts';

/**
 * Disables or enables an add-on, on behalf of its developers or of the operator.
 * @throws {NotFoundError}, {NotPermittedError} for other viewers.
 */
export async function setAddonDisabled(
  viewer: Viewer,
  id: number,
  { by, disabled, reason }: { by: 'developer' | 'operator'; disabled: boolean; reason: string },
): Promise<void> {
  const actor = requireSignedIn(viewer);
  await db.$transaction(async (tx) => {
    const addon = await lockExistingAddon(tx, id);
    const allowed = by === 'operator' ? canDisableAddon(viewer) : canSwitchAddon(viewer, addon.authors);
    if (!allowed) throw refuse(viewer);
    if (by === 'developer') await tx.addon.update({ where: { id }, data: { isDisabledByDeveloper: disabled } });
    const changesStatus = by === 'operator' && disabled !== (addon.status === 'disabled');
    if (changesStatus) await switchByOperator(tx, addon, disabled);
    const action = `addon-${disabled ? 'disabled' : 'enabled'}-by-${by}` as const;
    await recordActivity(tx, { action, accountId: actor.accountId, addonId: id, comments: reason });
    await publishAddons(tx, [id]);
    if (!changesStatus) return;
    const notice = disabled ? 'addon-disabled' : 'addon-enabled';
    await recordAddonDecision(tx, actor, { id }, { action, details: { reason }, notice, quotedText: reason });
  });
}

/** The status of an add-on whose earlier one is unknown, as of an imported one: a persona waits for review, versions decide for others. */
export const initialStatus = ({ type }: { type: string }): string => (type === 'persona' ? 'pending' : 'incomplete');

async function switchByOperator(tx: Transaction, addon: LockedAddon, disabled: boolean): Promise<void> {
  const { id } = addon;
  if (disabled) {
    await tx.addon.update({ where: { id }, data: { status: 'disabled', statusBeforeDisabling: addon.status } });
    return;
  }
  const status = addon.statusBeforeDisabling ?? initialStatus(addon);
  await tx.addon.update({ where: { id }, data: { status, statusBeforeDisabling: null } });
  await refreshAddonStatus(tx, id);
}
