/*
 * Writing, changing and deleting ratings and replies. Each change locks the add-on first, so that concurrent changes to its ratings and
 * sums run one after the other.
 */
import { isAuthor, permit, refuse, requireSignedIn } from '../../auth/permissions.ts';
import { canEditRating, canReplyTo } from '../../auth/rating-permissions.ts';
import type { SignedIn } from '../../auth/viewer.ts';
import { InvalidInputError, refusedField } from '../../errors.ts';
import type { Context } from '../../graphql/context.ts';
import { db, Prisma, type Transaction } from '../../infra/db.ts';
import { networkOf } from '../../infra/network.ts';
import { consumeLimit } from '../../infra/rate-limits.ts';
import { comparableText } from '../../infra/storable-text.ts';
import { message } from '../../texts/messages.ts';
import type { ActivityAction } from '../activity/actions.ts';
import { noteText } from '../activity/note-text.ts';
import { recordActivity } from '../activity/record-activity.ts';
import type { AddonRef } from '../addons/addon-ref.ts';
import { findServedAddon, requireVisible } from '../addons/find-addon.ts';
import { addonNameIn, recordAddonAct } from '../addons/record-addon-act.ts';
import { type LockedAddon, lockExistingAddon } from '../listing/lock-addon.ts';
import type { Notice } from '../mail/notice.ts';
import { recordAccountAct } from '../mail/record-staff-act.ts';
import { IS_PUBLIC_VERSION } from '../versions/find-version.ts';
import { flagFlood, holdReasonAfter, holdReasonOf } from './hold-rating.ts';
import { type LoadedRating, Rating } from './rating.ts';
import { mailRating, mailReply } from './rating-mail.ts';
import { changingSums, touchRatings } from './rating-sums.ts';

/** A signed-in viewer, whose request counts towards the limits of changes. @throws {NotAuthenticatedError}, {ThrottledError}. */
export async function requireRater({ viewer, ip }: Context): Promise<SignedIn> {
  const account = requireSignedIn(viewer);
  await consumeLimit('rating-hour', account.accountId);
  if (ip !== null) await consumeLimit('rating-address-hour', networkOf(ip));
  return account;
}

/** @throws {InvalidInputError} unless it is from 1 to 5. */
function requireScore(score: number): void {
  if (score < 1 || score > 5) throw refusedField('score', message('rating.score_range'));
}

/** The stored text: null for none. @throws {InvalidInputError} for a text that is too long. */
const bodyOf = (text: string | null | undefined): string | null =>
  noteText(text, { field: 'body', required: false }) || null;

interface NewRating {
  addon: AddonRef;
  /** The version, by its id in REST or its number. */
  version: { databaseId?: number | null; number?: string | null };
  score: number;
  body?: string | null;
}

/**
 * Rates a public version of an add-on. Returns the id.
 * @throws {NotAuthenticatedError}, the errors of `findServedAddon` and `requireVisible`, {InvalidInputError} for the values, for a second
 * rating of the version, and for an author of the add-on, {ThrottledError}.
 */
export async function createRating(
  context: Context,
  { addon: by, version, score, body: text }: NewRating,
): Promise<number> {
  const { accountId } = await requireRater(context);
  const rights = await findServedAddon(context, by);
  requireVisible(context.viewer, rights);
  requireScore(score);
  const body = bodyOf(text);
  return db.$transaction(async (tx) => {
    const addon = await lockExistingAddon(tx, rights.id);
    const versionId = await publicVersion(tx, addon.id, version);
    await requireNoAuthor(tx, addon, accountId);
    await requireUnrated(tx, versionId, accountId);
    const holdReason = await holdReasonOf(tx, accountId, body);
    const rated = { addonId: addon.id, accountId };
    const held = { holdReason, heldAt: holdReason === null ? null : new Date() };
    const { id } = await changingSums(tx, rated, () =>
      tx.rating.create({ data: { ...rated, ...held, versionId, score, body }, select: { id: true } }),
    );
    if (score === 1) await flagFlood(tx, addon.id);
    if (holdReason === null) await mailRating(tx, addon, { id, score, body });
    const details = { ratingId: id, score };
    await recordActivity(tx, { action: 'rating-created', ...rated, versionId, details });
    return id;
  });
}

/** The id of a listed public version. @throws {InvalidInputError} on `version` for another one. */
async function publicVersion(tx: Transaction, addonId: number, { databaseId, number }: NewRating['version']) {
  const named =
    databaseId == null ? Prisma.sql`v.version = ${comparableText(number ?? '')}` : Prisma.sql`v.id = ${databaseId}`;
  const [found] = await tx.$queryRaw<{ id: number }[]>`
    SELECT v.id FROM version v WHERE v.addon_id = ${addonId} AND ${named} AND v.channel = 'listed'
      AND ${Prisma.raw(IS_PUBLIC_VERSION)}`;
  if (found === undefined) throw refusedField('version', message('rating.other_version'));
  return found.id;
}

