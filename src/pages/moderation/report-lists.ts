/* The lists of reports at the inbox: their tabs, filters, chips and find form. */
import { html } from 'hono/html';
import type { ModerationInboxQuery } from '../../generated/operations/graphql.ts';
import { changedQuery } from '../catalogue/addresses.ts';
import { filterChips, filterList } from '../components/filter-list.ts';
import { findForm } from '../components/find-form.ts';
import { tabs } from '../components/tabs.ts';
import type { Html } from '../html.ts';
import type { PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';
import { FINDERS, type Finder, type FoundName } from './found.ts';
import { REPORT_STATES, TARGETS } from './report-labels.ts';

export const INBOX_PATH = '/moderation/';

export type State = Uppercase<(typeof REPORT_STATES)[number]>;

/** Hours by the value of `age`. */
export const AGES = { day: 24, week: 168, month: 720 } as const;
export type Age = keyof typeof AGES;

/** The text of a parameter; null for an empty one. */
export const given = (text: string | null): string | null => text?.trim() || null;

/** The state of the reports in the list: open ones by default, and all of those that a moderator has decided about. */
export const shownState = (state: State | 'ALL' | null, decidedBy: string | null): State | 'ALL' =>
  state ?? (decidedBy === null ? 'OPEN' : 'ALL');

/** The lists that the page leads to; MINE are the reports that the viewer has decided about. */
const LISTS = ['OPEN', 'MINE', 'VALID', 'DISMISSED', 'DUPLICATE', 'ALL'] as const;
export type ReportList = (typeof LISTS)[number];

interface Chosen {
  state: State | 'ALL' | null;
  decidedBy: string | null;
}

export function listOf({ state, decidedBy }: Chosen, { viewer }: Ui): ReportList {
  const by = given(decidedBy);
  return by !== null && by === viewer?.username && state !== 'OPEN' ? 'MINE' : shownState(state, by);
}

/** The order of the list, in words. */
export function orderKey(list: ReportList, { decidedBy }: Chosen) {
  if (list === 'OPEN') return 'moderation.order.oldest';
  return list === 'ALL' && given(decidedBy) === null ? 'moderation.order.newest' : 'moderation.order.decided';
}

const hrefWith = (search: URLSearchParams, changes: Record<string, string | null>): string =>
  `${INBOX_PATH}${changedQuery(search, changes)}`;

/** The inbox with another text in a field of its find form. */
export const findUrl =
  (search: URLSearchParams, finder: Finder) =>
  (text: string): string =>
    hrefWith(search, { [finder]: text });

/** Further filters stay, except for who decided, which no open report has. */
const listHref = (ui: Ui, search: URLSearchParams, list: ReportList): string =>
  hrefWith(search, {
    state: list === 'OPEN' || list === 'MINE' ? null : list.toLowerCase(),
    decidedBy: list === 'MINE' ? (ui.viewer?.username ?? null) : null,
  });

type Counts = ModerationInboxQuery['abuseReportCounts'];

const COUNTED: Readonly<Record<ReportList, keyof Counts>> = {
  ...{ OPEN: 'open', MINE: 'decidedByViewer', VALID: 'valid' },
  ...{ DISMISSED: 'dismissed', DUPLICATE: 'duplicate', ALL: 'all' },
};

/** Links between the lists, with the number of reports in each. */
export const listTabs = (ui: Ui, search: URLSearchParams, current: ReportList, counts: Counts): Html =>
  tabs(ui, {
    label: ui.t('docs.review.decisions'),
    items: LISTS.map((list) => ({
      text: ui.t(listKey(list)),
      href: listHref(ui, search, list),
      count: counts[COUNTED[list]],
      isCurrent: list === current,
    })),
  });

function listKey(list: ReportList): PageTextKey {
  if (list === 'MINE') return 'moderation.decided-by-me';
  return list === 'ALL' ? 'hub.state.all' : `report.state.${list}`;
}

/** What an empty list says, with a link to reports in other states that match. */
export function emptyList(ui: Ui, search: URLSearchParams, list: ReportList, { all }: Counts): Html {
  const { t } = ui;
  if (list === 'OPEN' && !hasRestriction(search)) return html`<p>${t('moderation.none-open')}</p>`;
  if (all === 0) return html`<p>${t('moderation.none-at-all')}</p>`;
  const link = html`<a href="${listHref(ui, search, 'ALL')}">${t('moderation.search-all', { number: ui.format.number(all) })}</a>`;
  return html`<p>${t('moderation.none')}${list !== 'ALL' && html` ${link}`}</p>`;
}

const CHIPS = ['target', 'age', ...FINDERS, 'decidedBy', 'rating', 'collection'] as const;

export const hasRestriction = (search: URLSearchParams): boolean =>
  CHIPS.some((name) => given(search.get(name)) !== null);

/** What the fields of the find form name. */
export type AllFound = Readonly<Partial<Record<Finder, FoundName>>>;

/** What restricts the list further, each with a link that removes it. A text that names nothing has no chip. */
export function chips(ui: Ui, search: URLSearchParams, list: ReportList, found: AllFound): Html {
  const names = list === 'MINE' ? CHIPS.filter((name) => name !== 'decidedBy') : CHIPS;
  const state = search.get('state');
  const stateChip =
    list === 'MINE' && isDecision(state)
      ? [{ text: ui.t(`report.state.${state.toUpperCase()}` as PageTextKey), href: hrefWith(search, { state: null }) }]
      : [];
  const shown = names.flatMap((name) => {
    const value = given(search.get(name));
    const text = value === null ? null : chipText(ui, name, value, found);
    return text === null ? [] : [{ text, href: hrefWith(search, { [name]: null }) }];
  });
  const cleared = Object.fromEntries(names.map((name) => [name, null]));
  const clearHref = hrefWith(search, list === 'MINE' ? { ...cleared, state: null } : cleared);
  return filterChips(ui, { items: [...stateChip, ...shown], clearHref });
}

function chipText(ui: Ui, name: (typeof CHIPS)[number], value: string, found: AllFound): Html | string | null {
  if (name === 'target' || name === 'age') return ui.t(`moderation.${name}.${value}` as PageTextKey);
  if (name === 'addon' || name === 'user' || name === 'sender') return found[name]?.name ?? null;
  const shown = html`<bdi dir="ltr">${value}</bdi>`;
  if (name === 'decidedBy') return html`${ui.t('moderation.decided-by')}: ${shown}`;
  return html`${ui.t(`moderation.target.${name}`)}: ${shown}`;
}

/** The decisions, as the parameter `state` names them. */
const DECIDED = REPORT_STATES.filter((state) => state !== 'open');

const isDecision = (state: string | null): state is string => DECIDED.some((each) => each === state);

/** Links that choose a part of the list; a chosen one removes its condition. None of them leads to another list. */
export function filters(ui: Ui, search: URLSearchParams, list: ReportList): Html {
  const item = (name: string, value: string, text: Html) => {
    const isCurrent = search.get(name) === value;
    return { text, href: hrefWith(search, { [name]: isCurrent ? null : value }), count: null, isCurrent };
  };
  const { t } = ui;
  const decisions = DECIDED.map((each) => item('state', each, t(`report.state.${each.toUpperCase()}` as PageTextKey)));
  return filterList(ui, [
    { title: t('review.decision'), items: list === 'MINE' ? decisions : [] },
    {
      title: t('moderation.column.about'),
      items: TARGETS.map((each) => item('target', each, t(`moderation.target.${each}`))),
    },
    {
      title: t('moderation.age'),
      items: Object.entries(AGES).map(([name]) => item('age', name, t(`moderation.age.${name}` as PageTextKey))),
    },
  ]);
}

/** The form that finds reports about an add-on or account, or by a sender. */
export function finder(ui: Ui, search: URLSearchParams): Html {
  const { t, viewer } = ui;
  const seesAddresses = viewer?.adminPages.includes('users');
  const accountHint = t(seesAddresses ? 'moderation.find.account-address-hint' : 'moderation.find.account-hint');
  return findForm(ui, {
    ...{ id: 'about', action: INBOX_PATH, search, kept: ['state', 'target', 'age', 'decidedBy'] },
    fields: FINDERS.map((name) => ({
      name,
      label: t(`moderation.find.${name}`),
      hint: name === 'addon' ? t('moderation.find.addon-hint') : accountHint,
    })),
    submit: t('moderation.find'),
  });
}
