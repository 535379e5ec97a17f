import { requireCatalogueKeeper } from '../../auth/permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { TranslationInput } from '../../graphql/localized.ts';
import { mutationResult } from '../../graphql/mutation-result.ts';
import { db } from '../../infra/db.ts';
import { forgetLicense, License } from '../versions/license.ts';
import { deleteLicense, setLicense } from './keep-licenses.ts';

const SetLicenseInput = builder.inputType('SetLicenseInput', {
  description: 'Makes the licence where there is none; else what is absent stays.',
  fields: (t) => ({
    builtin: t.string({ required: true, description: 'SPDX identifier.' }),
    name: t.field({ type: [TranslationInput] }),
    text: t.field({
      type: [TranslationInput],
      description: 'May hold HTML. What versions were offered under gets translations, but does not change.',
    }),
    url: t.string({ description: 'An empty one is taken away.' }),
  }),
});

builder.mutationField('setLicense', (t) =>
  t.field({
    type: builder.objectRef<{ id: number }>('SetLicensePayload').implement({
      fields: (payload) => ({
        license: payload.field({
          type: License,
          resolve: ({ id }) => db.license.findUniqueOrThrow({ where: { id } }),
        }),
      }),
    }),
    description: 'Makes or changes a built-in licence; for holders of Admin:Catalogue.',
    args: { input: t.arg({ type: SetLicenseInput, required: true }) },
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
  fields: (t) => ({ builtin: t.string({ required: true, description: 'SPDX identifier.' }) }),
});

builder.mutationField('deleteLicense', (t) =>
  t.field({
    type: builder.objectRef<{ builtin: string }>('DeleteLicensePayload').implement({
      fields: (payload) => ({ builtin: payload.exposeString('builtin') }),
    }),
    description: 'Removes a built-in licence that nothing is offered under; for holders of Admin:Catalogue.',
    args: { input: t.arg({ type: DeleteLicenseInput, required: true }) },
    errors: mutationResult('DeleteLicenseResult'),
    resolve: async (_root, { input: { builtin } }, { viewer }) => {
      await deleteLicense(requireCatalogueKeeper(viewer), builtin);
      return { builtin };
    },
  }),
);
