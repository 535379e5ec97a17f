import { permit, refuse, requireSignedIn } from '../../auth/permissions.ts';
import { canDecideRating, canFlagRating } from '../../auth/rating-permissions.ts';
import { InvalidInputError, refusedField } from '../../errors.ts';
import type { Context } from '../../graphql/context.ts';
import { isFound } from '../../graphql/per-request.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { noteText } from '../activity/note-text.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { recordAudit } from '../activity/record-audit.ts';
import { type LoadedRating, Rating } from './rating.ts';
import { mailRating } from './rating-mail.ts';
import { changeWithSums, findRating, lockRating, markDeleted, recordAct, requireRater } from './write-rating.ts';

/** Why an account flags a rating. */
export type FlagReason = 'spam' | 'language' | 'bug_support' | 'other';

/**
 * Flags a rating or reply for the moderators, or changes the flag of the viewer. A note makes the reason `other`.
 * @throws {NotAuthenticatedError}, {NotFoundError}, {NotPermittedError} for its writer, {InvalidInputError} for the reason `other`
 * without a note and for a note that is too long, {ThrottledError}.
 */
export async function flagRating(
  context: Context,
  id: number,
  { reason: chosen, note: text }: { reason: FlagReason; note?: string | null },
): Promise<void> {
  const { accountId } = await requireRater(context);
  const note = noteText(text, { field: 'note', required: false }) || null;
  const reason = note === null ? chosen : 'other';
  if (reason === 'other' && note === null) throw refusedField('note', message('rating.note_required'));
  const found = await findRating(context, id);
  await db.$transaction(async (tx) => {
    const { rating } = await lockRating(tx, found);
    permit(context.viewer, canFlagRating(context.viewer, rating));
    const key = { ratingId: id, accountId };
    const flag = { reason, note, decided: null };
    await tx.ratingFlag.upsert({
      where: { ratingId_accountId: key },
      create: { ...key, ...flag },
      update: flag,
      select: { id: true },
    });
    await countOpenFlags(tx, id);
    const { addonId } = rating;
    await recordActivity(tx, { action: 'rating-flagged', accountId, addonId, details: { ratingId: id, reason } });
  });
}

async function countOpenFlags(tx: Transaction, id: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE rating SET open_flags = (SELECT count(*) FROM rating_flag f WHERE f.rating_id = ${id} AND f.decided IS NULL)
    WHERE id = ${id}`;
}

/** What becomes of a rating. */
export type RatingDecision = 'keep' | 'hide' | 'delete';

interface Decision {
  decision: RatingDecision;
  /** For moderators and the audit log. */
  note?: string | null;
  /** Whether the rating is another one of a flood, which may be deleted by now. */
  isOther?: boolean;
}

/**
 * Decides about the flags of a rating or reply and whether it is shown. A repeated decision changes nothing. Returns the rating as it was.
 * `openFlags` is the number of flags that the moderator has read. `includeFlood` decides alike about other ratings of the add-on that the
 * service has flagged as a flood, each in a transaction of its own, but not about one of the moderator.
 * @throws {NotAuthenticatedError}, {NotFoundError}, {NotPermittedError} without `AbuseReports:Edit` or `Addons:Edit` and for authors of the
 * add-on, {InvalidInputError} for a note that is too long, and on `openFlags` if there are others now.
 */
export async function decideRating(
  context: Context,
  id: number,
  {
    decision,
    note: text,
    openFlags,
    includeFlood,
  }: Decision & { openFlags?: number | null; includeFlood?: boolean | null },
): Promise<{ addonId: number }> {
  const { accountId } = requireSignedIn(context.viewer);
  const note = noteText(text, { field: 'note', required: false }) || null;
  const found = await findRating(context, id);
  await decide(context, found, { decision, note }, openFlags ?? null);
  if (includeFlood) {
    const others = await Rating.getDataloader(context).loadMany(await floodIds(found.addonId, accountId));
    for (const other of others)
      if (isFound<LoadedRating>(other)) await decide(context, other, { decision, note, isOther: true }, null);
  }
  return found;
}

/** Ratings of a flood that one act decides about, which takes some seconds. */
const MAX_FLOOD = 200;

/** The ratings of a flood that wait for a decision, the newest first, without those of an account. */
async function floodIds(addonId: number, but: number): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT r.id FROM rating r JOIN rating_flag f ON f.rating_id = r.id AND f.reason = 'flood' AND f.decided IS NULL
    WHERE r.addon_id = ${addonId} AND r.open_flags > 0 AND r.deleted_at IS NULL AND r.account_id <> ${but}
    ORDER BY r.id DESC LIMIT ${MAX_FLOOD}`;
  return rows.map(({ id }) => id);
}

async function decide(
  context: Context,
  found: LoadedRating,
  { decision, note, isOther = false }: Decision,
  openFlags: number | null,
): Promise<void> {
  await db.$transaction(async (tx) => {
    const { rating, addon } = await lockRating(tx, found);
    const actor = permit(context.viewer, canDecideRating(context.viewer, rating));
    if (rating.isDeleted && !isOther) throw refuse(context.viewer);
    if (rating.isDeleted || isDecided(rating, decision)) return;
    if (openFlags !== null && openFlags !== rating.openFlags) throw flaggedSince();
    const details = { decision, flags: rating.openFlags, ...(note ? { note } : {}) };
    if (decision === 'delete') await markDeleted(tx, rating);
    else await setHold(tx, rating, decision === 'hide');
    const isReleased = decision === 'keep' && rating.holdReason !== null;
    if (isReleased && !rating.isReply) await mailRating(tx, addon, rating);
    await recordActivity(tx, {
      ...{ action: 'rating-decided', accountId: actor.accountId, addonId: rating.addonId },
      details: { ratingId: rating.id, ...details },
    });
    if (decision === 'keep') await recordAudit(tx, actor, 'rating-kept', { ratingId: rating.id, ...details });
    else await recordAct(tx, actor, rating, addon, decision === 'hide' ? 'rating-hidden' : 'rating-deleted', details);
  });
}

const isDecided = ({ openFlags, holdReason }: LoadedRating, decision: RatingDecision): boolean =>
  openFlags === 0 &&
  ((decision === 'keep' && holdReason === null) || (decision === 'hide' && holdReason === 'moderator'));

function flaggedSince(): InvalidInputError {
  const text = message('rating.flagged_since');
  return new InvalidInputError(text, { openFlags: [text] }, ['openFlags']);
}

async function setHold(tx: Transaction, rating: LoadedRating, isHidden: boolean): Promise<void> {
  const hold = isHidden
    ? { heldAt: new Date(), holdReason: 'moderator', isLatest: false }
    : { heldAt: null, holdReason: null };
  await changeWithSums(tx, rating, async () => {
    await tx.rating.update({ where: { id: rating.id }, data: { ...hold, openFlags: 0 }, select: { id: true } });
    await tx.ratingFlag.updateMany({ where: { ratingId: rating.id, decided: null }, data: { decided: new Date() } });
  });
}
