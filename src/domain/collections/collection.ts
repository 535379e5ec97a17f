import { canEditCollectionsOf } from '../../auth/account-permissions.ts';
import { OPERATOR_ID } from '../../auth/credential-account.ts';
import { refuse } from '../../auth/permissions.ts';
import { config } from '../../config.ts';
import { NotFoundError } from '../../errors.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import { pageArguments, positionConnection, reachableFields } from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import { globalId } from '../../graphql/global-id.ts';
import { loadableNode } from '../../graphql/loadable-node.ts';
import { AccountRefInput } from '../accounts/account-ref.ts';
import { AccountSummary, accountSummary } from '../accounts/account-summary.ts';
import { Addon } from '../addons/addon.ts';
import { type AddonRef, AddonRefInput } from '../addons/addon-ref.ts';
import { findAddonRights } from '../addons/find-addon.ts';
import { Localized } from '../addons/localized.ts';
import { localized } from '../addons/localized-text.ts';
import {
  accountIdOf,
  CollectionRefInput,
  type CollectionRow,
  countCollectionsOf,
  findCollection,
  findCollections,
  listCollectionsOf,
} from './find-collection.ts';
import {
  type ITEM_FILTERS,
  type ITEM_SORTS,
  type ItemFilter,
  type ItemRow,
  itemCounts,
  itemOfAddon,
  itemPages,
  publicGuids,
} from './load-items.ts';

const CollectionItemSort = enumOf('CollectionItemSort', 'An order of the items of a collection.', {
  added: 'The add-on first that was added first.',
  added_descending: 'The add-on first that was added last.',
  popularity: 'The add-on with the fewest users first.',
  popularity_descending: 'The add-on with the most users first.',
  name: 'By the name in the language of the request.',
  name_descending: 'By the name, in reverse.',
  position: 'The order of the operator; otherwise that of addition.',
} satisfies Record<keyof typeof ITEM_SORTS, string>);

const CollectionItemFilter = enumOf('CollectionItemFilter', 'Which add-ons of a collection are listed.', {
  public: 'Public ones.',
  all: 'All but deleted ones, for viewers who may change the collection; public ones for others.',
  all_with_deleted: 'All, for viewers who may change the collection; public ones for others.',
} satisfies Record<keyof typeof ITEM_FILTERS, string>);

export const CollectionItem = builder.objectRef<ItemRow>('CollectionItem').implement({
  description: 'An add-on of a collection.',
  fields: (t) => ({
    id: t.id({
      description: 'Identifies the item in client caches. `node` does not look it up.',
      resolve: ({ parentId, addon }) => globalId('CollectionItem', parentId, addon.id),
    }),
    addon: t.field({ type: Addon, description: 'The add-on.', resolve: ({ addon }) => addon }),
    notes: t.field({
      type: Localized,
      nullable: true,
      description: 'What the account of the collection says about the add-on; null for nothing.',
      resolve: ({ notes, defaultLocale }) => localized(notes, defaultLocale),
    }),
    added: t.expose('added', { type: 'DateTime', description: 'When it was added.' }),
    downloads: t.exposeInt('downloads', { description: 'Installations by links of the collection.' }),
  }),
});

export const Collection = loadableNode<CollectionRow>('Collection', findCollections);

const isOfOperator = ({ accountId }: CollectionRow): boolean => accountId === OPERATOR_ID;

/** The path of the page, behind /collections/. */
const pathOf = (row: CollectionRow): string => (isOfOperator(row) ? row.path : `${row.username}/${row.slug}`);

/** The address of the page of a collection. */
const collectionUrl = (row: CollectionRow): string =>
  `${config.BASE_URL}/collections/${pathOf(row).split('/').map(encodeURIComponent).join('/')}/`;

/** The filter that the viewer may use. */
const allowedFilter = ({ viewer }: Context, { accountId }: CollectionRow, filter: ItemFilter): ItemFilter =>
  canEditCollectionsOf(viewer, accountId) ? filter : 'public';

/** At most this number of add-ons in `addons`. */
const MAX_ADDONS = 500;

