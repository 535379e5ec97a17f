import { globalId, idOf } from '../../graphql/global-id.ts';
import { givenFields, mutation } from '../../graphql/mutation.ts';
import { changedAddon } from '../addons/changed-addon.ts';
import { EXPECTED } from '../listing/expected-listing.ts';
import { withSource } from '../sources/receive-source.ts';
import { deleteVersion } from './delete-version.ts';
import { requireEditableVersion } from './editable-version.ts';
import { ExpectedVersionInput, expectedVersionIn } from './expected-version.ts';
import { updateVersion } from './update-version.ts';
import { Version } from './version.ts';
import { versionChangesIn, versionInputFields } from './version-input.ts';

mutation('updateVersion', {
  description: 'Changes a version. For the developers of its add-on, and holders of Addons:Edit who may see it.',
  input: 'Changes to a version. Absent fields stay unchanged. Translations are merged; null deletes a language.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the version.' }),
    isDisabled: t.boolean({ description: 'Whether its developers disable it: its files are not public then.' }),
    ...versionInputFields(t),
    expected: t.field({ type: ExpectedVersionInput, description: EXPECTED }),
  }),
  resolve: async ({ id, isDisabled, source, expected, ...input }, context) => {
    // A file that is never awaited must not end the process when its stream breaks.
    source?.catch(() => {});
    const versionId = idOf('Version', id);
    const changes = { ...versionChangesIn(input), ...givenFields({ isDisabled }) };
    await requireEditableVersion(context, versionId);
    const before = expectedVersionIn(expected);
    await updateVersion(context.viewer, versionId, await withSource(context.viewer, changes, source), before);
    return { versionId };
  },
  payloadFields: (t) => ({
    version: t.field({ type: Version, description: 'The changed version.', resolve: ({ versionId }) => versionId }),
  }),
});

mutation('deleteVersion', {
  description:
    'Deletes a version. Its number stays taken. For the developers of its add-on, and holders of Addons:Edit who may see it.',
  input: 'The version to delete.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the version.' }) }),
  resolve: async ({ id }, context) => {
    const versionId = idOf('Version', id);
    const { addonId } = await requireEditableVersion(context, versionId);
    await deleteVersion(context.viewer, addonId, versionId);
    return { addonId, versionId };
  },
  payloadFields: (t) => ({
    ...changedAddon(t),
    deletedId: t.id({
      description: 'Global id of the deleted version.',
      resolve: ({ versionId }) => globalId('Version', versionId),
    }),
  }),
});
