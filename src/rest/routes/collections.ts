import { z } from 'zod';
import { NotFoundError } from '../../errors.ts';
import { payloadOf } from '../../execution/endpoint.ts';
import {
  AccountCollectionsDocument,
  AddCollectionAddonDocument,
  type AddCollectionAddonInput,
  CollectionDetailDocument,
  CollectionItemDocument,
  type CollectionItemFilter,
  type CollectionItemSort,
  CollectionItemsDocument,
  type CollectionRefInput,
  CreateCollectionDocument,
  type CreateCollectionInput,
  RemoveCollectionAddonDocument,
  RemoveCollectionDocument,
  UpdateCollectionAddonDocument,
  type UpdateCollectionAddonInput,
  UpdateCollectionDocument,
  type UpdateCollectionInput,
} from '../../generated/operations/graphql.ts';
import { accountReference, addonReference } from '../../graphql/references.ts';
import { langParam, type Param, segmentParam, sentText } from '../../http/params.ts';
import { objectBody } from '../body.ts';
import { collectionItem, collectionShape } from '../json/collections.ts';
import { requireFound } from '../json/shape.ts';
import { pageEnvelope, pageOf } from '../pagination.ts';
import {
  COLLECTION_REQUEST,
  ITEM_REQUEST,
  NOTES_REQUEST,
  propertiesOf,
  readCollectionRequest,
} from '../requests/collection-request.ts';
import { jsonReply, type Route, route } from '../route.ts';
import { textVariables } from '../translations.ts';

const LIST = '/accounts/account/:account/collections/' as const;
const DETAIL = '/accounts/account/:account/collections/:collection/' as const;
const ITEMS = '/accounts/account/:account/collections/:collection/addons/' as const;
const ITEM = '/accounts/account/:account/collections/:collection/addons/:addon/' as const;

const ofAccount = { account: segmentParam('Id or username of the account; upper and lower case are the same.') };
const ofCollection = {
  ...ofAccount,
  collection: segmentParam('Slug of the collection; upper and lower case are the same.'),
};
const ofItem = { ...ofCollection, addon: segmentParam('Id, slug or guid of the add-on.') };

const named = ({ account, collection: slug }: { account: string; collection: string }): CollectionRefInput => ({
  ofAccount: { account: accountReference(account), slug },
});

/** Names of input fields that requests spell otherwise. */
const parameterNames = { defaultLocale: 'default_locale', isPublic: 'public' };

const refusals = [400, 403, 404, 415];

const list = route({
  method: 'GET',
  path: LIST,
  summary: 'The collections of the account of the client, the last changed first',
  signIn: 'required',
  params: ofAccount,
  query: { lang: langParam },
  paginated: true,
  document: AccountCollectionsDocument,
  variables: ({ path, page, view }) => ({ account: accountReference(path.account), ...page, ...textVariables(view) }),
  reply: ({ accountCollections: { totalCount: count, nodes } }, { address, page, view }) =>
    jsonReply(pageEnvelope(address, page, { count, results: nodes.map((each) => collectionShape.write(each, view)) })),
  responses: { 200: { description: 'A page of collections.', schema: pageOf(collectionShape.schema) } },
  refusals: [403, 404],
});

/** Present with any value, also an empty one; not with `false` or `0`. */
const withAddons: Param<boolean> = {
  schema: z.string(),
  description: 'When present, the first 25 add-ons are in `addons`.',
  read: sentText.transform((text) => text !== null && !/^(?:false|0)$/i.test(text)),
};

const detail = route({
  method: 'GET',
  path: DETAIL,
  summary: 'A collection',
  signIn: 'optional',
  params: ofCollection,
  query: { lang: langParam, with_addons: withAddons },
  document: CollectionDetailDocument,
  variables: ({ path, query, view }) => ({
    ...{ by: named(path), withAddons: query.with_addons },
    ...textVariables(view),
  }),
  reply: ({ collection: shown }, { view }) => jsonReply(collectionShape.write(requireFound(shown), view)),
  responses: { 200: { description: 'The collection.', schema: collectionShape.schema } },
  refusals: [401, 403, 404],
});

const create = route({
  method: 'POST',
  path: LIST,
  summary: 'Make a collection',
  signIn: 'required',
  params: ofAccount,
  body: objectBody({ properties: propertiesOf(COLLECTION_REQUEST), required: ['name', 'slug'] }),
  parameterNames,
  document: CreateCollectionDocument,
  variables: ({ path, view }, { values }) => ({
    input: {
      account: accountReference(path.account),
      ...readCollectionRequest<CreateCollectionInput>(COLLECTION_REQUEST, values, view),
    },
    ...textVariables(view),
  }),
  reply: ({ createCollection: result }, { view }) =>
    jsonReply(collectionShape.write(payloadOf(result, 'collection').collection, view), 201),
  responses: { 201: { description: 'The new collection.', schema: collectionShape.schema } },
  refusals: refusals.filter((status) => status !== 404),
});

const change = route({
  method: 'PATCH',
  path: DETAIL,
  summary: 'Change a collection',
  signIn: 'required',
  params: ofCollection,
  body: objectBody({ properties: propertiesOf(COLLECTION_REQUEST) }),
  parameterNames,
  document: UpdateCollectionDocument,
  variables: ({ path, view }, { values }) => ({
    input: {
      ...readCollectionRequest<Omit<UpdateCollectionInput, 'by'>>(COLLECTION_REQUEST, values, view),
      by: named(path),
    },
    ...textVariables(view),
  }),
  reply: ({ updateCollection: result }, { view }) =>
    jsonReply(collectionShape.write(payloadOf(result, 'collection').collection, view)),
  responses: { 200: { description: 'The collection after the change.', schema: collectionShape.schema } },
  refusals,
});

