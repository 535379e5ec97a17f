import { requireModerator } from '../../auth/operator-permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import { db } from '../../infra/db.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { recordAudit } from '../activity/record-audit.ts';
import { requireExpected } from '../listing/expected-values.ts';
import { noteText } from '../reviewing/review-text.ts';
import type { AbuseReportState, ReportRow } from './abuse-report.ts';

interface Decision {
  state: AbuseReportState;
  /** Absent: the note stays. */
  note?: string | null;
  /** State and note that the moderator read; absent ones are not compared. */
  expected?: { state?: AbuseReportState | null; note?: string | null };
}

/**
 * Decides about a report, or reopens it. A repeated decision changes nothing.
 * @throws {NotAuthenticatedError}, {NotPermittedError} without `AbuseReports:Edit`, {NotFoundError}, {InvalidInputError} for a
 * note that is too long, and on `state` or `note` where another moderator has changed what the viewer read.
 */
export async function decideReport(viewer: Viewer, id: number, decision: Decision): Promise<ReportRow> {
  const moderator = requireModerator(viewer);
  const note = decision.note == null ? undefined : noteText(decision.note, { field: 'note', required: false });
  return db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT FROM abuse_report WHERE id = ${id} FOR UPDATE`;
    const before = await tx.abuseReport.findUnique({ where: { id } });
    if (before === null) throw new NotFoundError();
    const kept = { state: decision.state, note: note === undefined ? before.note : note || null };
    if (kept.state === before.state && kept.note === before.note) return before;
    requireExpected({ expected: decision.expected ?? {}, present: before, wanted: kept });
    const isOpen = kept.state === 'open';
    const decided = isOpen ? null : new Date();
    const after = await tx.abuseReport.update({
      where: { id },
      data: { ...kept, decided, decidedBy: isOpen ? null : moderator.accountId },
    });
    const details = { reportId: id, from: before.state, to: after.state };
    await recordActivity(tx, { action: 'abuse-report-decided', accountId: moderator.accountId, details });
    await recordAudit(tx, moderator, 'abuse-report-decided', { ...details, note: after.note });
    return after;
  });
}
