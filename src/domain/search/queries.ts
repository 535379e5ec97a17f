import { builder, INTERNAL } from '../../graphql/builder.ts';
import { numberedPage } from '../../graphql/connections.ts';
import { Addon } from '../addons/addon.ts';
import { AddonTypeEnum, ApplicationEnum, PlatformEnum } from '../addons/enums.ts';
import { findAddons, suggestAddons } from './find-addons.ts';
import type { SearchValues } from './query/read-search-request.ts';
import { SearchResult } from './search-result.ts';

const SearchSort = builder.enumType('SearchSort', {
  description: 'What results are ordered by, downwards.',
  values: {
    CREATED: { value: 'created', description: 'Date of creation, newest first.' },
    DOWNLOADS: { value: 'downloads', description: 'In a week; the default without a query.' },
    HOTNESS: { value: 'hotness', description: 'How fast the number of users grows.' },
    RANDOM: { value: 'random', description: 'Another order each day; alone, for featured add-ons without a query.' },
    RATING: { value: 'rating', description: 'Bayesian average of the ratings.' },
    RELEVANCE: { value: 'relevance', description: 'The default with a query.' },
    UPDATED: { value: 'updated', description: 'Date of the last update, newest first.' },
    USERS: { value: 'users', description: 'Average daily users.' },
  } as const,
});

const SearchFilter = builder.inputType('SearchFilter', {
  description: 'What results have to be. An empty list filters nothing.',
  fields: (t) => ({
    app: t.field({ type: ApplicationEnum, description: 'Application that they work in.' }),
    appversion: t.string({ description: 'Version of the application that they have to work in; needs app.' }),
    author: t.stringList({ description: 'Usernames or ids of listed authors, one of them.' }),
    category: t.string({ description: 'Slug or id of a category; ignored without app and type.' }),
    excludeAddons: t.stringList({ description: 'Slugs or ids.' }),
    featured: t.boolean({ description: 'Only true: featured for app and lang, where given, else anywhere.' }),
    guid: t.stringList({ description: 'One of them.' }),
    lang: t.string({
      description:
        'Language in which `q` is read and, with `featured`, that the add-ons are featured for. It does not choose the language of the results.',
    }),
    platform: t.field({ type: PlatformEnum, description: 'Includes what is for all platforms.' }),
    tag: t.stringList({ description: 'All of them.' }),
    type: t.field({ type: [AddonTypeEnum], description: 'One of them.' }),
  }),
});

type Filter = (typeof SearchFilter)['$inferInput'];

function valuesOf(
  q: string | null | undefined,
  filter: Filter | null | undefined,
  sort: SearchValues['sort'],
): SearchValues {
  const { excludeAddons, type, ...others } = filter ?? {};
  // A list that is empty is as if it were not there; one that comes as text from elsewhere may not be empty.
  const given = <Value>(list: readonly Value[] | null | undefined) => (list?.length ? list : null);
  return {
    q,
    ...others,
    exclude_addons: excludeAddons,
    type: given(type),
    sort: given(sort as readonly string[] | null),
  };
}

const UNKNOWN_TYPES = 'Types to leave out.';

builder.queryField('search', (t) =>
  t.field({
    type: SearchResult,
    description:
      'Searches the public add-ons by names and texts. The first 25,000 results can be reached, or as many as the operator has set.',
    args: {
      q: t.arg.string({ description: 'At most 100 characters.' }),
      filter: t.arg({ type: SearchFilter }),
      sort: t.arg({ type: [SearchSort] }),
      page: t.arg.int(),
      pageSize: t.arg.int(),
      except: t.arg({ type: [AddonTypeEnum], description: UNKNOWN_TYPES, subGraphs: INTERNAL }),
    },
    resolve: (_root, { q, filter, sort, page, pageSize, except }, context) =>
      findAddons({ values: valuesOf(q, filter, sort), except: except ?? [] }, numberedPage(page, pageSize), context),
  }),
);

builder.queryField('autocomplete', (t) =>
  t.field({
    type: [Addon],
    description: 'At most ten public add-ons by what has been typed of their names.',
    args: {
      q: t.arg.string({ required: true }),
      filter: t.arg({ type: SearchFilter }),
      sort: t.arg({ type: [SearchSort] }),
      except: t.arg({ type: [AddonTypeEnum], description: UNKNOWN_TYPES, subGraphs: INTERNAL }),
    },
    resolve: (_root, { q, filter, sort, except }, context) =>
      suggestAddons({ values: valuesOf(q, filter, sort), except: except ?? [] }, context),
  }),
);
