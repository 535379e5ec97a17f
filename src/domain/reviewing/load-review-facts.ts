import { AUTOMATIC_REVIEW_ID } from '../../auth/credential-account.ts';
import { canEditAnyAddon, canInspect, isUnlistedReviewer } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { db, Prisma } from '../../infra/db.ts';
import type { PackageFile } from '../../package/code/file-changes.ts';
import { ADDON_TYPES } from '../../package/enums.ts';
import { MIN_HASHED_SIZE } from '../code/store-file-hashes.ts';
import { IS_IN_REFERRAL, IS_PUBLIC_VERSION } from '../versions/find-version.ts';
import { BASE_ID, IS_INFORMATION_GIVEN } from './load-queue.ts';

/** What reviewers compare a version with. */
export interface ReviewFacts {
  versionId: number;
  addonId: number;
  /** The newest public version of the channel before it; null without one. */
  baseId: number | null;
  /** SHA-256 (hex) of the package as it was sent; null without a package. */
  sentSha256: string | null;
  signedSha256: string | null;
  /** Of the manifest; empty without a package. */
  permissions: readonly string[];
  optionalPermissions: readonly string[];
  /** Null when it does not wait. */
  waitingSince: Date | null;
  /** Id of the account whose claim holds. */
  claimedBy: number | null;
  isInformationRequested: boolean;
  isInformationGiven: boolean;
  reportCount: number;
  openReportCount: number;
  /** Of the versions of the same type and channel that wait; null without one. */
  medianWaitingHours: number | null;
}

/** Facts of a version, without access checks. Null for an unknown one. */
export async function readReviewFacts(versionId: number): Promise<ReviewFacts | null> {
  const [facts] = await db.$queryRaw<ReviewFacts[]>`
    SELECT w.id AS "versionId", a.id AS "addonId", ${Prisma.raw(BASE_ID)} AS "baseId", f.original_sha256 AS "sentSha256", f.signed_sha256 AS "signedSha256",
      coalesce(f.permissions, '{}') AS permissions, coalesce(f.optional_permissions, '{}') AS "optionalPermissions",
      q.waiting_since AS "waitingSince", CASE WHEN q.claimed_until > now() THEN q.claimed_by END AS "claimedBy",
      coalesce(q.is_information_requested, false) AS "isInformationRequested",
      coalesce(${Prisma.raw(IS_INFORMATION_GIVEN)}, false) AS "isInformationGiven",
      reports.count AS "reportCount", reports.open AS "openReportCount", (
        SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM now() - other.waiting_since) / 3600)::float8
        FROM review_queue other WHERE other.channel = w.channel AND other.type = a.type
      ) AS "medianWaitingHours"
    FROM version w JOIN addon a ON a.id = w.addon_id LEFT JOIN review_queue q ON q.version_id = w.id
    LEFT JOIN LATERAL (SELECT * FROM file WHERE version_id = w.id AND is_stored ORDER BY id LIMIT 1) f ON true
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS count, count(*) FILTER (WHERE r.state = 'open')::int AS open
      FROM abuse_report r WHERE r.addon_id = a.id
    ) reports WHERE w.id = ${versionId}`;
  return facts ?? null;
}

const IS_PRESENT = Prisma.sql`a.deleted_at IS NULL AND v.deleted_at IS NULL`;

/** Versions `v` of add-ons `a` that the viewer may inspect. */
export function inspectableVersions(viewer: Viewer): Prisma.Sql {
  const types = ADDON_TYPES.filter((type) => canInspect(viewer, type, 'listed'));
  return Prisma.sql`${IS_PRESENT}
    AND CASE v.channel WHEN 'unlisted' THEN ${isUnlistedReviewer(viewer)}::bool ELSE a.type = ANY(${types}::text[]) END`;
}

/** Versions `v` whose decisions the viewer sees: those, and for holders of `Addons:Edit` public ones and those in a referral. */
const decided = (viewer: Viewer): Prisma.Sql =>
  canEditAnyAddon(viewer)
    ? Prisma.sql`${IS_PRESENT} AND (${inspectableVersions(viewer)} OR ${Prisma.raw(`${IS_PUBLIC_VERSION} OR ${IS_IN_REFERRAL}`)})`
    : inspectableVersions(viewer);

