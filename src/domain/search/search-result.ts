import { builder, INTERNAL, type RevisionLookup } from '../../graphql/builder.ts';
import { db } from '../../infra/db.ts';
import type { AddonType, Application, Platform } from '../../package/words.ts';
import { Addon } from '../addons/addon.ts';
import { Category } from '../addons/category.ts';
import { AddonTypeEnum, ApplicationEnum, PlatformEnum } from '../addons/enums.ts';
import { versionOfDocument } from '../addons/load-documents.ts';
import { type Facets, sumOfFacets } from './engine/engine.ts';
import { type FoundAddons, revisionOf, type ScoredAddon } from './find-addons.ts';
import { databaseEngine } from './postgres/database-engine.ts';
import { searchEngine } from './search-engine.ts';
import type { Suggestion } from './suggestion/suggest-query.ts';

/** A value that results have, and how many of them. */
interface Counted<Value> {
  value: Value;
  count: number;
}

/** The most frequent first; equal ones in the order of their names. */
function ranked<Value extends string>(counts: Readonly<Record<string, number>>): Counted<Value>[] {
  const all = Object.entries(counts).map(([value, count]) => ({ value: value as Value, count }));
  return all.sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
}

const TypeFacet = builder.objectRef<Counted<AddonType>>('AddonTypeFacet').implement({
  fields: (t) => ({ value: t.expose('value', { type: AddonTypeEnum }), count: t.exposeInt('count') }),
});

const ApplicationFacet = builder.objectRef<Counted<Application>>('ApplicationFacet').implement({
  fields: (t) => ({ value: t.expose('value', { type: ApplicationEnum }), count: t.exposeInt('count') }),
});

const PlatformFacet = builder.objectRef<Counted<Platform>>('PlatformFacet').implement({
  fields: (t) => ({ value: t.expose('value', { type: PlatformEnum }), count: t.exposeInt('count') }),
});

const TextFacet = builder.objectRef<Counted<string>>('TextFacet').implement({
  fields: (t) => ({ value: t.exposeString('value'), count: t.exposeInt('count') }),
});

type CategoryRow = (typeof Category)['$inferType'];

const CategoryFacet = builder.objectRef<Counted<CategoryRow>>('CategoryFacet').implement({
  fields: (t) => ({ value: t.expose('value', { type: Category }), count: t.exposeInt('count') }),
});

async function rankedCategories(counts: Facets['categories']): Promise<Counted<CategoryRow>[]> {
  const ids = ranked(counts);
  const rows = await db.category.findMany({ where: { id: { in: ids.map(({ value }) => Number(value)) } } });
  const byId = new Map(rows.map((row) => [String(row.id), row]));
  return ids.flatMap(({ value, count }) => {
    const category = byId.get(value);
    return category === undefined ? [] : [{ value: category, count }];
  });
}

const SearchFacets = builder.objectRef<Facets>('SearchFacets').implement({
  description: 'Counts of values in the results of all pages, by descending count.',
  fields: (t) => ({
    types: t.field({
      type: [TypeFacet],
      description: 'Types of add-ons.',
      resolve: ({ types }) => ranked<AddonType>(types),
    }),
    applications: t.field({
      type: [ApplicationFacet],
      description: 'Applications that the add-ons work in.',
      resolve: ({ applications }) => ranked<Application>(applications),
    }),
    platforms: t.field({
      type: [PlatformFacet],
      description: 'Platforms of the files.',
      resolve: ({ platforms }) => ranked<Platform>(platforms),
    }),
    categories: t.field({
      type: [CategoryFacet],
      description: 'Categories.',
      resolve: ({ categories }) => rankedCategories(categories),
    }),
    tags: t.field({ type: [TextFacet], description: 'Tags, at most 100.', resolve: ({ tags }) => ranked(tags) }),
    locales: t.field({
      type: [TextFacet],
      description: 'Languages of the names.',
      resolve: ({ locales }) => ranked(locales),
    }),
  }),
});

builder.scalarType('RevisionLookup', {
  subGraphs: INTERNAL,
  description: 'Cache of an in-process caller, for lookups by add-on id and revision.',
  parseValue: (value) => value as RevisionLookup,
  serialize: () => {
    throw new Error('A RevisionLookup is input only.');
  },
});

const SearchHit = builder.objectRef<ScoredAddon>('SearchHit').implement({
  description: 'An add-on that matches a search.',
  fields: (t) => ({
    score: t.exposeFloat('score', { description: 'Relevance to the query; 1 without a query.' }),
    addon: t.expose('addon', { type: Addon, description: 'The add-on.' }),
    uncached: t.field({
      subGraphs: INTERNAL,
      type: Addon,
      nullable: true,
      description: 'The add-on, unless the caller has this revision of it cached.',
      args: { cached: t.arg({ type: 'RevisionLookup', required: true }) },
      resolve: ({ addon }, { cached }) => {
        const revision = versionOfDocument(addon);
        return revision !== null && cached.has(addon.id, revision) ? null : addon;
      },
    }),
  }),
});

const SearchSuggestion = builder.objectRef<Suggestion>('SearchSuggestion').implement({
  description: 'Another query that the author of the search may have meant.',
  fields: (t) => ({
    q: t.exposeString('q', { description: 'The corrected query: an argument `q` for a search with the same filter.' }),
    count: t.exposeInt('count', { description: 'Number of results of that search.' }),
  }),
});

export const SearchResult = builder.objectRef<FoundAddons>('SearchResult').implement({
  description: 'A page of search results.',
  fields: (t) => ({
    count: t.exposeInt('count', {
      description:
        'Number of results on all pages, including those beyond the page limit. From 10,000 up it may be a minute old.',
    }),
    page: t.exposeInt('page', { description: 'Number of this page, from 1.' }),
    pageSize: t.exposeInt('pageSize', { description: 'Maximum number of results per page.' }),
    pageCount: t.exposeInt('pageCount', { description: 'Number of available pages; an empty result has one.' }),
    results: t.expose('results', { type: [SearchHit], description: 'The hits of this page, best first.' }),
    revision: t.string({
      subGraphs: INTERNAL,
      description: 'Changes when the contents of the page change.',
      resolve: revisionOf,
    }),
    facets: t.field({
      type: SearchFacets,
      description: 'Facets of all results.',
      extensions: { cost: 200 },
      resolve: async ({ parts }) => sumOfFacets(await Promise.all(parts.map((part) => searchEngine.facets(part)))),
    }),
    suggestion: t.field({
      type: SearchSuggestion,
      nullable: true,
      description:
        'A query for the name of an add-on that was probably meant: fewer than five add-ons match as written, and this one is ' +
        'spelled nearly like the query. It has at least 100 times the users of the best of them; if none matches, any number. ' +
        '`results` contain misspelt names only where nothing matches as written.',
      extensions: { cost: 100 },
      resolve: ({ request, count }) => databaseEngine.suggestQuery(request, count),
    }),
  }),
});