/**
 * @throws {InvalidInputError} for an author of the add-on, and for an account that signs in by the same provider with the address of an
 * author.
 */
async function requireNoAuthor(tx: Transaction, addon: LockedAddon, accountId: number): Promise<void> {
  const authorIds = addon.authors.map((author) => author.accountId);
  const shared = await tx.$queryRaw<unknown[]>`
    SELECT FROM account_identity mine JOIN account_identity theirs ON theirs.issuer = mine.issuer AND theirs.email = mine.email
    WHERE mine.account_id = ${accountId} AND theirs.account_id = ANY(${authorIds}::int[]) LIMIT 1`;
  if (authorIds.includes(accountId) || shared.length > 0) throw new InvalidInputError(message('rating.own_addon'));
}

async function requireUnrated(tx: Transaction, versionId: number, accountId: number): Promise<void> {
  const where = { versionId, accountId, replyTo: null, deletedAt: null };
  if ((await tx.rating.findFirst({ where, select: { id: true } })) !== null)
    throw new InvalidInputError(message('rating.version_rated'));
}

/** A rating that this transaction changes, with its add-on, which is locked. */
interface Locked {
  rating: LoadedRating;
  addon: LockedAddon;
}

/** Finds a rating before a change. @throws {NotFoundError} for one that is unknown, or that the viewer may not see. */
export const findRating = (context: Context, id: number): Promise<LoadedRating> =>
  Rating.getDataloader(context).load(id);

/** Locks the add-on of a rating and reads again what decides about a change. @throws {NotFoundError} for a deleted add-on. */
export async function lockRating(tx: Transaction, found: LoadedRating): Promise<Locked> {
  const addon = await lockExistingAddon(tx, found.addonId);
  const now = await tx.rating.findUniqueOrThrow({ where: { id: found.id }, include: { rating: true } });
  const { accountId, score, body, openFlags } = now;
  const holdReason = now.holdReason as LoadedRating['holdReason'];
  const isDeleted = now.deletedAt !== null || (now.rating !== null && now.rating.deletedAt !== null);
  const { authors } = addon;
  return { addon, rating: { ...found, accountId, score, body, openFlags, holdReason, authors, isDeleted } };
}

/** Runs a change of a rating, with its sums, or of a reply, which has none. */
export function changeWithSums<Result>(
  tx: Transaction,
  rating: LoadedRating,
  change: () => Promise<Result>,
): Promise<Result> {
  if (!rating.isReply) return changingSums(tx, rating, change);
  return change().then(async (result) => {
    await touchRatings(tx, rating.addonId);
    return result;
  });
}

/** Absent: unchanged. A body of null removes the text. */
interface RatingChange {
  score?: number | null;
  body?: string | null;
}

/**
 * Changes the score or text of a rating, or the text of a reply. The text before is in the activity log alone.
 * @throws {NotAuthenticatedError}, {NotFoundError}, {NotPermittedError}, {InvalidInputError}, {ThrottledError}.
 */
export async function updateRating(context: Context, id: number, { score, body: text }: RatingChange): Promise<void> {
  const actor = await requireRater(context);
  if (score != null) requireScore(score);
  const found = await findRating(context, id);
  await db.$transaction(async (tx) => {
    const { rating, addon } = await lockRating(tx, found);
    if (!canEditRating(context.viewer, rating)) throw refuse(context.viewer);
    const body = text === undefined ? rating.body : bodyOf(text);
    if (rating.isReply && body === null) throw refusedField('body', message('field.blank'));
    const newScore = rating.isReply ? null : (score ?? rating.score);
    if (body === rating.body && newScore === rating.score) return;
    const holdReason = holdReasonAfter(rating.holdReason, body);
    const held =
      holdReason === rating.holdReason ? {} : { holdReason, heldAt: holdReason && new Date(), ...unlatest(holdReason) };
    const data = { body, score: newScore, modified: new Date(), ...held };
    await changeWithSums(tx, rating, () => tx.rating.update({ where: { id }, data, select: { id: true } }));
    const isReleased = holdReason === null && rating.holdReason !== null;
    if (isReleased && !rating.isReply) await mailRating(tx, addon, { id, score: newScore, body });
    const comments = rating.body === body ? '' : (rating.body ?? '');
    await record(tx, actor, rating, 'rating-edited', { from: rating.score, to: newScore }, comments);
    await recordAct(tx, actor, rating, addon, 'rating-edited');
  });
}

