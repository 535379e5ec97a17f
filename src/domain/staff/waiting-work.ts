/*
 * What waits for staff, for the navigation of pages: one statement. Its cost does not depend on how much waits.
 */
import { canKeepMail, canModerate, canOperateService } from '../../auth/operator-permissions.ts';
import { canSeeHeldRatings } from '../../auth/rating-permissions.ts';
import { canOpenQueue } from '../../auth/review-permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { builder } from '../../graphql/builder.ts';
import { db, Prisma } from '../../infra/db.ts';
import { isDecidableBy } from '../abuse/report-facts.ts';
import { FAILED_JOBS } from '../operation/find-jobs.ts';
import { decidableRatings } from '../ratings/list-ratings.ts';
import { awaitingVersions } from '../reviewing/load-queue.ts';

/** More is counted as this number. */
const MOST = 100;

/** Numbers of at most `MOST`; null for what is not for the viewer. */
interface Waiting {
  versions: number | null;
  reports: number | null;
  ratings: number | null;
  failedMails: number | null;
  failedJobs: number | null;
}

const NONE: Waiting = { versions: null, reports: null, ratings: null, failedMails: null, failedJobs: null };

const counted = (isForViewer: boolean, from: () => Prisma.Sql): Prisma.Sql =>
  isForViewer
    ? Prisma.sql`(SELECT count(*)::int FROM (SELECT ${from()} LIMIT ${MOST}) AS waiting)`
    : Prisma.sql`NULL::int`;

async function waitingFor(viewer: Viewer): Promise<Waiting> {
  const [reviews, moderates] = [canOpenQueue(viewer), canModerate(viewer)];
  const decidesRatings = canSeeHeldRatings(viewer);
  const [keepsMail, operates] = [canKeepMail(viewer), canOperateService(viewer)];
  if (!reviews && !moderates && !decidesRatings && !keepsMail && !operates) return NONE;
  const [row] = await db.$queryRaw<Waiting[]>`
    SELECT ${counted(reviews, () => awaitingVersions(viewer))} AS versions,
      ${counted(moderates, () => Prisma.sql`FROM abuse_report r WHERE r.state = 'open' AND ${isDecidableBy(viewer)}`)} AS reports,
      ${counted(decidesRatings, () => decidableRatings(viewer))} AS ratings,
      ${counted(keepsMail, () => Prisma.sql`FROM outgoing_mail WHERE state = 'failed'`)} AS "failedMails",
      ${counted(operates, () => FAILED_JOBS)} AS "failedJobs"`;
  return row ?? NONE;
}

const WaitingWork = builder.objectRef<Waiting>('WaitingWork').implement({
  description: `What waits for the viewer, by the rules that they hold. More than ${MOST} are counted as ${MOST}.`,
  fields: (t) => ({
    versions: t.exposeInt('versions', {
      nullable: true,
      description:
        'Versions in the review queue that wait for a decision of the viewer, not for an answer of their developers; null for viewers who decide about none.',
    }),
    reports: t.exposeInt('reports', {
      nullable: true,
      description:
        'Open abuse reports that the viewer decides about: none about the viewer or own add-ons. Null for viewers without AbuseReports:Edit.',
    }),
    ratings: t.exposeInt('ratings', {
      nullable: true,
      description:
        'Ratings and replies, flagged or on hold, that the viewer decides about: neither own ones nor those of own add-ons. Null for viewers with neither AbuseReports:Edit nor Addons:Edit.',
    }),
    failedMails: t.exposeInt('failedMails', {
      nullable: true,
      description: 'Mails that could not be sent; null for viewers without Admin:Mail.',
    }),
    failedJobs: t.exposeInt('failedJobs', {
      nullable: true,
      description: 'Jobs whose attempts have run out; null for viewers without Admin:Service.',
    }),
  }),
});

builder.queryField('waitingWork', (t) =>
  t.field({
    type: WaitingWork,
    description: 'What waits for the viewer as a reviewer, moderator or administrator.',
    resolve: (_root, _args, { viewer }) => waitingFor(viewer),
  }),
);
