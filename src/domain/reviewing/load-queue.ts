import { canEditAnyAddon, canReadReferral, canReview } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { KeysetPage } from '../../graphql/connections.ts';
import { db, Prisma, type Transaction } from '../../infra/db.ts';
import { comparableText } from '../../infra/storable-text.ts';
import { ADDON_TYPES, type AddonType, type Channel } from '../../package/enums.ts';
import { IS_PUBLIC_VERSION } from '../versions/find-version.ts';

/** A version that waits for a decision. `claimedBy` is null without a claim that still holds. */
export interface QueueItem {
  /** Id of the version. */
  id: number;
  addonId: number;
  waitingSince: Date;
  claimedBy: number | null;
  isInformationRequested: boolean;
  isInformationGiven: boolean;
  isReferred: boolean;
  /** Whether no version of the add-on was approved before. */
  isFirstVersion: boolean;
  /** The newest public version of the channel before it; null without one. */
  baseId: number | null;
}

/** Every entry of the queue is in one part: the first of the last two that holds, or that of its channel and type. */
const QUEUE_PARTS = ['listed', 'unlisted', 'themes', 'information-requested', 'referred'] as const;
export type QueuePart = (typeof QUEUE_PARTS)[number];

/** Number of versions in a part of the queue that the viewer may review, and since when the oldest waits; null without one. */
export interface PartSummary {
  part: QueuePart;
  count: number;
  oldest: Date | null;
  /** Whether its versions wait for decisions that the viewer makes. */
  isAwaitingDecision: boolean;
}

export type QueueSort = 'oldest' | 'newest' | 'users';

/** Selects a part of the queue; absent conditions select everything. */
export interface QueueFilter {
  part?: QueuePart;
  types?: readonly AddonType[];
  channel?: Channel;
  /** An author that the viewer may see, by one of these. */
  author?: { id: number } | { username: string };
  isFirstVersion?: boolean;
  isClaimed?: boolean;
  isClaimedByViewer?: boolean;
  isInformationRequested?: boolean;
  isReferred?: boolean;
  /** Whether it waits for a decision that the viewer makes, and not for its developers. */
  isAwaitingDecision?: boolean;
  /** Whether the viewer can decide about it now, and no reviewer or developer works on it. */
  isAvailable?: boolean;
  /** Whole hours, 0 or more. */
  olderThanHours?: number;
}

/** Longer than any version waits; PostgreSQL refuses times long before our era. */
const MAX_HOURS = 1_000_000;

const IS_CLAIMED = Prisma.sql`coalesce(q.claimed_until > now(), false)`;

const IS_FIRST = Prisma.sql`NOT EXISTS (SELECT FROM version o
  WHERE o.addon_id = q.addon_id AND o.id <> q.version_id AND o.stage IN ('signing', 'signed'))`;

/** SQL: the id of the newest public version of the channel before the version `w`. */
export const BASE_ID = `(SELECT v.id FROM version v WHERE v.addon_id = w.addon_id AND v.channel = w.channel
  AND (v.created, v.id) < (w.created, w.id) AND ${IS_PUBLIC_VERSION} ORDER BY v.created DESC, v.id DESC LIMIT 1)`;

/** SQL: the developers of the version that waits as `q` have replied to all requests for information. */
export const IS_INFORMATION_GIVEN = `(NOT q.is_information_requested AND EXISTS (
  SELECT FROM activity r WHERE r.version_id = q.version_id AND r.action = 'more-information-requested'))`;

const THEMES: readonly AddonType[] = ['statictheme', 'persona'];

const PART = Prisma.sql`CASE WHEN q.is_referred THEN 'referred' WHEN q.is_information_requested THEN 'information-requested'
  WHEN q.channel = 'unlisted' THEN 'unlisted' WHEN q.type = ANY(${[...THEMES]}::text[]) THEN 'themes' ELSE 'listed' END`;

const COLUMNS = Prisma.sql`q.version_id AS id, q.addon_id AS "addonId", q.waiting_since AS "waitingSince",
  CASE WHEN ${IS_CLAIMED} THEN q.claimed_by END AS "claimedBy",
  q.is_information_requested AS "isInformationRequested", ${Prisma.raw(IS_INFORMATION_GIVEN)} AS "isInformationGiven",
  q.is_referred AS "isReferred", ${IS_FIRST} AS "isFirstVersion",
  (SELECT ${Prisma.raw(BASE_ID)} FROM version w WHERE w.id = q.version_id) AS "baseId"`;

/** The types of add-ons whose listed versions the viewer may review. */
const reviewedTypes = (viewer: Viewer): AddonType[] =>
  ADDON_TYPES.filter((type) => canReview(viewer, { type }, 'listed'));

const reviewsUnlisted = (viewer: Viewer): boolean => canReview(viewer, { type: 'extension' }, 'unlisted');

