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
  const [moved] = await tx.version.updateManyAndReturn({
    where: { id: change.versionId, stage: { in: [...change.from] }, deletedAt: null },
    data: {
      stage: change.to,
      reason: change.reason ?? null,
      ...(change.to === 'signed' || change.to === 'rejected' ? { reviewed: new Date() } : {}),
    },
    select: { addonId: true },
  });
  if (moved === undefined) return false;
  // A version that was imported has none.
  await tx.upload.updateMany({ where: { versionId: change.versionId }, data: { updated: new Date() } });
  await recordActivity(tx, {
    action: change.action,
    accountId: change.accountId ?? null,
    addonId: moved.addonId,
    versionId: change.versionId,
    comments: change.comments ?? '',
    details: { ...change.details, stage: change.to },
  });
  return true;
}
