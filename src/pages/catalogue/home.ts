import { html } from 'hono/html';
import { config } from '../../config.ts';
import {
  type Application,
  HomePageDocument,
  HomePageMoreDocument,
  type HomePageMoreQuery,
  type HomePageQuery,
} from '../../generated/operations/graphql.ts';
import { APPLICATIONS } from '../../package/enums.ts';
import { addonShelf } from '../components/addon-card.ts';
import { categoryName } from '../components/category-name.ts';
import { icon } from '../components/icon.ts';
import { notice } from '../components/notice.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { changedQuery } from './addresses.ts';
import { cardsOf, featuredCards } from './cards.ts';
import { appParam } from './params.ts';

const DEFAULT_APP: Application = 'DESKTOP_BROWSER';

/** The start page: what people look for first. */
export const homePage = page({
  path: '/',
  visitor: 'all',
  query: { app: appParam },
  document: HomePageDocument,
  variables: ({ query, locale }) => ({ app: query.app ?? DEFAULT_APP, locale }),
  more: {
    isOptional: true,
    document: HomePageMoreDocument,
    variables: (_data, { query }) => {
      const app = query.app ?? DEFAULT_APP;
      return { filter: { app, types: ['EXTENSION' as const] }, themes: { app, types: ['STATICTHEME' as const] } };
    },
  },
  view: (data, { query }, ui, more) => ({
    title: ui.t('home.title'),
    description: String(ui.t('home.lead', { site: config.SITE_NAME })),
    canonical: '/',
    structured: website(),
    feeds: [
      { title: ui.t('feed.new'), href: '/feeds/new.atom' },
      { title: ui.t('feed.updated'), href: '/feeds/updated.atom' },
    ],
    ...(more === null ? { neverStored: true as const } : {}),
    main: home(ui, data, more, query.app ?? DEFAULT_APP),
  }),
});

/** The site and its search, for search engines. */
const website = () => ({
  '@type': 'WebSite',
  name: config.SITE_NAME,
  url: `${config.BASE_URL}/`,
  potentialAction: {
    '@type': 'SearchAction',
    target: `${config.BASE_URL}/search/?q={search_term_string}`,
    'query-input': 'required name=search_term_string',
  },
});

/** `found` is null while search is overloaded. */
function home(ui: Ui, data: HomePageQuery, found: HomePageMoreQuery | null, chosen: Application): Html {
  const { t } = ui;
  const shelves = [
    {
      id: 'featured',
      title: t('home.featured'),
      cards: featuredCards(ui, data.featuredAddons),
      more: { href: searchHref(chosen, { featured: 'true' }), text: t('home.featured.more') },
    },
    ...(found === null ? [] : searchShelves(ui, found, chosen)),
  ];
  const isEmpty = found !== null && shelves.every(({ cards }) => cards.length === 0);
  return html`${hero(ui, chosen)}
${isEmpty && emptyCatalogue(ui)}
${shelves.map((each) => addonShelf(ui, each))}
${found === null && notice(ui, { kind: 'warning', title: t('home.busy.title'), text: t('home.busy.text') })}
${data.categories.length > 0 && categories(ui, data.categories, chosen)}`;
}

const searchHref = (chosen: Application, changes: Record<string, string>): string =>
  `/search/${changedQuery(new URLSearchParams({ app: chosen.toLowerCase(), type: 'extension' }), changes)}`;

function searchShelves(ui: Ui, found: HomePageMoreQuery, chosen: Application) {
  const { t } = ui;
  const more = (changes: Record<string, string>, text: Html) => ({ href: searchHref(chosen, changes), text });
  return [
    {
      id: 'users',
      title: t('home.users'),
      cards: cardsOf(ui, found.mostUsers.nodes),
      more: more({ sort: 'users' }, t('home.users.more')),
    },
    {
      id: 'growing',
      title: t('home.growing'),
      cards: cardsOf(ui, found.growing.nodes),
      more: more({ sort: 'hotness' }, t('home.growing.more')),
    },
    {
      id: 'new',
      title: t('home.new'),
      cards: cardsOf(ui, found.newest.nodes),
      more: more({ sort: 'created' }, t('home.new.more')),
    },
    {
      id: 'themes',
      title: t('site.themes'),
      cards: cardsOf(ui, found.themes.nodes),
      more: more({ type: 'statictheme', sort: 'users' }, t('home.themes.more')),
    },
  ];
}

function hero(ui: Ui, chosen: Application): Html {
  const { t } = ui;
  return html`<div class="hero">
<h1>${t('home.title')}</h1>
<p class="lead">${t('home.lead', { site: config.SITE_NAME })}</p>
<form class="hero-search" action="/search/" role="search" aria-label="${t('site.search-label')}">
<label class="visually-hidden" for="site-search">${t('site.search-label')}</label>
<input id="site-search" type="search" name="q" maxlength="100" autocomplete="off" placeholder="${t('site.search-label')}" data-suggest="/search/suggest">
<input type="hidden" name="app" value="${chosen.toLowerCase()}">
<button class="button primary">${icon(ui, 'search')}<span>${t('site.search')}</span></button>
</form>
<nav class="hero-apps" aria-label="${t('home.apps')}"><ul>
${APPLICATIONS.map((each) => {
  const value = each.toUpperCase() as Application;
  return html`<li><a href="/?app=${each}"${value === chosen && html` aria-current="true"`}>${t(`catalogue.app.${value}`)}</a></li>
`;
})}</ul></nav>
</div>`;
}

/** How to begin in a catalogue without add-ons. */
const emptyCatalogue = (ui: Ui): Html =>
  notice(ui, {
    kind: 'info',
    title: ui.t('home.empty.title'),
    text: ui.t('home.empty.text'),
    actions: html`<a class="button" href="/developers/submit/">${ui.t('home.empty.submit')}</a> <a class="button" href="/docs/first-addon/">${ui.t('home.empty.help')}</a>`,
  });

const categories = (ui: Ui, found: HomePageQuery['categories'], chosen: Application): Html =>
  html`<section class="shelf" aria-labelledby="categories">
<div class="shelf-head"><h2 id="categories">${ui.t('catalogue.categories')}</h2><a href="/categories/?app=${chosen.toLowerCase()}">${ui.t('home.categories.more')}${icon(ui, 'next')}</a></div>
<ul class="category-grid">
${found.map(({ slug, name }) => html`<li><a href="/category/extension/${slug}/?app=${chosen.toLowerCase()}">${categoryName(ui, { slug, name })}</a></li>`)}</ul>
</section>`;
