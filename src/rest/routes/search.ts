import { z } from 'zod';
import {
  type AddonType,
  AutocompleteDocument,
  type Platform,
  SearchDocument,
  type SearchFilter,
  SearchHitsDocument,
  type SearchQuery,
  SearchRevisionDocument,
  type SearchSort,
} from '../../generated/operations/graphql.ts';
import { ADDON_TYPES, typeOf, unknownTypes } from '../addon-types.ts';
import { addonHit } from '../json/addons.ts';
import { hitText, pageText, suggestion, suggestionJson } from '../json/search.ts';
import { keepText, keptText } from '../kept-texts.ts';
import { type PageRequest, pageEnvelope, pageOf } from '../pagination.ts';
import { application, invalidParam, label, lang, names, type Param, type ParamValues, word } from '../parameters.ts';
import { json } from '../reply.ts';
import { failures, notModified } from '../responses.ts';
import { variantKey } from '../revision-etag.ts';
import { type Ask, type Input, type Route, route } from '../route.ts';
import { textVariables } from '../translations.ts';
import type { View } from '../view.ts';

/** Words with commas between them, each of them known; null when absent. */
const words = <Value extends string>(
  description: string,
  known: readonly string[],
  meaningOf: (word: string) => Value | undefined,
): Param<Value[] | null> => ({
  schema: z.string(),
  description: `${description}, separated by commas: ${known.join(', ')}.`,
  parse: (raw, name) => {
    if (raw === null) return null;
    const values = raw.split(',').map((each) => meaningOf(each.trim()));
    if (values.includes(undefined)) throw invalidParam(name);
    return values as Value[];
  },
});

const SORTS: Readonly<Record<string, SearchSort>> = {
  created: 'CREATED',
  downloads: 'DOWNLOADS',
  hotness: 'HOTNESS',
  random: 'RANDOM',
  rating: 'RATING',
  relevance: 'RELEVANCE',
  updated: 'UPDATED',
  users: 'USERS',
};

/** What search and autocomplete have in common (contract, search). */
const filters = {
  q: label('Search query, at most 100 characters.'),
  app: application,
  appversion: label('Version of the application that add-ons have to work in; only with app.'),
  author: names('Usernames or ids of listed authors, any of them'),
  category: label('Slug or number of a category; ignored unless app and type are given.'),
  lang,
  platform: word<Platform>('Platform; what is for all platforms is included.', {
    all: 'ALL',
    mac: 'MAC',
    linux: 'LINUX',
    android: 'ANDROID',
    windows: 'WINDOWS',
  }),
  tag: names('Tags, all of them'),
  type: words<AddonType>('Types of add-ons', ADDON_TYPES, typeOf),
  sort: words<SearchSort>('Keys to sort by', Object.keys(SORTS), (key) =>
    Object.hasOwn(SORTS, key) ? SORTS[key] : undefined,
  ),
};

const searchOnly = {
  exclude_addons: names('Slugs or ids of add-ons to leave out'),
  featured: word<'true'>('Only featured add-ons: for the application and language, where given.', { true: 'true' }),
  guid: names('Guids, any of them'),
};

type Query = ParamValues<typeof filters> & Partial<ParamValues<typeof searchOnly>>;

function filterOf(query: Query): SearchFilter {
  const {
    app,
    appversion,
    author,
    category,
    platform,
    tag,
    type,
    exclude_addons: excludeAddons,
    featured,
    guid,
  } = query;
  return {
    app,
    appversion,
    author,
    category,
    excludeAddons,
    featured: featured == null ? null : true,
    guid,
    lang: query.lang,
    platform,
    tag,
    type,
  };
}

function searchVariables({
  query,
  page,
  view,
}: {
  query: Query & { q: string | null };
  page: PageRequest;
  view: View;
}) {
  return { ...page, q: query.q, filter: filterOf(query), sort: query.sort, except: unknownTypes(view) };
}

type SearchInput = Input<Record<never, never>, typeof filters & typeof searchOnly>;

/** The texts of the add-ons on a page, in their order: those that are kept, and the others made and kept. */
async function textsOf(results: SearchQuery['search']['results'], input: SearchInput, ask: Ask): Promise<Buffer[]> {
  const { view, variant } = input;
  // What decides about a text beside the state of its add-on.
  const form = `${view.apiVersion} ${view.wrapsLinks} ${view.lang ?? ''} ${variantKey(variant)}`;
  const named = results.map(({ addon: { databaseId: id, revision } }) => {
    const name = `${id} ${form}`;
    return { id, name, revision, text: keptText(name, revision) };
  });
  const missing = named.filter(({ text }) => text === null).map(({ id }) => id);
  const made = missing.length === 0 ? new Map<number, Buffer>() : await makeTexts(missing, input, ask);
  return named.map(({ id, name, revision, text }) => {
    if (text !== null) return text;
    const fresh = made.get(id);
    if (fresh === undefined) throw new Error(`add-on ${id} is missing from its own page`);
    if (revision !== null) keepText(name, revision, fresh);
    return fresh;
  });
}

/** The texts of some of the add-ons on a page, by their ids. */
async function makeTexts(of: number[], input: SearchInput, ask: Ask): Promise<Map<number, Buffer>> {
  const { view } = input;
  const { search: page } = await ask(SearchHitsDocument, { ...textVariables(view), ...searchVariables(input), of });
  return new Map(page.results.map(({ addon }) => [addon.databaseId, hitText(addon, view)]));
}

const search = route({
  method: 'GET',
  path: '/addons/search/',
  summary: 'Public add-ons by names, texts and other properties',
  signIn: 'ignored',
  params: {},
  query: { ...filters, ...searchOnly },
  paginated: true,
  revision: {
    document: SearchRevisionDocument,
    variables: searchVariables,
    of: ({ searchRevision }) => searchRevision,
  },
  document: SearchDocument,
  variables: searchVariables,
  reply: async ({ search: { count, pageCount: pages, results }, searchRevision: revision }, input, ask) => {
    const { address, page, view } = input;
    const texts = await textsOf(results, input, ask);
    const envelope = pageEnvelope(address, page, { count, pages, results: [] });
    const hits = texts.map((text, index) => ({ text, score: results[index]?.score ?? 0 }));
    return { kind: 'written', payload: pageText(envelope, hits, view), revision };
  },
  responses: {
    200: { description: 'A page of results.', schema: pageOf(addonHit) },
    ...notModified,
    ...failures('detail', [400, 404, 503]),
  },
});

const autocomplete = route({
  method: 'GET',
  path: '/addons/autocomplete/',
  summary: 'At most ten public add-ons by what has been typed of their names',
  signIn: 'ignored',
  params: {},
  query: filters,
  document: AutocompleteDocument,
  variables: ({ query, view }) => ({
    ...textVariables(view),
    q: query.q ?? '',
    filter: filterOf(query),
    sort: query.sort,
    except: unknownTypes(view),
  }),
  reply: ({ autocomplete: results }, { view }) =>
    json({ results: results.map((shown) => suggestionJson(shown, view)) }),
  responses: {
    200: { description: 'The add-ons.', schema: z.strictObject({ results: z.array(suggestion).max(10) }) },
    ...notModified,
    ...failures('detail', [400, 503]),
  },
});

export const searchRoutes: readonly Route[] = [search, autocomplete];
