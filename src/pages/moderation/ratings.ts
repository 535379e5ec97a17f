import { html } from 'hono/html';
import {
  PageDecideRatingDocument,
  RatingsInboxDocument,
  type RatingsInboxQuery,
  type WaitingOfAddonFragment,
} from '../../generated/operations/graphql.ts';
import { labelParam, orNull, recordId, wordParam } from '../../http/params.ts';
import { addonNameHtml, addonPath } from '../catalogue/addon-head.ts';
import { changedQuery } from '../catalogue/addresses.ts';
import * as params from '../catalogue/params.ts';
import {
  decisionFields,
  decisionPath,
  RATING_DECISIONS,
  ratingDecisionLine,
  ratingStates,
} from '../catalogue/rating-parts.ts';
import { ratingPath } from '../catalogue/reviews.ts';
import { badge } from '../components/badge.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { dataTable } from '../components/data-table.ts';
import { filterChips, filterList } from '../components/filter-list.ts';
import { findForm } from '../components/find-form.ts';
import { formElement } from '../components/form.ts';
import { notice } from '../components/notice.ts';
import { pager } from '../components/pager.ts';
import { stars } from '../components/rating.ts';
import { tabs } from '../components/tabs.ts';
import { day } from '../components/time.ts';
import { choice, optionalText, textField } from '../fields.ts';
import { form } from '../form.ts';
import type { Html } from '../html.ts';
import { type AfterDone, page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { foundAddon } from './found.ts';
import { moderationTabs, RATINGS_PATH } from './report-labels.ts';

type Rating = RatingsInboxQuery['ratingsToModerate']['nodes'][number];

const PAGE_SIZE = 50;

/** Characters of a text in the list. */
const EXCERPT = 120;

/** The lists by the value of `list`; without it, that of what waits. */
const LISTS = { hidden: 'HIDDEN', decided: 'DECIDED_BY_VIEWER' } as const;
type Queue = 'WAITING' | (typeof LISTS)[keyof typeof LISTS];

/** Ratings and replies that wait, are hidden, or were decided about by the viewer, newest first, of all add-ons or of one. For moderators. */
export const ratingsInboxPage = page({
  path: RATINGS_PATH,
  visitor: 'account',
  query: {
    page: params.pageNumber,
    list: wordParam<Queue>('Which ratings; those that wait by default.', LISTS),
    addon: labelParam('Slug, id, guid or displayed name of the add-on.'),
    rating: orNull(recordId('Id of the rating that was decided about before.')),
  },
  document: RatingsInboxDocument,
  variables: ({ query, viewer }) => {
    const addon = query.addon?.trim() || null;
    return {
      ...{
        queue: query.list ?? 'WAITING',
        page: query.page,
        pageSize: PAGE_SIZE,
        isOfAddon: addon !== null,
        isModerator: viewer?.isModerator === true,
        isDecided: query.list !== null,
      },
      ...{ text: addon ?? '', ...(addon !== null && { addon }) },
    };
  },
  view: (data, input, ui) => {
    const { query, search } = input;
    const {
      ratingsToModerate: { totalCount, nodes },
      ratingsToModerateByAddon: addons,
      ofAddon,
    } = data;
    const counts = {
      reports: data.openReports?.totalCount ?? null,
      ratings: (data.ofAll ?? data.waiting).totalCount,
    };
    const queue = query.list ?? 'WAITING';
    const { t, viewer } = ui;
    const chosen = ofAddon?.[0] ?? null;
    const linkTo = (text: string) => hrefWith(search, { addon: text, page: null });
    const found = data.chosen && foundAddon(ui, query.addon?.trim() ?? '', data.chosen, linkTo);
    return {
      title: t('moderation.ratings'),
      robots: 'noindex' as const,
      section: 'moderation' as const,
      // Each response has ids of its own for the forms.
      neverStored: true,
      afterDone: () => afterDone(ui, nodes, query.rating),
      main: html`${breadcrumbs(ui, [
        { text: t('catalogue.home'), href: '/' },
        ...(viewer?.isModerator ? [{ text: t('moderation.title'), href: '/moderation/' }] : []),
        { text: t('moderation.ratings') },
      ])}
${moderationTabs(ui, 'ratings', counts)}
<h1>${t('moderation.ratings')}</h1>
<p><a href="/docs/moderation/#ratings">${t('docs.moderation.title')}</a></p>
${lists(ui, search, queue, data)}
${chips(ui, search, found?.name ?? null)}
${findForm(ui, {
  ...{ id: 'of', action: RATINGS_PATH, search, kept: ['list'], submit: t('moderation.ratings.find') },
  fields: [{ name: 'addon', label: t('moderation.ratings.addon'), hint: t('moderation.find.addon-hint') }],
})}
<div class="columns side-first"><div>${queue === 'WAITING' && filters(ui, search, addons, chosen)}</div>
<div><p>${found?.problem ?? (totalCount === 0 ? t(`moderation.ratings.none.${queue}`) : t(`moderation.ratings.sum.${queue}`, { count: totalCount }))}</p>
${queue === 'WAITING' && (chosen === null ? floodLinks(ui, addons) : floodSection(ui, chosen))}
${nodes.length > 0 && table(ui, nodes)}
${pager(ui, {
  page: query.page,
  pageCount: Math.max(1, Math.ceil(totalCount / PAGE_SIZE)),
  hrefOf: (number) => hrefWith(search, { page: number === 1 ? null : String(number) }),
})}</div></div>`,
    };
  },
});

const hrefWith = (search: URLSearchParams, changes: Record<string, string | null>): string =>
  `${RATINGS_PATH}${changedQuery(search, { rating: null, ...changes })}`;

/** Links between the lists, with the number of ratings in each. */
function lists(
  ui: Ui,
  search: URLSearchParams,
  current: Queue,
  { waiting, hidden, decided }: Pick<RatingsInboxQuery, 'waiting' | 'hidden' | 'decided'>,
): Html {
  const item = (queue: Queue, list: keyof typeof LISTS | null, { totalCount }: { totalCount: number }) => ({
    text: ui.t(`moderation.ratings.list.${queue}`),
    href: hrefWith(search, { list, page: null }),
    count: totalCount,
    isCurrent: queue === current,
  });
  return tabs(ui, {
    label: ui.t('moderation.ratings'),
    items: [
      item('WAITING', null, waiting),
      item('HIDDEN', 'hidden', hidden),
      item('DECIDED_BY_VIEWER', 'decided', decided),
    ],
  });
}

/** The page of a rating, at its text and the decision if the viewer makes it: neither its writer nor an author of the add-on does. */
const decisionHref = ({ databaseId, viewerRights }: Rating): string =>
  viewerRights.includes('DECIDE') ? decisionPath(databaseId) : ratingPath(databaseId);

/** After a decision: the next rating of the list, and the one that was decided about. */
function afterDone({ t }: Ui, ratings: readonly Rating[], decided: number | null): AfterDone {
  const next = ratings.find(({ viewerRights }) => viewerRights.includes('DECIDE'));
  return {
    actions: html`${next && html`<a class="button" href="${decisionHref(next)}">${t('moderation.ratings.next')}</a>`}
${decided !== null && html`<a href="${ratingPath(decided)}">${t('moderation.ratings.decided')}</a>`}`,
  };
}

/** The list of one add-on. */
const ofAddon = ({ addon }: WaitingOfAddonFragment): string =>
  `${RATINGS_PATH}?addon=${addon.slug ?? addon.databaseId}`;

/** The add-on that restricts the list, with a link that removes it. */
function chips(ui: Ui, search: URLSearchParams, text: Html | string | null): Html {
  if (text === null) return html``;
  const href = hrefWith(search, { addon: null, page: null });
  return filterChips(ui, { items: [{ text, href }], clearHref: href });
}

/** The add-ons with most ratings in the list. */
function filters(
  ui: Ui,
  search: URLSearchParams,
  addons: readonly WaitingOfAddonFragment[],
  chosen: WaitingOfAddonFragment | null,
): Html {
  const items = addons.map((each) => {
    const isCurrent = each.addon.databaseId === chosen?.addon.databaseId;
    const href = isCurrent ? hrefWith(search, { addon: null, page: null }) : ofAddon(each);
    return { text: html`${addonNameHtml(ui, each.addon)}`, href, count: each.count, isCurrent };
  });
  return filterList(ui, [{ title: ui.t('moderation.ratings.addon'), items }]);
}

/** Links to the floods of add-ons, each to a form that ends it, for moderators who may. */
export function floodLinks(ui: Ui, addons: readonly WaitingOfAddonFragment[]): Html {
  const floods = addons.filter(({ flood }) => flood?.viewerRights.includes('DECIDE'));
  if (floods.length === 0) return html``;
  return notice(ui, {
    kind: 'warning',
    title: ui.t('moderation.floods'),
    text: html`<ul>${floods.map((each) => {
      const facts = { count: each.floodCount, name: addonNameHtml(ui, each.addon) };
      return html`<li><a href="${ofAddon(each)}#flood">${ui.t('moderation.flood', facts)}</a></li>`;
    })}</ul>`,
  });
}

/** The form that decides about all ratings of a flood, for moderators who are no authors of the add-on. */
function floodSection(ui: Ui, { addon, floodCount, flood }: WaitingOfAddonFragment): Html {
  if (!flood?.viewerRights.includes('DECIDE')) return html``;
  const { t } = ui;
  const { decision, note } = decisionFields(ui);
  return html`<section aria-labelledby="flood"><h2 id="flood">${t('moderation.flood', { count: floodCount, name: addonNameHtml(ui, addon) })}</h2>
<p>${t('moderation.flood.lead')}</p>
${formElement(ui, { name: 'flood-decide', hidden: { rating: flood.id }, parts: [decision, note], submit: t('moderation.flood.decide') })}
</section>`;
}

/** Decides about the ratings of a flood, the newest 200. */
export const floodForm = form({
  page: ratingsInboxPage,
  name: 'flood-decide',
  fields: { rating: textField, decision: choice(...RATING_DECISIONS), note: optionalText },
  document: PageDecideRatingDocument,
  variables: ({ rating: id, ...decision }) => ({ input: { id, includeFlood: true, ...decision } }),
});

/** Why it is in a list: what was reported how often, and the last decision, or why it is on hold. */
function reasons(ui: Ui, { flagCounts, holdReason, decisions }: Rating): Html {
  const flags = (flagCounts ?? []).map(({ reason, count }) =>
    badge(ui, { text: html`${ui.t(`reviews.flag.${reason}`)} ${ui.format.number(count)}` }),
  );
  const decision = decisions?.nodes[0];
  const isHidden = decision?.decision === 'HIDE' && holdReason === 'MODERATOR';
  return html`${flags.length > 0 && html`<div class="cluster">${flags}</div>`}${decision && html`<div>${ratingDecisionLine(ui, decision)}</div>`}${holdReason !== null && !isHidden && html`<div>${ui.t(`reviews.hold.${holdReason}`)}</div>`}`;
}

function table(ui: Ui, ratings: readonly Rating[]): Html {
  const { t } = ui;
  return dataTable(ui, {
    id: 'ratings',
    caption: t('moderation.ratings'),
    isCaptionHidden: true,
    isStacked: true,
    columns: [
      t('moderation.kind.rating'),
      t('moderation.column.about'),
      t('moderation.ratings.why'),
      t('moderation.ratings.written'),
    ],
    rows: ratings.map((rating) => {
      const { addon, score, body, created, user } = rating;
      const text = body === null ? t('reviews.without-text') : html`<span dir="auto">${body.slice(0, EXCERPT)}</span>`;
      return [
        html`${score !== null && stars(ui, score)} <a href="${decisionHref(rating)}">${text}</a> <span class="muted"><bdi>${user.name}</bdi></span> ${ratingStates(ui, rating)}`,
        html`<a href="${addonPath(addon)}">${addonNameHtml(ui, addon)}</a>`,
        html`${reasons(ui, rating)}${!rating.viewerRights.includes('DECIDE') && html`<span class="muted small">${t('moderation.ratings.of-others')}</span>`}`,
        day(ui, created),
      ];
    }),
  });
}
