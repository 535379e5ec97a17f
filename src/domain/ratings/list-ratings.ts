/* Lists of ratings: which are in them, their pages in one order, newest first, and their counts. */

import { canEditAnyAddon } from '../../auth/permissions.ts';
import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { canSeeHeldRatings } from '../../auth/rating-permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { type KeysetPage, pageLoader } from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db, lookupPool, Prisma, prepared, preparedRows } from '../../infra/db.ts';
import { accountSummary } from '../accounts/account-summary.ts';
import { RATING_COLUMNS, RATING_JOINS, type RatingRow, rememberRatings } from './rating.ts';

/** Whose ratings a list has: those of an add-on, of an account, or all that moderators see. */
export type RatingParent = 'addon' | 'account' | 'service';

/** Selects ratings for a list. The values are JSON. Replies are in no list. */
export interface RatingScope {
  parent: RatingParent;
  /** Of this add-on, in a list of an account or of moderators. */
  addonId?: number | null;
  versionId?: number | null;
  scores?: readonly number[] | null;
  excludedIds?: readonly number[] | null;
  withDeleted?: boolean | null;
  /** Only ratings with a text, and with `withOwn` also those of the viewer without one. */
  onlyTexts?: boolean | null;
  withOwn?: boolean | null;
  isAnswered?: boolean | null;
  /** A list of moderators, which has replies, too. */
  queue?: RatingQueue | null;
}

/** What waits for a decision, what a decision has hidden, or what the viewer has decided about. */
export type RatingQueue = 'waiting' | 'hidden' | 'decided_by_viewer';

const EVERY = Prisma.sql`true`;

/** SQL: the rating `r` belongs to the parent `wanted.id`. */
const PARENTS = {
  addon: Prisma.sql`r.addon_id = wanted.id`,
  account: Prisma.sql`r.account_id = wanted.id`,
  service: EVERY,
};

const viewerId = ({ viewer }: Context): number => (viewer.kind === 'account' ? viewer.accountId : 0);

/** SQL: the rating `r` is shown to the viewer, or deleted if the list has deleted ones. */
function isShown(context: Context, { withDeleted }: RatingScope, r: Prisma.Sql): Prisma.Sql {
  const isKept = withDeleted ? EVERY : Prisma.sql`${r}.deleted_at IS NULL`;
  if (canSeeHeldRatings(context.viewer)) return isKept;
  return Prisma.sql`${isKept} AND (${r}.held_at IS NULL OR ${r}.account_id = ${viewerId(context)})`;
}

/** Whether a list has the ratings of an add-on that count, or some of them. */
const hasCounted = ({ parent, versionId, withDeleted, queue }: RatingScope): boolean =>
  parent === 'addon' && versionId == null && !withDeleted && queue == null;

/**
 * SQL: of the ratings of an account for an add-on, the list has the newest one, unless it is about one version or is one of
 * moderators.
 */
function isNewest(context: Context, scope: RatingScope): Prisma.Sql {
  const { parent, addonId, versionId, queue } = scope;
  if (versionId != null || queue != null) return EVERY;
  if (parent === 'addon') return Prisma.sql`(r.is_latest OR r.deleted_at IS NOT NULL)`;
  if (parent !== 'account' || addonId == null) return EVERY;
  const later = Prisma.sql`later`;
  return Prisma.sql`NOT EXISTS (SELECT FROM rating later WHERE later.account_id = r.account_id
    AND later.addon_id = r.addon_id AND later.reply_to IS NULL AND ${isShown(context, scope, later)}
    AND (later.created, later.id) > (r.created, r.id))`;
}

/** SQL: the add-on of `r` is public, unless the viewer sees others, too. */
const isOfAddonFor = (viewer: Viewer): Prisma.Sql =>
  canEditAnyAddon(viewer)
    ? EVERY
    : Prisma.sql`EXISTS (SELECT FROM addon a WHERE a.id = r.addon_id AND ${Prisma.raw(IS_PUBLIC_ADDON)})`;

/** SQL: the viewer sees the add-on of `r`. Readers of a list of one add-on do, but moderators choose it without seeing it. */
const isOfVisibleAddon = ({ viewer }: Context, { parent, addonId, queue }: RatingScope): Prisma.Sql =>
  parent === 'addon' || (addonId != null && queue == null) ? EVERY : isOfAddonFor(viewer);

/** SQL: no moderator has decided about `r`. The index `rating_open` has these conditions. */
const IS_OPEN = Prisma.sql`r.deleted_at IS NULL AND (r.open_flags > 0 OR r.hold_reason <> 'moderator')`;

/** SQL: a moderator has hidden `r`. The index `rating_hidden` has these conditions. */
const IS_HIDDEN = Prisma.sql`r.deleted_at IS NULL AND r.hold_reason = 'moderator'`;

