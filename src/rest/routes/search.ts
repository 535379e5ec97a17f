import { z } from 'zod';
import {
  AutocompleteDocument,
  SearchDocument,
  type SearchFilter,
  SearchRevisionDocument,
  type SearchSort,
} from '../../generated/operations/graphql.ts';
import {
  applicationParam,
  enumValues,
  labelParam,
  langParam,
  namesParam,
  oneOf,
  type ParamValues,
  wordList,
  wordParam,
} from '../../http/params.ts';
import { MAX_INT4 } from '../../infra/int4.ts';
import { ADDON_TYPES, PLATFORMS } from '../../package/enums.ts';
import { typeOf } from '../addon-types.ts';
import { addonHit } from '../json/addons.ts';
import { suggestionShape, writeHit } from '../json/search.ts';
import { pageEnvelope, pageOf } from '../pagination.ts';
import { jsonReply, type Route, type RouteInput, route } from '../route.ts';
import { textVariables } from '../translations.ts';
import { API_VERSIONS } from '../view.ts';

const SORTS = ['created', 'downloads', 'hotness', 'random', 'rating', 'relevance', 'updated', 'users'] as const;
/** Later clients sort recommended add-ons first: with `recommended`, all results are. */
const NO_ORDER = 'RECOMMENDED';
const SORT_VALUES = new Map<string, SearchSort | 'RANDOM' | typeof NO_ORDER>([
  ...Object.entries(enumValues(SORTS)),
  ['recommended', NO_ORDER],
]);

/** The parameters that search and autocomplete share (contract, search). */
const filters = {
  q: { ...labelParam('Search query.'), schema: z.string().max(100) },
  app: applicationParam,
  appversion: labelParam('Application version that add-ons must support; only with app.'),
  author: namesParam('Usernames or ids of listed authors, any of them'),
  category: labelParam('Slug or number of a category; ignored unless app and type are given.'),
  lang: langParam,
  platform: wordParam('Platform; add-ons for all platforms are included.', enumValues(PLATFORMS)),
  tag: namesParam('Tags, all of them'),
  type: wordList('Types of add-ons', ADDON_TYPES, typeOf),
  sort: wordList('Keys to sort by', SORTS, (key) => SORT_VALUES.get(key)),
};

const searchOnly = {
  exclude_addons: namesParam('Slugs or ids of add-ons to leave out'),
  featured: oneOf('Only featured add-ons: for the application and language, where given.', ['true']),
  guid: namesParam('Guids, any of them'),
  promoted: wordParam<'FEATURED' | 'NONE'>(
    'Programs that later clients name: those of recommended and badged are the featured add-ons; no add-on is in another.',
    {
      ...{ badged: 'FEATURED', recommended: 'FEATURED', line: 'NONE', sponsored: 'NONE' },
      ...{ spotlight: 'NONE', strategic: 'NONE', verified: 'NONE' },
    },
  ),
  recommended: oneOf('The same as featured, as later clients call it.', ['true']),
};

type Query = ParamValues<typeof filters> & Partial<ParamValues<typeof searchOnly>>;

/** Digits within the range of ids are an id; everything else is a name. */
const isId = (entry: string): boolean => /^\d+$/.test(entry.trim()) && Number(entry) <= MAX_INT4;

type Entries = readonly string[] | null | undefined;
const idsOf = (entries: Entries): number[] => (entries ?? []).filter(isId).map(Number);
const namesOf = (entries: Entries): string[] => (entries ?? []).filter((entry) => !isId(entry));

/** The fields of the filter that errors name, and their parameters. */
const parameterNames = {
  appVersion: 'appversion',
  authors: 'author',
  excludeAddons: 'exclude_addons',
  guids: 'guid',
  tags: 'tag',
  types: 'type',
};

/** Matches no add-on, as it is not a guid. */
const NO_GUIDS = ['none'];

function filterOf(query: Query): SearchFilter {
  const { app, appversion, platform, lang, tag, type, author, category, exclude_addons, promoted } = query;
  const guid = promoted === 'NONE' ? NO_GUIDS : query.guid;
  const isFeatured = query.featured != null || query.recommended != null || promoted != null;
  return {
    ...{ app, appVersion: appversion, platform, locale: lang, guids: guid, tags: tag, types: type },
    names: {
      ...{ authorIds: idsOf(author), authors: namesOf(author), category },
      ...{ excludeAddonIds: idsOf(exclude_addons), excludeAddons: namesOf(exclude_addons) },
      ...{ isFeatured: isFeatured || null, isRandom: query.sort?.includes('RANDOM') ?? false },
    },
  };
}

const isSortKey = (key: SearchSort | 'RANDOM' | typeof NO_ORDER): key is SearchSort =>
  key !== 'RANDOM' && key !== NO_ORDER;

function searchVariables({ page, query }: Pick<RouteInput, 'page'> & { query: Query }) {
  const sort = query.sort?.filter(isSortKey);
  return { ...page, q: query.q, filter: filterOf(query), sort };
}

const search = route({
  method: 'GET',
  path: '/addons/search/',
  apiVersions: API_VERSIONS,
  summary: 'Public add-ons by names, texts and other properties',
  parameterNames,
  signIn: 'ignored',
  query: { ...filters, ...searchOnly },
  paginated: true,
  isSearch: true,
  // The operation uses the results of the search that the revision has run.
  revision: {
    document: SearchRevisionDocument,
    variables: searchVariables,
    of: ({ search }) => search.revision,
  },
  document: SearchDocument,
  variables: (input) => ({ ...searchVariables(input), ...textVariables(input.view) }),
  reply: ({ search: { totalCount: count, reachableCount: reachable, edges } }, { address, page, view }) =>
    jsonReply(pageEnvelope(address, page, { count, reachable, results: edges.map((hit) => writeHit(hit, view)) })),
  responses: {
    200: { description: 'A page of results.', schema: pageOf(addonHit.schema), v5: pageOf(addonHit.v5) },
  },
  refusals: [400, 404],
});

const autocomplete = route({
  method: 'GET',
  path: '/addons/autocomplete/',
  apiVersions: API_VERSIONS,
  summary: 'At most ten public add-ons whose names match the typed text',
  parameterNames,
  signIn: 'ignored',
  query: filters,
  isSearch: true,
  document: AutocompleteDocument,
  variables: ({ query, view }) => ({
    ...textVariables(view),
    q: query.q ?? '',
    filter: filterOf(query),
    sort: query.sort?.filter(isSortKey),
  }),
  reply: ({ autocomplete: results }, { view }) =>
    jsonReply({ results: results.map((shown) => suggestionShape.write(shown, view)) }),
  responses: {
    200: {
      description: 'The add-ons.',
      schema: z.strictObject({ results: z.array(suggestionShape.schema).max(10) }),
      v5: z.strictObject({ results: z.array(suggestionShape.v5).max(10) }),
    },
  },
  refusals: [400],
});

export const searchRoutes: readonly Route[] = [search, autocomplete];
