/* Whom a report is about: the facts of its permission rules, and the same rules in SQL for lists and counts. */
import { canModerate } from '../../auth/operator-permissions.ts';
import { canDecideReport, isReporter, type ReportFacts } from '../../auth/report-permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { NotPermittedError } from '../../errors.ts';
import type { Context } from '../../graphql/context.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool, Prisma, prepared, type Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';

interface Report {
  id: number;
  accountId: number | null;
}

interface Authors {
  id: number;
  accountIds: number[];
}

// An add-on may be newer than the report about its guid.
const AUTHORS = `SELECT r.id, array_agg(w.account_id) AS "accountIds" FROM abuse_report r
  LEFT JOIN addon a ON lower(a.guid::text) = lower(r.addon_guid) LEFT JOIN rating t ON t.id = r.rating_id
  JOIN addon_author w ON w.addon_id = ANY (ARRAY[r.addon_id, a.id, t.addon_id])
  WHERE r.id = ANY ($1::int[]) GROUP BY r.id`;

const readAuthors = prepared<Authors>(lookupPool, 'report-authors', AUTHORS);

const reportAuthors = perRequest<number, ReportFacts['authors']>(async (ids) => {
  const found = new Map((await readAuthors(ids)).map((row) => [row.id, authorsOf(row)]));
  return ids.map((id) => found.get(id) ?? []);
});

const authorsOf = (row: Authors | undefined): ReportFacts['authors'] =>
  (row?.accountIds ?? []).map((accountId) => ({ accountId }));

/** Whether the viewer decides about a report. */
export async function isDecider(context: Context, { id, accountId }: Report): Promise<boolean> {
  if (!canModerate(context.viewer)) return false;
  return canDecideReport(context.viewer, { accountId, authors: await reportAuthors(context).load(id) });
}

/** Whether the viewer sees who has sent a report. */
export const seesReporter = async (
  context: Context,
  report: Report & { reporterId: number | null },
): Promise<boolean> => isReporter(context.viewer, report) || isDecider(context, report);

/** The moderator, in a transaction that has locked the report. @throws {NotPermittedError} for one whom the report is about. */
export async function requireReportDecider(
  tx: Transaction,
  moderator: SignedIn,
  { id, accountId }: Report,
): Promise<void> {
  const [row] = await tx.$queryRawUnsafe<Authors[]>(AUTHORS, [id]);
  if (!canDecideReport(moderator, { accountId, authors: authorsOf(row) }))
    throw new NotPermittedError(message('abuse.about_moderator'));
}

/** SQL: the viewer decides about the report `r`, by the rules of `canDecideReport` for a moderator. */
export function isDecidableBy(viewer: Viewer): Prisma.Sql {
  if (viewer.kind === 'anonymous') return Prisma.sql`false`;
  const { accountId } = viewer;
  const own = (column: Prisma.Sql) =>
    Prisma.sql`ARRAY(SELECT ${column} FROM addon_author w JOIN addon a ON a.id = w.addon_id WHERE w.account_id = ${accountId})`;
  return Prisma.sql`(r.account_id = ${accountId} OR r.addon_id = ANY(${own(Prisma.sql`a.id`)})
    OR lower(r.addon_guid) = ANY(${own(Prisma.sql`lower(a.guid::text)`)})
    OR EXISTS (SELECT FROM rating t JOIN addon_author w ON w.addon_id = t.addon_id AND w.account_id = ${accountId}
      WHERE t.id = r.rating_id)) IS NOT TRUE`;
}

/** SQL: the viewer sees who has sent the report `r`, by the rules of `seesReporter` for a moderator. */
export function showsReporterTo(viewer: Viewer): Prisma.Sql {
  if (viewer.kind === 'anonymous') return Prisma.sql`false`;
  return Prisma.sql`(r.reporter_id = ${viewer.accountId} OR ${isDecidableBy(viewer)})`;
}
