import { requireCatalogueKeeper } from '../../auth/permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { TranslationInput } from '../../graphql/localized.ts';
import { mutationResult } from '../../graphql/mutation-result.ts';
import { db } from '../../infra/db.ts';
import { Category } from '../addons/category.ts';
import { AddonTypeEnum, ApplicationEnum } from '../addons/enums.ts';
import { addApplicationVersion, deleteCategory, setCategory } from './keep-reference.ts';

const AddApplicationVersionInput = builder.inputType('AddApplicationVersionInput', {
  fields: (t) => ({
    app: t.field({ type: ApplicationEnum, required: true }),
    version: t.string({ required: true }),
  }),
});

builder.mutationField('addApplicationVersion', (t) =>
  t.field({
    type: builder.objectRef<{ version: string }>('AddApplicationVersionPayload').implement({
      fields: (payload) => ({ version: payload.exposeString('version') }),
    }),
    description: 'Makes a version of an application known; for holders of Admin:Catalogue.',
    args: { input: t.arg({ type: AddApplicationVersionInput, required: true }) },
    errors: mutationResult('AddApplicationVersionResult'),
    resolve: async (_root, { input: { app, version } }, { viewer }) => {
      await addApplicationVersion(requireCatalogueKeeper(viewer), app, version);
      return { version };
    },
  }),
);

const SetCategoryInput = builder.inputType('SetCategoryInput', {
  description: 'Makes the category where there is none; else what is absent stays.',
  fields: (t) => ({
    app: t.field({ type: ApplicationEnum, required: true }),
    type: t.field({ type: AddonTypeEnum, required: true }),
    slug: t.string({ required: true }),
    name: t.field({ type: [TranslationInput] }),
    weight: t.int({ description: 'The heavier come first.' }),
  }),
});

builder.mutationField('setCategory', (t) =>
  t.field({
    type: builder.objectRef<{ id: number }>('SetCategoryPayload').implement({
      fields: (payload) => ({
        category: payload.field({
          type: Category,
          resolve: ({ id }) => db.category.findUniqueOrThrow({ where: { id } }),
        }),
      }),
    }),
    description: 'Makes or changes a category; for holders of Admin:Catalogue.',
    args: { input: t.arg({ type: SetCategoryInput, required: true }) },
    errors: mutationResult('SetCategoryResult'),
    resolve: async (_root, { input: { name, weight, ...key } }, { viewer }) => {
      const changes = { name: name ?? null, weight: weight ?? null };
      return { id: await setCategory(requireCatalogueKeeper(viewer), key, changes) };
    },
  }),
);

const DeleteCategoryInput = builder.inputType('DeleteCategoryInput', {
  fields: (t) => ({
    app: t.field({ type: ApplicationEnum, required: true }),
    type: t.field({ type: AddonTypeEnum, required: true }),
    slug: t.string({ required: true }),
  }),
});

builder.mutationField('deleteCategory', (t) =>
  t.field({
    type: builder.objectRef<{ slug: string }>('DeleteCategoryPayload').implement({
      fields: (payload) => ({ slug: payload.exposeString('slug') }),
    }),
    description: 'Removes a category that nothing is in; for holders of Admin:Catalogue.',
    args: { input: t.arg({ type: DeleteCategoryInput, required: true }) },
    errors: mutationResult('DeleteCategoryResult'),
    resolve: async (_root, { input }, { viewer }) => {
      await deleteCategory(requireCatalogueKeeper(viewer), input);
      return { slug: input.slug };
    },
  }),
);