const readsReferrals = (viewer: Viewer): boolean => canReadReferral(viewer, { isInReferral: true });

// Few add-ons are deleted, and an index has only those: the whole queue is counted without reading add-ons.
const OF_EXISTING_ADDON = Prisma.sql`NOT EXISTS (SELECT FROM addon a WHERE a.id = q.addon_id AND a.deleted_at IS NOT NULL)`;

/** SQL: the viewer may review or decide about versions with the columns of `q`. */
const isReviewable = (viewer: Viewer): Prisma.Sql => Prisma.sql`(q.is_referred AND ${readsReferrals(viewer)}::bool
  OR CASE q.channel WHEN 'unlisted' THEN ${reviewsUnlisted(viewer)}::bool ELSE q.type = ANY(${reviewedTypes(viewer)}::text[]) END)`;

/** The versions that the viewer may review or decide about, as `q`: SQL from FROM on. */
export const reviewableVersions = (viewer: Viewer): Prisma.Sql =>
  Prisma.sql`FROM review_queue q WHERE ${OF_EXISTING_ADDON} AND ${isReviewable(viewer)}`;

/** SQL: the viewer decides about the version that waits as `q`, if they may review it: of referred ones, readers of referrals do. */
const isDecidable = (viewer: Viewer): Prisma.Sql => Prisma.sql`(NOT q.is_referred OR ${readsReferrals(viewer)}::bool)`;

/** SQL: the version that waits as `q` waits for a decision of the viewer, if they may review it, and not for its developers or others. */
const isAwaitingDecision = (viewer: Viewer): Prisma.Sql =>
  Prisma.sql`(NOT q.is_information_requested AND ${isDecidable(viewer)})`;

/** The versions that wait for a decision of the viewer, as `q`: SQL from FROM on. */
export const awaitingVersions = (viewer: Viewer): Prisma.Sql =>
  Prisma.sql`${reviewableVersions(viewer)} AND ${isAwaitingDecision(viewer)}`;

const isClaimedBy = (viewer: Viewer): Prisma.Sql =>
  Prisma.sql`coalesce(q.claimed_by = ${viewer.kind === 'account' ? viewer.accountId : 0}, false)`;

/** The condition of each field of a filter. */
const CONDITIONS: {
  [Name in keyof QueueFilter]-?: (value: NonNullable<QueueFilter[Name]>, viewer: Viewer) => Prisma.Sql;
} = {
  part: (part) => Prisma.sql`${PART} = ${part}`,
  types: (types) => Prisma.sql`q.type = ANY(${[...types]}::text[])`,
  channel: (channel) => Prisma.sql`q.channel = ${channel}`,
  author: (key, viewer) => Prisma.sql`EXISTS (SELECT FROM addon_author u WHERE u.addon_id = q.addon_id
    AND (u.listed OR ${canEditAnyAddon(viewer)}::bool) AND u.account_id = ${
      'id' in key
        ? Prisma.sql`${key.id}::int`
        : Prisma.sql`(SELECT id FROM account WHERE username = ${comparableText(key.username)}::citext)`
    })`,
  isFirstVersion: (isFirst) => Prisma.sql`${IS_FIRST} = ${isFirst}`,
  isClaimed: (isClaimed) => Prisma.sql`${IS_CLAIMED} = ${isClaimed}`,
  isClaimedByViewer: (isClaimed, viewer) => Prisma.sql`(${IS_CLAIMED} AND ${isClaimedBy(viewer)}) = ${isClaimed}`,
  isInformationRequested: (isRequested) => Prisma.sql`q.is_information_requested = ${isRequested}`,
  isReferred: (isReferred) => Prisma.sql`q.is_referred = ${isReferred}`,
  isAwaitingDecision: (isAwaiting, viewer) => Prisma.sql`${isAwaitingDecision(viewer)} = ${isAwaiting}`,
  isAvailable: (isAvailable, viewer) => Prisma.sql`(${isAwaitingDecision(viewer)}
    AND (NOT ${IS_CLAIMED} OR ${isClaimedBy(viewer)})) = ${isAvailable}`,
  olderThanHours: (hours) =>
    Prisma.sql`q.waiting_since < now() - make_interval(hours => ${Math.min(hours, MAX_HOURS)}::int)`,
};

/** The versions that the viewer may review and the filter selects. */
function selected(viewer: Viewer, filter: QueueFilter): Prisma.Sql {
  const conditions = Object.entries(filter).map(([name, value]) => {
    const condition = CONDITIONS[name as keyof QueueFilter] as (value: unknown, viewer: Viewer) => Prisma.Sql;
    return condition(value, viewer);
  });
  return Prisma.sql`${reviewableVersions(viewer)} AND ${Prisma.join([Prisma.sql`true`, ...conditions], ' AND ')}`;
}

