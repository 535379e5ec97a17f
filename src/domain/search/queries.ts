import { builder, INTERNAL, type InputFields } from '../../graphql/builder.ts';
import { numberedPage } from '../../graphql/connections.ts';
import { Addon } from '../addons/addon.ts';
import { AddonTypeEnum, ApplicationEnum, PlatformEnum } from '../addons/enums.ts';
import { findAddons, suggestAddons } from './find-addons.ts';
import type { SearchValues } from './query/read-search-request.ts';
import { SearchResult } from './search-result.ts';

const SearchSort = builder.enumType('SearchSort', {
  description: 'A sort key. Results are in descending order.',
  values: {
    CREATED: { value: 'created', description: 'Date of creation, newest first.' },
    DOWNLOADS: { value: 'downloads', description: 'Downloads in the last seven days; the default without a query.' },
    HOTNESS: { value: 'hotness', description: 'Relative growth of the number of users.' },
    RANDOM: { value: 'random', description: 'An order that changes daily. Needs featured, no query and no other key.' },
    RATING: { value: 'rating', description: 'Bayesian average of the ratings.' },
    RELEVANCE: { value: 'relevance', description: 'Match with the query; the default with a query.' },
    UPDATED: { value: 'updated', description: 'Date of the last update, newest first.' },
    USERS: { value: 'users', description: 'Average daily users.' },
  } as const,
});

/** The filters that searches and the catalogue share. */
export const filterFields = (t: InputFields) => ({
  app: t.field({ type: ApplicationEnum, description: 'Application that the add-on works in.' }),
  appversion: t.string({ description: 'Version of app that the add-on works in; needs app.' }),
  author: t.stringList({ description: 'Usernames or ids of listed authors; one must match.' }),
  excludeAddons: t.stringList({ description: 'Slugs or ids of add-ons to exclude.' }),
  featured: t.boolean({
    description: 'True selects featured add-ons: for app and lang if present, else for any. False is invalid.',
  }),
  guid: t.stringList({ description: 'Guids; one must match.' }),
  platform: t.field({ type: PlatformEnum, description: 'Platform; add-ons for all platforms match too.' }),
  tag: t.stringList({ description: 'Tags; all must match.' }),
  type: t.field({ type: [AddonTypeEnum], description: 'Types; one must match.' }),
});

const SearchFilter = builder.inputType('SearchFilter', {
  description: 'Conditions for results; all must match. Empty lists are ignored.',
  fields: (t) => ({
    ...filterFields(t),
    category: t.string({ description: 'Slug or id of a category; ignored without app and type.' }),
    lang: t.string({
      description:
        'Language of `q` and, with `featured`, of the featured entries. It does not set the language of the results.',
    }),
  }),
});

type Filter = (typeof SearchFilter)['$inferInput'];

function valuesOf(
  q: string | null | undefined,
  filter: Filter | null | undefined,
  sort: SearchValues['sort'],
): SearchValues {
  const { excludeAddons, type, ...others } = filter ?? {};
  // GraphQL ignores empty lists. REST sends text, for which empty values are errors.
  const nonEmpty = <Value>(list: readonly Value[] | null | undefined) => (list?.length ? list : null);
  return {
    q,
    ...others,
    exclude_addons: excludeAddons,
    type: nonEmpty(type),
    sort: nonEmpty(sort as readonly string[] | null),
  };
}

const EXCLUDED_TYPES = 'Types to leave out.';

builder.queryField('search', (t) =>
  t.field({
    type: SearchResult,
    description:
      'Searches names and texts of public add-ons. Pages contain at most the first 25,000 results, or the limit of the operator.',
    args: {
      q: t.arg.string({ description: 'At most 100 characters.' }),
      filter: t.arg({ type: SearchFilter }),
      sort: t.arg({ type: [SearchSort] }),
      page: t.arg.int(),
      pageSize: t.arg.int(),
      except: t.arg({ type: [AddonTypeEnum], description: EXCLUDED_TYPES, subGraphs: INTERNAL }),
    },
    resolve: (_root, { q, filter, sort, page, pageSize, except }, context) =>
      findAddons({ values: valuesOf(q, filter, sort), except: except ?? [] }, numberedPage(page, pageSize), context),
  }),
);

builder.queryField('autocomplete', (t) =>
  t.field({
    type: [Addon],
    description: 'At most ten public add-ons whose names match a partial query.',
    args: {
      q: t.arg.string({ required: true }),
      filter: t.arg({ type: SearchFilter }),
      sort: t.arg({ type: [SearchSort] }),
      except: t.arg({ type: [AddonTypeEnum], description: EXCLUDED_TYPES, subGraphs: INTERNAL }),
    },
    resolve: (_root, { q, filter, sort, except }, context) =>
      suggestAddons({ values: valuesOf(q, filter, sort), except: except ?? [] }, context),
  }),
);
