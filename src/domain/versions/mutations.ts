import { InvalidInputError, NotFoundError, NotPermittedError } from '../../errors.ts';
import { builder, INTERNAL } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { TranslationInput } from '../../graphql/localized.ts';
import { forgetAddon } from '../addons/addon.ts';
import { ApplicationEnum } from '../addons/enums.ts';
import { CustomLicenseInput, customLicenseOf, licenseIdOf } from '../listing/license-input.ts';
import { WriteFormEnum } from '../listing/write-form-input.ts';
import { readWrittenText } from '../listing/write-forms.ts';
import { versionFacts } from './find-version.ts';
import { updateVersion, type VersionChanges } from './update-version.ts';
import { forgetVersion, Version } from './version.ts';

const ApplicationRangeInput = builder.inputType('ApplicationRangeInput', {
  fields: (t) => ({
    app: t.field({ type: ApplicationEnum, required: true }),
    min: t.string({ required: true }),
    max: t.string({ required: true, description: 'A version such as 60.0, 60.* or *.' }),
  }),
});

const VersionTextsInput = builder.inputType('VersionTextsInput', {
  description:
    'Translated fields in the forms of REST: an object {language: text}, where null deletes, or a string for the language of the request.',
  fields: (t) => ({ releaseNotes: t.field({ type: 'JSON' }) }),
});

const UpdateVersionInput = builder.inputType('UpdateVersionInput', {
  description: 'What is absent stays. Translations are merged: a null value deletes one language, unnamed ones stay.',
  fields: (t) => ({
    id: t.id({ required: true }),
    releaseNotes: t.field({ type: [TranslationInput], description: 'May hold HTML.' }),
    texts: t.field({
      type: VersionTextsInput,
      description: 'The same field, written otherwise.',
      subGraphs: INTERNAL,
    }),
    textsForm: t.field({
      type: WriteFormEnum,
      description: 'Which forms texts may have. Default: both.',
      subGraphs: INTERNAL,
    }),
    compatibility: t.field({
      type: [ApplicationRangeInput],
      description: 'All applications that it works with; they replace the present ones.',
    }),
    isStrictCompatibilityEnabled: t.boolean(),
    license: t.id({ description: 'For owners.' }),
    customLicense: t.field({ type: CustomLicenseInput, description: 'A licence of its own instead; for owners.' }),
  }),
});

function changesIn(input: typeof UpdateVersionInput.$inferInput, locale: string): VersionChanges {
  const { compatibility, customLicense, isStrictCompatibilityEnabled, license, releaseNotes, texts } = input;
  const form = { form: input.textsForm ?? 'string-or-object', locale, field: 'releaseNotes' } as const;
  const read = texts?.releaseNotes == null ? null : readWrittenText(texts.releaseNotes, form);
  return {
    ...(releaseNotes || read ? { releaseNotes: [...(releaseNotes ?? []), ...(read ?? [])] } : {}),
    ...(compatibility ? { compatibility } : {}),
    ...(isStrictCompatibilityEnabled == null ? {} : { isStrictCompatibilityEnabled }),
    ...(license == null ? {} : { license: licenseIdOf(license) }),
    ...(customLicense ? { license: customLicenseOf(customLicense) } : {}),
  };
}

const UpdateVersionPayload = builder.objectRef<{ versionId: number }>('UpdateVersionPayload').implement({
  fields: (t) => ({
    version: t.field({
      type: Version,
      nullable: true,
      description: 'Null for who may change it without seeing it: holders of Addons:Edit see public versions.',
      resolve: ({ versionId }, _args, context) => Version.loadOrNull(context, versionId),
    }),
  }),
});

builder.mutationField('updateVersion', (t) =>
  t.field({
    type: UpdateVersionPayload,
    description: 'Edits what a version says of itself; for the developers of its add-on.',
    args: { input: t.arg({ type: UpdateVersionInput, required: true }) },
    errors: { types: [InvalidInputError, NotFoundError, NotPermittedError], union: { name: 'UpdateVersionResult' } },
    resolve: async (_root, { input }, context) => {
      const versionId = idOf('Version', input.id);
      await updateVersion(context.viewer, versionId, changesIn(input, context.locale));
      const { addonId } = await versionFacts(context).load(versionId);
      forgetVersion(context, versionId);
      forgetAddon(context, addonId);
      return { versionId };
    },
  }),
);