/** What a rating that is hidden cannot be. */
const unlatest = (hidden: unknown) => (hidden ? { isLatest: false } : {});

/**
 * Marks a rating as deleted, with its reply, or a reply. Returns the rating as it was.
 * @throws {NotAuthenticatedError}, {NotFoundError}, {NotPermittedError}, {ThrottledError}.
 */
export async function deleteRating(context: Context, id: number): Promise<{ addonId: number }> {
  const actor = await requireRater(context);
  const found = await findRating(context, id);
  await db.$transaction(async (tx) => {
    const { rating, addon } = await lockRating(tx, found);
    if (!canEditRating(context.viewer, rating)) throw refuse(context.viewer);
    await markDeleted(tx, rating);
    await record(tx, actor, rating, 'rating-deleted', { score: rating.score });
    await recordAct(tx, actor, rating, addon, 'rating-deleted');
  });
  return found;
}

/** Marks a rating and its reply as deleted, and what waits for a moderator as decided. */
export async function markDeleted(tx: Transaction, rating: LoadedRating): Promise<void> {
  await changeWithSums(tx, rating, async () => {
    await tx.$executeRaw`
      UPDATE rating SET deleted_at = now(), is_latest = false, open_flags = 0
      WHERE (id = ${rating.id} OR reply_to = ${rating.id}) AND deleted_at IS NULL`;
    await tx.ratingFlag.updateMany({ where: { ratingId: rating.id, decided: null }, data: { decided: new Date() } });
  });
}

/**
 * Replies to a rating, or replaces the reply. Returns the id of the reply.
 * @throws {NotAuthenticatedError}, {NotFoundError}, {NotPermittedError} for others than authors of the add-on and holders of
 * `Addons:Edit`, {InvalidInputError} for the text and for a reply to a reply, {ThrottledError}.
 */
export async function replyToRating(context: Context, id: number, text: string): Promise<number> {
  const actor = await requireRater(context);
  const found = await findRating(context, id);
  return db.$transaction(async (tx) => {
    const { rating, addon } = await lockRating(tx, found);
    permit(context.viewer, canReplyTo(context.viewer, addon.authors));
    if (rating.isReply) throw new InvalidInputError(message('rating.reply_to_reply'));
    if (rating.isDeleted) throw refuse(context.viewer);
    const body = noteText(text, { field: 'body', required: true });
    const { accountId } = actor;
    const holdReason = holdReasonAfter(null, body);
    const written = { accountId, body, holdReason, heldAt: holdReason && new Date(), modified: new Date() };
    const before = await tx.rating.findUnique({ where: { replyTo: id }, select: { id: true, deletedAt: true } });
    const revived = before?.deletedAt == null ? {} : { deletedAt: null, created: new Date() };
    const reply =
      before === null
        ? await tx.rating.create({ data: { ...written, addonId: addon.id, replyTo: id }, select: { id: true } })
        : await tx.rating.update({ where: { id: before.id }, data: { ...written, ...revived }, select: { id: true } });
    await touchRatings(tx, addon.id);
    if (holdReason === null && rating.accountId !== accountId)
      await mailReply(tx, addon, { id: reply.id, score: null, body }, rating.accountId);
    const action = 'rating-replied';
    await recordActivity(tx, { action, accountId, addonId: addon.id, details: { ratingId: id, replyId: reply.id } });
    if (!isAuthor(context.viewer, addon.authors)) {
      const details = { ratingId: id, replyId: reply.id };
      await recordAddonAct(tx, actor, addon.id, { action, details, notice: 'addon-rating-replied', quotedText: body });
    }
    return reply.id;
  });
}

async function record(
  tx: Transaction,
  { accountId }: SignedIn,
  { id, addonId, versionId }: LoadedRating,
  action: ActivityAction,
  details: Record<string, unknown>,
  comments = '',
): Promise<void> {
  await recordActivity(tx, { action, accountId, addonId, versionId, comments, details: { ratingId: id, ...details } });
}

/** Records an act of staff on the rating of another account, with a mail to its writer. */
export async function recordAct(
  tx: Transaction,
  actor: SignedIn,
  { id, accountId, addonId }: LoadedRating,
  addon: LockedAddon,
  name: Extract<Notice['name'], `rating-${string}`>,
  details: Record<string, unknown> = {},
): Promise<void> {
  const values = (locale: string) => ({ addon: addonNameIn(addon, locale) });
  await recordAccountAct(tx, actor, accountId, {
    action: name,
    details: { ratingId: id, addonId, writer: accountId, ...details },
    notice: { name, values },
  });
}
