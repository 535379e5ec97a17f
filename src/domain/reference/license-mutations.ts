import { requireCatalogueKeeper } from '../../auth/permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { TranslationInput } from '../../graphql/localized.ts';
import { mutationResult } from '../../graphql/mutation-result.ts';
import { db } from '../../infra/db.ts';
import { forgetLicense, License } from '../versions/license.ts';
import { deleteLicense, setLicense } from './keep-licenses.ts';

const SetLicenseInput = builder.inputType('SetLicenseInput', {
  description: 'A built-in licence. It is created when there is none; absent fields do not change.',
  fields: (t) => ({
    builtin: t.string({ required: true, description: 'SPDX identifier, in any case.' }),
    name: t.field({ type: [TranslationInput], description: 'Names by language; other languages do not change.' }),
    text: t.field({
      type: [TranslationInput],
      description:
        'Licence texts by language, which may contain HTML. A licence in use accepts new languages, but no changes of existing ones.',
    }),
    url: t.string({ description: 'http(s) address of the licence; an empty text removes it.' }),
  }),
});

builder.mutationField('setLicense', (t) =>
  t.field({
    type: builder.objectRef<{ id: number }>('SetLicensePayload').implement({
      description: 'Result of setLicense.',
      fields: (payload) => ({
        license: payload.field({
          type: License,
          description: 'The licence after the change.',
          resolve: ({ id }) => db.license.findUniqueOrThrow({ where: { id } }),
        }),
      }),
    }),
    description: 'Creates or changes a built-in licence. Requires Admin:Catalogue.',
    args: { input: t.arg({ type: SetLicenseInput, required: true, description: 'The licence.' }) },
    errors: mutationResult('SetLicenseResult'),
    resolve: async (_root, { input: { builtin, name, text, url } }, context) => {
      const changes = { name: name ?? null, text: text ?? null, url: url ?? null };
      const id = await setLicense(requireCatalogueKeeper(context.viewer), builtin, changes);
      forgetLicense(context, id);
      return { id };
    },
  }),
);

const DeleteLicenseInput = builder.inputType('DeleteLicenseInput', {
  description: 'The built-in licence to delete.',
  fields: (t) => ({ builtin: t.string({ required: true, description: 'SPDX identifier, in any case.' }) }),
});

builder.mutationField('deleteLicense', (t) =>
  t.field({
    type: builder.objectRef<{ id: number }>('DeleteLicensePayload').implement({
      description: 'Result of deleteLicense.',
      fields: (payload) => ({
        deletedId: payload.globalID({
          description: 'Global id of the deleted licence.',
          resolve: ({ id }) => ({ type: 'License', id }),
        }),
      }),
    }),
    description: 'Deletes a built-in licence that no add-on or version uses. Requires Admin:Catalogue.',
    args: { input: t.arg({ type: DeleteLicenseInput, required: true, description: 'The licence.' }) },
    errors: mutationResult('DeleteLicenseResult'),
    resolve: async (_root, { input }, { viewer }) => ({
      id: await deleteLicense(requireCatalogueKeeper(viewer), input.builtin),
    }),
  }),
);
