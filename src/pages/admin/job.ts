import { html } from 'hono/html';
import { config } from '../../config.ts';
import {
  type AdminJobFragment,
  AdminJobPageDocument,
  type AdminJobPageQuery,
  DropOneJobDocument,
  RetryOneJobDocument,
} from '../../generated/operations/graphql.ts';
import { globalId } from '../../graphql/global-id.ts';
import { labelParam, segmentParam } from '../../http/params.ts';
import { badge } from '../components/badge.ts';
import { type Fact, facts } from '../components/facts.ts';
import { formElement } from '../components/form.ts';
import { notice, RESULT_ID } from '../components/notice.ts';
import { moment } from '../components/time.ts';
import { doneAt, form } from '../form.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import { reviewVersionUrl } from '../reviewers/reviewer-page.ts';
import type { Ui } from '../ui.ts';
import { actorLink } from './actor.ts';
import { adminPage, adminUrl } from './admin-page.ts';
import { dueTime, type JobSubject, jobAttempts, jobState, jobSubject } from './jobs.ts';

type Change = NonNullable<AdminJobPageQuery['jobStatus']>['lastChange'];

/** Seconds between two loads of the page by a browser without scripts. */
const REFRESH_SECONDS = 3;

/** A job that is due within this time is followed. */
const SOON_MS = 60_000;

/** The rights with which a viewer reads versions that are not public on their page for reviewers. */
const REVIEWING: readonly string[] = ['REVIEW', 'REVIEW_UNLISTED', 'ADMINISTER'];

/** What a job is about, with the page about the version for its reviewers, because the public list omits versions that are not public. */
function subjectWithReview(ui: Ui, of: JobSubject): Html {
  const { version } = of;
  const isReviewed = version?.addon.viewerRights.some((right) => REVIEWING.includes(right)) ?? false;
  if (version === null || !isReviewed) return jobSubject(ui, of);
  const href = reviewVersionUrl(version.addon, version.version);
  return html`${jobSubject(ui, of)} · <a href="${href}">${ui.t('admin.jobs.review-page')}</a>`;
}

/** A job with its whole cause and what an operator can do with it, or what is known of it after its end. */
export const jobPage = page({
  path: '/admin/jobs/:job/',
  visitor: 'account',
  params: { job: segmentParam('Number of the job.') },
  query: { done: labelParam('The form before this page.') },
  document: AdminJobPageDocument,
  variables: ({ path }) => ({ id: globalId('Job', path.job) }),
  view: ({ jobStatus }, { path, query }, ui) => {
    if (jobStatus === null) return null;
    const { job, lastChange } = jobStatus;
    const isFollowed = job !== null && movesSoon(job);
    const events = isFollowed ? html` data-events=""` : html``;
    const isRetried = query.done === 'retry-job';
    const heading = ui.t('admin.jobs.title', { number: path.job });
    return {
      ...adminPage(ui, {
        tab: 'jobs',
        heading,
        title: html`${heading} (${(job ?? lastChange)?.task})`,
        scripts: ['live.js'],
        body: html`<div id="job" class="stack"${events}>
${job !== null ? presentJob(ui, job, { lastChange, isRetried }) : lastChange !== null && endedJob(ui, lastChange, isRetried)}
</div>`,
      }),
      // The message of the form is part of what scripts replace while the page follows the job.
      hasDoneText: isRetried,
      ...(isFollowed ? { refreshWithoutScripts: REFRESH_SECONDS } : {}),
    };
  },
});

const isWaiting = ({ state }: AdminJobFragment): boolean => state === 'WAITING' || state === 'RETRYING';

const millisecondsUntil = ({ runAt }: AdminJobFragment): number => Date.parse(runAt) - Date.now();

/** Whether the job gets another state within a minute. */
const movesSoon = (job: AdminJobFragment): boolean =>
  job.state === 'RUNNING' || (isWaiting(job) && millisecondsUntil(job) < SOON_MS);

interface Before {
  lastChange: Change;
  /** Whether the viewer has just made the job run again. */
  isRetried: boolean;
}

function presentJob(ui: Ui, job: AdminJobFragment, before: Before): Html {
  const { t } = ui;
  const { state } = job;
  const wasRetried = isWaiting(job) && job.attempts === 0;
  return html`${jobNotice(ui, job, before)}
${causeSection(ui, job, wasRetried)}
${state !== 'RUNNING' && runSection(ui, job)}
${facts(ui, {
  items: [
    { term: t('admin.column.task'), value: html`<bdi dir="ltr">${job.task}</bdi>` },
    { term: t('admin.column.state'), value: jobState(ui, job) },
    { term: t('admin.column.about'), value: subjectWithReview(ui, job) },
    { term: t('admin.column.attempts'), value: jobAttempts(ui, job) },
    { term: t('admin.column.created'), value: moment(ui, job.created) },
    ...changeFacts(ui, before.lastChange),
    { term: t('admin.jobs.last-failed'), value: job.lastFailed && moment(ui, job.lastFailed) },
    {
      term: t(state === 'RETRYING' ? 'admin.jobs.next-attempt' : 'admin.column.run-at'),
      value: isWaiting(job) ? dueTime(ui, job.runAt) : null,
    },
  ],
})}
${state !== 'RUNNING' && removeSection(ui)}`;
}

/** Why the last attempt failed; `isBefore` if the job waits, or has run, since. */
const causeSection = ({ t }: Ui, { cause }: { cause: string | null }, isBefore: boolean): Html | null =>
  cause === null
    ? null
    : html`<h2>${t(isBefore ? 'admin.jobs.cause-before' : 'admin.column.cause')}</h2><pre class="wrapped" lang="en" dir="ltr">${cause}</pre>`;