/** SQL: `r` is in a list of moderators. The index `activity_rating_decided` has the decisions of an account. */
function isQueued(context: Context, queue: RatingQueue): Prisma.Sql {
  if (queue === 'waiting') return IS_OPEN;
  if (queue === 'hidden') return IS_HIDDEN;
  return Prisma.sql`r.id IN (SELECT (d.details->>'ratingId')::int FROM activity d
    WHERE d.action = 'rating-decided' AND d.account_id = ${viewerId(context)})`;
}

/** SQL: the ratings and replies `r` that wait for a moderator. */
export const openRatings = (viewer: Viewer): Prisma.Sql =>
  Prisma.sql`FROM rating r WHERE ${IS_OPEN} AND ${isOfAddonFor(viewer)}`;

/** SQL: the ratings and replies `r` that wait for a decision of the viewer, by the rules of `canDecideRating`. */
export function decidableRatings(viewer: Viewer): Prisma.Sql {
  if (viewer.kind === 'anonymous' || !canSeeHeldRatings(viewer)) return Prisma.sql`FROM rating r WHERE false`;
  const { accountId } = viewer;
  return Prisma.sql`${openRatings(viewer)} AND r.account_id <> ${accountId}
    AND r.addon_id <> ALL(ARRAY(SELECT u.addon_id FROM addon_author u WHERE u.account_id = ${accountId}))`;
}

/** SQL: `r` is a rating, shown to the viewer, and the newest of its account. */
function isListed(context: Context, scope: RatingScope): Prisma.Sql {
  // A rating that counts is shown and no reply. Conditions on columns outside the index `rating_latest` would read each skipped row.
  if (hasCounted(scope)) return Prisma.sql`r.is_latest`;
  const kind = scope.queue == null ? Prisma.sql`r.reply_to IS NULL` : isQueued(context, scope.queue);
  const isShownRating = isShown(context, scope, Prisma.sql`r`);
  return Prisma.sql`${kind} AND ${isNewest(context, scope)} AND ${isShownRating}`;
}

function matching(context: Context, scope: RatingScope): Prisma.Sql {
  const { parent, addonId, versionId, scores, excludedIds, onlyTexts, withOwn, isAnswered } = scope;
  const own = withOwn ? Prisma.sql`OR r.account_id = ${viewerId(context)}` : Prisma.empty;
  const answered = Prisma.sql`EXISTS (SELECT FROM rating y WHERE y.reply_to = r.id AND y.deleted_at IS NULL)`;
  return Prisma.join(
    [
      PARENTS[parent],
      isListed(context, scope),
      isOfVisibleAddon(context, scope),
      ...(addonId == null ? [] : [Prisma.sql`r.addon_id = ${addonId}`]),
      ...(versionId == null ? [] : [Prisma.sql`r.version_id = ${versionId}`]),
      ...(scores == null ? [] : [Prisma.sql`r.score = ANY(${[...scores]}::int[])`]),
      ...(excludedIds == null ? [] : [Prisma.sql`r.id <> ALL(${[...excludedIds]}::int[])`]),
      ...(onlyTexts ? [Prisma.sql`(r.body IS NOT NULL ${own})`] : []),
      ...(isAnswered == null ? [] : [isAnswered ? answered : Prisma.sql`NOT ${answered}`]),
    ],
    ' AND ',
  );
}

const position = (id: number | null) => Prisma.sql`(SELECT p.created, p.id FROM rating p WHERE p.id = ${id})`;

type Bounds = RatingScope & KeysetPage & { offset: number };

interface PageRow extends RatingRow {
  parentId: number;
  /** False for the reply to an entry. */
  isEntry: boolean;
  /** In one row of each page of an add-on. */
  sums: Sums | null;
}

const [COLUMNS, JOINS] = [Prisma.raw(RATING_COLUMNS), Prisma.raw(RATING_JOINS)];

const SUMS = Prisma.raw(`CASE WHEN found.place = 1 AND shown.id = found.id THEN (
  SELECT json_build_object('scores', scores, 'texts', texts, 'revision', revision::text) FROM rating_sums s WHERE s.addon_id = r.addon_id) END`);

