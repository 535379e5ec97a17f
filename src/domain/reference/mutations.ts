import { requireCatalogueKeeper } from '../../auth/permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { TranslationInput } from '../../graphql/localized.ts';
import { mutationResult } from '../../graphql/mutation-result.ts';
import { db } from '../../infra/db.ts';
import type { Application } from '../../package/words.ts';
import { Category } from '../addons/category.ts';
import { AddonTypeEnum, ApplicationEnum } from '../addons/enums.ts';
import { addApplicationVersion, deleteCategory, setCategory } from './keep-reference.ts';

const AddApplicationVersionInput = builder.inputType('AddApplicationVersionInput', {
  description: 'A version of an application.',
  fields: (t) => ({
    app: t.field({ type: ApplicationEnum, required: true, description: 'The application.' }),
    version: t.string({ required: true, description: 'Version number such as 57.0 or 60.*.' }),
  }),
});

const ApplicationVersion = builder.objectRef<{ app: Application; version: string }>('ApplicationVersion').implement({
  description: 'A version of an application that add-ons can declare compatibility with.',
  fields: (t) => ({
    app: t.expose('app', { type: ApplicationEnum, description: 'The application.' }),
    version: t.exposeString('version', { description: 'Version number such as 57.0 or 60.*.' }),
  }),
});

builder.mutationField('addApplicationVersion', (t) =>
  t.field({
    type: builder.objectRef<typeof ApplicationVersion.$inferType>('AddApplicationVersionPayload').implement({
      description: 'Result of addApplicationVersion.',
      fields: (payload) => ({
        applicationVersion: payload.field({
          type: ApplicationVersion,
          description: 'The version, new or known before.',
          resolve: (version) => version,
        }),
      }),
    }),
    description: 'Adds a version of an application. Requires Admin:Catalogue.',
    args: { input: t.arg({ type: AddApplicationVersionInput, required: true, description: 'The version.' }) },
    errors: mutationResult('AddApplicationVersionResult'),
    resolve: async (_root, { input }, { viewer }) => {
      await addApplicationVersion(requireCatalogueKeeper(viewer), input.app, input.version);
      return input;
    },
  }),
);

const SetCategoryInput = builder.inputType('SetCategoryInput', {
  description:
    'A category, identified by app, type and slug. It is created when there is none; absent fields do not change.',
  fields: (t) => ({
    app: t.field({ type: ApplicationEnum, required: true, description: 'The application of the category.' }),
    type: t.field({ type: AddonTypeEnum, required: true, description: 'The type of the add-ons in it.' }),
    slug: t.string({ required: true, description: 'Lower-case letters, digits and single hyphens, at most 64.' }),
    name: t.field({ type: [TranslationInput], description: 'Names by language; other languages do not change.' }),
    weight: t.int({ description: 'Categories with a higher weight come first; -1,000,000 to 1,000,000.' }),
  }),
});

builder.mutationField('setCategory', (t) =>
  t.field({
    type: builder.objectRef<{ id: number }>('SetCategoryPayload').implement({
      description: 'Result of setCategory.',
      fields: (payload) => ({
        category: payload.field({
          type: Category,
          description: 'The category after the change.',
          resolve: ({ id }) => db.category.findUniqueOrThrow({ where: { id } }),
        }),
      }),
    }),
    description: 'Creates or changes a category. Requires Admin:Catalogue.',
    args: { input: t.arg({ type: SetCategoryInput, required: true, description: 'The category.' }) },
    errors: mutationResult('SetCategoryResult'),
    resolve: async (_root, { input: { name, weight, ...key } }, { viewer }) => {
      const changes = { name: name ?? null, weight: weight ?? null };
      return { id: await setCategory(requireCatalogueKeeper(viewer), key, changes) };
    },
  }),
);

const DeleteCategoryInput = builder.inputType('DeleteCategoryInput', {
  description: 'The category to delete.',
  fields: (t) => ({
    app: t.field({ type: ApplicationEnum, required: true, description: 'The application of the category.' }),
    type: t.field({ type: AddonTypeEnum, required: true, description: 'The type of the add-ons in it.' }),
    slug: t.string({ required: true, description: 'The slug of the category, in any case.' }),
  }),
});

builder.mutationField('deleteCategory', (t) =>
  t.field({
    type: builder.objectRef<{ id: number }>('DeleteCategoryPayload').implement({
      description: 'Result of deleteCategory.',
      fields: (payload) => ({
        deletedId: payload.globalID({
          description: 'Global id of the deleted category.',
          resolve: ({ id }) => ({ type: 'Category', id }),
        }),
      }),
    }),
    description: 'Deletes a category without add-ons. Requires Admin:Catalogue.',
    args: { input: t.arg({ type: DeleteCategoryInput, required: true, description: 'The category.' }) },
    errors: mutationResult('DeleteCategoryResult'),
    resolve: async (_root, { input }, { viewer }) => ({
      id: await deleteCategory(requireCatalogueKeeper(viewer), input),
    }),
  }),
);
