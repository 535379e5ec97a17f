import { html } from 'hono/html';
import {
  type AddonType,
  type Application,
  type Platform,
  SearchPageDocument,
  type SearchPageQuery,
  type SearchSort,
} from '../../generated/operations/graphql.ts';
import { categoryName } from '../components/category-name.ts';
import { filterChips, filterList } from '../components/filter-list.ts';
import { pager } from '../components/pager.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { changedQuery } from './addresses.ts';
import { cardGrid } from './cards.ts';
import * as params from './params.ts';

/* The filters of the search page: as links with the number of results, and as chips of those in use. */

/** The filters of the address; null for absent ones. */
interface Filters {
  q: string | null;
  type: AddonType[] | null;
  app: Application | null;
  appversion: string | null;
  category: string | null;
  tag: string[] | null;
  platform: Platform | null;
  featured: 'true' | null;
  author: string[] | null;
  sort: SearchSort[] | null;
}

type Facets = SearchPageQuery['search']['facets'];
type Groups = Parameters<typeof filterList>[1];
type Chips = Parameters<typeof filterChips>[1]['items'];

/** The search page with changed parameters; null removes one. */
type Href = (changes: Record<string, string | null>) => string;

/** The values that the results have, each as a link that adds or removes it. */
function facetGroups(ui: Ui, filters: Filters, facets: Facets, href: Href): Groups {
  return [
    { title: ui.t('search.type'), items: typeItems(ui, filters, facets, href) },
    { title: ui.t('search.app'), items: appItems(ui, filters, facets, href) },
    { title: ui.t('search.category'), items: categoryItems(ui, filters, facets, href) },
    { title: ui.t('addon.platform'), items: platformItems(ui, filters, facets, href) },
    { title: ui.t('search.tag'), items: tagItems(filters, facets, href) },
  ];
}

function typeItems(ui: Ui, { type }: Filters, facets: Facets, href: Href) {
  const chosen = type ?? [];
  return facets.types.map(({ value, count }) => {
    const isCurrent = chosen.includes(value);
    const next = isCurrent ? without(chosen, value) : value;
    // Categories belong to one type.
    const changes = { type: next?.toLowerCase() ?? null, category: null };
    return { text: ui.t(`catalogue.type.${value}`), href: href(changes), count, isCurrent };
  });
}

function appItems(ui: Ui, { app }: Filters, facets: Facets, href: Href) {
  return facets.applications.map(({ value, count }) => {
    const isCurrent = value === app;
    const changes = { app: isCurrent ? null : value.toLowerCase(), appversion: null, category: null };
    return { text: ui.t(`catalogue.app.${value}`), href: href(changes), count, isCurrent };
  });
}

/** Of one type only, and of the chosen application or that of most results: their names repeat in others. */
function categoryItems(ui: Ui, { app, type, category }: Filters, facets: Facets, href: Href) {
  const types = type ?? facets.types.map(({ value }) => value);
  if (types.length !== 1) return [];
  const place = app ?? facets.applications[0]?.value;
  const fits = facets.categories.filter(({ value }) => value.app === place && value.type === types[0]);
  return fits.map(({ value, count }) => {
    const isCurrent = app !== null && category === value.slug;
    const added = { category: value.slug, app: value.app.toLowerCase(), type: value.type.toLowerCase() };
    return { text: categoryName(ui, value), href: href(isCurrent ? { category: null } : added), count, isCurrent };
  });
}

function platformItems(ui: Ui, { platform }: Filters, facets: Facets, href: Href) {
  const found = facets.platforms.filter(({ value }) => value !== 'ALL');
  return found.map(({ value, count }) => {
    const isCurrent = value === platform;
    const changes = { platform: isCurrent ? null : value.toLowerCase() };
    return { text: ui.t(`catalogue.platform.${value}`), href: href(changes), count, isCurrent };
  });
}

