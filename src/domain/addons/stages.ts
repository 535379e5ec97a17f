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

/** Stages of uploads whose package is unusable. */
export const UNUSABLE_STAGES: readonly Stage[] = ['invalid', 'error'];

/** Stages of uploads that are not versions yet, or whose package is unusable. */
export const NOT_A_VERSION: readonly Stage[] = ['received', 'validating', ...UNUSABLE_STAGES];

/** Whether a stage of the database is one of these. */
export const isOneOf = (stages: readonly Stage[], stage: string): boolean => stages.includes(stage as Stage);

/** SQL: a list of stages in parentheses, for IN. */
export const stagesSql = (stages: readonly Stage[]): string => `(${stages.map((stage) => `'${stage}'`).join(', ')})`;

/** Stages of a version that passed validation. */
const VALID_STAGES: readonly Stage[] = ['valid', 'awaiting_review', 'signing', 'signed', 'rejected'];

/** Whether the validator has finished. */
export const isValidated = (stage: Stage): boolean => stage !== 'received' && stage !== 'validating';

/** Whether the status of an upload shows its files. */
export function showsFiles(stage: Stage): boolean {
  return VALID_STAGES.includes(stage);
}
