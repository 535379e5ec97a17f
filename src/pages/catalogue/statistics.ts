import { html } from 'hono/html';
import { NotPermittedError } from '../../errors.ts';
import {
  StatisticsNumbersDocument,
  type StatisticsNumbersQuery,
  StatisticsPageDocument,
  type StatisticsPageQuery,
} from '../../generated/operations/graphql.ts';
import { oneOf } from '../../http/params.ts';
import { chart } from '../components/chart.ts';
import { dataTable } from '../components/data-table.ts';
import { facts } from '../components/facts.ts';
import { tabs } from '../components/tabs.ts';
import { day } from '../components/time.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { ADDON_PAGE, addonName, addonNameHtml, addonOfPath, addonPath, toCanonical } from './addon-head.ts';
import { addonHeader } from './addon-header.ts';

const PERIODS = ['30', '90', '365'] as const;

type Addon = NonNullable<StatisticsPageQuery['addon']>;
type Statistics = NonNullable<NonNullable<StatisticsNumbersQuery['addon']>['statistics']>;

const common = {
  ...ADDON_PAGE,
  query: { days: oneOf('Length of the period in days.', ['30', '90', '365']) },
  document: StatisticsPageDocument,
  more: {
    document: StatisticsNumbersDocument,
    variables: (
      { addon }: StatisticsPageQuery,
      { path, query }: { path: { ref: string }; query: { days: string | null } },
    ) => {
      if (addon === null) return null;
      if (!addon.hasPublicStatistics && !addon.viewerRights.includes('SEE_STATISTICS')) throw new NotPermittedError();
      return { ...addonOfPath({ path }), days: Number(query.days ?? 30) };
    },
  },
} as const;

/** Users, downloads and ratings of an add-on by day, and its numbers by version and application. */
export const statisticsPage = page({
  ...common,
  path: '/addon/:ref/statistics/',
  view: ({ addon }, input, ui, numbers) => {
    const statistics = numbers?.addon?.statistics;
    if (!addon || !statistics) return null;
    return toCanonical(addon, input, 'statistics/') ?? content(ui, addon, statistics, input.query.days ?? '30');
  },
});

/** The days of the same page as comma-separated values (RFC 4180). */
export const statisticsFile = page({
  ...common,
  path: '/addon/:ref/statistics.csv',
  view: ({ addon }, input, _ui, numbers) => {
    const statistics = numbers?.addon?.statistics;
    if (!addon || !statistics) return null;
    const rows = statistics.days.map(({ date, users, downloads, ratings }) =>
      [date, users ?? '', downloads, ratings].join(','),
    );
    return (
      toCanonical(addon, input, 'statistics.csv') ?? {
        kind: 'file',
        contentType: 'text/csv; charset=utf-8; header=present',
        fileName: `addon-${addon.databaseId}-${statistics.from}-${statistics.to}.csv`,
        text: `${['date,users,downloads,ratings', ...rows].join('\r\n')}\r\n`,
      }
    );
  },
});

function content(ui: Ui, addon: Addon, statistics: Statistics, period: string) {
  const { t } = ui;
  const title = t('statistics.title', { name: addonName(addon) });
  const path = addonPath(addon, 'statistics/');
  return {
    title,
    canonical: path,
    main: html`${addonHeader(ui, addon, { current: 'statistics', title: t('addon.tab.statistics') })}
<h1>${t('statistics.title', { name: addonNameHtml(ui, addon) })}</h1>
<p>${t('statistics.lead', { from: ui.format.date(statistics.from), to: ui.format.date(statistics.to) })}</p>
${addon.hasPublicStatistics ? '' : html`<p class="muted">${t('statistics.private')}</p>`}
${tabs(ui, {
  label: t('statistics.period'),
  items: PERIODS.map((days) => ({
    text: t('ui.days', { count: Number(days) }),
    href: `${path}?days=${days}`,
    isCurrent: days === period,
  })),
})}
${users(ui, statistics)}
${downloads(ui, statistics)}
${ratings(ui, statistics)}
${byDay(ui, statistics, `${addonPath(addon, 'statistics.csv')}?days=${period}`)}
${byVersion(ui, statistics)}
${byApplication(ui, statistics)}`,
  };
}

function users(ui: Ui, { days }: Statistics): Html {
  const known = days.flatMap((day) => day.users ?? []);
  const points = days.map(({ date, users }) => ({ date, value: users }));
  return section(ui, 'users', known, points, 'statistics.users-average');
}

