import { InvalidInputError, NotFoundError, NotPermittedError } from '../../errors.ts';
import { builder, INTERNAL } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { TranslationInput } from '../../graphql/localized.ts';
import { db } from '../../infra/db.ts';
import { Addon, forgetAddon } from '../addons/addon.ts';
import type { TranslatedField } from './check-texts.ts';
import { deleteAddon, reviveAddon, setAddonDisabled } from './end-addon.ts';
import { CustomLicenseInput, customLicenseOf, licenseIdOf } from './license-input.ts';
import { type AddonChanges, updateAddon } from './update-addon.ts';
import { WriteFormEnum } from './write-form-input.ts';
import { readWrittenText } from './write-forms.ts';

const EDITABLE_TEXTS = [
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

const AddonTextsInput = builder.inputType('AddonTextsInput', {
  description:
    'Translated fields in the forms of REST: an object {language: text}, where null deletes, or a string for the language of the request.',
  fields: (t) => {
    const written = () => t.field({ type: 'JSON' });
    return Object.fromEntries(EDITABLE_TEXTS.map((field) => [field, written()])) as Record<
      (typeof EDITABLE_TEXTS)[number],
      ReturnType<typeof written>
    >;
  },
});

const UpdateAddonInput = builder.inputType('UpdateAddonInput', {
  description: 'What is absent stays. Translations are merged: a null value deletes one language, unnamed ones stay.',
  fields: (t) => {
    const inLanguages = () => t.field({ type: [TranslationInput] });
    return {
      id: t.id({ required: true }),
      name: inLanguages(),
      summary: inLanguages(),
      description: inLanguages(),
      developerComments: inLanguages(),
      homepage: inLanguages(),
      supportEmail: inLanguages(),
      supportUrl: inLanguages(),
      eula: t.field({ type: [TranslationInput], description: 'For owners.' }),
      privacyPolicy: t.field({ type: [TranslationInput], description: 'For owners.' }),
      texts: t.field({
        type: AddonTextsInput,
        description: 'The same fields, written otherwise.',
        subGraphs: INTERNAL,
      }),
      textsForm: t.field({
        type: WriteFormEnum,
        description: 'Which forms texts may have. Default: both.',
        subGraphs: INTERNAL,
      }),
      defaultLocale: t.string({ description: 'A language that name, summary and description are there in.' }),
      slug: t.string(),
      categories: t.idList({ description: 'All categories of the add-on; they replace the present ones.' }),
      tags: t.stringList({ description: 'All tags of the add-on; they replace the present ones.' }),
      license: t.id({ description: 'The licence of its listed versions; for owners.' }),
      customLicense: t.field({ type: CustomLicenseInput, description: 'A licence of its own instead; for owners.' }),
      contributionsUrl: t.string({ description: 'Null ends it.' }),
      isExperimental: t.boolean(),
      isSourcePublic: t.boolean(),
      publicStats: t.boolean(),
      requiresPayment: t.boolean(),
      localeDisambiguation: t.string({ description: 'Of a dictionary or language pack; null ends it.' }),
      targetLocale: t.string({ description: 'Of a dictionary or language pack; null ends it.' }),
    };
  },
});

const addonPayload = (name: string) =>
  builder.objectRef<{ addonId: number }>(name).implement({
    fields: (t) => ({
      addon: t.field({ type: Addon, resolve: ({ addonId }) => addonId }),
    }),
  });

/** The translations of all fields that an input names, in either way. */
function translationsIn(input: typeof UpdateAddonInput.$inferInput, locale: string): AddonChanges['translations'] {
  const form = input.textsForm ?? 'string-or-object';
  const translations: AddonChanges['translations'] = {};
  for (const field of EDITABLE_TEXTS) {
    const written = input.texts?.[field];
    const [given, read] = [input[field], written == null ? null : readWrittenText(written, { form, locale, field })];
    if (given || read) translations[field] = [...(given ?? []), ...(read ?? [])];
  }
  return translations;
}

/** What is null for a field that cannot be without a value stays as it is. */
function changesIn(input: typeof UpdateAddonInput.$inferInput, locale: string): AddonChanges {
  const { customLicense, license, categories } = input;
  const values = {
    defaultLocale: input.defaultLocale ?? undefined,
    slug: input.slug ?? undefined,
    tags: input.tags ?? undefined,
    categories: categories?.map((id) => idOf('Category', id, 'categories')),
    license: customLicense ? customLicenseOf(customLicense) : license == null ? undefined : licenseIdOf(license),
    contributionsUrl: input.contributionsUrl,
    isExperimental: input.isExperimental ?? undefined,
    isSourcePublic: input.isSourcePublic ?? undefined,
    publicStats: input.publicStats ?? undefined,
    requiresPayment: input.requiresPayment ?? undefined,
    localeDisambiguation: input.localeDisambiguation,
    targetLocale: input.targetLocale,
  };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return { translations: translationsIn(input, locale), ...(Object.fromEntries(given) as Partial<AddonChanges>) };
}

builder.mutationField('updateAddon', (t) =>
  t.field({
    type: addonPayload('UpdateAddonPayload'),
    description: 'Edits the listing of an add-on; for its developers.',
    args: { input: t.arg({ type: UpdateAddonInput, required: true }) },
    errors: { types: [InvalidInputError, NotFoundError, NotPermittedError], union: { name: 'UpdateAddonResult' } },
    resolve: async (_root, { input }, context) => {
      const addonId = idOf('Addon', input.id);
      await updateAddon(context.viewer, addonId, changesIn(input, context.locale));
      forgetAddon(context, addonId);
      return { addonId };
    },
  }),
);

const DeleteAddonInput = builder.inputType('DeleteAddonInput', {
  fields: (t) => ({ id: t.id({ required: true }), reason: t.string() }),
});

const DeleteAddonPayload = builder.objectRef<{ guid: string }>('DeleteAddonPayload').implement({
  fields: (t) => ({ guid: t.exposeString('guid', { description: 'Of the deleted add-on; it stays taken.' }) }),
});

builder.mutationField('deleteAddon', (t) =>
  t.field({
    type: DeleteAddonPayload,
    description: 'Deletes an add-on; for its owner.',
    args: { input: t.arg({ type: DeleteAddonInput, required: true }) },
    errors: { types: [InvalidInputError, NotFoundError, NotPermittedError], union: { name: 'DeleteAddonResult' } },
    resolve: async (_root, { input }, { viewer }) => {
      const id = idOf('Addon', input.id);
      await deleteAddon(viewer, id, input.reason ?? '');
      return db.addon.findUniqueOrThrow({ where: { id }, select: { guid: true } });
    },
  }),
);

const ReviveAddonInput = builder.inputType('ReviveAddonInput', {
  fields: (t) => ({ id: t.id({ required: true }), reason: t.string() }),
});

builder.mutationField('reviveAddon', (t) =>
  t.field({
    type: addonPayload('ReviveAddonPayload'),
    description: 'Brings a deleted add-on back, with its versions; for holders of Addons:Edit.',
    args: { input: t.arg({ type: ReviveAddonInput, required: true }) },
    errors: { types: [InvalidInputError, NotFoundError, NotPermittedError], union: { name: 'ReviveAddonResult' } },
    resolve: async (_root, { input }, context) => {
      const addonId = idOf('Addon', input.id);
      await reviveAddon(context.viewer, addonId, input.reason ?? '');
      forgetAddon(context, addonId);
      return { addonId };
    },
  }),
);

const DisabledByEnum = builder.enumType('DisabledBy', {
  values: { DEVELOPER: { value: 'developer' }, OPERATOR: { value: 'operator' } } as const,
});

const SetAddonDisabledInput = builder.inputType('SetAddonDisabledInput', {
  fields: (t) => ({
    id: t.id({ required: true }),
    by: t.field({ type: DisabledByEnum, required: true }),
    disabled: t.boolean({ required: true }),
    reason: t.string(),
  }),
});

builder.mutationField('setAddonDisabled', (t) =>
  t.field({
    type: addonPayload('SetAddonDisabledPayload'),
    description: 'Disables an add-on, or lifts that: for its developers, or as the operator.',
    args: { input: t.arg({ type: SetAddonDisabledInput, required: true }) },
    errors: { types: [InvalidInputError, NotFoundError, NotPermittedError], union: { name: 'SetAddonDisabledResult' } },
    resolve: async (_root, { input }, context) => {
      const addonId = idOf('Addon', input.id);
      const { by, disabled, reason } = input;
      await setAddonDisabled(context.viewer, addonId, { by, disabled, reason: reason ?? '' });
      forgetAddon(context, addonId);
      return { addonId };
    },
  }),
);
