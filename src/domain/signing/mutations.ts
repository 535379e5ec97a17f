import type { Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotFoundError, NotPermittedError, PackageError, VersionExistsError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { ChannelEnum } from '../versions/channel.ts';
import { acceptUpload, type Submission } from './accept-upload.ts';
import { loadUpload, type UploadState } from './load-upload.ts';
import type { AcceptedUpload } from './record-upload.ts';
import { Upload } from './upload.ts';

interface SubmitPayload {
  upload: UploadState;
  addonCreated: boolean;
}

const REFUSALS = [InvalidInputError, PackageError, NotPermittedError, NotFoundError, VersionExistsError];

const RESULT = 'The payload, or why the upload was refused.';

const payload = (name: string) =>
  builder.objectRef<SubmitPayload>(name).implement({
    description: 'The accepted upload.',
    fields: (t) => ({
      upload: t.field({
        type: Upload,
        description: 'The upload; follow it with uploadChanged.',
        resolve: ({ upload }) => upload,
      }),
      addonCreated: t.exposeBoolean('addonCreated', { description: 'Whether this upload created the add-on.' }),
    }),
  });

const SubmitVersionInput = builder.inputType('SubmitVersionInput', {
  description: 'A version of an add-on.',
  fields: (t) => ({
    guid: t.string({ required: true, description: 'The guid of an existing or new add-on.' }),
    version: t.string({ required: true, description: 'The version number of the manifest.' }),
    file: t.field({ type: 'UploadedFile', required: true, description: 'The package, a ZIP archive.' }),
    channel: t.field({
      type: ChannelEnum,
      description: 'The channel of a further version. Default: that of the newest version. New add-ons start unlisted.',
    }),
  }),
});

const SubmitAddonInput = builder.inputType('SubmitAddonInput', {
  description: 'The first version of a new add-on.',
  fields: (t) => ({
    version: t.string({ required: true, description: 'The version number of the manifest.' }),
    file: t.field({ type: 'UploadedFile', required: true, description: 'The package, a ZIP archive.' }),
  }),
});

async function submit(viewer: Viewer, submission: Submission): Promise<SubmitPayload> {
  // An argument that is never awaited must not end the process when its stream breaks.
  submission.file.catch(() => {});
  const accepted: AcceptedUpload = await acceptUpload(viewer, submission);
  const upload = await loadUpload({ id: accepted.uploadId });
  if (upload === null) throw new Error(`upload ${accepted.uploadId} is gone`);
  return { upload, addonCreated: accepted.addonCreated };
}

builder.mutationField('submitVersion', (t) =>
  t.field({
    type: payload('SubmitVersionPayload'),
    description:
      'Uploads a version of an add-on, or creates an add-on with its first version. Validation and signing run in the background. For signed-in viewers; an existing add-on requires authorship.',
    args: { input: t.arg({ type: SubmitVersionInput, required: true, description: 'The version.' }) },
    errors: { types: REFUSALS, union: { name: 'SubmitVersionResult', description: RESULT } },
    resolve: (_root, { input }, { viewer }) =>
      submit(viewer, {
        guid: input.guid,
        version: input.version,
        file: input.file,
        channel: input.channel ?? null,
      }),
  }),
);

builder.mutationField('submitAddon', (t) =>
  t.field({
    type: payload('SubmitAddonPayload'),
    description:
      'Creates an add-on from a WebExtension. Its guid is that of the manifest, or a new one. For signed-in viewers.',
    args: { input: t.arg({ type: SubmitAddonInput, required: true, description: 'The add-on.' }) },
    errors: { types: REFUSALS, union: { name: 'SubmitAddonResult', description: RESULT } },
    resolve: (_root, { input }, { viewer }) =>
      submit(viewer, { guid: null, version: input.version, file: input.file, channel: null }),
  }),
);
