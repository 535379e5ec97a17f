/* The flags of uploads that REST has for their stage. */
import type { UploadStage } from '../../generated/operations/graphql.ts';

const VALID: readonly UploadStage[] = ['VALID', 'AWAITING_REVIEW', 'SIGNING', 'SIGNED', 'REJECTED'];

/** Whether the validator has finished. */
export const isProcessed = (stage: UploadStage): boolean => stage !== 'RECEIVED' && stage !== 'VALIDATING';

/** Whether validation passed. */
export const isValid = (stage: UploadStage): boolean => VALID.includes(stage);
