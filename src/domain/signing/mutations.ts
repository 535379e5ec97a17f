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

const payload = (name: string) =>
  builder.objectRef<SubmitPayload>(name).implement({
    fields: (t) => ({
      upload: t.field({ type: Upload, resolve: ({ upload }) => upload }),
      addonCreated: t.exposeBoolean('addonCreated', { description: 'Whether this upload made the add-on.' }),
    }),
  });

const SubmitVersionInput = builder.inputType('SubmitVersionInput', {
  fields: (t) => ({
    guid: t.string({ required: true, description: 'Id of the add-on, known or new.' }),
    version: t.string({ required: true, description: 'As in the manifest.' }),
    file: t.field({ type: 'UploadedFile', required: true }),
    channel: t.field({
      type: ChannelEnum,
      description: 'For further versions; that of the newest version when absent. A new add-on starts unlisted.',
    }),
  }),
});

const SubmitAddonInput = builder.inputType('SubmitAddonInput', {
  fields: (t) => ({
    version: t.string({ required: true }),
    file: t.field({ type: 'UploadedFile', required: true }),
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
      'Uploads a version of an add-on, or the first one of a new add-on. It is validated and signed in the background.',
    args: { input: t.arg({ type: SubmitVersionInput, required: true }) },
    errors: { types: REFUSALS, union: { name: 'SubmitVersionResult' } },
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
    description: 'Uploads a new WebExtension without naming its id: that of the manifest, or a new one.',
    args: { input: t.arg({ type: SubmitAddonInput, required: true }) },
    errors: { types: REFUSALS, union: { name: 'SubmitAddonResult' } },
    resolve: (_root, { input }, { viewer }) =>
      submit(viewer, { guid: null, version: input.version, file: input.file, channel: null }),
  }),
);
