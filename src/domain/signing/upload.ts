import { canSeeUploadFiles } from '../../auth/permissions.ts';
import { config } from '../../config.ts';
import { builder } from '../../graphql/builder.ts';
import { ChannelEnum } from '../versions/channel.ts';
import { File } from '../versions/file.ts';
import { loadUploads, type UploadState } from './load-upload.ts';
import { nextStep, STAGES, showsFiles, type UploadFlags, uploadFlags } from './stages.ts';
import { type StoredValidation, Validation } from './validation.ts';

export const UploadStage = builder.enumType('UploadStage', {
  description: 'Where an uploaded version stands.',
  values: Object.fromEntries(STAGES.map((stage) => [stage.toUpperCase(), { value: stage }])) as {
    [Value in (typeof STAGES)[number] as Uppercase<Value>]: { value: Value };
  },
});

const PUBLIC = 4;

function flags(upload: UploadState): UploadFlags {
  const { stage, channel, files } = upload.version;
  return uploadFlags(
    stage,
    channel,
    files.every((file) => file.status === PUBLIC),
  );
}

function statusPath(upload: UploadState): string {
  const { guid } = upload.addon;
  return `/api/v4/addons/${encodeURIComponent(guid)}/versions/${encodeURIComponent(upload.version.version)}/uploads/${upload.pk}/`;
}

export const Upload = builder.objectRef<UploadState>('Upload');

builder.node(Upload, {
  description: 'A package that a developer sent, and how far it has come.',
  id: { resolve: (upload) => upload.pk },
  loadMany: (pks) => loadUploads(pks),
  fields: (t) => ({
    pk: t.exposeString('pk', { description: 'The public identifier of the upload.' }),
    guid: t.string({ resolve: (upload) => upload.addon.guid }),
    version: t.string({ resolve: (upload) => upload.version.version }),
    channel: t.field({ type: ChannelEnum, resolve: (upload) => upload.version.channel }),
    versionId: t.globalID({
      nullable: true,
      description: 'The Version, once the package has passed validation.',
      resolve: ({ version }) => (showsFiles(version.stage) ? { type: 'Version', id: version.id } : null),
    }),
    stage: t.field({ type: UploadStage, resolve: (upload) => upload.version.stage }),
    reason: t.string({
      nullable: true,
      description: 'Why it stands there, where that needs saying.',
      resolve: (upload) => upload.version.reason,
    }),
    nextStep: t.string({
      description: 'What happens next, in words for a person.',
      resolve: ({ version: { stage, channel, reason } }) =>
        nextStep(stage, channel, (stage === 'valid' || stage === 'signing') && reason !== null),
    }),
    processed: t.boolean({ resolve: (upload) => flags(upload).processed }),
    valid: t.boolean({ resolve: (upload) => flags(upload).valid }),
    reviewed: t.boolean({ resolve: (upload) => flags(upload).reviewed }),
    passedReview: t.boolean({ resolve: (upload) => flags(upload).passedReview }),
    active: t.boolean({ resolve: (upload) => flags(upload).active }),
    automatedSigning: t.boolean({ resolve: (upload) => flags(upload).automatedSigning }),
    validation: t.field({
      type: Validation,
      nullable: true,
      description: 'Null until the validator has finished.',
      resolve: (upload) => (flags(upload).processed ? (upload.validation as unknown as StoredValidation) : null),
    }),
    files: t.field({
      type: [File],
      description: 'Empty until the package has passed, and for anybody but its authors and reviewers.',
      resolve: (upload, _args, { viewer }) =>
        showsFiles(upload.version.stage) && canSeeUploadFiles(viewer, upload.addon.authors, upload.version.channel)
          ? upload.version.files
          : [],
    }),
    url: t.string({
      description: 'REST address of this status.',
      resolve: (upload) => config.BASE_URL + statusPath(upload),
    }),
    validationUrl: t.string({
      description: 'Page with the validation messages, readable without login.',
      resolve: (upload) => `${config.BASE_URL}/validation/${upload.pk}`,
    }),
    created: t.field({ type: 'DateTime', resolve: (upload) => upload.created }),
    updated: t.field({ type: 'DateTime', resolve: (upload) => upload.updated }),
  }),
});