const remove = route({
  method: 'DELETE',
  path: DETAIL,
  summary: 'Delete a collection',
  signIn: 'required',
  params: ofCollection,
  document: RemoveCollectionDocument,
  variables: ({ path }) => ({ by: named(path) }),
  reply: () => ({ kind: 'empty' }),
  responses: { 204: { description: 'The collection is deleted.' } },
  refusals: [403, 404],
});

/** A word of a list, else null: unknown ones count as absent. */
const oneOf = <Value extends string>(
  description: string,
  words: Readonly<Record<string, Value>>,
): Param<Value | null> => ({
  schema: z.enum(Object.keys(words)),
  description,
  read: sentText.transform((text) => (text !== null && Object.hasOwn(words, text) ? (words[text] ?? null) : null)),
});

const sort = oneOf<CollectionItemSort>('Order; default: -popularity.', {
  added: 'ADDED',
  '-added': 'ADDED_DESCENDING',
  popularity: 'POPULARITY',
  '-popularity': 'POPULARITY_DESCENDING',
  name: 'NAME',
  '-name': 'NAME_DESCENDING',
});

const filter = oneOf<CollectionItemFilter>(
  'Add-ons that are not public too; ignored for clients who may not change the collection.',
  { all: 'ALL', all_with_deleted: 'ALL_WITH_DELETED' },
);

const items = route({
  method: 'GET',
  path: ITEMS,
  summary: 'The add-ons of a collection',
  signIn: 'optional',
  params: ofCollection,
  query: { filter, lang: langParam, sort },
  paginated: true,
  document: CollectionItemsDocument,
  variables: ({ path, query, page, view }) => ({
    ...{ by: named(path), sort: query.sort, filter: query.filter },
    ...page,
    ...textVariables(view),
  }),
  reply: ({ collection: shown }, { address, page, view }) => {
    const { totalCount: count, nodes } = requireFound(shown).items;
    const results = nodes.map((each) => collectionItem.write(each, view));
    return jsonReply(pageEnvelope(address, page, { count, results }));
  },
  responses: { 200: { description: 'A page of add-ons.', schema: pageOf(collectionItem.schema) } },
  refusals: [401, 403, 404],
});

const item = route({
  method: 'GET',
  path: ITEM,
  summary: 'An add-on of a collection',
  signIn: 'optional',
  params: ofItem,
  query: { lang: langParam },
  document: CollectionItemDocument,
  variables: ({ path, view }) => ({ by: named(path), addon: addonReference(path.addon), ...textVariables(view) }),
  reply: ({ collection: shown }, { view }) => {
    const { item: one } = requireFound(shown);
    if (one == null) throw new NotFoundError();
    return jsonReply(collectionItem.write(one, view));
  },
  responses: { 200: { description: 'The add-on.', schema: collectionItem.schema } },
  refusals: [401, 403, 404],
});

const add = route({
  method: 'POST',
  path: ITEMS,
  summary: 'Add an add-on to a collection',
  signIn: 'required',
  params: ofCollection,
  body: objectBody({ properties: propertiesOf(ITEM_REQUEST), required: ['addon'] }),
  document: AddCollectionAddonDocument,
  variables: ({ path, view }, { values }) => ({
    input: {
      ...readCollectionRequest<Omit<AddCollectionAddonInput, 'by'>>(ITEM_REQUEST, values, view),
      by: named(path),
    },
    ...textVariables(view),
  }),
  reply: ({ addCollectionAddon: result }, { view }) =>
    jsonReply(collectionItem.write(payloadOf(result, 'item').item, view), 201),
  responses: { 201: { description: 'The add-on in the collection.', schema: collectionItem.schema } },
  refusals,
});

const changeItem = route({
  method: 'PATCH',
  path: ITEM,
  summary: 'Change the notes on an add-on of a collection',
  signIn: 'required',
  params: ofItem,
  body: objectBody({ properties: propertiesOf(NOTES_REQUEST) }),
  document: UpdateCollectionAddonDocument,
  variables: ({ path, view }, { values }) => ({
    input: {
      ...readCollectionRequest<Omit<UpdateCollectionAddonInput, 'by' | 'addon'>>(NOTES_REQUEST, values, view),
      ...{ by: named(path), addon: addonReference(path.addon) },
    },
    ...textVariables(view),
  }),
  reply: ({ updateCollectionAddon: result }, { view }) =>
    jsonReply(collectionItem.write(payloadOf(result, 'item').item, view)),
  responses: { 200: { description: 'The add-on in the collection.', schema: collectionItem.schema } },
  refusals,
});

const removeItem = route({
  method: 'DELETE',
  path: ITEM,
  summary: 'Take an add-on out of a collection',
  signIn: 'required',
  params: ofItem,
  document: RemoveCollectionAddonDocument,
  variables: ({ path }) => ({ input: { by: named(path), addon: addonReference(path.addon) } }),
  reply: () => ({ kind: 'empty' }),
  responses: { 204: { description: 'The add-on is no longer in the collection.' } },
  refusals: [403, 404],
});

export const collectionRoutes: readonly Route[] = [
  ...[list, create, detail, change, remove],
  ...[items, add, item, changeItem, removeItem],
];
