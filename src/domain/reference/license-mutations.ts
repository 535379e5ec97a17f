import { requireCatalogueKeeper } from '../../auth/permissions.ts';
import { TranslationInput } from '../../graphql/localized.ts';
import { mutation } from '../../graphql/mutation.ts';
import { db } from '../../infra/db.ts';
import { forgetLicense, License } from '../versions/license.ts';
import { deleteLicense, setLicense } from './keep-licenses.ts';

mutation('setLicense', {
  description: 'Creates or changes a built-in licence. Requires Admin:Catalogue.',
  input: 'A built-in licence. It is created when there is none; absent fields do not change.',
  inputFields: (t) => ({
    builtin: t.string({ required: true, description: 'SPDX identifier, in any case.' }),
    name: t.field({ type: [TranslationInput], description: 'Names by language; other languages do not change.' }),
    text: t.field({
      type: [TranslationInput],
      description:
        'Licence texts by language, which may contain HTML. A licence in use accepts new languages, but no changes of existing ones.',
    }),
    url: t.string({ description: 'http(s) address of the licence; an empty text removes it.' }),
  }),
  resolve: async ({ builtin, name, text, url }, context) => {
    const changes = { name: name ?? null, text: text ?? null, url: url ?? null };
    const id = await setLicense(requireCatalogueKeeper(context.viewer), builtin, changes);
    forgetLicense(context, id);
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
  resolve: async ({ builtin }, { viewer }) => ({ id: await deleteLicense(requireCatalogueKeeper(viewer), builtin) }),
  payloadFields: (t) => ({
    deletedId: t.globalID({
      description: 'Global id of the deleted licence.',
      resolve: ({ id }) => ({ type: 'License', id }),
    }),
  }),
});
