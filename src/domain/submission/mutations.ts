import {
  InvalidInputError,
  NotFoundError,
  NotPermittedError,
  PackageError,
  refusedField,
  ThrottledError,
  VersionExistsError,
} from '../../errors.ts';
import { enumOf, type InputFields, type ObjectFields } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { idOf, textKeyOf } from '../../graphql/global-id.ts';
import { type InputOf, mutation } from '../../graphql/mutation.ts';
import { db } from '../../infra/db.ts';
import type { Channel } from '../../package/enums.ts';
import { message } from '../../texts/messages.ts';
import { Addon } from '../addons/addon.ts';
import { ChannelEnum } from '../addons/enums.ts';
import { addonChangesIn, addonInputFields } from '../listing/addon-input.ts';
import { withSource } from '../sources/receive-source.ts';
import { loadUpload, type UploadState } from '../uploads/load-upload.ts';
import { Upload } from '../uploads/upload.ts';
import { Version } from '../versions/version.ts';
import { versionChangesIn, versionInputFields } from '../versions/version-input.ts';
import { type AcceptedUpload, acceptUpload } from './accept-upload.ts';
import type { SubmittedChanges } from './add-version.ts';
import { createUpload } from './create-upload.ts';
import type { SubmittedTo } from './submission-target.ts';
import { submitUpload } from './submit-upload.ts';

interface Submitted extends AcceptedUpload {
  upload: UploadState;
}