/** A decision about a version. */
export interface PastDecision {
  id: number;
  versionId: number;
  action: 'approved' | 'rejected';
  created: Date;
  /** Of the reviewer; of the built-in account for automatic decisions. */
  accountId: number;
  /** What the reviewer wrote; null for viewers who may not read the thread of the version. */
  comments: string | null;
}

/** The decisions about versions of the authors of an add-on: their numbers, and the newest ones. */
export interface DecisionHistory extends DecisionCounts {
  newest: readonly PastDecision[];
}

const NEWEST_DECISIONS = 10;

/**
 * Decisions about versions of all add-ons of the authors of this one, as far as the viewer sees the versions. Unlisted authors count for
 * viewers who see them.
 */
export const readDecisionHistory = (viewer: Viewer, addonId: number): Promise<DecisionHistory> =>
  readDecisions(viewer, addonsNextTo(viewer, addonId));

/** Decisions about the other versions of an add-on, as far as the viewer sees them. */
export const readAddonDecisions = (
  viewer: Viewer,
  { addonId, versionId }: { addonId: number; versionId: number },
): Promise<DecisionHistory> =>
  readDecisions(viewer, Prisma.sql`${addonId}::int`, Prisma.sql`r.version_id <> ${versionId}`);

/** Those of `readDecisionHistory` about other add-ons. */
export const readOtherAddonDecisions = (viewer: Viewer, addonId: number): Promise<DecisionHistory> =>
  readDecisions(viewer, addonsNextTo(viewer, addonId), Prisma.sql`r.addon_id <> ${addonId}`);

const addonsNextTo = (viewer: Viewer, addonId: number): Prisma.Sql =>
  addonsOfAuthors(Prisma.sql`${addonId}::int`, Prisma.sql`(u.listed OR ${canEditAnyAddon(viewer)}::bool)`);