const USERS = Prisma.sql`(SELECT a.average_daily_users FROM addon a WHERE a.id = q.addon_id)`;

/** The sort keys of an entry, which the id of the version completes. */
const SORTS: Record<QueueSort, { key: Prisma.Sql; isDescending: boolean; keyOfVersion: Prisma.Sql }> = (() => {
  // A cursor keeps its place after the version has left the queue.
  const waitingSince = Prisma.sql`coalesce(
    (SELECT waiting_since FROM review_queue WHERE version_id = v.id),
    (SELECT max(r.created) FROM activity r WHERE r.version_id = v.id AND r.action = 'review-requested'),
    v.created
  )`;
  const users = Prisma.sql`(SELECT a.average_daily_users FROM addon a WHERE a.id = v.addon_id)`;
  return {
    oldest: { key: Prisma.sql`q.waiting_since`, isDescending: false, keyOfVersion: waitingSince },
    newest: { key: Prisma.sql`q.waiting_since`, isDescending: true, keyOfVersion: waitingSince },
    users: { key: USERS, isDescending: true, keyOfVersion: users },
  };
})();

/** A page of the queue in the order of `sort`, or against it if inverted. */
export function readQueue(
  viewer: Viewer,
  { filter, sort }: { filter: QueueFilter; sort: QueueSort },
  { after, before, limit, inverted }: KeysetPage,
): Promise<QueueItem[]> {
  const { key, isDescending, keyOfVersion } = SORTS[sort];
  const [direction, next, previous] = isDescending === inverted ? ['ASC', '>', '<'] : ['DESC', '<', '>'];
  const beyond = (operator: string | undefined, versionId: number) =>
    Prisma.sql`AND (${key}, q.version_id) ${Prisma.raw(operator ?? '')} (
      SELECT ${keyOfVersion}, v.id FROM version v WHERE v.id = ${versionId})`;
  const order = Prisma.raw(direction ?? '');
  const [afterwards, earlier] = inverted ? [previous, next] : [next, previous];
  return db.$queryRaw<QueueItem[]>`
    SELECT ${COLUMNS} ${selected(viewer, filter)}
      ${after === null ? Prisma.empty : beyond(afterwards, after)}
      ${before === null ? Prisma.empty : beyond(earlier, before)}
    ORDER BY ${key} ${order}, q.version_id ${order} LIMIT ${limit}`;
}

/** Number of versions that the viewer may review and the filter selects. */
export async function countQueue(viewer: Viewer, filter: QueueFilter): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count ${selected(viewer, filter)}`;
  return row?.count ?? 0;
}

/** The parts of the queue with versions that the viewer may review, in the order of `QUEUE_PARTS`, empty ones too. */
export async function summarizeQueue(viewer: Viewer): Promise<PartSummary[]> {
  const [types, unlisted] = [reviewedTypes(viewer), reviewsUnlisted(viewer)];
  const isReviewed: Record<QueuePart, boolean> = {
    listed: types.some((type) => !THEMES.includes(type)),
    unlisted,
    themes: types.some((type) => THEMES.includes(type)),
    'information-requested': unlisted || types.length > 0,
    referred: unlisted || types.length > 0 || readsReferrals(viewer),
  };
  const parts = QUEUE_PARTS.filter((part) => isReviewed[part]);
  if (parts.length === 0) return [];
  // Groups of equal columns are few, so conditions on these columns and the part are computed for few rows: materialized, since PostgreSQL
  // would apply the conditions to each version otherwise.
  const rows = await db.$queryRaw<Omit<PartSummary, 'isAwaitingDecision'>[]>`
    WITH counted AS MATERIALIZED (
      SELECT q.is_referred, q.is_information_requested, q.channel, q.type, count(*) AS count, min(q.waiting_since) AS oldest
      FROM review_queue q WHERE ${OF_EXISTING_ADDON} GROUP BY 1, 2, 3, 4
    )
    SELECT ${PART} AS part, sum(q.count)::int AS count, min(q.oldest) AS oldest
    FROM counted q WHERE ${isReviewable(viewer)} GROUP BY 1`;
  return parts.map((part) => ({
    ...(rows.find((row) => row.part === part) ?? { part, count: 0, oldest: null }),
    isAwaitingDecision: part !== 'information-requested' && (part !== 'referred' || readsReferrals(viewer)),
  }));
}

/** The entry of a version, without access checks. Null when it does not wait. */
export async function queueItem(tx: Transaction, versionId: number): Promise<QueueItem | null> {
  const [item] = await tx.$queryRaw<
    QueueItem[]
  >`SELECT ${COLUMNS} FROM review_queue q WHERE q.version_id = ${versionId}`;
  return item ?? null;
}