builder.objectType(Collection, {
  description: 'A list of add-ons that an account has made. Replacements can refer to those of the operator.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'The id in REST.' }),
    uuid: t.exposeString('uuid', { description: 'Its UUID without hyphens, which names it in statistics.' }),
    path: t.string({ description: 'The path behind /collections/, without slashes at its ends.', resolve: pathOf }),
    url: t.string({ description: 'Address of its page.', resolve: collectionUrl }),
    slug: t.exposeString('slug', { description: 'Its short name in addresses, unique for the account.' }),
    author: t.field({
      type: AccountSummary,
      description: 'The account that has made it.',
      resolve: ({ accountId }, _args, context) => accountSummary(context, accountId),
    }),
    name: t.field({
      type: Localized,
      nullable: true,
      description: 'The name.',
      resolve: ({ name, defaultLocale }) => localized(name, defaultLocale),
    }),
    description: t.field({
      type: Localized,
      nullable: true,
      description: 'Plain text about it; null for none.',
      resolve: ({ description, defaultLocale }) => localized(description, defaultLocale),
    }),
    defaultLocale: t.exposeString('defaultLocale', { description: 'Language of the fallback texts.' }),
    isPublic: t.exposeBoolean('isPublic', { description: 'Whether all viewers see it.' }),
    canEdit: t.boolean({
      description: 'Whether the viewer may change it: its account, and for the operator holders of Admin:Curation.',
      resolve: ({ accountId }, _args, { viewer }) => canEditCollectionsOf(viewer, accountId),
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was made.' }),
    modified: t.expose('modified', { type: 'DateTime', description: 'When it or its add-ons were changed.' }),
    addonCount: t.int({
      description: 'Number of its public add-ons.',
      resolve: async ({ id }, _args, context) => (await itemCounts(context, id, { filter: 'public' }))[0]?.count ?? 0,
    }),
    guids: t.stringList({
      description: 'Guids of the add-ons in the order of their entry: those of the operator need not exist here.',
      resolve: async (row, _args, context) =>
        isOfOperator(row) ? row.guids : ((await publicGuids(context, row.id, {}))[0]?.guids ?? []),
    }),
    addons: t.field({
      type: [Addon],
      description: 'The public add-ons among them in their order, at most 500.',
      extensions: { items: MAX_ADDONS },
      resolve: async (row, _args, context) => {
        const first = { filter: 'public', sort: 'position', locale: '', limit: MAX_ADDONS, offset: 0 } as const;
        return (await itemPages(context, row.id, first)).map(({ addon }) => addon);
      },
    }),
    item: t.field({
      type: CollectionItem,
      nullable: true,
      description: 'The item of an add-on; null if the collection has no such one that the viewer may see.',
      args: { addon: t.arg({ type: AddonRefInput, required: true, description: 'The add-on.' }) },
      resolve: (row, { addon }, context) => itemIn(context, row, addon),
    }),
    items: t.connection(
      {
        type: CollectionItem,
        description: 'The add-ons of the collection.',
        args: {
          sort: t.arg({ type: CollectionItemSort, description: 'Default: POPULARITY_DESCENDING.' }),
          filter: t.arg({ type: CollectionItemFilter, description: 'Default: PUBLIC.' }),
          ...pageArguments,
        },
        resolve: (row, { sort, filter: wanted, ...paging }, context) => {
          const filter = allowedFilter(context, row, wanted ?? 'public');
          const order = { filter, sort: sort ?? ('popularity_descending' as const), locale: context.locale };
          return positionConnection(`Collection.items/${row.id}`, paging, async ({ limit, offset }) => {
            const count = itemCounts(context, row.id, { filter });
            const rows = limit === 0 ? [] : await itemPages(context, row.id, { ...order, limit, offset });
            return { rows, reachable: (await count)[0]?.count ?? 0 };
          });
        },
      },
      { name: 'CollectionItemConnection', fields: (t) => reachableFields(t) },
      { name: 'CollectionItemEdge' },
    ),
  }),
});

/** The item of an add-on. Deleted and hidden add-ons are found by those who may change the collection. */
export async function itemIn(context: Context, row: CollectionRow, by: AddonRef): Promise<ItemRow | null> {
  const rights = await findAddonRights(context, by).catch((error: unknown) => {
    if (error instanceof NotFoundError) return null;
    throw error;
  });
  if (rights === null || context.hiddenTypes?.some((type) => type === rights.type)) return null;
  const withHidden = canEditCollectionsOf(context.viewer, row.accountId);
  return (await itemOfAddon(context, row.id, { addonId: rights.id, withHidden }))[0] ?? null;
}

builder.queryField('collection', (t) =>
  t.field({
    type: Collection,
    nullable: true,
    description:
      'A collection. Null with the error NOT_FOUND for an unknown one, and with NOT_AUTHENTICATED or NOT_PERMITTED for one that is not public.',
    args: {
      path: t.arg.string({ description: 'The path behind /collections/, in any case; instead of by.' }),
      by: t.arg({ type: CollectionRefInput, description: 'The collection; required without path.' }),
    },
    resolve: (_root, { path, by }, { viewer }) => findCollection(viewer, by ?? { path: path ?? '' }),
  }),
);

builder.queryField('accountCollections', (t) =>
  t.connection(
    {
      type: Collection,
      description:
        'The collections of an account, the last changed first. For the account itself; those of the operator for holders of Admin:Curation.',
      args: {
        account: t.arg({ type: AccountRefInput, description: 'The account. Default: that of the viewer.' }),
        ...pageArguments,
      },
      resolve: async (_root, { account, ...paging }, { viewer }) => {
        if (viewer.kind === 'anonymous') throw refuse(viewer);
        const accountId = account == null ? viewer.accountId : await accountIdOf(account);
        if (!canEditCollectionsOf(viewer, accountId)) throw refuse(viewer);
        return positionConnection(`accountCollections/${accountId}`, paging, async ({ limit, offset }) => ({
          rows: limit === 0 ? [] : await listCollectionsOf(accountId, offset, limit),
          reachable: await countCollectionsOf(accountId),
        }));
      },
    },
    { name: 'AccountCollectionConnection', fields: (t) => reachableFields(t) },
    { name: 'AccountCollectionEdge' },
  ),
);