/** The add-ons of the authors `u` of an add-on that are seen, and the add-on. */
const addonsOfAuthors = (addonId: Prisma.Sql, isSeen: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`SELECT u.addon_id FROM addon_author u WHERE ${isSeen} AND u.account_id IN (
      SELECT u.account_id FROM addon_author u WHERE u.addon_id = ${addonId} AND ${isSeen})
    UNION SELECT ${addonId}`;

/** Numbers of decisions. */
export interface DecisionCounts {
  approved: number;
  rejected: number;
}

/** The numbers of the decisions that `readDecisionHistory` returns, for each add-on. */
export async function countDecisions(
  viewer: Viewer,
  addonIds: readonly number[],
): Promise<Map<number, DecisionCounts>> {
  const isSeen = Prisma.sql`(u.listed OR ${canEditAnyAddon(viewer)}::bool)`;
  const rows = await db.$queryRaw<(DecisionCounts & { addonId: number })[]>`
    SELECT asked.id AS "addonId", made.* FROM unnest(${[...addonIds]}::int[]) AS asked (id) CROSS JOIN LATERAL (
      SELECT (count(*) FILTER (WHERE r.action = 'approved'))::int AS approved,
        (count(*) FILTER (WHERE r.action = 'rejected'))::int AS rejected
      FROM activity r JOIN version v ON v.id = r.version_id JOIN addon a ON a.id = v.addon_id
      WHERE r.action IN ('approved', 'rejected') AND ${decided(viewer)} AND r.addon_id IN (
        ${addonsOfAuthors(Prisma.sql`asked.id`, isSeen)})
    ) made`;
  return new Map(rows.map(({ addonId, ...counts }) => [addonId, counts]));
}

/** Decisions `r` about versions of add-ons that the viewer sees: their numbers, and the newest. `addons` is a query for ids. */
export async function readDecisions(
  viewer: Viewer,
  addons: Prisma.Sql,
  condition = Prisma.sql`true`,
): Promise<DecisionHistory> {
  const rows = await db.$queryRaw<(PastDecision & DecisionCounts)[]>`
    SELECT r.id, r.version_id AS "versionId", r.action, r.created,
      coalesce(r.account_id, ${AUTOMATIC_REVIEW_ID}) AS "accountId",
      CASE WHEN ${inspectableVersions(viewer)} THEN r.comments END AS comments,
      (count(*) FILTER (WHERE r.action = 'approved') OVER ())::int AS approved,
      (count(*) FILTER (WHERE r.action = 'rejected') OVER ())::int AS rejected
    FROM activity r JOIN version v ON v.id = r.version_id JOIN addon a ON a.id = v.addon_id
    WHERE r.addon_id IN (${addons}) AND r.action IN ('approved', 'rejected') AND ${decided(viewer)} AND ${condition}
    ORDER BY r.created DESC, r.id DESC LIMIT ${NEWEST_DECISIONS}`;
  return { approved: rows[0]?.approved ?? 0, rejected: rows[0]?.rejected ?? 0, newest: rows };
}

/** Another add-on that has files of a package. */
export interface SharedFiles {
  /** A version with such files, a rejected one first. */
  versionId: number;
  fileCount: number;
  /** Paths of some of the files in the package that is reviewed. */
  paths: readonly string[];
  /** Whether that version was rejected or the add-on is disabled. */
  isRejected: boolean;
}

/** Files that are looked up, the largest first. */
const MAX_FILES = 2_000;
/** A file that more add-ons have is a library or a licence. */
const MAX_ADDONS = 10;
/** Packages of other add-ons with one file that are read at most. */
const MAX_PACKAGES = 200;
const MAX_SHOWN = 10;
const MAX_PATHS = 5;

/**
 * Other add-ons whose packages have some of these files of a package, as far as the viewer may inspect them: rejected ones first, then
 * those with the most files. Small files, and those of many add-ons, do not count.
 */
export async function findSharedFiles(
  viewer: Viewer,
  addonId: number,
  packageFiles: readonly PackageFile[],
): Promise<SharedFiles[]> {
  const files = packageFiles.filter(({ size }) => size >= MIN_HASHED_SIZE);
  const pathOf = new Map(files.map(({ sha256: hash, path }) => [hash, path]));
  const hashes = [...new Set(files.toSorted((one, other) => other.size - one.size).map((file) => file.sha256))];
  if (hashes.length === 0) return [];
  const rows = await db.$queryRaw<(Omit<SharedFiles, 'paths'> & { hashes: string[] })[]>`
    WITH found AS MATERIALIZED (
      SELECT other.* FROM unnest(${hashes.slice(0, MAX_FILES)}::text[]) AS wanted(hex)
      CROSS JOIN LATERAL (
        SELECT * FROM package_file p WHERE p.sha256 = decode(wanted.hex, 'hex') AND p.addon_id <> ${addonId} LIMIT ${MAX_PACKAGES}
      ) other
    ), rare AS (
      SELECT sha256 FROM found GROUP BY sha256 HAVING count(DISTINCT addon_id) <= ${MAX_ADDONS}
    ), shared AS (
      SELECT found.sha256, v.id AS version_id, v.stage = 'rejected' AS is_rejected
      FROM found JOIN rare USING (sha256) JOIN file f ON f.id = found.file_id JOIN version v ON v.id = f.version_id
    )
    SELECT (array_agg(v.id ORDER BY shared.is_rejected DESC, v.id DESC))[1] AS "versionId",
      count(DISTINCT sha256)::int AS "fileCount", bool_or(shared.is_rejected OR a.status = 'disabled') AS "isRejected",
      (array_agg(DISTINCT encode(sha256, 'hex')))[1:${MAX_PATHS}::int] AS hashes
    FROM shared JOIN version v ON v.id = shared.version_id JOIN addon a ON a.id = v.addon_id
    WHERE ${inspectableVersions(viewer)} GROUP BY a.id
    ORDER BY "isRejected" DESC, "fileCount" DESC, a.id LIMIT ${MAX_SHOWN}`;
  return rows.map(({ hashes: found, ...row }) => ({
    ...row,
    paths: found.map((hash) => pathOf.get(hash) ?? '').sort(),
  }));
}
