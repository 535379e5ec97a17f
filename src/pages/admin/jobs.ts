import { html } from 'hono/html';
import {
  type AdminJobFragment,
  AdminJobsPageDocument,
  type AdminJobsPageQuery,
} from '../../generated/operations/graphql.ts';
import { labelParam, oneOf } from '../../http/params.ts';
import { addonPath } from '../catalogue/addon-head.ts';
import { changedQuery, pathOf } from '../catalogue/addresses.ts';
import { type BadgeKind, badge } from '../components/badge.ts';
import { dataTable } from '../components/data-table.ts';
import { filterChips } from '../components/filter-list.ts';
import { CURSOR_PARAM, cursorPager } from '../components/pager.ts';
import { tabs } from '../components/tabs.ts';
import { moment } from '../components/time.ts';
import type { Html } from '../html.ts';
import { hubName } from '../hub/hub-addon.ts';
import { page } from '../page.ts';
import type { PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';
import { adminPage, adminUrl } from './admin-page.ts';

type JobState = AdminJobFragment['state'];

/** Parts of the list by the value of `state`. */
const PARTS = ['problems', 'failed', 'retrying', 'waiting', 'running', 'all'] as const;
type Part = (typeof PARTS)[number];

/** The states of the jobs in each part; null for all. */
const STATES: Readonly<Record<Part, JobState[] | null>> = {
  problems: ['RETRYING', 'FAILED'],
  failed: ['FAILED'],
  retrying: ['RETRYING'],
  waiting: ['WAITING'],
  running: ['RUNNING'],
  all: null,
};

const KINDS: Readonly<Record<JobState, BadgeKind>> = {
  WAITING: 'plain',
  RUNNING: 'info',
  RETRYING: 'warning',
  FAILED: 'error',
};

/** Characters of a cause that the list shows. */
const SHOWN_CAUSE = 200;

/** The path of the list of jobs with these filters. */
export const jobsUrl = (filter: Readonly<Record<string, string>>): string =>
  `${adminUrl('jobs')}${changedQuery(new URLSearchParams(), filter)}`;

/** The jobs of the workers, by default those with failed attempts. */
export const jobsPage = page({
  path: '/admin/jobs/',
  visitor: 'account',
  query: {
    state: oneOf('Part of the list.', PARTS),
    task: labelParam('Task of the jobs.'),
    ...CURSOR_PARAM,
  },
  document: AdminJobsPageDocument,
  variables: ({ query: { state, task, after } }) => ({ filter: { states: STATES[state ?? 'problems'], task }, after }),
  view: ({ jobs, jobHealth }, { query, search }, ui) => {
    const { t } = ui;
    const current = query.state ?? 'problems';
    const counts = countsOf(jobHealth?.tasks ?? [], query.task);
    const hrefOf = (changes: Readonly<Record<string, string | null>>) =>
      `${adminUrl('jobs')}${changedQuery(search, changes)}`;
    return adminPage(ui, {
      tab: 'jobs',
      body: html`${tabs(ui, {
        label: t('admin.jobs.parts'),
        items: PARTS.map((part) => ({
          text: t(`admin.jobs.part-${part}`),
          href: hrefOf({ state: part === 'problems' ? null : part }),
          isCurrent: part === current,
          count: counts[part],
        })),
      })}
${
  query.task !== null &&
  filterChips(ui, {
    items: [{ text: html`<bdi dir="ltr">${query.task}</bdi>`, href: hrefOf({ task: null }) }],
    clearHref: hrefOf({ task: null }),
  })
}
<p>${jobs.totalCount === 0 ? t(NONE[current] ?? 'admin.jobs.none') : t(jobs.isTotalCountExact ? 'admin.jobs.sum' : 'admin.jobs.sum-more', { count: jobs.totalCount })}</p>
${jobs.nodes.length > 0 && table(ui, jobs.nodes)}
${cursorPager(ui, { search, pageInfo: jobs.pageInfo })}
<p class="muted">${t('admin.jobs.not-listed')}</p>`,
    });
  },
});

/** That there are no jobs in a part of the list. */
const NONE: Readonly<Partial<Record<Part, PageTextKey>>> = {
  problems: 'admin.jobs.none-problems',
  failed: 'admin.jobs.none-failed',
};

type TaskCounts = NonNullable<AdminJobsPageQuery['jobHealth']>['tasks'];

/** The numbers of jobs in each part, of one task or of all. */
function countsOf(tasks: TaskCounts, task: string | null): Record<Part, number> {
  const numbers = { waiting: 0, running: 0, retrying: 0, failed: 0 };
  for (const each of tasks) {
    if (task !== null && each.task !== task) continue;
    for (const state of ['waiting', 'running', 'retrying', 'failed'] as const) numbers[state] += each[state];
  }
  const { waiting, running, retrying, failed } = numbers;
  return { ...numbers, problems: retrying + failed, all: waiting + running + retrying + failed };
}

const jobHref = ({ number }: Pick<AdminJobFragment, 'number'>): string => `${adminUrl('jobs')}${number}/`;

const DAY_MS = 86_400_000;

/** Whether a job that waits is due later than a day from now. */
const isScheduled = ({ state, runAt }: AdminJobFragment): boolean =>
  state === 'WAITING' && Date.parse(runAt) - Date.now() > DAY_MS;

/** The state of a job. */
export const jobState = (ui: Ui, job: AdminJobFragment): Html =>
  badge(ui, { kind: KINDS[job.state], text: ui.t(`admin.job.${stateName(job)}`) });

const stateName = (job: AdminJobFragment) =>
  isScheduled(job) ? ('scheduled' as const) : (job.state.toLowerCase() as Lowercase<JobState>);

const YEAR_MS = 365.25 * DAY_MS;

/** The time at which a job is due, for one in years with their number. */
export function dueTime(ui: Ui, runAt: string): Html {
  const years = Math.round((Date.parse(runAt) - Date.now()) / YEAR_MS);
  return years < 1 ? moment(ui, runAt) : html`${moment(ui, runAt)} (${ui.format.inYears(years)})`;
}

/** The attempts of a job, and how many it has. */
export const jobAttempts = ({ t }: Ui, { attempts, maxAttempts }: AdminJobFragment): Html =>
  t('admin.jobs.attempts', { attempts, max: maxAttempts });

function table(ui: Ui, jobs: readonly AdminJobFragment[]): Html {
  const { t } = ui;
  return dataTable(ui, {
    ...{ id: 'jobs', caption: t('admin.tab.jobs'), isCaptionHidden: true },
    isStacked: true,
    columns: (['job', 'state', 'about', 'attempts', 'cause'] as const).map((name) => t(`admin.column.${name}`)),
    rows: jobs.map((job) => [
      html`<a href="${jobHref(job)}"><bdi dir="ltr" class="whole">${job.task} ${job.number}</bdi></a>`,
      html`${jobState(ui, job)}${job.state === 'WAITING' && Date.parse(job.runAt) > Date.now() && html` <span class="whole">${t('admin.jobs.due', { time: dueTime(ui, job.runAt) })}</span>`}`,
      html`<span class="whole">${jobSubject(ui, job)}</span>`,
      jobAttempts(ui, job),
      job.cause === null ? '' : english(shortened(job.cause)),
    ]),
  });
}

const shortened = (text: string): string => (text.length > SHOWN_CAUSE ? `${text.slice(0, SHOWN_CAUSE)}…` : text);

/** Errors are those of programs, in English. */
const english = (text: string): Html => html`<span lang="en" dir="ltr">${text}</span>`;

export type JobSubject = Pick<AdminJobFragment, 'version' | 'addon' | 'payload'>;

/** What a job is about: the version or add-on as links for those who may see it, otherwise the ids in it. */
export function jobSubject(ui: Ui, { version, addon, payload }: JobSubject): Html {
  const of = version?.addon ?? addon;
  if (of) {
    const link = html`<a href="${addonPath(of)}">${hubName(ui, of)}</a>`;
    return version ? html`${link} <a href="${pathOf(version.url)}"><bdi dir="ltr">${version.version}</bdi></a>` : link;
  }
  const values = Object.entries(payload as Record<string, unknown>).filter(([name]) => !name.startsWith('_'));
  const text = values.map(([name, value]) => `${name} ${String(value)}`).join(', ');
  return text === '' ? html`` : html`<code dir="ltr">${shortened(text)}</code>`;
}
