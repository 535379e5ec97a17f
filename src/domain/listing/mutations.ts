import { builder } from '../../graphql/builder.ts';
import { globalId, idOf } from '../../graphql/global-id.ts';
import { TranslationInput } from '../../graphql/localized.ts';
import { mutationResult } from '../../graphql/mutation-result.ts';
import { db } from '../../infra/db.ts';
import { Addon, forgetAddon } from '../addons/addon.ts';
import type { TranslatedField } from './check-texts.ts';
import { deleteAddon, reviveAddon, setAddonDisabled } from './end-addon.ts';
import { CustomLicenseInput, licenseIn } from './license-input.ts';
import { type AddonChanges, updateAddon } from './update-addon.ts';

const TRANSLATED_FIELDS = [
  'name',
  'summary',
  'description',
  'developerComments',
  'homepage',
  'supportEmail',
  'supportUrl',
  'eula',
  'privacyPolicy',
] as const satisfies TranslatedField[];

const UpdateAddonInput = builder.inputType('UpdateAddonInput', {
  description:
    'Changes to the listing of an add-on. Absent fields stay unchanged. Translations are merged; null deletes a language.',
  fields: (t) => {
    const texts = (description: string) => t.field({ type: [TranslationInput], description });
    return {
      id: t.id({ required: true, description: 'Global id of the add-on.' }),
      name: texts('At most 50 characters.'),
      summary: texts('Plain text of at most 250 characters.'),
      description: texts('May contain HTML.'),
      developerComments: texts('May contain HTML.'),
      homepage: texts('Web address of at most 255 characters.'),
      supportEmail: texts('E-mail address.'),
      supportUrl: texts('Web address of at most 255 characters.'),
      eula: texts('May contain HTML. Only owners may change it.'),
      privacyPolicy: texts('May contain HTML. Only owners may change it.'),
      defaultLocale: t.string({
        description: 'Language code of the fallback texts. Name, summary and description must exist in it.',
      }),
      slug: t.string({ description: 'At most 30 letters, digits, hyphens and underscores; not digits alone.' }),
      categories: t.idList({
        description: 'Global ids of all categories, at most two per application. They replace the present ones.',
      }),
      tags: t.stringList({ description: 'All tags, at most 20. They replace the present ones.' }),
      license: t.id({
        description:
          'Global id of the licence of listed versions, unless customLicense is sent. Only owners may change it.',
      }),
      customLicense: t.field({
        type: CustomLicenseInput,
        description: 'A custom licence, unless license is sent. Only owners may change it.',
      }),
      contributionsUrl: t.string({ description: 'Web address of at most 255 characters; null removes it.' }),
      isExperimental: t.boolean({ description: 'Whether the developers call it experimental.' }),
      isSourcePublic: t.boolean({ description: 'Whether its source code may be viewed.' }),
      publicStats: t.boolean({ description: 'Whether its statistics are public.' }),
      requiresPayment: t.boolean({ description: 'Whether it needs payment, paid services or additional hardware.' }),
      localeDisambiguation: t.string({
        description: 'For dictionaries and language packs: distinguishes those of one language. Null removes it.',
      }),
      targetLocale: t.string({
        description: 'For dictionaries and language packs: the language code that they provide. Null removes it.',
      }),
    };
  },
});

const addonPayload = (name: string, description: string) =>
  builder.objectRef<{ addonId: number }>(name).implement({
    description,
    fields: (t) => ({
      addon: t.field({ type: Addon, description: 'The changed add-on.', resolve: ({ addonId }) => addonId }),
    }),
  });

function translationsIn(input: typeof UpdateAddonInput.$inferInput): AddonChanges['translations'] {
  const given = TRANSLATED_FIELDS.flatMap((field) => (input[field] ? [[field, input[field]] as const] : []));
  return Object.fromEntries(given);
}

/** Converts the input. Null leaves required fields unchanged. */
function changesIn(input: typeof UpdateAddonInput.$inferInput): AddonChanges {
  const values = {
    defaultLocale: input.defaultLocale ?? undefined,
    slug: input.slug ?? undefined,
    tags: input.tags ?? undefined,
    categories: input.categories?.map((id) => idOf('Category', id, 'categories')),
    license: licenseIn(input),
    contributionsUrl: input.contributionsUrl,
    isExperimental: input.isExperimental ?? undefined,
    isSourcePublic: input.isSourcePublic ?? undefined,
    publicStats: input.publicStats ?? undefined,
    requiresPayment: input.requiresPayment ?? undefined,
    localeDisambiguation: input.localeDisambiguation,
    targetLocale: input.targetLocale,
  };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return { translations: translationsIn(input), ...(Object.fromEntries(given) as Partial<AddonChanges>) };
}

