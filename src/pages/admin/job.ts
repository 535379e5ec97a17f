import { html } from 'hono/html';
import {
  type AdminJobFragment,
  AdminJobPageDocument,
  type AdminJobPageQuery,
  DropOneJobDocument,
  RetryOneJobDocument,
} from '../../generated/operations/graphql.ts';
import { globalId } from '../../graphql/global-id.ts';
import { segment } from '../../http/params.ts';
import { type Fact, facts } from '../components/facts.ts';
import { formElement } from '../components/form.ts';
import { notice } from '../components/notice.ts';
import { moment } from '../components/time.ts';
import { form, withDone } from '../form.ts';
import type { Html } from '../html.ts';
import { page, redirect } from '../page.ts';
import { reviewHref } from '../reviewers/queue.ts';
import type { Ui } from '../ui.ts';
import { actorLink } from './actor.ts';
import { adminHref, adminPage } from './frame.ts';
import { type JobSubject, jobAttempts, jobState, jobSubject } from './jobs.ts';

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
  const href = reviewHref(version.addon, version.version);
  return html`${jobSubject(ui, of)} · <a href="${href}">${ui.t('admin.jobs.review-page')}</a>`;
}

/** A job with its whole cause and what an operator can do with it, or what is known of it after its end. */
export const jobPage = page({
  path: '/admin/jobs/:job/',
  visitor: 'account',
  params: { job: segment('Number of the job.') },
  document: AdminJobPageDocument,
  variables: ({ path }) => ({ id: globalId('Job', path.job) }),
  view: ({ jobStatus }, { path }, ui) => {
    if (jobStatus === null) return null;
    const { job, lastChange } = jobStatus;
    const isFollowed = job !== null && movesSoon(job);
    const events = isFollowed ? html` data-events=""` : html``;
    return {
      ...adminPage(ui, {
        tab: 'jobs',
        heading: ui.t('admin.jobs.title', { number: path.job }),
        scripts: ['live.js'],
        body: html`<div id="job" class="stack"${events}>
${job !== null ? presentJob(ui, job, lastChange) : lastChange !== null && endedJob(ui, lastChange)}
</div>`,
      }),
      ...(isFollowed ? { refreshWithoutScripts: REFRESH_SECONDS } : {}),
    };
  },
});

const isWaiting = ({ state }: AdminJobFragment): boolean => state === 'WAITING' || state === 'RETRYING';

const millisecondsUntil = ({ runAt }: AdminJobFragment): number => Date.parse(runAt) - Date.now();

/** Whether the job gets another state within a minute. */
const movesSoon = (job: AdminJobFragment): boolean =>
  job.state === 'RUNNING' || (isWaiting(job) && millisecondsUntil(job) < SOON_MS);

function presentJob(ui: Ui, job: AdminJobFragment, lastChange: Change): Html {
  const { t } = ui;
  const { state } = job;
  return html`${jobNotice(ui, job, lastChange)}
${facts(ui, {
  items: [
    { term: t('admin.column.task'), value: html`<bdi dir="ltr">${job.task}</bdi>` },
    { term: t('admin.column.state'), value: jobState(ui, job) },
    { term: t('admin.column.about'), value: subjectWithReview(ui, job) },
    { term: t('admin.column.attempts'), value: jobAttempts(ui, job) },
    { term: t('admin.column.created'), value: moment(ui, job.created) },
    ...changeFacts(ui, lastChange),
    { term: t('admin.jobs.last-failed'), value: job.lastFailed && moment(ui, job.lastFailed) },
    {
      term: t(state === 'RETRYING' ? 'admin.jobs.next-attempt' : 'admin.column.run-at'),
      value: isWaiting(job) ? moment(ui, job.runAt) : null,
    },
  ],
})}
${job.cause !== null && html`<h2>${t('admin.column.cause')}</h2><pre lang="en" dir="ltr" tabindex="0">${job.cause}</pre>`}
${state !== 'RUNNING' && html`${runSection(ui, job)}${removeSection(ui)}`}`;
}

/** What comes next, or what became of a retry. */
function jobNotice(ui: Ui, job: AdminJobFragment, lastChange: Change): Html | null {
  const { t } = ui;
  const { state, attempts } = job;
  if (state === 'RUNNING')
    return notice(ui, { kind: 'info', title: t('admin.jobs.runs'), text: t('admin.jobs.follows') });
  const hasFailedAgain = lastChange?.action === 'JOB_RETRIED' && attempts > 0;
  if (state === 'FAILED') {
    return hasFailedAgain ? notice(ui, { kind: 'error', title: t('admin.jobs.failed-again') }) : null;
  }
  const time = moment(ui, job.runAt);
  if (hasFailedAgain) {
    return notice(ui, {
      ...{ kind: 'warning', title: t('admin.jobs.failed-again') },
      text: t('admin.jobs.attempted-again', { time }),
    });
  }
  if (millisecondsUntil(job) < SOON_MS) {
    return notice(ui, { kind: 'info', title: t('admin.jobs.soon'), text: t('admin.jobs.follows') });
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

/** A job that is no longer in the queue. */
function endedJob(ui: Ui, change: NonNullable<Change>): Html {
  const { t } = ui;
  const isRemoved = change.action === 'JOB_DROPPED';
  return html`${notice(ui, {
    kind: isRemoved ? 'info' : 'ok',
    title: t(isRemoved ? 'admin.jobs.was-dropped' : 'admin.jobs.has-run'),
    text: t(isRemoved ? 'admin.jobs.was-dropped-why' : 'admin.jobs.has-run-why'),
  })}
${facts(ui, {
  items: [
    { term: t('admin.column.task'), value: html`<bdi dir="ltr">${change.task}</bdi>` },
    { term: t('admin.column.about'), value: subjectWithReview(ui, change) },
    ...changeFacts(ui, change),
  ],
})}`;
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
  done: () => redirect(withDone(adminHref('jobs'), 'drop-job'), 303),
});
