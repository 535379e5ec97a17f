/* What people read about the stage of an upload, in the languages of the interface. */
import { textLanguage } from '../../infra/text-language.ts';
import type { Channel } from '../../package/enums.ts';
import { API_TEXTS, type ApiKey } from '../../texts/api.ts';
import { type Message, messageText } from '../../texts/messages.ts';
import { translate } from '../../texts/translate.ts';
import { FAILED_STAGES, type Stage } from '../addons/stages.ts';
import type { StageReason } from '../signing/change-stage.ts';

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

type NextStep = Extract<ApiKey, `next-step.${string}`> extends `next-step.${infer Step}` ? Step : never;

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