function downloads(ui: Ui, { days }: Statistics): Html {
  const known = days.map((day) => day.downloads);
  const points = days.map(({ date, downloads }) => ({ date, value: downloads }));
  return section(ui, 'downloads', known, points, 'statistics.total');
}

function ratings(ui: Ui, { days }: Statistics): Html {
  const known = days.map((day) => day.ratings);
  const points = days.map(({ date, ratings }) => ({ date, value: ratings }));
  return section(ui, 'ratings', known, points, 'statistics.total');
}

/** A chart and its main numbers. `known` are the values of days with numbers. */
function section(
  ui: Ui,
  kind: 'users' | 'downloads' | 'ratings',
  known: readonly number[],
  points: readonly { date: string; value: number | null }[],
  mainFact: 'statistics.users-average' | 'statistics.total',
): Html {
  const { t, format } = ui;
  const heading = html`<h2 id="${kind}">${t(`statistics.${kind}`)}</h2>`;
  if (known.length === 0) return html`<section class="stack">${heading}<p>${t('statistics.nothing')}</p></section>`;
  const total = known.reduce((sum, value) => sum + value, 0);
  if (total === 0) return html`<section class="stack">${heading}<p>${t('statistics.none')}</p></section>`;
  const main = kind === 'users' ? Math.round(total / known.length) : total;
  const numbers = { main, most: Math.max(...known), least: Math.min(...known) };
  return html`<section class="stack">${heading}
${facts(ui, {
  items: [
    { term: t(mainFact), value: format.number(numbers.main) },
    { term: t('statistics.most'), value: format.number(numbers.most) },
    { term: t('statistics.least'), value: format.number(numbers.least) },
  ],
})}
${chart(ui, {
  id: `${kind}-chart`,
  title: t(`statistics.${kind}-by-day`),
  summary: t('statistics.summary', { least: numbers.least, most: numbers.most }),
  points,
})}</section>`;
}

function byDay(ui: Ui, { days }: Statistics, csv: string): Html {
  const { t, format } = ui;
  return html`<section class="stack"><h2 id="days">${t('statistics.numbers')}</h2>
<p><a href="${csv}" download>${t('statistics.csv')}</a></p>
<details><summary>${t('statistics.table')}</summary>
${dataTable(ui, {
  id: 'days-table',
  caption: t('statistics.by-day'),
  columns: [
    'statistics.day',
    { number: 'statistics.users' },
    { number: 'statistics.downloads' },
    { number: 'statistics.ratings' },
  ],
  rows: days
    .toReversed()
    .map((each) => [
      day(ui, each.date),
      each.users === null ? t('statistics.unknown') : format.number(each.users),
      format.number(each.downloads),
      format.number(each.ratings),
    ]),
})}</details></section>`;
}

function byVersion(ui: Ui, { versions }: Statistics): Html {
  const { t, format } = ui;
  if (versions.length === 0) return html``;
  return html`<section class="stack"><h2 id="versions">${t('statistics.by-version')}</h2>
<p class="muted">${t('statistics.counted')}</p>
${dataTable(ui, {
  id: 'versions-table',
  caption: t('statistics.by-version'),
  isCaptionHidden: true,
  columns: ['addon.version', { number: 'statistics.users' }, { number: 'statistics.downloads' }],
  rows: versions.map(({ version, ...numbers }) => [
    version === null ? t('statistics.other-versions') : html`<bdi dir="ltr">${version}</bdi>`,
    format.number(numbers.users),
    format.number(numbers.downloads),
  ]),
})}</section>`;
}

function byApplication(ui: Ui, { applications }: Statistics): Html {
  const { t, format } = ui;
  if (applications.length === 0) return html``;
  const total = Math.max(
    1,
    applications.reduce((sum, { users }) => sum + users, 0),
  );
  return html`<section class="stack"><h2 id="applications">${t('statistics.by-application')}</h2>
${dataTable(ui, {
  id: 'applications-table',
  caption: t('statistics.by-application'),
  isCaptionHidden: true,
  columns: ['search.app', { number: 'statistics.users' }, { number: 'statistics.share' }],
  rows: applications.map(({ app, users }) => [
    t(`catalogue.app.${app}`),
    format.number(users),
    format.percent(users / total),
  ]),
})}</section>`;
}
