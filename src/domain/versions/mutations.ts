import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { TranslationInput } from '../../graphql/localized.ts';
import { givenFields, mutation } from '../../graphql/mutation.ts';
import { forgetAddon } from '../addons/addon.ts';
import { ApplicationEnum } from '../addons/enums.ts';
import { CustomLicenseInput, licenseIn } from '../listing/license-input.ts';
import { versionFacts } from './find-version.ts';
import { updateVersion } from './update-version.ts';
import { forgetVersion, Version } from './version.ts';

const ApplicationRangeInput = builder.inputType('ApplicationRangeInput', {
  description: 'The versions of one application that a version works with.',
  fields: (t) => ({
    app: t.field({ type: ApplicationEnum, required: true, description: 'The application.' }),
    min: t.string({ required: true, description: 'The oldest version, such as 57.0.' }),
    max: t.string({ required: true, description: 'The newest version, such as 60.0, 60.* or *.' }),
  }),
});

mutation('updateVersion', {
  description: 'Changes a version. For the developers of its add-on and holders of Addons:Edit.',
  input: 'Changes to a version. Absent fields stay unchanged. Translations are merged; null deletes a language.',
  inputFields: (t) => ({
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
  resolve: async ({ id, license, customLicense, ...changes }, context) => {
    const versionId = idOf('Version', id);
    await updateVersion(
      context.viewer,
      versionId,
      givenFields({ ...changes, license: licenseIn({ license, customLicense }) }),
    );
    const { addonId } = await versionFacts(context).load(versionId);
    forgetVersion(context, versionId);
    forgetAddon(context, addonId);
    return { versionId };
  },
  payloadFields: (t) => ({
    version: t.field({
      type: Version,
      nullable: true,
      description: 'The changed version; null for holders of Addons:Edit who may not see it.',
      resolve: ({ versionId }, _args, context) => Version.loadOrNull(context, versionId),
    }),
  }),
});
