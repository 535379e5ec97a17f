/* What people read about the stage of an upload, in the languages of the interface. */
import type { Channel } from '../../package/words.ts';
import { type Message, type MessageOrText, messageText } from '../../texts/messages.ts';
import { FAILED_STAGES, type Stage } from '../addons/stages.ts';
import { mailLanguage } from '../mail/letter.ts';
import texts from './stage-texts.json' with { type: 'json' };

interface UploadStep {
  stage: Stage;
  channel: Channel;
  /** See `UploadState`. Without effect on failed versions: their number is free, and a new upload restores their add-on. */
  deleted: 'addon' | 'version' | null;
  /** See `lockForSigning`. */
  isHeld: boolean;
  /** Whether it is a version: only then has it taken a version number. */
  isSubmitted: boolean;
}

type NextStep = keyof (typeof texts)['en']['nextSteps'];

function stepOf({ stage, channel, deleted, isHeld, isSubmitted }: UploadStep): NextStep {
  if (deleted !== null && !FAILED_STAGES.includes(stage)) return `${deleted}_deleted`;
  if (isHeld) return 'held';
  if (stage === 'valid')
    return !isSubmitted ? 'valid_upload' : channel === 'listed' ? 'valid_listed' : 'valid_unlisted';
  if (isSubmitted) return stage;
  return stage === 'invalid' ? 'invalid_upload' : stage === 'error' ? 'error_upload' : stage;
}

/** What happens next or what the developer can do, in the language closest to `locale`. */
export function nextStep(step: UploadStep, locale: string): string {
  return texts[mailLanguage(locale)].nextSteps[stepOf(step)];
}

/** The reason of a stage in the language closest to `locale`. What reviewers wrote stays as it is. */
export const reasonText = (reason: MessageOrText | null, locale: string): string | null =>
  reason === null || typeof reason === 'string' ? reason : messageText(reason, mailLanguage(locale));

/** The reason of a stage as a message; null for the words of a reviewer. */
export const messageIn = (reason: MessageOrText | null): Message | null => (typeof reason === 'string' ? null : reason);
