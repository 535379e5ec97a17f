import { refusedField } from '../../errors.ts';
import { builder, enumOf, INTERNAL, type InputFields } from '../../graphql/builder.ts';
import { type PagedArguments, pageArguments, positionConnection } from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import { idOf } from '../../graphql/global-id.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { consumeSearchLimit } from '../../infra/rate-limits.ts';
import { message } from '../../texts/messages.ts';
import { Addon } from '../addons/addon.ts';
import { AddonTypeEnum, ApplicationEnum, PlatformEnum } from '../addons/enums.ts';
import { findAddons, revisionOf, type SearchInput, suggestAddons } from './find-addons.ts';
import { databaseEngine } from './postgres/postgres-engine.ts';
import { sumOfFacets } from './query/engine.ts';
import type { SearchValues } from './query/search-request.ts';
import { searchEngine } from './search-engine.ts';
import { SearchFacets, SearchSuggestion } from './search-result.ts';

const SearchSort = enumOf('SearchSort', 'A sort key. Results are in descending order.', {
  created: 'Date of creation, newest first.',
  downloads: 'Downloads in the last seven days; the default without a query.',
  hotness: 'Relative growth of the number of users.',
  rating: 'Bayesian average of the ratings.',
  relevance: 'Match with the query; the default with a query.',
  updated: 'Date of the last update, newest first.',
  users: 'Average daily users.',
});

/** The filters that searches and the catalogue share. */
export const filterFields = (t: InputFields) => ({
  app: t.field({ type: ApplicationEnum, description: 'Application that the add-on works in.' }),
  appVersion: t.string({ description: 'Version of app that the add-on works in; needs app.' }),
  authors: t.idList({ description: 'Global ids of accounts of listed authors, at most 500; one must match.' }),
  categories: t.idList({ description: 'Global ids of categories, at most 500; one must match.' }),
  excludeAddons: t.idList({ description: 'Global ids of add-ons to exclude, at most 500.' }),
  guids: t.stringList({ description: 'Guids; one must match.' }),
  platform: t.field({ type: PlatformEnum, description: 'Platform; add-ons for all platforms match too.' }),
  tags: t.stringList({ description: 'Tags; all must match.' }),
  types: t.field({ type: [AddonTypeEnum], description: 'Types; one must match.' }),
});

const NamesInput = builder.inputType('SearchNamesInput', {
  description: 'Conditions by the names of objects, for addresses of REST and pages.',
  fields: (t) => ({
    authorIds: t.intList({
      description: 'Database ids of accounts of listed authors; one of them or of authors must match.',
    }),
    authors: t.stringList({ description: 'Usernames of listed authors; one must match.' }),
    category: t.string({
      description: 'Slug of a category, or its database id in digits; ignored without app and types.',
    }),
    excludeAddonIds: t.intList({ description: 'Database ids of add-ons to exclude.' }),
    excludeAddons: t.stringList({ description: 'Slugs of add-ons to exclude.' }),
    isFeatured: t.boolean({
      description: 'True selects featured add-ons: for app and locale if present, else for any.',
    }),
    isRandom: t.boolean({
      description: 'Whether the order changes daily. Needs isFeatured, no query and no sort key.',
    }),
  }),
});

const SearchFilter = builder.inputType('SearchFilter', {
  description: 'Conditions for results; all must match. Empty lists are ignored.',
  fields: (t) => ({
    ...filterFields(t),
    names: t.field({ type: NamesInput, subGraphs: INTERNAL, description: 'Conditions by name.' }),
    locale: t.string({
      description: 'Language of `q`. It does not set the language of the results.',
    }),
  }),
});

type Filter = (typeof SearchFilter)['$inferInput'];

const visitorArguments = builder.args((t) => ({
  arrangeForVisitors: t.boolean({
    description:
      'Whether the results are arranged for people, as on the pages of the service: add-ons that applications can install come first, and ids, guids, slugs and names of authors are found, too.',
  }),
}));

interface SearchArguments {
  q?: string | null;
  filter?: Filter | null;
  sort?: readonly string[] | null;
  arrangeForVisitors?: boolean | null;
}

/** Maximum number of ids in a filter. */
const MAX_IDS = 500;

/**
 * The database ids inside the global ids of a filter.
 * @throws {InvalidInputError} on `field` for an id of another type and for more than 500 ids.
 */
export function idsIn(typename: string, ids: readonly (string | number)[] | null | undefined, field: string): number[] {
  if (ids != null && ids.length > MAX_IDS)
    throw refusedField(field, message('filter.too_many_ids', { count: MAX_IDS }));
  return (ids ?? []).map((id) => idOf(typename, id, field));
}

interface FilterInput {
  app?: string | null;
  appVersion?: string | null;
  authors?: readonly (string | number)[] | null;
  excludeAddons?: readonly (string | number)[] | null;
  guids?: readonly string[] | null;
  platform?: string | null;
  tags?: readonly string[] | null;
  types?: readonly string[] | null;
}

/** GraphQL ignores empty lists. An empty text is an error. */
const nonEmpty = <Value>(list: readonly Value[] | null | undefined) => (list?.length ? list : null);

