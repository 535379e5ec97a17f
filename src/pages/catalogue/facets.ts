/* The filters of the search page: as links with the number of results, and as chips of those in use. */

import { html } from 'hono/html';
import type {
  AddonType,
  Application,
  Platform,
  SearchPageQuery,
  SearchSort,
} from '../../generated/operations/graphql.ts';
import { categoryName } from '../components/category-name.ts';
import type { filterChips, filterList } from '../components/filter-list.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

/** The filters of the address; null for absent ones. */
export interface Filters {
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
export function facetGroups(ui: Ui, filters: Filters, facets: Facets, href: Href): Groups {
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
export function chipsOf(ui: Ui, filters: Filters, facets: Facets, href: Href): Chips {
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
