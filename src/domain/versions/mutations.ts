import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { TranslationInput } from '../../graphql/localized.ts';
import { mutationResult } from '../../graphql/mutation-result.ts';
import { forgetAddon } from '../addons/addon.ts';
import { ApplicationEnum } from '../addons/enums.ts';
import { CustomLicenseInput, licenseIn } from '../listing/license-input.ts';
import { versionFacts } from './find-version.ts';
import { updateVersion, type VersionChanges } from './update-version.ts';
import { forgetVersion, Version } from './version.ts';

const ApplicationRangeInput = builder.inputType('ApplicationRangeInput', {
  description: 'The versions of one application that a version works with.',
  fields: (t) => ({
    app: t.field({ type: ApplicationEnum, required: true, description: 'The application.' }),
    min: t.string({ required: true, description: 'The oldest version, such as 57.0.' }),
    max: t.string({ required: true, description: 'The newest version, such as 60.0, 60.* or *.' }),
  }),
});

const UpdateVersionInput = builder.inputType('UpdateVersionInput', {
  description: 'Changes to a version. Absent fields stay unchanged. Translations are merged; null deletes a language.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the version.' }),
    releaseNotes: t.field({ type: [TranslationInput], description: 'What has changed; may contain HTML.' }),
    compatibility: t.field({
      type: [ApplicationRangeInput],
      description: 'All applications that it works with, at least one. They replace the present ones.',
    }),
    isStrictCompatibilityEnabled: t.boolean({
      description: 'Whether applications must enforce the newest versions in compatibility.',
    }),
    license: t.id({
      description: 'Global id of its licence, unless customLicense is sent. Only owners may change it.',
    }),
    customLicense: t.field({
      type: CustomLicenseInput,
      description: 'A custom licence, unless license is sent. Only owners may change it.',
    }),
  }),
});

function changesIn(input: typeof UpdateVersionInput.$inferInput): VersionChanges {
  const { compatibility, isStrictCompatibilityEnabled, releaseNotes } = input;
  const license = licenseIn(input);
  return {
    ...(releaseNotes ? { releaseNotes } : {}),
    ...(compatibility ? { compatibility } : {}),
    ...(isStrictCompatibilityEnabled == null ? {} : { isStrictCompatibilityEnabled }),
    ...(license === undefined ? {} : { license }),
  };
}

const UpdateVersionPayload = builder.objectRef<{ versionId: number }>('UpdateVersionPayload').implement({
  description: 'The result of updateVersion.',
  fields: (t) => ({
    version: t.field({
      type: Version,
      nullable: true,
      description: 'The changed version; null for holders of Addons:Edit who may not see it.',
      resolve: ({ versionId }, _args, context) => Version.loadOrNull(context, versionId),
    }),
  }),
});

builder.mutationField('updateVersion', (t) =>
  t.field({
    type: UpdateVersionPayload,
    description: 'Changes a version. For the developers of its add-on and holders of Addons:Edit.',
    args: { input: t.arg({ type: UpdateVersionInput, required: true, description: 'The version and its changes.' }) },
    errors: mutationResult('UpdateVersionResult'),
    resolve: async (_root, { input }, context) => {
      const versionId = idOf('Version', input.id);
      await updateVersion(context.viewer, versionId, changesIn(input));
      const { addonId } = await versionFacts(context).load(versionId);
      forgetVersion(context, versionId);
      forgetAddon(context, addonId);
      return { versionId };
    },
  }),
);
