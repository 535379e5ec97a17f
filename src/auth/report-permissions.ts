import { canModerate } from './operator-permissions.ts';
import { type Author, isAuthor } from './permissions.ts';
import type { Viewer } from './viewer.ts';

/* Permission rules of abuse reports, as pure functions. Moderators read all reports. */

/** What the rules depend on. */
export interface ReportFacts {
  /** The reported account, or that of the reported collection or rating. */
  accountId: number | null;
  /** The authors of the reported add-on, or of the add-on that the reported rating or reply is about. */
  authors: readonly Author[];
}

/** Whether a report is about the viewer: the account, what it wrote, an add-on that it is an author of, or a rating of such an add-on. */
function isAboutViewer(viewer: Viewer, { accountId, authors }: ReportFacts): boolean {
  return (viewer.kind === 'account' && viewer.accountId === accountId) || isAuthor(viewer, authors);
}

/** Moderators decide about reports and reply to reporters, but not about reports on themselves. */
export function canDecideReport(viewer: Viewer, report: ReportFacts): boolean {
  return canModerate(viewer) && !isAboutViewer(viewer, report);
}

/** Whether the viewer has sent a report. The reporter's account and address are for the reporter and the moderators who decide. */
export function isReporter(viewer: Viewer, { reporterId }: { reporterId: number | null }): boolean {
  return viewer.kind === 'account' && viewer.accountId === reporterId;
}
