import { html } from 'hono/html';
import {
  type AddonType,
  type Application,
  CategoriesPageDocument,
  type CategoriesPageQuery,
  CategoryPageDocument,
  CategoryPageMoreDocument,
  type CategoryPageMoreQuery,
  type CategoryPageQuery,
} from '../../generated/operations/graphql.ts';
import { type Param, segmentParam, sentText } from '../../http/params.ts';
import { ADDON_TYPES, APPLICATIONS } from '../../package/enums.ts';
import { addonShelf } from '../components/addon-card.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { categoryName, plainCategoryName } from '../components/category-name.ts';
import { tabs } from '../components/tabs.ts';
import type { Html } from '../html.ts';
import { page, redirect } from '../page.ts';
import type { Ui } from '../ui.ts';
import { cardsOf, featuredCards } from './cards.ts';
import * as params from './params.ts';

const DEFAULT_APP: Application = 'DESKTOP_BROWSER';

/** Links to the same page for each application. */
export const appTabs = (ui: Ui, chosen: Application, hrefOf: (app: string) => string): Html =>
  tabs(ui, {
    label: ui.t('catalogue.apps'),
    items: APPLICATIONS.map((app) => {
      const value = app.toUpperCase() as Application;
      return { text: ui.t(`catalogue.app.${value}`), href: hrefOf(app), isCurrent: value === chosen };
    }),
  });

/** All categories of an application. */
export const categoriesPage = page({
  path: '/categories/',
  visitor: 'all',
  query: { app: params.appParam },
  document: CategoriesPageDocument,
  variables: ({ query }) => ({ app: query.app ?? DEFAULT_APP }),
  view: ({ categories }, { query }, ui) => ({
    title: ui.t('catalogue.categories'),
    canonical: '/categories/',
    main: html`<h1>${ui.t('catalogue.categories')}</h1>
${appTabs(ui, query.app ?? DEFAULT_APP, (app) => `/categories/?app=${app}`)}
${categories.length === 0 && html`<p>${ui.t('catalogue.categories.none')}</p>`}
${ADDON_TYPES.map((type) => categoriesOfType(ui, type, categories))}`,
  }),
});

function categoriesOfType(ui: Ui, word: string, all: CategoriesPageQuery['categories']): Html {
  const type = word.toUpperCase() as AddonType;
  const found = all.filter((category) => category.type === type);
  if (found.length === 0) return html``;
  return html`<section aria-labelledby="type-${word}"><h2 id="type-${word}">${ui.t(`catalogue.type.${type}`)}</h2>
<ul class="category-grid">
${found.map(
  ({ slug, app, name }) =>
    html`<li><a href="/category/${word}/${encodeURIComponent(slug)}/?app=${app.toLowerCase()}">${categoryName(ui, { slug, name })}</a></li>
`,
)}</ul></section>`;
}

/** A type of add-ons in the path; null for other words, which makes the page unknown. */
const typeInPath: Param<AddonType | null> = {
  ...segmentParam('Type of the add-ons.'),
  read: sentText.transform((text) =>
    ADDON_TYPES.some((type) => type === text) ? (text?.toUpperCase() as AddonType) : null,
  ),
};

/** A category: what is featured in it, its most used and its newest add-ons. */
export const categoryPage = page({
  path: '/category/:type/:slug/',
  visitor: 'all',
  params: { type: typeInPath, slug: segmentParam('Short name of the category.') },
  query: { app: params.appParam },
  document: CategoryPageDocument,
  variables: ({ path, query }) => {
    const [app, type] = [query.app ?? DEFAULT_APP, path.type ?? 'EXTENSION'];
    return { app, type };
  },
  more: {
    document: CategoryPageMoreDocument,
    variables: ({ categories }, { path, query, locale }) => {
      const [app, type] = [query.app ?? DEFAULT_APP, path.type];
      const isKnown = type !== null && categories.some(({ slug }) => slug === path.slug);
      return isKnown
        ? { app, type, slug: path.slug, locale, filter: { app, types: [type], names: { category: path.slug } } }
        : null;
    },
  },
  view: ({ categories }, { path, query }, ui, more) => {
    const category = categories.find(({ slug }) => slug === path.slug);
    if (category === undefined || path.type === null || more === null) return null;
    const app = query.app ?? DEFAULT_APP;
    return {
      title: plainCategoryName(ui, category) ?? category.slug,
      // Without the application, the address leads to a category of the default one.
      canonical: `/category/${path.type.toLowerCase()}/${encodeURIComponent(path.slug)}/${app === DEFAULT_APP ? '' : `?app=${app.toLowerCase()}`}`,
      main: categoryMain(ui, more, { app, type: path.type, category }),
    };
  },
});

interface Place {
  app: Application;
  type: AddonType;
  category: CategoryPageQuery['categories'][number];
}

function categoryMain(ui: Ui, data: CategoryPageMoreQuery, { app, type, category }: Place): Html {
  const { t } = ui;
  const search = new URLSearchParams({ type: type.toLowerCase(), app: app.toLowerCase(), category: category.slug });
  const more = (sort: string, text: Html) => ({ href: `/search/?${search}&sort=${sort}`, text });
  const shelves = [
    { id: 'featured', title: t('home.featured'), cards: featuredCards(ui, data.featuredAddons) },
    {
      id: 'top',
      title: t('home.users'),
      cards: cardsOf(ui, data.top.nodes),
      more: more('users', t('home.users.more')),
    },
    {
      id: 'new',
      title: t('home.new'),
      cards: cardsOf(ui, data.newest.nodes),
      more: more('created', t('home.new.more')),
    },
  ];
  return html`${breadcrumbs(ui, [
    { text: t('catalogue.home'), href: '/' },
    { text: t('catalogue.categories'), href: `/categories/?app=${app.toLowerCase()}` },
    { text: categoryName(ui, category) },
  ])}
<div class="page-head"><h1>${categoryName(ui, category)}</h1>
<p class="muted">${t(`catalogue.type.${type}`)} · ${t(`catalogue.app.${app}`)} · ${t('search.count', { count: data.top.totalCount })}</p></div>
${data.top.totalCount === 0 && html`<p>${t('catalogue.category.empty')} <a href="/categories/?app=${app.toLowerCase()}">${t('search.browse')}</a></p>`}
${shelves.map((each) => addonShelf(ui, each))}`;
}

/** The search for a tag. */
export const tagPage = page({
  path: '/tag/:tag/',
  visitor: 'all',
  params: { tag: segmentParam('A tag.') },
  view: (_data, { path }) => redirect(`/search/?${new URLSearchParams({ tag: path.tag })}`, 301),
});
