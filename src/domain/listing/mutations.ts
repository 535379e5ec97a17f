import { builder } from '../../graphql/builder.ts';
import { globalId, idOf } from '../../graphql/global-id.ts';
import { TranslationInput } from '../../graphql/localized.ts';
import { givenFields, mutation } from '../../graphql/mutation.ts';
import { db } from '../../infra/db.ts';
import { forgetAddon } from '../addons/addon.ts';
import { changedAddon } from '../addons/changed-addon.ts';
import { deleteAddon, reviveAddon, setAddonDisabled } from './end-addon.ts';
import { CustomLicenseInput, licenseIn } from './license-input.ts';
import { updateAddon } from './update-addon.ts';

mutation('updateAddon', {
  description: 'Changes the listing of an add-on. For its developers and holders of Addons:Edit.',
  input:
    'Changes to the listing of an add-on. Absent fields stay unchanged. Translations are merged; null deletes a language.',
  inputFields: (t) => {
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
  resolve: async ({ id, license, customLicense, ...input }, context) => {
    const addonId = idOf('Addon', id);
    const { contributionsUrl, localeDisambiguation, targetLocale, categories, ...others } = input;
    await updateAddon(context.viewer, addonId, {
      ...givenFields({
        ...others,
        categories: categories?.map((category) => idOf('Category', category, 'categories')),
        license: licenseIn({ license, customLicense }),
      }),
      contributionsUrl,
      localeDisambiguation,
      targetLocale,
    });
    forgetAddon(context, addonId);
    return { addonId };
  },
  payloadFields: changedAddon,
});

const REASON = 'Recorded in the activity of the add-on.';

mutation('deleteAddon', {
  description: 'Deletes an add-on and its versions. For its owners and holders of Addons:Edit.',
  input: 'The add-on to delete.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    reason: t.string({ description: REASON }),
  }),
  resolve: async (input, { viewer }) => {
    const id = idOf('Addon', input.id);
    await deleteAddon(viewer, id, input.reason ?? '');
    return db.addon.findUniqueOrThrow({ where: { id }, select: { id: true, guid: true } });
  },
  payloadFields: (t) => ({
    deletedId: t.id({
      description: 'Global id of the deleted add-on.',
      resolve: ({ id }) => globalId('Addon', id),
    }),
    guid: t.exposeString('guid', { description: 'Guid of the deleted add-on, which no other add-on can take.' }),
  }),
});

mutation('reviveAddon', {
  description: 'Restores a deleted add-on and the versions deleted with it. For holders of Addons:Edit.',
  input: 'The add-on to restore.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    reason: t.string({ description: REASON }),
  }),
  resolve: async ({ id, reason }, context) => {
    const addonId = idOf('Addon', id);
    await reviveAddon(context.viewer, addonId, reason ?? '');
    forgetAddon(context, addonId);
    return { addonId };
  },
  payloadFields: changedAddon,
});

const DisabledByEnum = builder.enumType('DisabledBy', {
  description: 'On whose behalf an add-on is disabled or enabled.',
  values: {
    DEVELOPER: { value: 'developer', description: 'Its developers.' },
    OPERATOR: { value: 'operator', description: 'The operator; needs Addons:Edit.' },
  } as const,
});

mutation('setAddonDisabled', {
  description: 'Disables or enables an add-on. For its developers, or for the operator.',
  input: 'The add-on to disable or enable. Developers and operator disable independently of each other.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    by: t.field({ type: DisabledByEnum, required: true, description: 'On whose behalf.' }),
    disabled: t.boolean({ required: true, description: 'True disables, false enables.' }),
    reason: t.string({ description: REASON }),
  }),
  resolve: async ({ id, by, disabled, reason }, context) => {
    const addonId = idOf('Addon', id);
    await setAddonDisabled(context.viewer, addonId, { by, disabled, reason: reason ?? '' });
    forgetAddon(context, addonId);
    return { addonId };
  },
  payloadFields: changedAddon,
});
