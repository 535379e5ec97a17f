import type { Channel } from '../../package/words.ts';

/** The lifecycle of an uploaded version, in order. The documented flags and the next step are derived from the stage. */
export const STAGES = [
  'received',
  'validating',
  'invalid',
  'valid',
  'awaiting_review',
  'signing',
  'signed',
  'rejected',
  'error',
] as const;

export type Stage = (typeof STAGES)[number];

/** Stages that free the version number: it may be uploaded again. */
export const FAILED_STAGES: readonly Stage[] = ['invalid', 'rejected', 'error'];

/** Stages without a further transition. */
export const FINAL_STAGES: readonly Stage[] = ['invalid', 'signed', 'rejected', 'error'];

/** Stages of a version that passed validation. */
const VALID_STAGES: readonly Stage[] = ['valid', 'awaiting_review', 'signing', 'signed', 'rejected'];

export interface UploadFlags {
  processed: boolean;
  valid: boolean;
  reviewed: boolean;
  passedReview: boolean;
  active: boolean;
  automatedSigning: boolean;
}

/**
 * The documented flags of an upload (contract, Upload status). Clients treat other combinations as a failure: `active` and
 * `reviewed` are false while a file is unsigned, and `automated_signing` of an unlisted version is true from the first
 * response on.
 */
export function uploadFlags(stage: Stage, channel: Channel, allFilesPublic: boolean): UploadFlags {
  return {
    processed: stage !== 'received' && stage !== 'validating',
    valid: VALID_STAGES.includes(stage),
    reviewed: stage === 'signed' || stage === 'rejected',
    passedReview: stage === 'signed',
    active: stage === 'signed' && allFilesPublic,
    automatedSigning: channel === 'unlisted',
  };
}

/** Whether the status of an upload shows its files. */
export function showsFiles(stage: Stage): boolean {
  return VALID_STAGES.includes(stage);
}

/** As `nextStep`, for an upload that is not submitted: it has taken no version number. */
export function nextStepBeforeSubmission(stage: Stage, channel: Channel): string {
  if (stage === 'valid') return 'Submit it as a version: submitVersion or submitAddon.';
  if (stage === 'invalid') return 'Fix the errors in the validation messages and upload the package again.';
  if (stage !== 'error') return nextStep(stage, channel);
  return 'The service failed to process the package. Upload it again; contact the operator if it fails twice.';
}

/** What happens next or what the developer can do, in English. `isHeld`: see `lockForSigning`. */
export function nextStep(stage: Stage, channel: Channel, isHeld = false): string {
  if (isHeld) return 'Signing continues when the operator enables the add-on or the account again.';
  switch (stage) {
    case 'received':
      return 'The package waits for validation. No action is needed.';
    case 'validating':
      return 'The package is being validated. No action is needed.';
    case 'invalid':
      return 'Fix the errors in the validation messages and upload the same version number again.';
    case 'valid':
      return channel === 'listed' ? 'The version enters the review queue.' : 'The package will be signed now.';
    case 'awaiting_review':
      return 'A reviewer will decide about this version and leave a note on it.';
    case 'signing':
      return 'The package is being signed. No action is needed.';
    case 'signed':
      return 'The signed file can be downloaded.';
    case 'rejected':
      return 'Read the reviewer’s comments, fix the package and upload the same version number again.';
    case 'error':
      return 'The service failed to process the package. Upload the same version number again; contact the operator if it fails twice.';
  }
}
