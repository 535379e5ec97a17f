import { type InvalidInputError, refusedField } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { keysetConnection } from '../../graphql/connections.ts';
import { idOf } from '../../graphql/global-id.ts';
import { Addon } from '../addons/addon.ts';
import { AddonConnection } from '../addons/addon-connection.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import { AddonTypeEnum, ApplicationEnum, PlatformEnum } from '../addons/enums.ts';
import { loadPublicDocuments } from '../addons/load-documents.ts';
import { canonicalLocale } from '../addons/locales.ts';
import { type CatalogueFilters, cataloguePage, countCatalogue } from './postgres/rank/catalogue-page.ts';
import { readSearchRequest } from './query/read-search-request.ts';

const AddonFilter = builder.inputType('AddonFilter', {
  description: 'What add-ons have to be: all that is given. An empty list filters nothing.',
  fields: (t) => ({
    app: t.field({ type: ApplicationEnum, description: 'Application that they work in.' }),
    appversion: t.string({ description: 'Version of the application that they have to work in; needs app.' }),
    author: t.stringList({ description: 'Usernames or ids of listed authors, one of them.' }),
    categories: t.idList({ description: 'Ids of categories, one of them.' }),
    category: t.string({ description: 'Slug of a category; ignored without app and type.' }),
    createdSince: t.field({ type: 'DateTime', description: 'Created at this time or later.' }),
    excludeAddons: t.stringList({ description: 'Slugs or ids.' }),
    featured: t.boolean({ description: 'Only true: featured for app and lang, where given, else anywhere.' }),
    guid: t.stringList({ description: 'One of them.' }),
    isExperimental: t.boolean({ description: 'Whether they are marked as experimental.' }),
    lang: t.string({ description: 'Language that featured add-ons are featured for.' }),
    locale: t.stringList({ description: 'Languages that the name is written in, one of them.' }),
    minUsers: t.int({ description: 'The least average daily users.' }),
    platform: t.field({ type: PlatformEnum, description: 'Includes what is for all platforms.' }),
    tag: t.stringList({ description: 'All of them.' }),
    type: t.field({ type: [AddonTypeEnum], description: 'One of them.' }),
    updatedSince: t.field({ type: 'DateTime', description: 'For those who keep a copy.' }),
  }),
});

const MAX_VALUES = 500;

/** @throws {InvalidInputError} naming the filter that cannot be used. */
function readFilters(filter: (typeof AddonFilter)['$inferInput'], locale: string): CatalogueFilters {
  const {
    categories,
    createdSince,
    excludeAddons,
    isExperimental,
    locale: locales,
    minUsers,
    updatedSince,
    ...others
  } = filter;
  const { type, ...values } = others;
  const search = { ...values, exclude_addons: excludeAddons, type: type?.length ? type : null };
  for (const [name, list] of Object.entries({ categories, locale: locales })) {
    if ((list?.length ?? 0) > MAX_VALUES) throw invalid(name);
  }
  return {
    ...readSearchRequest(search, { locale, except: [] }).filters,
    categories: (categories ?? []).map(categoryId),
    locales: (locales ?? []).map((code) => canonicalLocale(code) ?? invalidLocale()),
    minUsers: minUsers ?? null,
    isExperimental: isExperimental ?? null,
    createdSince: createdSince ?? null,
    updatedSince: updatedSince ?? null,
  };
}

function invalid(name: string): InvalidInputError {
  const message = `Invalid "${name}" parameter.`;
  return refusedField(name, message);
}

function categoryId(id: string | number): number {
  try {
    return idOf('Category', id);
  } catch {
    throw invalid('categories');
  }
}

function invalidLocale(): never {
  throw invalid('locale');
}

/**
 * The add-ons of edges that have ids. One that was hidden since it was found is left out, so a page may be short; where it
 * ends and whether there is more stays as it was.
 */
async function shown(edges: readonly { cursor: string; node: { id: number } }[]) {
  const documents = await loadPublicDocuments(edges.map(({ node }) => node.id));
  return edges.flatMap(({ cursor, node }): { cursor: string; node: AddonDocument }[] => {
    const document = documents.get(node.id);
    return document === undefined ? [] : [{ cursor, node: document }];
  });
}

builder.queryField('addons', (t) =>
  t.connection(
    {
      type: Addon,
      description:
        'The whole public catalogue, in the order of ids: new add-ons come last, and nothing that stays is met twice or left out.',
      args: { filter: t.arg({ type: AddonFilter }) },
      resolve: async (_root, { filter, ...cursors }, { locale }) => {
        const filters = readFilters(filter ?? {}, locale);
        const { edges, pageInfo } = await keysetConnection(cursors, (page) => cataloguePage(filters, page));
        return { edges: await shown(edges), pageInfo, totalCount: () => countCatalogue(filters) };
      },
    },
    AddonConnection,
  ),
);
