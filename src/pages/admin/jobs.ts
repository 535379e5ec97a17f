import { html } from 'hono/html';
import { type AdminJobFragment, AdminJobsPageDocument } from '../../generated/operations/graphql.ts';
import { label, oneOf } from '../../http/params.ts';
import { changedQuery, pathOf } from '../catalogue/addresses.ts';
import { type BadgeKind, badge } from '../components/badge.ts';
import { dataTable } from '../components/data-table.ts';
import { filterChips } from '../components/filter-list.ts';
import { AFTER, cursorPager } from '../components/pager.ts';
import { tabs } from '../components/tabs.ts';
import type { Html } from '../html.ts';
import { hubName } from '../hub/addon-frame.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { adminHref, adminPage } from './frame.ts';

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
export const jobsHref = (filter: Readonly<Record<string, string>>): string =>
  `${adminHref('jobs')}${changedQuery(new URLSearchParams(), filter)}`;

/** The jobs of the workers, by default those with failed attempts. */
export const jobsPage = page({
  path: '/admin/jobs/',
  visitor: 'account',
  query: {
    state: oneOf('Part of the list.', PARTS),
    task: label('Task of the jobs.'),
    ...AFTER,
  },
  document: AdminJobsPageDocument,
  variables: ({ query: { state, task, after } }) => ({ filter: { states: STATES[state ?? 'problems'], task }, after }),
  view: ({ jobs }, { query, search }, ui) => {
    const { t } = ui;
    const current = query.state ?? 'problems';
    const hrefOf = (changes: Readonly<Record<string, string | null>>) =>
      `${adminHref('jobs')}${changedQuery(search, changes)}`;
    return adminPage(ui, {
      tab: 'jobs',
      body: html`${tabs(ui, {
        label: t('admin.jobs.parts'),
        items: PARTS.map((part) => ({
          text: t(`admin.jobs.part-${part}`),
          href: hrefOf({ state: part === 'problems' ? null : part }),
          isCurrent: part === current,
        })),
      })}
${
  query.task !== null &&
  filterChips(ui, {
    items: [{ text: html`<bdi dir="ltr">${query.task}</bdi>`, href: hrefOf({ task: null }) }],
    clearHref: hrefOf({ task: null }),
  })
}
<p>${t(jobs.isTotalCountExact ? 'admin.jobs.sum' : 'admin.jobs.sum-more', { count: jobs.totalCount })}</p>
${current === 'all' && html`<p class="muted">${t('admin.jobs.not-listed')}</p>`}
${jobs.nodes.length > 0 && table(ui, jobs.nodes)}
${cursorPager(ui, { search, pageInfo: jobs.pageInfo })}`,
    });
  },
});

const jobHref = ({ number }: Pick<AdminJobFragment, 'number'>): string => `${adminHref('jobs')}${number}/`;

/** The state of a job. */
export const jobState = (ui: Ui, { state }: AdminJobFragment): Html =>
  badge(ui, { kind: KINDS[state], text: ui.t(`admin.job.${state.toLowerCase() as Lowercase<typeof state>}`) });

/** The attempts of a job, and how many it has. */
export const jobAttempts = ({ t }: Ui, { attempts, maxAttempts }: AdminJobFragment): Html =>
  t('admin.jobs.attempts', { attempts, max: maxAttempts });

function table(ui: Ui, jobs: readonly AdminJobFragment[]): Html {
  const { t } = ui;
  return dataTable(ui, {
    ...{ id: 'jobs', caption: t('admin.tab.jobs'), isCaptionHidden: true },
    columns: (['job', 'state', 'about', 'attempts', 'cause'] as const).map((name) => t(`admin.column.${name}`)),
    rows: jobs.map((job) => [
      html`<a href="${jobHref(job)}"><bdi dir="ltr">${job.task} ${job.number}</bdi></a>`,
      jobState(ui, job),
      jobSubject(ui, job),
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
    const link = html`<a href="/addon/${encodeURIComponent(of.slug ?? String(of.databaseId))}/">${hubName(ui, of)}</a>`;
    return version ? html`${link} <a href="${pathOf(version.url)}"><bdi dir="ltr">${version.version}</bdi></a>` : link;
  }
  const values = Object.entries(payload as Record<string, unknown>).filter(([name]) => !name.startsWith('_'));
  const text = values.map(([name, value]) => `${name} ${String(value)}`).join(', ');
  return text === '' ? html`` : html`<code dir="ltr">${shortened(text)}</code>`;
}