function tagItems({ tag }: Filters, facets: Facets, href: Href) {
  const chosen = tag ?? [];
  return facets.tags.map(({ value, count }) => {
    const isCurrent = chosen.includes(value);
    const next = isCurrent ? without(chosen, value) : [...chosen, value].join(',');
    return { text: html`<bdi>${value}</bdi>`, href: href({ tag: next }), count, isCurrent };
  });
}

/** The filters in use, each with the address without it. */
function chipsOf(ui: Ui, filters: Filters, facets: Facets, href: Href): Chips {
  const { type, app, appversion, category, tag, platform, featured, author } = filters;
  const { t } = ui;
  const chip = (text: Html, changes: Record<string, string | null>) => ({ text, href: href(changes) });
  /** A chip for each value of a filter that has several. */
  const each = <Value extends string>(name: string, values: readonly Value[] | null, textOf: (value: Value) => Html) =>
    (values ?? []).map((value) => chip(textOf(value), { [name]: without(values ?? [], value) }));
  const chosen = facets.categories.find(({ value }) => value.slug === category)?.value;
  return [
    ...(type ?? []).map((value) =>
      chip(t(`catalogue.type.${value}`), { type: without(type ?? [], value)?.toLowerCase() ?? null, category: null }),
    ),
    ...(app === null ? [] : [chip(t(`catalogue.app.${app}`), { app: null, appversion: null, category: null })]),
    ...(appversion === null ? [] : [chip(t('addon.versions.version', { version: appversion }), { appversion: null })]),
    ...(category === null
      ? []
      : [chip(chosen === undefined ? html`<bdi>${category}</bdi>` : categoryName(ui, chosen), { category: null })]),
    ...(platform === null ? [] : [chip(t(`catalogue.platform.${platform}`), { platform: null })]),
    ...(featured === null ? [] : [chip(t('home.featured'), { featured: null })]),
    ...each('tag', tag, (value) => t('search.chip.tag', { tag: html`<bdi>${value}</bdi>` })),
    ...each('author', author, (value) => t('search.chip.author', { author: html`<bdi>${value}</bdi>` })),
  ];
}

/** The other values of a parameter; null without any. */
const without = (values: readonly string[], value: string): string | null =>
  values.filter((other) => other !== value).join(',') || null;

/** The size of pages in the operation. */
const PAGE_SIZE = 24;

type Found = SearchPageQuery['search'];

/** The search with its filters, all of which are in the address. */
export const searchPage = page({
  path: '/search/',
  visitor: 'all',
  limit: 'page-search',
  query: {
    q: params.queryParam,
    type: params.typesParam,
    app: params.appParam,
    appversion: params.appVersionParam,
    category: params.slugParam,
    tag: params.listParam,
    platform: params.platformParam,
    featured: params.featuredParam,
    author: params.listParam,
    sort: params.sortParam,
    page: params.pageNumber,
  },
  document: SearchPageDocument,
  variables: ({ query: { q, sort, page: number, ...filter }, locale }) => ({
    q,
    sort,
    page: number,
    // Without a language, those featured for other languages only would be results, too.
    filter: { ...filterOf(filter), locale },
  }),
  view: ({ search: found }, { query, search }, ui) => ({
    title: query.q === null ? titleOf(ui, query) : ui.t('search.title', { q: query.q }),
    robots: 'noindex',
    ...sectionOf(query),
    main: searchMain(ui, found, query, search),
  }),
});

function filterOf({ app, appversion, type, tag, platform, category, author, featured }: Omit<Filters, 'q' | 'sort'>) {
  const names = { category, authors: author, isFeatured: featured === null ? null : true };
  return { app, appVersion: appversion, types: type, tags: tag, platform, names };
}

function sectionOf({ type, q }: Filters): { section?: 'extensions' | 'themes' } {
  if (q !== null || type === null) return {};
  if (type.every((each) => each === 'EXTENSION')) return { section: 'extensions' };
  return type.every((each) => ['STATICTHEME', 'PERSONA', 'THEME'].includes(each)) ? { section: 'themes' } : {};
}

