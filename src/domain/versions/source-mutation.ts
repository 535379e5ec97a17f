import { refusedField } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { message } from '../../texts/messages.ts';
import { EXPECTED_DESCRIPTION } from '../listing/expected-listing.ts';
import { attachSource } from '../sources/attach-source.ts';
import { requireEditableVersion } from './find-version.ts';
import { Version } from './version.ts';

const ExpectedSourceInput = builder.inputType('ExpectedSourceInput', {
  description: 'The source code of a version as a client read it. An absent field is not compared.',
  fields: (t) => ({ hash: t.string({ description: 'VersionSource.hash; null for a version without source code.' }) }),
});

mutation('attachSource', {
  description:
    'Attaches source code to a version for its reviewers, replaces it or removes it, until a person has decided about the version. For the developers of its add-on, and holders of Addons:Edit who may see it.',
  input: 'Source code of a version.',
  inputFields: (t) => ({
    version: t.id({ required: true, description: 'Global id of the version.' }),
    file: t.field({
      type: 'UploadedFile',
      description: 'An archive of at most 200 MB: .zip, .tar.gz, .tgz or .tar.bz2. Null removes the present one.',
    }),
    expected: t.field({ type: ExpectedSourceInput, description: EXPECTED_DESCRIPTION }),
  }),
  resolve: async ({ version, file, expected }, context) => {
    const versionId = idOf('Version', version, 'version');
    if (file === undefined) throw refusedField('file', message('field.required'));
    const { addonId, editor } = await requireEditableVersion(context, versionId);
    await attachSource(editor, { addonId, versionId }, file, { file: expected?.hash });
    return { versionId };
  },
  payloadFields: (t) => ({
    version: t.field({ type: Version, description: 'The changed version.', resolve: ({ versionId }) => versionId }),
  }),
});
