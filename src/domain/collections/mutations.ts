import { NotFoundError } from '../../errors.ts';
import type { InputFields, ObjectFields } from '../../graphql/builder.ts';
import { globalId } from '../../graphql/global-id.ts';
import { type InputOf, mutation } from '../../graphql/mutation.ts';
import { AccountRefInput } from '../accounts/account-ref.ts';
import { AddonRefInput } from '../addons/addon-ref.ts';
import { TranslationInput } from '../addons/localized.ts';
import { inputFaultsField } from '../listing/addon-input.ts';
import type { InputFaults } from '../listing/field-errors.ts';
import { type CollectionValues, createCollection, removeCollection, updateCollection } from './change-collections.ts';
import { addItem, type ChangedItem, removeItem, updateItem } from './change-items.ts';
import { Collection, CollectionItem } from './collection.ts';
import { CollectionRefInput } from './find-collection.ts';
import { itemOfAddon } from './load-items.ts';

const BY_LANGUAGE = 'Languages that are not named stay; null removes one.';

const valueFields = (t: InputFields) => ({
  slug: t.string({ description: 'Short name in addresses: letters, digits, - and _; unique for the account.' }),
  name: t.field({ type: [TranslationInput], description: `The name, at most 255 characters. ${BY_LANGUAGE}` }),
  description: t.field({
    type: [TranslationInput],
    description: `Plain text about it, at most 10,000 characters. ${BY_LANGUAGE}`,
  }),
  defaultLocale: t.string({ description: 'Language of the fallback texts. Default: en-US.' }),
  isPublic: t.boolean({ description: 'Whether all viewers see it. Default: true.' }),
  inputFaults: inputFaultsField(t),
});

function valuesOf(input: InputOf<ReturnType<typeof valueFields>>): CollectionValues {
  return {
    slug: input.slug ?? undefined,
    name: input.name ?? undefined,
    description: input.description,
    defaultLocale: input.defaultLocale ?? undefined,
    isPublic: input.isPublic ?? undefined,
    faults: (input.inputFaults as InputFaults | null | undefined) ?? undefined,
  };
}

const idOfCollection = (t: ObjectFields<{ id: number }>) => ({
  collection: t.field({
    type: Collection,
    description: 'The collection after the change.',
    resolve: ({ id }) => id,
  }),
});

mutation('createCollection', {
  description: 'Makes a collection of the viewer; with Admin:Curation also of the operator.',
  input: 'A new collection. The slug and a name are required.',
  inputFields: (t) => ({
    account: t.field({ type: AccountRefInput, description: 'The account. Default: that of the viewer.' }),
    ...valueFields(t),
  }),
  resolve: async ({ account, ...input }, context) => ({
    id: await createCollection(context, account ?? null, valuesOf(input)),
  }),
  payloadFields: idOfCollection,
});

mutation('updateCollection', {
  description: 'Changes a collection of the viewer; with Admin:Curation also of the operator.',
  input: 'Changes of a collection. Absent fields stay unchanged.',
  inputFields: (t) => ({
    by: t.field({ type: CollectionRefInput, required: true, description: 'The collection.' }),
    ...valueFields(t),
  }),
  resolve: async ({ by, ...input }, context) => ({
    id: await updateCollection(context, by, valuesOf(input)),
  }),
  payloadFields: idOfCollection,
});

mutation('removeCollection', {
  description: 'Deletes a collection of the viewer; with Admin:Curation also of the operator.',
  input: 'The collection to delete.',
  inputFields: (t) => ({
    by: t.field({ type: CollectionRefInput, required: true, description: 'The collection.' }),
  }),
  resolve: async ({ by }, context) => ({ id: await removeCollection(context, by) }),
  payloadFields: (t) => ({
    deletedId: t.id({
      description: 'Global id of the deleted collection.',
      resolve: ({ id }) => globalId('Collection', id),
    }),
  }),
});

const collectionAndAddon = (t: InputFields) => ({
  by: t.field({ type: CollectionRefInput, required: true, description: 'The collection.' }),
  addon: t.field({ type: AddonRefInput, required: true, description: 'The add-on.' }),
});

const notesFields = (t: InputFields) => ({
  notes: t.field({
    type: [TranslationInput],
    description: `Plain text about the add-on, at most 280 characters. ${BY_LANGUAGE}`,
  }),
  inputFaults: inputFaultsField(t),
});

const notesOf = (input: InputOf<ReturnType<typeof notesFields>>) => ({
  notes: input.notes,
  faults: (input.inputFaults as InputFaults | null | undefined) ?? undefined,
});

const changedItem = (t: ObjectFields<ChangedItem>) => ({
  collection: t.field({
    type: Collection,
    description: 'The collection after the change.',
    resolve: ({ collectionId }) => collectionId,
  }),
  item: t.field({
    type: CollectionItem,
    description: 'The add-on in the collection after the change.',
    resolve: async ({ collectionId, addonId }, _args, context) => {
      const [item] = await itemOfAddon(context, collectionId, { addonId, withHidden: true });
      if (item === undefined) throw new NotFoundError();
      return item;
    },
  }),
});

mutation('addCollectionAddon', {
  description: 'Adds a public add-on to a collection of the viewer; with Admin:Curation also of the operator.',
  input: 'An add-on for a collection, which has at most 2,000.',
  inputFields: (t) => ({
    by: t.field({ type: CollectionRefInput, required: true, description: 'The collection.' }),
    addon: t.field({ type: AddonRefInput, description: 'The add-on, which is required.' }),
    ...notesFields(t),
  }),
  resolve: ({ by, addon, ...input }, context) => addItem(context, by, addon ?? null, notesOf(input)),
  payloadFields: changedItem,
});

mutation('updateCollectionAddon', {
  description: 'Changes the notes on an add-on of a collection.',
  input: 'Changed notes on an add-on of a collection.',
  inputFields: (t) => ({ ...collectionAndAddon(t), ...notesFields(t) }),
  resolve: ({ by, addon, ...input }, context) => updateItem(context, by, addon, notesOf(input)),
  payloadFields: changedItem,
});

mutation('removeCollectionAddon', {
  description: 'Takes an add-on out of a collection.',
  input: 'An add-on of a collection.',
  inputFields: collectionAndAddon,
  resolve: ({ by, addon }, context) => removeItem(context, by, addon),
  payloadFields: (t) => ({
    collection: t.field({
      type: Collection,
      description: 'The collection after the change.',
      resolve: ({ collectionId }) => collectionId,
    }),
  }),
});
