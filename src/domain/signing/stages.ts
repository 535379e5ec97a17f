import type { Channel } from '../../package/words.ts';
import type { Stage } from '../addons/stages.ts';

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