/** Input fields of submissions. */
const submissionInputFields = (t: InputFields) => ({
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
const submittedChanges = (input: SubmissionInput): SubmittedChanges => ({
  addon: addonChangesIn(input),
  version: versionChangesIn(input),
});

type Package = { kind: 'upload'; pk: string } | { kind: 'file'; file: NonNullable<SubmissionInput['file']> };

/** The package of an input. @throws {InvalidInputError} unless it is exactly one of file and upload. */
function packageOf({ file, upload }: SubmissionInput): Package {
  if (file != null && upload != null) throw new InvalidInputError(message('upload.two_packages'));
  if (upload != null) return { kind: 'upload', pk: textKeyOf('Upload', upload, 'upload') };
  if (file == null) throw refusedField('upload', message('field.required'));
  return { kind: 'file', file };
}

/** Submits the file or the upload of an input. `guidOf` returns the guid that a file is for. */
async function submit(
  context: Context,
  input: SubmissionInput,
  { to, channel, guidOf }: { to: SubmittedTo; channel: Channel | null; guidOf: () => Promise<string | null> },
): Promise<Submitted> {
  const sent = packageOf(input);
  const { viewer } = context;
  const { addon, version } = submittedChanges(input);
  const changes = { addon, version: await withSource(viewer, version, input.source) };
  const accepted =
    sent.kind === 'upload'
      ? await submitUpload(viewer, { pk: sent.pk, to, channel, version: input.version ?? null, changes })
      : await acceptUpload(viewer, {
          ...{ file: sent.file, guid: await guidOf(), version: input.version ?? null, channel, changes },
        });
  return { ...accepted, upload: await uploadWithId(accepted.uploadId) };
}

async function uploadWithId(id: number): Promise<UploadState> {
  const upload = await loadUpload({ id });
  if (upload === null) throw new Error(`upload ${id} does not exist`);
  return upload;
}

const UploadPurpose = enumOf('UploadPurpose', 'What a package is uploaded for.', {
  submission: 'To be submitted: it is kept as long as the operator has set.',
  check: 'To read the results of the validator: it is kept for 24 hours, and can be submitted until then.',
});

const refusals = [InvalidInputError, PackageError, NotPermittedError, NotFoundError, VersionExistsError];

const payloadFields = (t: ObjectFields<Submitted>) => ({
  upload: t.expose('upload', { type: Upload, description: 'The upload; follow it with uploadChanged.' }),
  isNewAddon: t.exposeBoolean('isNewAddon', { description: 'Whether this request created the add-on.' }),
  isNewVersion: t.exposeBoolean('isNewVersion', {
    description: 'Whether this request created the version; false when the same upload was submitted before.',
  }),
  addon: t.field({ type: Addon, description: 'The add-on.', resolve: ({ addonId }) => addonId }),
  version: t.field({ type: Version, description: 'The version.', resolve: ({ versionId }) => versionId }),
});

mutation('createUpload', {
  description:
    'Stores a package and validates it, without making an add-on or a version and without taking a version number. A valid one can be submitted by submitVersion or submitAddon until it expires. An account has at most 20 uploads that are not submitted, of 1 GB together; the oldest ones are removed. For signed-in viewers.',
  input: 'A package to validate.',
  inputFields: (t) => ({
    file: t.field({ type: 'UploadedFile', required: true, description: 'The package: .zip, .xpi or .crx.' }),
    channel: t.field({ type: ChannelEnum, required: true, description: 'The channel that it is validated for.' }),
    addon: t.id({
      description:
        'Global id of the add-on that it is a further version of. Then it is refused at once if its submission would be, and Upload.addon is this add-on even for a package without an id.',
    }),
    purpose: t.field({
      type: UploadPurpose,
      defaultValue: 'submission',
      description: 'What it is for, which decides how long it is kept.',
    }),
  }),
  resolve: async ({ file, channel, addon, purpose }, { viewer }) => {
    const options = { addonId: addon == null ? null : idOf('Addon', addon, 'addon'), onlyChecked: purpose === 'check' };
    const upload = await loadUpload({ id: await createUpload(viewer, file, channel, options) });
    // Newer uploads of the account have replaced it already.
    if (upload === null) throw new ThrottledError(1);
    return { upload };
  },
  payloadFields: (t) => ({
    upload: t.expose('upload', { type: Upload, description: 'The upload; follow it with uploadChanged.' }),
  }),
  refusals,
});

mutation('submitVersion', {
  description:
    'Submits a version of an add-on, or creates an add-on with its first version, together with changes of its listing: all of them or nothing. A file is validated in the background; an upload is valid already. Signing runs in the background. The same upload and add-on again apply their changes to the version that exists. For signed-in viewers; an existing add-on requires authorship.',
  input: 'A version of an add-on, named by guid or addon, from file or upload.',
  inputFields: (t) => ({
    guid: t.string({
      description:
        'The guid of an existing or new add-on, unless addon is sent. The package of an upload must have the same.',
    }),
    addon: t.id({ description: 'Global id of an existing add-on, unless guid is sent.' }),
    channel: t.field({
      type: ChannelEnum,
      description:
        'The channel of a further version. Default: that of the newest version. New add-ons from a file start unlisted. With upload, it must be that of the upload.',
    }),
    ...submissionInputFields(t),
  }),
  resolve: ({ guid, addon, channel, ...input }, context) => {
    return submit(context, input, {
      to: submittedTo(guid, addon),
      channel: channel ?? null,
      guidOf: guidOf(guid, addon),
    });
  },
  payloadFields,
  refusals,
});

/** @throws {InvalidInputError} unless exactly one of both is sent. */
function submittedTo(guid: string | null | undefined, addon: string | null | undefined): SubmittedTo {
  if ((guid == null) === (addon == null)) throw new InvalidInputError(message('upload.guid_or_addon'));
  return addon == null ? { kind: 'guid', guid: guid ?? '' } : { kind: 'addon', id: idOf('Addon', addon, 'addon') };
}

/** The guid of the add-on of a file. @throws {NotFoundError} for an id without an add-on. */
const guidOf = (guid: string | null | undefined, addon: string | null | undefined) => async (): Promise<string> => {
  if (addon == null) return guid ?? '';
  const found = await db.addon.findFirst({ where: { id: idOf('Addon', addon, 'addon'), deletedAt: null } });
  if (found === null) throw new NotFoundError();
  return found.guid;
};

mutation('submitAddon', {
  description:
    'Creates an add-on from a WebExtension, with its listing. Its guid is that of the manifest, or a new one. From a file, its first version is unlisted; from an upload, it has the channel of the upload. The same upload again applies its changes to the add-on that exists. For signed-in viewers.',
  input: 'The first version of a new add-on, from file or upload.',
  inputFields: (t) => submissionInputFields(t),
  resolve: (input, context) => submit(context, input, { to: { kind: 'new' }, channel: null, guidOf: async () => null }),
  payloadFields,
  refusals,
});