/** The title of a list without words to search for: the type, where there is one. */
function titleOf(ui: Ui, filters: Filters): Html {
  const [type] = filters.type ?? [];
  if (sectionOf(filters).section === 'themes') return ui.t('site.themes');
  return type !== undefined && filters.type?.length === 1 ? ui.t(`catalogue.type.${type}`) : ui.t('search.all');
}

/** Filters, and the number of the page. */
type Searched = Filters & { page: number };

function searchMain(ui: Ui, found: Found, filters: Searched, search: URLSearchParams): Html {
  const { t } = ui;
  const href = (changes: Record<string, string | null>) => `/search/${changedQuery(search, changes)}`;
  const chips = chipsOf(ui, filters, found.facets, href);
  const q = filters.q === null ? null : html`<bdi>${filters.q}</bdi>`;
  return html`<div class="page-head">
<h1>${q === null ? titleOf(ui, filters) : t('search.heading', { q })}</h1>
<p class="muted" role="status">${t('search.count', { count: found.totalCount })}</p>
</div>
${suggestion(ui, found, href)}
${filterChips(ui, { items: chips, clearHref: `/search/${changedQuery(new URLSearchParams(filters.q === null ? {} : { q: filters.q }), {})}` })}
<div class="columns side-first">
<aside aria-label="${t('ui.filters')}">${filterList(ui, facetGroups(ui, filters, found.facets, href))}</aside>
<div>
${found.totalCount === 0 ? nothing(ui, chips) : results(ui, found, filters, href)}
</div>
</div>`;
}

function suggestion(ui: Ui, { suggestion: better }: Found, href: (changes: Record<string, string>) => string): Html {
  if (better === null) return html``;
  const link = html`<a href="${href({ q: better.q })}"><bdi>${better.q}</bdi></a>`;
  return html`<p class="lead">${ui.t('search.suggestion', { link, count: better.count })}</p>`;
}

/** Links that drop one filter each. */
const nothing = (ui: Ui, chips: ReturnType<typeof chipsOf>): Html => html`<div class="prose">
<h2>${ui.t('search.nothing')}</h2>
<p>${ui.t(chips.length > 0 ? 'search.nothing.filters' : 'search.nothing.words')}</p>
<ul>
${chips.map(
  ({ text, href }) => html`<li><a href="${href}" rel="nofollow">${ui.t('search.without', { filter: text })}</a></li>
`,
)}<li><a href="/categories/">${ui.t('search.browse')}</a></li>
</ul>
</div>`;

function results(
  ui: Ui,
  found: Found,
  filters: Searched,
  href: (changes: Record<string, string | null>) => string,
): Html {
  return html`${sortLinks(ui, filters, href)}
${cardGrid(ui, found.nodes, { level: 2, q: filters.q })}
${pager(ui, {
  page: filters.page,
  pageCount: Math.ceil(found.reachableCount / PAGE_SIZE),
  hrefOf: (number) => href({ page: number === 1 ? null : String(number) }),
})}`;
}

function sortLinks(ui: Ui, { q, sort }: Filters, href: (changes: Record<string, string>) => string): Html {
  const current = sort?.[0] ?? (q === null ? 'DOWNLOADS' : 'RELEVANCE');
  const offered = params.SEARCH_SORTS.filter((each) => q !== null || each !== 'relevance');
  return html`<nav class="sort-links" aria-label="${ui.t('search.sort')}"><span aria-hidden="true">${ui.t('search.sort')}</span><ul>
${offered.map((each) => {
  const isCurrent = each.toUpperCase() === current;
  return html`<li><a href="${href({ sort: each })}"${isCurrent && html` aria-current="true"`} rel="nofollow">${ui.t(`search.sort.${each}`)}</a></li>
`;
})}</ul></nav>`;
}
