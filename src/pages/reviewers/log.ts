import { html } from 'hono/html';
import { ReviewLogPageDocument, type ReviewLogPageQuery } from '../../generated/operations/graphql.ts';
import { addonReference } from '../../graphql/references.ts';
import { oneOf, orNull, type Param, textParam } from '../../http/params.ts';
import { findForm } from '../components/find-form.ts';
import { CURSOR_PARAM, cursorPager } from '../components/pager.ts';
import { tabs } from '../components/tabs.ts';
import { type ThreadEntry, thread } from '../components/thread.ts';
import type { Html } from '../html.ts';
import { noteTitle } from '../hub/states.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { reviewedLink } from './review-facts.ts';
import { reviewerPage } from './reviewer-page.ts';

type Entry = ReviewLogPageQuery['reviewLog']['nodes'][number];

const ACTIONS = {
  approved: 'APPROVED',
  rejected: 'REJECTED',
  information: 'MORE_INFORMATION_REQUESTED',
  referred: 'SUPER_REVIEW_REQUESTED',
  comment: 'COMMENT',
} as const;
type Action = keyof typeof ACTIONS;
const ACTION_NAMES = Object.keys(ACTIONS) as Action[];

const MARKS: Readonly<Record<string, Pick<ThreadEntry, 'icon' | 'kind'>>> = {
  APPROVED: { icon: 'check', kind: 'ok' },
  REJECTED: { icon: 'close', kind: 'error' },
  MORE_INFORMATION_REQUESTED: { icon: 'warning', kind: 'warning' },
  SUPER_REVIEW_REQUESTED: { icon: 'flag' },
};

/** A day; null for anything else. */
const day = (description: string): Param<string | null> => {
  const param = textParam(description);
  const isDay = (value: string) =>
    /^(?!0000)\d{4}-\d\d-\d\d$/.test(value) && new Date(value).toJSON()?.startsWith(value);
  return { ...param, read: param.read.transform((value) => (value !== null && isDay(value) ? value : null)) };
};

const QUERY = {
  reviewer: orNull(textParam('Username of the reviewer.')),
  addon: orNull(textParam('Slug, guid or id of the add-on.')),
  action: orNull(oneOf('What was done.', ACTION_NAMES)),
  from: day('The first day.'),
  to: day('The last day.'),
  ...CURSOR_PARAM,
};

/** What reviewers did. For reviewers. */
export const logPage = page({
  path: '/reviewers/log/',
  visitor: 'account',
  query: QUERY,
  document: ReviewLogPageDocument,
  variables: ({ query: { reviewer, addon, action, from, to, after } }) => ({
    filter: {
      ...(reviewer?.trim() && { reviewer: { username: reviewer.trim() } }),
      ...(addon?.trim() && { addon: addonReference(addon.trim()) }),
      ...(action && { actions: [ACTIONS[action]] }),
      ...(from && { from }),
      ...(to && { to }),
    },
    after,
  }),
  view: ({ reviewLog: log }, { search, query: { reviewer } }, ui) => {
    const { nodes, pageInfo } = log;
    const { t } = ui;
    return reviewerPage(ui, {
      title: t('review.page.log'),
      body: html`${ownTab(ui, reviewer)}
${filterForm(ui, search)}
${
  nodes.length === 0
    ? html`<p>${t('review.log.none')}</p>`
    : thread(
        ui,
        nodes.map((entry) => threadEntry(ui, entry)),
      )
}
${cursorPager(ui, { search, pageInfo })}`,
    });
  },
});

const PATH = '/reviewers/log/';

/** Links to the whole log, and to what the viewer did. */
function ownTab(ui: Ui, reviewer: string | null): Html {
  const { t, viewer } = ui;
  if (viewer === null) return html``;
  const isOwn = reviewer?.trim().toLowerCase() === viewer.username.toLowerCase();
  return tabs(ui, {
    label: t('review.page.log'),
    items: [
      { text: t('review.log.all'), href: PATH, isCurrent: !reviewer },
      { text: t('review.log.mine'), href: `${PATH}?reviewer=${encodeURIComponent(viewer.username)}`, isCurrent: isOwn },
    ],
  });
}

function threadEntry(ui: Ui, entry: Entry): ThreadEntry {
  const { databaseId, action, comments, created, user, version } = entry;
  const who = html`<a href="/reviewers/log/?reviewer=${encodeURIComponent(user.username)}"><bdi>${user.name}</bdi></a>`;
  return {
    id: `note-${databaseId}`,
    title: ui.t('hub.note', {
      action: html`<strong>${noteTitle(ui, entry)}</strong>`,
      who,
      version: reviewedLink(ui, version),
    }),
    time: created,
    text: comments,
    ...MARKS[action],
  };
}

function filterForm(ui: Ui, search: URLSearchParams): Html {
  const { t } = ui;
  const actions = ACTION_NAMES.map((name) => ({ value: name, text: t(`review.log.${name}`) }));
  return findForm(ui, {
    ...{ id: 'log', action: PATH, search, submit: t('review.log.show') },
    fields: [
      { name: 'reviewer', label: t('review.log.reviewer'), direction: 'ltr' },
      {
        name: 'action',
        label: t('review.log.action'),
        options: [{ value: '', text: t('review.log.any') }, ...actions],
      },
    ],
    more: [
      { name: 'addon', label: t('review.log.addon'), direction: 'ltr' },
      { name: 'from', label: t('review.log.from'), kind: 'date' },
      { name: 'to', label: t('review.log.to'), kind: 'date' },
    ],
  });
}
