import { beforeAll, expect, it } from 'vitest';
import { readSearchRequest, type SearchValues } from '../../../src/domain/search/query/search-request.ts';
import { APPLICATIONS } from '../../../src/package/enums.ts';
import { setUpApp } from '../../support/app.ts';
import { runInternal } from '../../support/internal-graphql.ts';
import type { CatalogueAddon } from '../../support/search/catalogue.ts';
import { randomCatalogue } from '../../support/search/random-catalogue.ts';
import { referenceSearch } from '../../support/search/reference-scorer.ts';

/** Tags that are names of members of every object. */
const MEMBERS = ['constructor', '__proto__'];
const catalogue = randomCatalogue(600, 11).map((addon) =>
  addon.id % 100 === 1 ? { ...addon, tags: [...addon.tags, ...MEMBERS] } : addon,
);
setUpApp();
beforeAll(async () => {
  const { loadCatalogue } = await import('../../support/search/load-catalogue.ts');
  await loadCatalogue(catalogue);
});

type Facet = { value: unknown; count: number }[];
type Facets = Record<'types' | 'applications' | 'platforms' | 'tags' | 'locales' | 'categories', Facet>;

const FACETS = `query($q: String, $filter: SearchFilter) { search(q: $q, filter: $filter, first: 1) { totalCount facets {
  types { value count } applications { value count } platforms { value count } tags { value count }
  locales { value count } categories { value { app type slug } count } } } }`;

/** Each value and the number of add-ons with it, sorted by value. */
function tally(found: readonly CatalogueAddon[], valuesOf: (addon: CatalogueAddon) => readonly string[]): string[] {
  const all = found.flatMap((addon) => [...new Set(valuesOf(addon))]);
  return [...new Set(all)].map((value) => `${value} ${all.filter((each) => each === value).length}`).sort();
}

function named(facet: Facet): string[] {
  const word = (value: unknown) =>
    typeof value === 'object' && value !== null ? Object.values(value).join('/').toLowerCase() : String(value);
  return facet.map(({ value, count }) => `${word(value)} ${count}`).sort();
}

const upper = (texts: readonly string[]) => texts.map((text) => text.toUpperCase());

/** An add-on that names no application works in all of them: a count is the number of results with that filter. */
const appsOf = ({ compatibility }: CatalogueAddon) => {
  const named = Object.keys(compatibility);
  return upper(named.length === 0 ? APPLICATIONS : named);
};

/** Values of a search, and the same filter in GraphQL. */
const SEARCHES: [SearchValues, Record<string, unknown>][] = [
  [{}, {}],
  [{ q: 'tab' }, {}],
  [{ q: 'donwload' }, {}],
  [{ types: 'extension' }, { types: ['EXTENSION'] }],
  [{ q: 'tab', types: 'persona,dictionary' }, { types: ['PERSONA', 'DICTIONARY'] }],
  [{ app: 'desktop_browser' }, { app: 'DESKTOP_BROWSER' }],
  [
    { app: 'desktop_browser', appVersion: '57.0' },
    { app: 'DESKTOP_BROWSER', appVersion: '57.0' },
  ],
  [
    { app: 'mobile_browser', types: 'extension', category: 'tabs' },
    { app: 'MOBILE_BROWSER', types: ['EXTENSION'], names: { category: 'tabs' } },
  ],
  [{ platform: 'linux' }, { platform: 'LINUX' }],
  [{ tags: 'dark' }, { tags: ['dark'] }],
  [{ q: 'new', tags: 'tab,new window' }, { tags: ['tab', 'new window'] }],
  [
    { authors: { names: ['bob'] }, platform: 'mac' },
    { names: { authors: ['bob'] }, platform: 'MAC' },
  ],
  [{ tags: '__proto__' }, { tags: ['__proto__'] }],
  [{ featured: 'true' }, { names: { isFeatured: true } }],
  [{ q: 'nothing has these words' }, {}],
];

it.each(SEARCHES)('counts the same values as a count over all results of %j', async (values, filter) => {
  const request = readSearchRequest(values, { locale: 'en-US', except: [] });
  const ids = new Set(referenceSearch(catalogue, request).map(({ id }) => id));
  const found = catalogue.filter(({ id }) => ids.has(id));
  const { search } = await runInternal<{ search: { totalCount: number; facets: Facets } }>(FACETS, {
    q: values.q ?? null,
    filter,
  });
  expect(search.totalCount).toBe(found.length);
  expect(Object.fromEntries(Object.entries(search.facets).map(([name, facet]) => [name, named(facet)]))).toEqual({
    types: tally(found, ({ type }) => upper([type])),
    applications: tally(found, appsOf),
    platforms: tally(found, ({ platforms }) => upper(platforms)),
    tags: tally(found, ({ tags }) => tags.map((tag) => tag.toLowerCase())),
    locales: tally(found, ({ name }) => Object.keys(name)),
    categories: tally(found, ({ categories }) => categories),
  });
  for (const facet of Object.values(search.facets)) {
    expect(facet.map(({ count }) => count)).toEqual(
      facet.map(({ count }) => count).toSorted((one, other) => other - one),
    );
  }
});
