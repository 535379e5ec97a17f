import { canEditAnyAddon, canInspect, isUnlistedReviewer } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { type KeysetPage, keysetClause } from '../../graphql/connections.ts';
import { db, Prisma } from '../../infra/db.ts';
import { comparableText } from '../../infra/storable-text.ts';
import { ADDON_TYPES } from '../../package/enums.ts';
import { type DecisionHistory, readDecisions } from './load-review-facts.ts';

/** The author of add-ons, as reviewers see it. */
export interface ReviewedAuthor {
  accountId: number;
  reportCount: number;
}

/** An add-on of an author, with what reviewers want to know. */
export interface ReviewedAddon {
  id: number;
  waitingCount: number;
  rejectedCount: number;
  /** Those of them without a decision: they were rejected where they were imported from. */
  importedRejectionCount: number;
  reportCount: number;
}

/** Authorships `u` that the viewer may see. */
const isSeen = (viewer: Viewer): Prisma.Sql => Prisma.sql`(u.listed OR ${canEditAnyAddon(viewer)}::bool)`;

/** Add-ons `a` that the viewer sees as a reviewer. */
function isReviewed(viewer: Viewer): Prisma.Sql {
  const types = ADDON_TYPES.filter((type) => canInspect(viewer, type, 'listed'));
  return Prisma.sql`a.deleted_at IS NULL AND (${isUnlistedReviewer(viewer)}::bool OR a.type = ANY(${types}::text[]) AND (
    a.type = 'persona' OR EXISTS (
      SELECT FROM version l WHERE l.addon_id = a.id AND l.channel = 'listed' AND l.deleted_at IS NULL)))`;
}

/** The account that `key` names; null unless it is an author of an add-on that the viewer sees as a reviewer. */
export async function findAuthor(
  viewer: Viewer,
  key: { id: number } | { username: string },
): Promise<ReviewedAuthor | null> {
  const named =
    'id' in key ? Prisma.sql`c.id = ${key.id}::int` : Prisma.sql`c.username = ${comparableText(key.username)}::citext`;
  const [author] = await db.$queryRaw<ReviewedAuthor[]>`
    SELECT c.id AS "accountId", (SELECT count(*)::int FROM abuse_report r WHERE r.account_id = c.id) AS "reportCount"
    FROM account c WHERE ${named} AND c.deleted_at IS NULL AND EXISTS (
      SELECT FROM addon_author u JOIN addon a ON a.id = u.addon_id
      WHERE u.account_id = c.id AND ${isSeen(viewer)} AND ${isReviewed(viewer)})`;
  return author ?? null;
}

/** The add-ons of an author that the viewer sees as a reviewer, newest first unless inverted. */
export function readAuthorAddons(viewer: Viewer, accountId: number, page: KeysetPage): Promise<ReviewedAddon[]> {
  const versions = (stage: string, condition = Prisma.sql`true`) =>
    Prisma.sql`(SELECT count(*)::int FROM version v WHERE v.addon_id = a.id AND v.stage = ${stage} AND v.deleted_at IS NULL
      AND (v.channel = 'listed' OR ${isUnlistedReviewer(viewer)}::bool) AND ${condition})`;
  const isUndecided = Prisma.sql`NOT EXISTS (SELECT FROM activity r WHERE r.version_id = v.id AND r.action = 'rejected')`;
  return db.$queryRaw<ReviewedAddon[]>`
    SELECT a.id, ${versions('awaiting_review')} AS "waitingCount", ${versions('rejected')} AS "rejectedCount",
      ${versions('rejected', isUndecided)} AS "importedRejectionCount",
      (SELECT count(*)::int FROM abuse_report r WHERE r.addon_id = a.id) AS "reportCount"
    FROM addon_author u JOIN addon a ON a.id = u.addon_id
    WHERE u.account_id = ${accountId} AND ${isSeen(viewer)} AND ${isReviewed(viewer)} ${keysetClause('a.id', 'DESC', page)}`;
}

/** Decisions about versions of the add-ons of an author, as far as the viewer may inspect them. */
export const readAuthorDecisions = (viewer: Viewer, accountId: number): Promise<DecisionHistory> =>
  readDecisions(
    viewer,
    Prisma.sql`SELECT u.addon_id FROM addon_author u WHERE u.account_id = ${accountId} AND ${isSeen(viewer)}`,
  );