/** What comes next, or what became of a retry. */
function jobNotice(ui: Ui, job: AdminJobFragment, { lastChange, isRetried }: Before): Html | null {
  const { t } = ui;
  const { state, attempts } = job;
  const result = isRetried ? { isResult: true, id: RESULT_ID } : {};
  if (state === 'RUNNING')
    return notice(ui, { ...result, kind: 'info', title: t('admin.jobs.runs'), text: t('admin.jobs.follows') });
  const hasFailedAgain = lastChange?.action === 'JOB_RETRIED' && attempts > 0;
  if (state === 'FAILED') {
    return hasFailedAgain ? notice(ui, { ...result, kind: 'error', title: t('admin.jobs.failed-again') }) : null;
  }
  const time = dueTime(ui, job.runAt);
  if (hasFailedAgain) {
    return notice(ui, {
      ...{ ...result, kind: 'warning', title: t('admin.jobs.failed-again') },
      text: t('admin.jobs.attempted-again', { time }),
    });
  }
  if (millisecondsUntil(job) < SOON_MS) {
    return notice(ui, {
      ...{ ...result, kind: 'info', title: t(isRetried ? 'done.retry-job' : 'admin.jobs.soon') },
      text: t(isRetried ? 'admin.jobs.retried-follows' : 'admin.jobs.follows'),
    });
  }
  return state === 'WAITING' ? notice(ui, { kind: 'info', text: t('admin.jobs.later', { time }) }) : null;
}

/** Who ran the job again or removed it, and when. */
const changeFacts = (ui: Ui, change: Change): Fact[] =>
  change === null
    ? []
    : [
        {
          term: ui.t(change.action === 'JOB_RETRIED' ? 'admin.jobs.retried' : 'admin.jobs.dropped'),
          value: ui.t('admin.jobs.changed', {
            actor: actorLink(ui, change.actor),
            time: moment(ui, change.created),
          }),
        },
      ];

const DAY_MS = 86_400_000;

/**
 * What became of a job that is no longer in the queue. The end of a job is recorded nowhere; one that was retried and fails again stays in the
 * queue for some days, and one that is dropped has an entry in the audit log.
 */
function outcome({ action, created }: NonNullable<Change>): 'dropped' | 'ended' | 'unknown' {
  if (action === 'JOB_DROPPED') return 'dropped';
  const days = (Date.now() - Date.parse(created)) / DAY_MS;
  return days < config.FAILED_JOB_RETENTION_DAYS ? 'ended' : 'unknown';
}

/** The title and text about a job that is no longer in the queue. */
const ENDED = {
  dropped: ['admin.jobs.was-dropped', 'admin.jobs.was-dropped-why'],
  ended: ['admin.jobs.has-run', 'admin.jobs.has-run-why'],
  unknown: ['admin.jobs.has-ended', 'admin.jobs.has-ended-why'],
} as const;

function endedJob(ui: Ui, change: NonNullable<Change>, isRetried: boolean): Html {
  const { t } = ui;
  const end = outcome(change);
  const [title, text] = ENDED[end];
  const ended = end === 'ended' ? badge(ui, { kind: 'ok', text: t('admin.job.ended') }) : null;
  return html`${notice(ui, {
    kind: ended === null ? 'info' : 'ok',
    ...{ title: t(title), text: t(text) },
    ...(isRetried && { isResult: true, id: RESULT_ID }),
  })}
${facts(ui, {
  items: [
    { term: t('admin.column.task'), value: html`<bdi dir="ltr">${change.task}</bdi>` },
    {
      term: t('admin.column.state'),
      value: end === 'dropped' ? t('admin.jobs.dropped') : ended,
    },
    { term: t('admin.column.about'), value: subjectWithReview(ui, change) },
    ...changeFacts(ui, change),
    {
      term: t('admin.jobs.attempts-before'),
      value: change.attempts === null ? null : ui.format.number(change.attempts),
    },
    { term: t('admin.jobs.last-failed'), value: change.lastFailed && moment(ui, change.lastFailed) },
  ],
})}
${causeSection(ui, change, true)}`;
}

/** Makes the job due now; nothing for one that is due. */
function runSection(ui: Ui, job: AdminJobFragment): Html | null {
  if (isWaiting(job) && millisecondsUntil(job) <= 0) return null;
  const { t } = ui;
  const isFirst = job.state === 'WAITING';
  return html`<h2>${t(isFirst ? 'admin.jobs.run-now' : 'admin.jobs.again')}</h2>
<p>${t(isFirst ? 'admin.jobs.run-now-why' : 'admin.jobs.again-why')}</p>
${formElement(ui, { name: 'retry-job', parts: [], submit: t(isFirst ? 'admin.jobs.run-now-button' : 'admin.jobs.retry') })}`;
}

const removeSection = (
  ui: Ui,
): Html => html`<h2>${ui.t('admin.jobs.remove')}</h2><p>${ui.t('admin.jobs.remove-why')}</p>
${formElement(ui, { name: 'drop-job', parts: [], submit: ui.t('admin.jobs.drop'), isDanger: true })}`;

export const retryJobForm = form({
  page: jobPage,
  name: 'retry-job',
  fields: {},
  document: RetryOneJobDocument,
  variables: (_values, { path }) => ({ id: globalId('Job', String(path.job)) }),
});

export const dropJobForm = form({
  page: jobPage,
  name: 'drop-job',
  fields: {},
  document: DropOneJobDocument,
  variables: (_values, { path }) => ({ id: globalId('Job', String(path.job)) }),
  done: () => doneAt(adminUrl('jobs'), 'drop-job'),
});
