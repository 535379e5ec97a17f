import { idOf } from '../../graphql/global-id.ts';
import { givenFields, mutation } from '../../graphql/mutation.ts';
import { forgetAddon } from '../addons/addon.ts';
import { forgetApprovalNotes } from './approval-notes.ts';
import { forgetDisabling } from './disabled-versions.ts';
import { versionFacts } from './find-version.ts';
import { updateVersion } from './update-version.ts';
import { forgetVersion, Version } from './version.ts';
import { versionChangesIn, versionInputFields } from './version-input.ts';

mutation('updateVersion', {
  description: 'Changes a version. For the developers of its add-on and holders of Addons:Edit.',
  input: 'Changes to a version. Absent fields stay unchanged. Translations are merged; null deletes a language.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the version.' }),
    isDisabled: t.boolean({ description: 'Whether its developers disable it: its files are not public then.' }),
    ...versionInputFields(t),
  }),
  resolve: async ({ id, isDisabled, ...input }, context) => {
    const versionId = idOf('Version', id);
    await updateVersion(context.viewer, versionId, { ...versionChangesIn(input), ...givenFields({ isDisabled }) });
    forgetDisabling(context, versionId);
    const { addonId } = await versionFacts(context).load(versionId);
    forgetVersion(context, versionId);
    forgetApprovalNotes(context, versionId);
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
