import type { Transaction } from '../../infra/db.ts';
import type { Channel } from '../../package/enums.ts';
import { refreshAddonStatus } from '../addons/addon-status.ts';
import { publishAddons } from '../listing/publish-addons.ts';
import { changeStage } from './change-stage.ts';
import { lockForSigning } from './signing-blocked.ts';

/**
 * Takes a version in the stage `valid` to its next stage: listed versions wait for a reviewer, unlisted ones are signed, unless
 * they are blocked. Returns whether to sign now.
 */
export async function advanceValidVersion(
  tx: Transaction,
  { id: versionId, addonId, channel }: { id: number; addonId: number; channel: Channel },
): Promise<boolean> {
  const { isBlocked } = await lockForSigning(tx, versionId);
  if (channel === 'listed') {
    await changeStage(tx, { versionId, from: ['valid'], to: 'awaiting_review', action: 'review-requested' });
    await refreshAddonStatus(tx, addonId);
    await publishAddons(tx, [addonId]);
    return false;
  }
  if (isBlocked) return false;
  return (await changeStage(tx, { versionId, from: ['valid'], to: 'signing', action: 'signing-started' })) !== null;
}