/** The fields that the filters of searches and of the catalogue share, except `categories`. @throws {InvalidInputError} keyed by the field. */
export function valuesOf(filter: FilterInput) {
  const { app, appVersion, authors, excludeAddons, guids, platform, tags, types } = filter;
  return {
    ...{ app, appVersion, platform, guids, tags, types: nonEmpty(types) },
    authors: { ids: idsIn('Account', authors, 'authors'), names: [] as readonly string[] },
    excludeAddons: { ids: idsIn('Addon', excludeAddons, 'excludeAddons'), names: [] as readonly string[] },
  } satisfies SearchValues;
}

/** @throws {InvalidInputError} keyed by the invalid field of the filter. */
function inputOf({ q, filter, sort, arrangeForVisitors }: SearchArguments, context: Context): SearchInput {
  const { names, locale, categories } = filter ?? {};
  const { authors, excludeAddons, ...values } = valuesOf(filter ?? {});
  return {
    values: {
      ...{ q, ...values, lang: locale, category: names?.category, featured: names?.isFeatured },
      authors: named(authors.ids, names?.authorIds, names?.authors),
      excludeAddons: named(excludeAddons.ids, names?.excludeAddonIds, names?.excludeAddons),
      sort: nonEmpty([...(sort ?? []), ...(names?.isRandom ? ['random'] : [])]),
    },
    categories: idsIn('Category', categories, 'categories'),
    except: context.hiddenTypes ?? [],
    isForVisitors: arrangeForVisitors ?? false,
  };
}

/** Objects by their ids, from both fields of an input, and by their names. */
const named = (
  ids: readonly number[],
  others: readonly number[] | null | undefined,
  names: readonly string[] | null | undefined,
) => ({
  ids: [...ids, ...(others ?? [])],
  names: names ?? [],
});

/** Searches of a request by their arguments as JSON: the revision of a page and the page itself run one search, which counts once. */
const searches = perRequest((jsons: readonly string[], context) =>
  Promise.all(jsons.map((json) => searchPage(json, context).catch((error: Error) => error))),
);

async function searchPage(json: string, context: Context) {
  const { q, filter, sort, arrangeForVisitors, ...paging } = JSON.parse(json) as SearchArguments & PagedArguments;
  if (context.limitsSearches) await consumeSearchLimit(context.ip);
  const input = inputOf({ q, filter, sort, arrangeForVisitors }, context);
  return positionConnection('search', paging, (slice) => findAddons(input, slice, context));
}

builder.queryField('search', (t) =>
  t.connection(
    {
      type: Addon,
      description:
        'Searches names and texts of public add-ons. Pages contain at most the first 25,000 results, or the limit of the operator. A cursor is a position in the results.',
      args: {
        q: t.arg.string({ description: 'At most 100 characters.' }),
        filter: t.arg({ type: SearchFilter }),
        sort: t.arg({ type: [SearchSort] }),
        ...pageArguments,
        ...visitorArguments,
      },
      extensions: { cost: 5_000 },
      resolve: async (_root, args, context) => {
        const { edges, ...page } = await searches(context).load(JSON.stringify(args));
        return { ...page, edges: edges.map(({ cursor, node: { addon, score } }) => ({ cursor, score, node: addon })) };
      },
    },
    {
      name: 'SearchConnection',
      description: 'A page of search results, best first.',
      fields: (connection) => ({
        totalCount: connection.int({
          description:
            'Number of results on all pages, including those beyond the window. From 10,000 up it may be a minute old.',
          resolve: ({ loaded }) => loaded.count,
        }),
        reachableCount: connection.int({
          description: 'Number of results on pages: `totalCount`, or the limit of results that can be read.',
          resolve: ({ loaded }) => loaded.reachable,
        }),
        revision: connection.string({
          description: 'Changes when the contents of the page change.',
          resolve: ({ loaded }) => revisionOf(loaded),
        }),
        facets: connection.field({
          type: SearchFacets,
          description: 'Facets of all results.',
          extensions: { cost: 200 },
          resolve: async ({ loaded: { parts } }) =>
            sumOfFacets(await Promise.all(parts.map((part) => searchEngine.facets(part)))),
        }),
        suggestion: connection.field({
          type: SearchSuggestion,
          nullable: true,
          description:
            'A query for the name of an add-on that was probably meant: fewer than five add-ons match as written, and this one is ' +
            'spelled nearly like the query. It has at least 100 times the users of the best of them; if none matches, any number. ' +
            'Results contain misspelt names only where nothing matches as written.',
          extensions: { cost: 100 },
          resolve: ({ loaded: { request, count } }) => databaseEngine.suggestQuery(request, count),
        }),
      }),
    },
    {
      name: 'SearchEdge',
      description: 'An add-on that matches a search, and its cursor.',
      fields: (edge) => ({
        score: edge.float({
          description: 'Relevance to the query; 1 without a query.',
          resolve: ({ score }) => score,
        }),
      }),
    },
  ),
);

builder.queryField('autocomplete', (t) =>
  t.field({
    type: [Addon],
    description: 'At most ten public add-ons whose names match a partial query.',
    args: {
      q: t.arg.string({ required: true }),
      filter: t.arg({ type: SearchFilter }),
      sort: t.arg({ type: [SearchSort] }),
      ...visitorArguments,
    },
    extensions: { cost: 2_000, items: 10 },
    resolve: async (_root, args, context) => {
      if (context.limitsSearches) await consumeSearchLimit(context.ip);
      const input = inputOf(args, context);
      return suggestAddons(input, context);
    },
  }),
);
