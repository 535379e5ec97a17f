import { requireReviewer } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotFoundError } from '../../errors.ts';
import { db } from '../../infra/db.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { publishAddons } from '../addons/publish-addons.ts';

const WAITING = ['pending', 'review-pending'];

/**
 * Decides about a persona that waits for a reviewer: it becomes public, or is rejected.
 * @throws {NotFoundError}, {NotAuthenticatedError}, {NotPermittedError} without `Personas:Review`, {InvalidInputError} when
 * it is not waiting.
 */
export async function reviewPersona(
  viewer: Viewer,
  addonId: number,
  { approve, comments }: { approve: boolean; comments: string },
): Promise<void> {
  const { accountId } = requireReviewer(viewer, { type: 'persona' }, 'listed');
  const addon = await db.addon.findUnique({ where: { id: addonId }, select: { type: true, deletedAt: true } });
  if (addon === null || addon.deletedAt !== null || addon.type !== 'persona') throw new NotFoundError();
  await db.$transaction(async (tx) => {
    const { count } = await tx.addon.updateMany({
      where: { id: addonId, status: { in: WAITING } },
      data: approve ? { status: 'public', lastUpdated: new Date() } : { status: 'rejected' },
    });
    if (count === 0) throw new InvalidInputError('This persona is not waiting for a review.');
    await recordActivity(tx, { action: approve ? 'approved' : 'rejected', accountId, addonId, comments });
    await publishAddons(tx, [addonId]);
  });
}
