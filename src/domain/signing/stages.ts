import type { Stage } from '../addons/stages.ts';

/** Stages of a version that passed validation. */
const VALID_STAGES: readonly Stage[] = ['valid', 'awaiting_review', 'signing', 'signed', 'rejected'];

/** Whether the validator has finished. */
export const isValidated = (stage: Stage): boolean => stage !== 'received' && stage !== 'validating';

/** Whether the status of an upload shows its files. */
export function showsFiles(stage: Stage): boolean {
  return VALID_STAGES.includes(stage);
}
