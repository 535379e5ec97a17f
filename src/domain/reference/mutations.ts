import { requirePermission } from '../../auth/permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { mutation } from '../../graphql/mutation.ts';
import { db } from '../../infra/db.ts';
import type { Application } from '../../package/enums.ts';
import { Category } from '../addons/category.ts';
import { AddonTypeEnum, ApplicationEnum } from '../addons/enums.ts';
import { TranslationInput } from '../addons/localized.ts';
import { License } from '../versions/license.ts';
import { deleteLicense, setLicense } from './manage-licenses.ts';
import { addApplicationVersion, deleteCategory, listApplicationVersions, setCategory } from './manage-reference.ts';

/** A version of an application. */
const ApplicationVersion = builder.objectRef<{ app: Application; version: string }>('ApplicationVersion').implement({
  description: 'A version of an application that add-ons can declare compatibility with.',
  fields: (t) => ({
    app: t.expose('app', { type: ApplicationEnum, description: 'The application.' }),
    version: t.exposeString('version', { description: 'Version number such as 57.0 or 60.*.' }),
  }),
});

builder.queryField('applicationVersions', (t) =>
  t.field({
    type: [ApplicationVersion],
    description: 'The versions of an application that add-ons can declare compatibility with, lowest first.',
    args: { app: t.arg({ type: ApplicationEnum, required: true, description: 'The application.' }) },
    extensions: { items: 500 },
    resolve: async (_root, { app }) => (await listApplicationVersions(app)).map((version) => ({ app, version })),
  }),
);

const IS_NEW = 'Whether it must not exist yet. Default: false.';

mutation('addApplicationVersion', {
  description: 'Adds a version of an application. Requires Admin:Catalogue.',
  input: 'A version of an application.',
  inputFields: (t) => ({
    app: t.field({ type: ApplicationEnum, required: true, description: 'The application.' }),
    version: t.string({ required: true, description: 'Version number such as 57.0 or 60.*.' }),
  }),
  resolve: async (applicationVersion, { viewer }) => {
    await addApplicationVersion(
      requirePermission(viewer, 'Admin:Catalogue'),
      applicationVersion.app,
      applicationVersion.version,
    );
    return { applicationVersion };
  },
  payloadFields: (t) => ({
    applicationVersion: t.expose('applicationVersion', {
      type: ApplicationVersion,
      description: 'The version, new or known before.',
    }),
  }),
});

mutation('upsertCategory', {
  description: 'Creates or changes a category. Requires Admin:Catalogue.',
  input:
    'A category, identified by app, type and slug. It is created if it does not exist; absent fields do not change.',
  inputFields: (t) => ({
    app: t.field({ type: ApplicationEnum, required: true, description: 'The application of the category.' }),
    type: t.field({ type: AddonTypeEnum, required: true, description: 'The type of the add-ons in it.' }),
    slug: t.string({ required: true, description: 'Lower-case letters, digits and single hyphens, at most 64.' }),
    name: t.field({ type: [TranslationInput], description: 'Names by language; other languages do not change.' }),
    weight: t.int({ description: 'Categories with a higher weight come first; -1,000,000 to 1,000,000.' }),
    isNew: t.boolean({ description: IS_NEW }),
  }),
  resolve: async ({ name, weight, isNew, ...key }, { viewer }) => {
    const changes = { name: name ?? null, weight: weight ?? null, isNew: isNew === true };
    return { id: await setCategory(requirePermission(viewer, 'Admin:Catalogue'), key, changes) };
  },
  payloadFields: (t) => ({
    category: t.field({
      type: Category,
      description: 'The category after the change.',
      resolve: ({ id }) => db.category.findUniqueOrThrow({ where: { id } }),
    }),
  }),
});

mutation('deleteCategory', {
  description: 'Deletes a category without add-ons. Requires Admin:Catalogue.',
  input: 'The category to delete.',
  inputFields: (t) => ({
    app: t.field({ type: ApplicationEnum, required: true, description: 'The application of the category.' }),
    type: t.field({ type: AddonTypeEnum, required: true, description: 'The type of the add-ons in it.' }),
    slug: t.string({ required: true, description: 'The slug of the category, in any case.' }),
  }),
  resolve: async (key, { viewer }) => ({ id: await deleteCategory(requirePermission(viewer, 'Admin:Catalogue'), key) }),
  payloadFields: (t) => ({
    deletedId: t.globalID({
      description: 'Global id of the deleted category.',
      resolve: ({ id }) => ({ type: 'Category', id }),
    }),
  }),
});

mutation('upsertLicense', {
  description: 'Creates or changes a built-in licence. Requires Admin:Catalogue.',
  input: 'A built-in licence. It is created if it does not exist; absent fields do not change.',
  inputFields: (t) => ({
    builtin: t.string({ required: true, description: 'SPDX identifier, in any case.' }),
    name: t.field({ type: [TranslationInput], description: 'Names by language; other languages do not change.' }),
    text: t.field({
      type: [TranslationInput],
      description:
        'Licence texts by language, which may contain HTML. A licence in use accepts new languages, but no changes of existing ones.',
    }),
    url: t.string({ description: 'http(s) address of the licence; an empty text removes it.' }),
    isNew: t.boolean({ description: IS_NEW }),
  }),
  resolve: async ({ builtin, name, text, url, isNew }, context) => {
    const changes = { name: name ?? null, text: text ?? null, url: url ?? null, isNew: isNew === true };
    const id = await setLicense(requirePermission(context.viewer, 'Admin:Catalogue'), builtin, changes);
    return { id };
  },
  payloadFields: (t) => ({
    license: t.field({
      type: License,
      description: 'The licence after the change.',
      resolve: ({ id }) => db.license.findUniqueOrThrow({ where: { id } }),
    }),
  }),
});

mutation('deleteLicense', {
  description: 'Deletes a built-in licence that no add-on or version uses. Requires Admin:Catalogue.',
  input: 'The built-in licence to delete.',
  inputFields: (t) => ({ builtin: t.string({ required: true, description: 'SPDX identifier, in any case.' }) }),
  resolve: async ({ builtin }, { viewer }) => ({
    id: await deleteLicense(requirePermission(viewer, 'Admin:Catalogue'), builtin),
  }),
  payloadFields: (t) => ({
    deletedId: t.globalID({
      description: 'Global id of the deleted licence.',
      resolve: ({ id }) => ({ type: 'License', id }),
    }),
  }),
});
