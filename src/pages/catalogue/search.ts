import { html } from 'hono/html';
import { SearchPageDocument, type SearchPageQuery } from '../../generated/operations/graphql.ts';
import { filterChips, filterList } from '../components/filter-list.ts';
import { pager } from '../components/pager.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { changedQuery } from './addresses.ts';
import { cardGrid } from './cards.ts';
import { chipsOf, type Filters, facetGroups } from './facets.ts';
import * as params from './params.ts';

/** The size of pages in the operation. */
const PAGE_SIZE = 24;

type Found = SearchPageQuery['search'];

/** The search with its filters, all of which are in the address. */
export const searchPage = page({
  path: '/search/',
  visitor: 'all',
  limit: 'page-search',
  query: {
    q: params.query,
    type: params.types,
    app: params.app,
    appversion: params.appversion,
    category: params.slug,
    tag: params.list,
    platform: params.platform,
    featured: params.featured,
    author: params.list,
    sort: params.sort,
    page: params.page,
  },
  document: SearchPageDocument,
  variables: ({ query: { q, sort, page: number, ...filter } }) => ({
    q,
    sort,
    page: number,
    filter: filterOf(filter),
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
  const offered = params.SORTS.filter((each) => q !== null || each !== 'relevance');
  return html`<nav class="sort-links" aria-label="${ui.t('search.sort')}"><span aria-hidden="true">${ui.t('search.sort')}</span><ul>
${offered.map((each) => {
  const isCurrent = each.toUpperCase() === current;
  return html`<li><a href="${href({ sort: each })}"${isCurrent && html` aria-current="true"`} rel="nofollow">${ui.t(`search.sort.${each}`)}</a></li>
`;
})}</ul></nav>`;
}
