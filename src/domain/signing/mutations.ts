import type { Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotFoundError, NotPermittedError, PackageError, VersionExistsError } from '../../errors.ts';
import type { ObjectFields } from '../../graphql/builder.ts';
import { mutation } from '../../graphql/mutation.ts';
import { ChannelEnum } from '../addons/enums.ts';
import { acceptUpload, type Submission } from './accept-upload.ts';
import { loadUpload, type UploadState } from './load-upload.ts';
import { Upload } from './upload.ts';

interface AcceptedUpload {
  upload: UploadState;
  addonCreated: boolean;
}

async function submit(viewer: Viewer, submission: Submission): Promise<AcceptedUpload> {
  // An argument that is never awaited must not end the process when its stream breaks.
  submission.file.catch(() => {});
  const { uploadId, addonCreated } = await acceptUpload(viewer, submission);
  const upload = await loadUpload({ id: uploadId });
  if (upload === null) throw new Error(`upload ${uploadId} is gone`);
  return { upload, addonCreated };
}

const refusals = [InvalidInputError, PackageError, NotPermittedError, NotFoundError, VersionExistsError];

const payloadFields = (t: ObjectFields<AcceptedUpload>) => ({
  upload: t.expose('upload', { type: Upload, description: 'The upload; follow it with uploadChanged.' }),
  addonCreated: t.exposeBoolean('addonCreated', { description: 'Whether this upload created the add-on.' }),
});

mutation('submitVersion', {
  description:
    'Uploads a version of an add-on, or creates an add-on with its first version. Validation and signing run in the background. For signed-in viewers; an existing add-on requires authorship.',
  input: 'A version of an add-on.',
  inputFields: (t) => ({
    guid: t.string({ required: true, description: 'The guid of an existing or new add-on.' }),
    version: t.string({ required: true, description: 'The version number of the manifest.' }),
    file: t.field({ type: 'UploadedFile', required: true, description: 'The package, a ZIP archive.' }),
    channel: t.field({
      type: ChannelEnum,
      description: 'The channel of a further version. Default: that of the newest version. New add-ons start unlisted.',
    }),
  }),
  resolve: (input, { viewer }) => submit(viewer, { ...input, channel: input.channel ?? null }),
  payloadFields,
  refusals,
});

mutation('submitAddon', {
  description:
    'Creates an add-on from a WebExtension. Its guid is that of the manifest, or a new one. For signed-in viewers.',
  input: 'The first version of a new add-on.',
  inputFields: (t) => ({
    version: t.string({ required: true, description: 'The version number of the manifest.' }),
    file: t.field({ type: 'UploadedFile', required: true, description: 'The package, a ZIP archive.' }),
  }),
  resolve: (input, { viewer }) => submit(viewer, { ...input, guid: null, channel: null }),
  payloadFields,
  refusals,
});
