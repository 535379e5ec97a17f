import { canSeeUploadFiles, canUploadVersion } from '../../auth/permissions.ts';
import { config } from '../../config.ts';
import { builder, enumOf, INTERNAL } from '../../graphql/builder.ts';
import { type Context, languageOf } from '../../graphql/context.ts';
import { MessageRef } from '../../graphql/message.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db } from '../../infra/db.ts';
import { textLanguage } from '../../infra/text-language.ts';
import { type Channel, FILE_STATUS } from '../../package/enums.ts';
import { API_TEXTS, type ApiTextKey } from '../../texts/api.ts';
import type { Message } from '../../texts/messages.ts';
import { translate } from '../../texts/translate.ts';
import { messageText } from '../../texts/translated-messages.ts';
import { Addon } from '../addons/addon.ts';
import { AddonTypeEnum, ChannelEnum } from '../addons/enums.ts';
import { addonRights } from '../addons/find-addon.ts';
import { FAILED_STAGES, isValidated, type Stage, showsFiles } from '../addons/stages.ts';
import { packageLocale } from '../listing/package-texts.ts';
import type { StageReason } from '../signing/change-stage.ts';
import { Validation } from '../validation/validation.ts';
import { File } from '../versions/file.ts';
import { loadUploads, type UploadState } from './load-upload.ts';

interface Known {
  id: number;
  guid: string;
  authors: { accountId: number }[];
}

/** The id of the add-on with each guid, in any case, if the viewer may submit versions of it; else null. */
const submittableAddons = perRequest<string, number | null>(async (guids, { viewer }) => {
  const known = await db.$queryRaw<Known[]>`
    SELECT a.id, a.guid::text, (
      SELECT coalesce(json_agg(json_build_object('accountId', w.account_id)), '[]') FROM addon_author w WHERE w.addon_id = a.id
    ) AS authors
    FROM addon a WHERE a.guid = ANY(${[...guids]}::citext[]) AND a.deleted_at IS NULL`;
  const byGuid = new Map(known.map((addon) => [addon.guid.toLowerCase(), addon]));
  return guids.map((guid) => {
    const addon = byGuid.get(guid.toLowerCase());
    return addon !== undefined && canUploadVersion(viewer, addon.authors) ? addon.id : null;
  });
});

/** The add-on that an upload will be a version of, if the viewer may submit it. */
export async function targetOfUpload(
  context: Context,
  { targetAddonId, guid }: Pick<UploadState, 'targetAddonId' | 'guid'>,
): Promise<number | null> {
  if (targetAddonId !== null) {
    const { authors } = await addonRights(context).load(targetAddonId);
    if (canUploadVersion(context.viewer, authors)) return targetAddonId;
  }
  return guid === null ? null : submittableAddons(context).load(guid);
}

/* What people read about the stage of an upload, in the languages of the interface. */

interface UploadStep {
  stage: Stage;
  channel: Channel;
  /** See `UploadState`. Without effect on failed versions: their number is free, and a new upload restores their add-on. */
  deleted: 'addon' | 'version' | null;
  /** See `lockForSigning`. */
  isBlocked: boolean;
  /** Whether it is a version: only then has it taken a version number. */
  isSubmitted: boolean;
}

type NextStep = Extract<ApiTextKey, `next-step.${string}`> extends `next-step.${infer Step}` ? Step : never;

function stepOf({ stage, channel, deleted, isBlocked, isSubmitted }: UploadStep): NextStep {
  if (deleted !== null && !FAILED_STAGES.includes(stage)) return `${deleted}_deleted`;
  if (isBlocked) return 'held';
  if (stage === 'valid')
    return !isSubmitted ? 'valid_upload' : channel === 'listed' ? 'valid_listed' : 'valid_unlisted';
  if (isSubmitted) return stage;
  return stage === 'invalid' ? 'invalid_upload' : stage === 'error' ? 'error_upload' : stage;
}

/** What happens next or what the developer can do, in the language closest to `locale`. */
export const nextStep = (step: UploadStep, locale: string): string =>
  translate(API_TEXTS, textLanguage(locale), `next-step.${stepOf(step)}`);

/** The reason of a stage in the language closest to `locale`. What reviewers wrote stays as it is. */
export const reasonText = (reason: StageReason | null, locale: string): string | null =>
  reason === null || typeof reason === 'string' ? reason : messageText(reason, textLanguage(locale));

/** The reason of a stage as a message; null for the words of a reviewer. */
export const messageIn = (reason: StageReason | null): Message | null => (typeof reason === 'string' ? null : reason);

export const UploadStage = enumOf<Stage>(
  'UploadStage',
  'The stage of an uploaded version. INVALID, SIGNED, REJECTED and ERROR are final.',
  {
    received: 'Stored; waits for the validator.',
    validating: 'The validator is running.',
    invalid: 'Validation failed; the version number can be used again.',
    valid: 'Validation passed; an upload that is not submitted waits here.',
    awaiting_review: 'In the review queue.',
    signing: 'Approved or signed automatically; being signed.',
    signed: 'Signed and available for download.',
    rejected: 'Rejected by a reviewer; the version number can be used again.',
    error: 'The service could not process it; the version number can be used again.',
  },
);

