/** The lifecycle of an uploaded version, one word for each state. Flags, reasons and next steps all follow from it. */
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
export type Channel = 'listed' | 'unlisted';

/** Stages that give the version number back: the same number may be submitted again. */
export const FAILED_STAGES: readonly Stage[] = ['invalid', 'rejected', 'error'];

/** Stages after which nothing more happens by itself or by a reviewer. */
export const FINAL_STAGES: readonly Stage[] = ['invalid', 'signed', 'rejected', 'error'];

/** Stages of a version that passed validation: it has a file that the status shows. */
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
 * The documented flags of an upload (contract, Upload status). `active` and `reviewed` are never true while a file still
 * waits for its signature, and `automated_signing` is true from the first answer on for an unlisted version: clients take
 * any other combination for a failure.
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

/** Whether the status of an upload shows its file: from the moment the validator let it pass. */
export function showsFiles(stage: Stage): boolean {
  return VALID_STAGES.includes(stage);
}

/** What happens next, or what the developer can do, in words for a person. `isHeld`: see `lockForSigning`. */
export function nextStep(stage: Stage, channel: Channel, isHeld = false): string {
  if (isHeld) return 'Signing continues when the operator enables the add-on or the account again.';
  switch (stage) {
    case 'received':
      return 'The package waits for the validator. Nothing to do.';
    case 'validating':
      return 'The validator is looking at the package. Nothing to do.';
    case 'invalid':
      return 'Mend what the validation messages name and upload the same version number again.';
    case 'valid':
      return channel === 'listed' ? 'A reviewer will look at this version.' : 'The package will be signed now.';
    case 'awaiting_review':
      return 'A reviewer will look at this version. The answer comes as a note on it.';
    case 'signing':
      return 'The package is being signed. Nothing to do.';
    case 'signed':
      return 'Done: download the file.';
    case 'rejected':
      return 'Read the reviewer’s comments, mend the package and upload it again; the version number is free.';
    case 'error':
      return 'The service could not finish the validation. Upload the same version number again; tell the operator if it happens twice.';
  }
}
