import type { Transaction } from '../../infra/db.ts';
import { recordActivity } from '../activity/record-activity.ts';
import type { Stage } from './stages.ts';

/** A step in the life of a version: where it may start, where it leads, who takes it and why. */
export interface StageChange {
  versionId: number;
  from: readonly Stage[];
  to: Stage;
  action: string;
  accountId?: number | null;
  reason?: string | null;
  comments?: string;
  details?: Record<string, unknown>;
}

/**
 * Takes a version from one stage to the next with one conditional update, and writes the activity row beside it.
 * Returns false, having written nothing, when the version is no longer where the step starts: somebody else was faster.
 */
export async function changeStage(tx: Transaction, change: StageChange): Promise<boolean> {
  const { count } = await tx.version.updateMany({
    where: { id: change.versionId, stage: { in: [...change.from] }, deletedAt: null },
    data: {
      stage: change.to,
      reason: change.reason ?? null,
      ...(change.to === 'signed' || change.to === 'rejected' ? { reviewed: new Date() } : {}),
    },
  });
  if (count === 0) return false;
  const { addonId } = await tx.version.update({
    where: { id: change.versionId },
    data: { upload: { update: { updated: new Date() } } },
    select: { addonId: true },
  });
  await recordActivity(tx, {
    action: change.action,
    accountId: change.accountId ?? null,
    addonId,
    versionId: change.versionId,
    comments: change.comments ?? '',
    details: { ...change.details, stage: change.to },
  });
  return true;
}