export const Upload = builder.objectRef<UploadState>('Upload');

builder.node(Upload, {
  description: 'An uploaded package and the state of its processing. Readable by everyone who has its id.',
  id: { description: 'Global id, which cannot be guessed.', resolve: (upload) => upload.pk },
  loadMany: (pks) => loadUploads(pks),
  fields: (t) => ({
    pk: t.exposeString('pk', { subGraphs: INTERNAL, description: 'The identifier in REST and in addresses of pages.' }),
    guid: t.exposeString('guid', {
      nullable: true,
      description: 'The guid of the add-on; before the submission that of the package, null if it has none.',
    }),
    type: t.expose('type', {
      type: AddonTypeEnum,
      description: 'What the add-on is; before the submission, the package.',
    }),
    addon: t.field({
      type: Addon,
      nullable: true,
      description:
        'The add-on of the version; before the submission, the one that it was uploaded for, else the one with the guid of the package, if the viewer is an author of it. Null when the viewer may not see it.',
      resolve: async (upload, _args, context) => {
        const id = upload.addon?.id ?? (await targetOfUpload(context, upload));
        return Addon.loadOrNull(context, id);
      },
    }),
    defaultLocale: t.string({
      nullable: true,
      description: 'Fallback language of the add-on that its submission makes; null once it is submitted.',
      resolve: ({ version, manifestLocale }) =>
        version.id === null ? packageLocale({ defaultLocale: manifestLocale }) : null,
    }),
    isOwn: t.boolean({
      description: 'Whether the viewer uploaded it. Only then may the viewer submit it.',
      resolve: ({ accountId }, _args, { viewer }) => viewer.kind === 'account' && viewer.accountId === accountId,
    }),
    isSubmitted: t.boolean({
      description: 'Whether it is a version of an add-on. Until then it has taken no version number.',
      resolve: ({ version }) => version.id !== null,
    }),
    expires: t.expose('expires', {
      type: 'DateTime',
      nullable: true,
      description: 'When it is removed unless it is submitted; null once it is.',
    }),
    version: t.string({ description: 'The version number.', resolve: (upload) => upload.version.version }),
    channel: t.field({
      type: ChannelEnum,
      description: 'The channel of the version, which the package is validated for.',
      resolve: (upload) => upload.version.channel,
    }),
    versionId: t.globalID({
      nullable: true,
      description: 'Global id of the Version; null until validation has passed and the upload is submitted.',
      resolve: ({ version: { id, stage } }) => (id !== null && showsFiles(stage) ? { type: 'Version', id } : null),
    }),
    stage: t.field({
      type: UploadStage,
      description: 'The current stage.',
      resolve: (upload) => upload.version.stage,
    }),
    reason: t.string({
      nullable: true,
      description:
        'Why the upload failed, was rejected or waits; null otherwise. In the language of the request (en, de or he), except for comments of reviewers.',
      resolve: ({ version: { reason } }, _args, context) => reasonText(reason, languageOf(context)),
    }),
    reasonMessage: t.field({
      type: MessageRef,
      nullable: true,
      description: 'The same as code and parameters; null for comments of reviewers.',
      resolve: ({ version: { reason } }) => messageIn(reason),
    }),
    nextStep: t.string({
      description: 'What happens next or what the developer can do, in the language of the request: en, de or he.',
      resolve: ({ version: { id, stage, channel, reason, deleted } }, _args, context) => {
        const isSubmitted = id !== null;
        const isBlocked = isSubmitted && (stage === 'valid' || stage === 'signing') && reason !== null;
        return nextStep({ stage, channel, deleted, isBlocked, isSubmitted }, languageOf(context));
      },
    }),
    isAvailable: t.boolean({
      description: 'Whether the version is signed and its files can be downloaded: it is neither deleted nor disabled.',
      resolve: ({ version: { stage, deleted, files } }) =>
        stage === 'signed' && deleted === null && files.every(({ status }) => status === FILE_STATUS.public),
    }),
    validation: t.field({
      type: Validation,
      nullable: true,
      description: 'Results of the validator; null until it has finished.',
      resolve: (upload) => (isValidated(upload.version.stage) ? upload.validation : null),
    }),
    files: t.field({
      type: [File],
      description:
        'The files of the version. Empty until validation has passed, and for viewers who are neither authors nor reviewers.',
      resolve: ({ addon, version }, _args, { viewer }) =>
        addon !== null && showsFiles(version.stage) && canSeeUploadFiles(viewer, addon.authors, version.channel)
          ? version.files
          : [],
    }),
    validationUrl: t.string({
      description: 'Address of a public page with the validation results.',
      resolve: (upload) => `${config.BASE_URL}/validation/${upload.pk}`,
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When the package arrived.' }),
    updated: t.expose('updated', { type: 'DateTime', description: 'When the stage last changed.' }),
  }),
});
