import { canReview } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { KeysetPage } from '../../graphql/connections.ts';
import { db, Prisma, type Transaction } from '../../infra/db.ts';
import { ADDON_TYPES, type AddonType, type Channel } from '../../package/enums.ts';

/** A version that waits for a decision. `claimedBy` is null without a claim that still holds. */
export interface QueueItem {
  /** Id of the version. */
  id: number;
  addonId: number;
  waitingSince: Date;
  claimedBy: number | null;
  isInformationRequested: boolean;
  isReferred: boolean;
}

/** Selects a part of the queue; absent conditions select everything. */
export interface QueueFilter {
  types?: readonly AddonType[];
  channel?: Channel;
  isClaimed?: boolean;
  isInformationRequested?: boolean;
  isReferred?: boolean;
  /** Whole hours, 0 or more. */
  olderThanHours?: number;
}

/** Longer than any version waits; PostgreSQL refuses times long before our era. */
const MAX_HOURS = 1_000_000;

const IS_CLAIMED = Prisma.sql`coalesce(q.claimed_until > now(), false)`;

const COLUMNS = Prisma.sql`q.version_id AS id, q.addon_id AS "addonId", q.waiting_since AS "waitingSince",
  CASE WHEN ${IS_CLAIMED} THEN q.claimed_by END AS "claimedBy",
  q.is_information_requested AS "isInformationRequested", q.is_referred AS "isReferred"`;

/** The versions that the viewer may review and the filter selects. */
function selected(viewer: Viewer, filter: QueueFilter): Prisma.Sql {
  const reviewed = ADDON_TYPES.filter((type) => canReview(viewer, { type }, 'listed'));
  const seesUnlisted = canReview(viewer, { type: 'extension' }, 'unlisted');
  const { types, channel, isClaimed, isInformationRequested, isReferred, olderThanHours } = filter;
  const conditions = [
    Prisma.sql`CASE q.channel WHEN 'unlisted' THEN ${seesUnlisted}::bool ELSE q.type = ANY(${reviewed}::text[]) END`,
    ...(types === undefined ? [] : [Prisma.sql`q.type = ANY(${[...types]}::text[])`]),
    ...(channel === undefined ? [] : [Prisma.sql`q.channel = ${channel}`]),
    ...(isClaimed === undefined ? [] : [Prisma.sql`${IS_CLAIMED} = ${isClaimed}`]),
    ...(isInformationRequested === undefined
      ? []
      : [Prisma.sql`q.is_information_requested = ${isInformationRequested}`]),
    ...(isReferred === undefined ? [] : [Prisma.sql`q.is_referred = ${isReferred}`]),
    ...(olderThanHours === undefined
      ? []
      : [Prisma.sql`q.waiting_since < now() - make_interval(hours => ${Math.min(olderThanHours, MAX_HOURS)}::int)`]),
  ];
  // Few add-ons are deleted, and an index has only those: the whole queue is counted without reading add-ons.
  return Prisma.sql`FROM review_queue q
    WHERE NOT EXISTS (SELECT FROM addon a WHERE a.id = q.addon_id AND a.deleted_at IS NOT NULL)
      AND ${Prisma.join(conditions, ' AND ')}`;
}

/** The place of a version in the queue, which a cursor keeps after the version has left it. */
const placeOf = (versionId: number): Prisma.Sql => Prisma.sql`(SELECT coalesce(
    (SELECT waiting_since FROM review_queue WHERE version_id = v.id),
    (SELECT max(r.created) FROM activity r WHERE r.version_id = v.id AND r.action = 'review-requested'),
    v.created
  ), v.id FROM version v WHERE v.id = ${versionId})`;

/** A page of the queue, oldest first unless inverted. */
export function readQueue(
  viewer: Viewer,
  filter: QueueFilter,
  { after, before, limit, inverted }: KeysetPage,
): Promise<QueueItem[]> {
  const key = Prisma.sql`(q.waiting_since, q.version_id)`;
  const direction = Prisma.raw(inverted ? 'DESC' : 'ASC');
  return db.$queryRaw<QueueItem[]>`
    SELECT ${COLUMNS} ${selected(viewer, filter)}
      ${after === null ? Prisma.empty : Prisma.sql`AND ${key} > ${placeOf(after)}`}
      ${before === null ? Prisma.empty : Prisma.sql`AND ${key} < ${placeOf(before)}`}
    ORDER BY q.waiting_since ${direction}, q.version_id ${direction} LIMIT ${limit}`;
}

/** Number of versions that the viewer may review and the filter selects. */
export async function countQueue(viewer: Viewer, filter: QueueFilter): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count ${selected(viewer, filter)}`;
  return row?.count ?? 0;
}

/** The entry of a version, without access checks. Null when it does not wait. */
export async function queueItem(tx: Transaction, versionId: number): Promise<QueueItem | null> {
  const [item] = await tx.$queryRaw<
    QueueItem[]
  >`SELECT ${COLUMNS} FROM review_queue q WHERE q.version_id = ${versionId}`;
  return item ?? null;
}