// One statement for the list, its replies and its sums: sending a statement costs more than most of its parts.
const pages = pageLoader<PageRow, Bounds>((parentIds, bounds, context) => {
  const { after, before, limit, offset, inverted } = bounds;
  const direction = Prisma.raw(inverted ? 'ASC' : 'DESC');
  const start = after === null ? EVERY : Prisma.sql`(r.created, r.id) < ${position(after)}`;
  const end = before === null ? EVERY : Prisma.sql`(r.created, r.id) > ${position(before)}`;
  return preparedRows<PageRow>(
    lookupPool,
    Prisma.sql`
    SELECT found.parent_id AS "parentId", shown.id = found.id AS "isEntry", ${COLUMNS},
      ${bounds.parent === 'addon' ? SUMS : Prisma.sql`NULL`} AS sums FROM (
      SELECT wanted.id AS parent_id, page.id, page.created, row_number() OVER (PARTITION BY wanted.id) AS place
      FROM unnest(${[...parentIds]}::int[]) AS wanted(id) CROSS JOIN LATERAL (
        SELECT r.id, r.created FROM rating r WHERE ${matching(context, bounds)} AND ${start} AND ${end}
        ORDER BY r.created ${direction}, r.id ${direction} LIMIT ${limit} OFFSET ${offset}
      ) page
    ) found CROSS JOIN LATERAL (
      SELECT found.id UNION ALL SELECT reply.id FROM rating reply WHERE reply.reply_to = found.id
    ) shown JOIN rating r ON r.id = shown.id ${JOINS}
    ORDER BY found.created ${direction}, found.id ${direction}`,
  );
});

/**
 * A page of a list after or before a cursor, newest first unless inverted, or of one that starts at `offset`. The replies to its ratings
 * are loaded too.
 */
export async function ratingsOfPage(
  context: Context,
  parentId: number,
  scope: RatingScope,
  page: KeysetPage & { offset: number },
): Promise<RatingRow[]> {
  const rows = await pages(context, parentId, { ...scope, ...page });
  await rememberRatings(context, rows);
  for (const { sums } of rows) if (sums !== null) ratingSums(context).prime(parentId, sums);
  // The names of those who wrote ratings and of those who replied in one statement; the fields fail if it does.
  if (rows.some(({ isEntry }) => !isEntry))
    for (const { accountId } of rows) accountSummary(context, accountId).catch(() => null);
  return rows.filter(({ isEntry }) => isEntry);
}

const counts = pageLoader<{ parentId: number; count: number }, RatingScope>(
  (parentIds, scope, context) => db.$queryRaw`
    SELECT wanted.id AS "parentId", (SELECT count(*)::int FROM rating r WHERE ${matching(context, scope)}) AS count
    FROM unnest(${[...parentIds]}::int[]) AS wanted(id)`,
);

/** The number of ratings of a list. Those of a whole add-on are in its sums, which cost the same for any number of ratings. */
export async function countRatings(context: Context, parentId: number, scope: RatingScope): Promise<number> {
  if (!isSummed(scope)) return (await counts(context, parentId, scope))[0]?.count ?? 0;
  const { scores, texts } = await ratingSums(context).load(parentId);
  const counted = scope.onlyTexts ? texts : scores;
  return counted.reduce((sum, count, index) => (isChosen(scope, index + 1) ? sum + count : sum), 0);
}

/** Whether the sums have the number of a list, by score and by whether there is a text. */
const isSummed = (scope: RatingScope): boolean =>
  hasCounted(scope) && scope.excludedIds == null && scope.isAnswered == null && !(scope.withOwn && scope.onlyTexts);

const isChosen = ({ scores }: RatingScope, score: number): boolean => scores == null || scores.includes(score);

interface Sums {
  /** Ratings that count, by score from 1 to 5. */
  scores: number[];
  /** Those with a text. */
  texts: number[];
  /** Changes with the ratings of the add-on. */
  revision: string;
}

const NO_SUMS: Sums = { scores: [0, 0, 0, 0, 0], texts: [0, 0, 0, 0, 0], revision: '0' };

const readSums = prepared<Sums & { id: number }>(
  lookupPool,
  'rating-sums',
  'SELECT addon_id AS id, scores, texts, revision::text FROM rating_sums WHERE addon_id = ANY($1::int[])',
);

/** The counts of the ratings that are stored here, without imported sums, by add-on id. */
export const ratingSums = perRequest<number, Sums>(async (ids) => {
  const found = new Map((await readSums(ids)).map((sums) => [sums.id, sums]));
  return ids.map((id) => found.get(id) ?? NO_SUMS);
});

const readOwn = prepared<{ addonId: number; id: number }>(
  lookupPool,
  'own-ratings',
  `SELECT DISTINCT ON (addon_id) addon_id AS "addonId", id FROM rating
   WHERE addon_id = ANY($1::int[]) AND account_id = $2 AND reply_to IS NULL AND deleted_at IS NULL
   ORDER BY addon_id, created DESC, id DESC`,
);

/** The id of the newest rating of the viewer, by add-on id; null without one. */
export const ownRatings = perRequest<number, number | null>(async (ids, context) => {
  const rows = context.viewer.kind === 'anonymous' ? [] : await readOwn(ids, viewerId(context));
  const found = new Map(rows.map(({ addonId, id }) => [addonId, id]));
  return ids.map((id) => found.get(id) ?? null);
});
