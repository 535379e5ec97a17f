import { requireReviewer } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotFoundError, refusedField } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { recordAudit } from '../activity/record-audit.ts';
import { refreshAddonStatus } from '../addons/addon-status.ts';
import { lockExistingAddon } from '../listing/lock-addon.ts';
import { publishAddons } from '../listing/publish-addons.ts';
import { queueReviewMails } from './review-mail.ts';

const WAITING = ['pending', 'review-pending'];

/** A decision of a reviewer. `revision` is the reviewed revision of the add-on, or null to skip that check. */
interface PersonaVerdict {
  approve: boolean;
  comments: string;
  revision: string | null;
}

/**
 * Approves or rejects a persona that waits for review.
 * @throws {NotFoundError}, {NotAuthenticatedError}, {NotPermittedError} without `Personas:Review`, {InvalidInputError} when
 * it does not wait for review, and for field `revision` when the persona has changed since.
 */
export async function reviewPersona(
  viewer: Viewer,
  addonId: number,
  { approve, comments, revision }: PersonaVerdict,
): Promise<void> {
  const account = requireReviewer(viewer, { type: 'persona' }, 'listed');
  const { accountId } = account;
  const addon = await db.addon.findUnique({ where: { id: addonId }, select: { type: true, deletedAt: true } });
  if (addon === null || addon.deletedAt !== null || addon.type !== 'persona') throw new NotFoundError();
  await db.$transaction(async (tx) => {
    await lockExistingAddon(tx, addonId);
    if (revision !== null) await requireRevision(tx, addonId, revision);
    const { count } = await tx.addon.updateMany({
      where: { id: addonId, status: { in: WAITING } },
      data: approve ? { status: 'public', lastUpdated: new Date() } : { status: 'rejected' },
    });
    if (count === 0) throw new InvalidInputError(message('persona.not_waiting'));
    await refreshAddonStatus(tx, addonId);
    const activityId = await recordActivity(tx, {
      action: approve ? 'approved' : 'rejected',
      accountId,
      addonId,
      comments,
    });
    await publishAddons(tx, [addonId]);
    await queueReviewMails(tx, activityId);
    await recordAudit(tx, account, approve ? 'persona-approved' : 'persona-rejected', { addonId, comments });
  });
}

/** Every change of an add-on publishes it under its lock, so the published revision is current here. */
async function requireRevision(tx: Transaction, addonId: number, revision: string): Promise<void> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT FROM addon_document WHERE addon_id = ${addonId} AND row_version::text = ${revision}`;
  if (rows.length === 0) throw refusedField('revision', message('persona.changed'));
}