builder.mutationField('updateAddon', (t) =>
  t.field({
    type: addonPayload('UpdateAddonPayload', 'The result of updateAddon.'),
    description: 'Changes the listing of an add-on. For its developers and holders of Addons:Edit.',
    args: { input: t.arg({ type: UpdateAddonInput, required: true, description: 'The add-on and its changes.' }) },
    errors: mutationResult('UpdateAddonResult'),
    resolve: async (_root, { input }, context) => {
      const addonId = idOf('Addon', input.id);
      await updateAddon(context.viewer, addonId, changesIn(input));
      forgetAddon(context, addonId);
      return { addonId };
    },
  }),
);

const REASON = 'Recorded in the activity of the add-on.';

const DeleteAddonInput = builder.inputType('DeleteAddonInput', {
  description: 'The add-on to delete.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    reason: t.string({ description: REASON }),
  }),
});

const DeleteAddonPayload = builder.objectRef<{ id: number; guid: string }>('DeleteAddonPayload').implement({
  description: 'The result of deleteAddon.',
  fields: (t) => ({
    deletedId: t.id({
      description: 'Global id of the deleted add-on.',
      resolve: ({ id }) => globalId('Addon', id),
    }),
    guid: t.exposeString('guid', { description: 'Guid of the deleted add-on, which no other add-on can take.' }),
  }),
});

builder.mutationField('deleteAddon', (t) =>
  t.field({
    type: DeleteAddonPayload,
    description: 'Deletes an add-on and its versions. For its owners and holders of Addons:Edit.',
    args: { input: t.arg({ type: DeleteAddonInput, required: true, description: 'The add-on.' }) },
    errors: mutationResult('DeleteAddonResult'),
    resolve: async (_root, { input }, { viewer }) => {
      const id = idOf('Addon', input.id);
      await deleteAddon(viewer, id, input.reason ?? '');
      return db.addon.findUniqueOrThrow({ where: { id }, select: { id: true, guid: true } });
    },
  }),
);

const ReviveAddonInput = builder.inputType('ReviveAddonInput', {
  description: 'The add-on to restore.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    reason: t.string({ description: REASON }),
  }),
});

builder.mutationField('reviveAddon', (t) =>
  t.field({
    type: addonPayload('ReviveAddonPayload', 'The result of reviveAddon.'),
    description: 'Restores a deleted add-on and the versions deleted with it. For holders of Addons:Edit.',
    args: { input: t.arg({ type: ReviveAddonInput, required: true, description: 'The add-on.' }) },
    errors: mutationResult('ReviveAddonResult'),
    resolve: async (_root, { input }, context) => {
      const addonId = idOf('Addon', input.id);
      await reviveAddon(context.viewer, addonId, input.reason ?? '');
      forgetAddon(context, addonId);
      return { addonId };
    },
  }),
);

const DisabledByEnum = builder.enumType('DisabledBy', {
  description: 'On whose behalf an add-on is disabled or enabled.',
  values: {
    DEVELOPER: { value: 'developer', description: 'Its developers.' },
    OPERATOR: { value: 'operator', description: 'The operator; needs Addons:Edit.' },
  } as const,
});

const SetAddonDisabledInput = builder.inputType('SetAddonDisabledInput', {
  description: 'The add-on to disable or enable. Developers and operator disable independently of each other.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    by: t.field({ type: DisabledByEnum, required: true, description: 'On whose behalf.' }),
    disabled: t.boolean({ required: true, description: 'True disables, false enables.' }),
    reason: t.string({ description: REASON }),
  }),
});

builder.mutationField('setAddonDisabled', (t) =>
  t.field({
    type: addonPayload('SetAddonDisabledPayload', 'The result of setAddonDisabled.'),
    description: 'Disables or enables an add-on. For its developers, or for the operator.',
    args: { input: t.arg({ type: SetAddonDisabledInput, required: true, description: 'The add-on and its state.' }) },
    errors: mutationResult('SetAddonDisabledResult'),
    resolve: async (_root, { input }, context) => {
      const addonId = idOf('Addon', input.id);
      const { by, disabled, reason } = input;
      await setAddonDisabled(context.viewer, addonId, { by, disabled, reason: reason ?? '' });
      forgetAddon(context, addonId);
      return { addonId };
    },
  }),
);
