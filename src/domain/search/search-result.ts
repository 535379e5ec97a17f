import { builder } from '../../graphql/builder.ts';
import { db } from '../../infra/db.ts';
import type { AddonType, Application, Platform } from '../../package/enums.ts';
import { Category } from '../addons/category.ts';
import { AddonTypeEnum, ApplicationEnum, PlatformEnum } from '../addons/enums.ts';
import type { QuerySuggestion } from './postgres/suggest-query.ts';
import type { FacetCounts } from './query/engine.ts';

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

async function rankedCategories(counts: FacetCounts['categories']): Promise<Counted<CategoryRow>[]> {
  const ids = ranked(counts);
  const rows = await db.category.findMany({ where: { id: { in: ids.map(({ value }) => Number(value)) } } });
  const byId = new Map(rows.map((row) => [String(row.id), row]));
  return ids.flatMap(({ value, count }) => {
    const category = byId.get(value);
    return category === undefined ? [] : [{ value: category, count }];
  });
}

export const SearchFacets = builder.objectRef<FacetCounts>('SearchFacets').implement({
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

export const SearchSuggestion = builder.objectRef<QuerySuggestion>('SearchSuggestion').implement({
  description: 'Another query that the author of the search may have meant.',
  fields: (t) => ({
    q: t.exposeString('q', { description: 'The corrected query: an argument `q` for a search with the same filter.' }),
    count: t.exposeInt('count', { description: 'Number of results of that search.' }),
  }),
});
