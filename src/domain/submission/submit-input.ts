/* The input of submissions: a file or an upload, and what it says about the add-on and the version. */
import { InvalidInputError, refusedField } from '../../errors.ts';
import type { InputFields } from '../../graphql/builder.ts';
import { textKeyOf } from '../../graphql/global-id.ts';
import type { InputOf } from '../../graphql/mutation.ts';
import { message } from '../../texts/messages.ts';
import { addonChangesIn, addonInputFields } from '../listing/addon-input.ts';
import { versionChangesIn, versionInputFields } from '../versions/version-input.ts';
import type { SubmittedChanges } from './apply-changes.ts';

/** Input fields of submissions. */
export const submissionInputFields = (t: InputFields) => ({
  file: t.field({ type: 'UploadedFile', description: 'The package, a ZIP archive; unless upload is sent.' }),
  upload: t.id({
    description: 'Global id of a valid upload of the viewer, from createUpload; unless file is sent.',
  }),
  version: t.string({
    description:
      'The version number of the manifest, as a check: another one is refused. Needed for packages without one.',
  }),
  ...addonInputFields(t),
  ...versionInputFields(t),
});

type SubmissionInput = InputOf<ReturnType<typeof submissionInputFields>>;

/**
 * The changes of an input with `submissionInputFields`.
 * @throws {InvalidInputError} as `addonChangesIn` and `versionChangesIn` do.
 */
export const submittedChanges = (input: SubmissionInput): SubmittedChanges => ({
  addon: addonChangesIn(input),
  version: versionChangesIn(input),
});

type Package = { kind: 'upload'; pk: string } | { kind: 'file'; file: NonNullable<SubmissionInput['file']> };

/** The package of an input. @throws {InvalidInputError} unless it is exactly one of file and upload. */
export function packageOf({ file, upload, source }: SubmissionInput): Package {
  // A file that is never awaited must not end the process when its stream breaks.
  file?.catch(() => {});
  source?.catch(() => {});
  if (file != null && upload != null) throw new InvalidInputError(message('upload.two_packages'));
  if (upload != null) return { kind: 'upload', pk: textKeyOf('Upload', upload, 'upload') };
  if (file == null) throw refusedField('upload', message('field.required'));
  return { kind: 'file', file };
}
