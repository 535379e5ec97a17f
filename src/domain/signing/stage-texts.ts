/* What people read about the stage of an upload, in the languages of the interface. */
import type { Channel } from '../../package/words.ts';
import type { Language } from '../../texts/text-table.ts';
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

const VALIDATION_ERRORS = /^Validation found (\d+) errors?\.$/;

/** The reasons that the service writes, which are stored in English. */
const REASONS = [
  [/^The add-on is deleted\.$/, 'addon_deleted'],
  [/^The operator disabled the add-on\.$/, 'addon_disabled'],
  [/^The account that uploaded it is disabled\.$/, 'uploader_disabled'],
  [/^The validator broke down/, 'validator'],
] as const;

function errorsFound(count: number, language: Exclude<Language, 'en'>): string {
  const forms: Partial<Record<string, string>> = texts[language].reasons;
  const form =
    forms[`errors#${new Intl.PluralRules(language).select(count)}`] ?? texts[language].reasons['errors#other'];
  return form.replace('{count}', new Intl.NumberFormat(language).format(count));
}

/**
 * The stored reason of a stage in the language closest to `locale`. What reviewers wrote, and messages about one package, stay as
 * they are.
 */
export function reasonText(stage: Stage, reason: string | null, locale: string): string | null {
  const language = mailLanguage(locale);
  if (reason === null || stage === 'rejected' || language === 'en') return reason;
  const count = VALIDATION_ERRORS.exec(reason)?.[1];
  if (count !== undefined) return errorsFound(Number(count), language);
  const key = REASONS.find(([pattern]) => pattern.test(reason))?.[1];
  return key === undefined ? reason : texts[language].reasons[key];
}
