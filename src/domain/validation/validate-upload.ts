import { StoredFileError } from '../../infra/blob-store/blob-store.ts';
import { type Database, db, Prisma } from '../../infra/db.ts';
import type { PackageValidation, Validator } from '../../package/validation/validate-package.ts';
import type { ValidationResults } from '../../package/validation/validation-results.ts';
import type { Message } from '../../texts/messages.ts';
import { type ActivityFacts, activityInsert } from '../activity/record-activity.ts';
import { setReason, unusableReason } from '../signing/change-stage.ts';
import {
  recordValidatorFailure,
  type StoredPackage,
  type ValidatorRun,
  validateBlob,
  verdictOf,
} from './validate-version.ts';

interface Candidate extends StoredPackage {
  id: number;
  stage: 'received' | 'validating';
}

/** An upload that waits for the validator; null when it does not, is submitted or removed. */
async function uploadToValidate(uploadId: number): Promise<Candidate | null> {
  const [upload] = await db.$queryRaw<Candidate[]>`
    SELECT u.id, u.stage, u.channel, u.sha256, u.manifest->>'type' AS type, u.manifest->>'format' AS format,
      (u.manifest->>'isExperiment')::bool AS "isExperiment",
      ARRAY(SELECT sealed_secret FROM api_key WHERE account_id = u.account_id AND revoked_at IS NULL) AS "sealedSecrets"
    FROM upload u WHERE u.id = ${uploadId} AND u.stage IN ('received', 'validating')`;
  return upload ?? null;
}

/**
 * Validates an upload that is not submitted, for its channel. May run twice: a second run continues from the stage that a
 * killed first one left. Writes nothing once the upload is removed. When the validator itself failed three times, or the
 * store no longer has the package, the upload ends in `error`.
 * @throws when the validator failed or the blob store cannot be read, so that the job is retried.
 */
export async function validateUpload(
  uploadId: number,
  validator: Validator,
  { stopping, log }: ValidatorRun,
): Promise<void> {
  const upload = await uploadToValidate(uploadId);
  if (upload === null) return;
  // In parallel, so that validation does not wait for the write.
  const [isStarted, validation] = await Promise.all([
    upload.stage === 'validating' || markStarted(uploadId),
    validateBlob(upload, validator, log),
  ]);
  if (!isStarted) return;
  // A worker that stops ends its validators, which is not a failure of the validator.
  if (stopping.aborted) throw new Error('The worker is stopping.');
  if (validation instanceof StoredFileError) return endInError(uploadId, { reason: unusableReason(validation) });
  if (validation.outcome === 'error') return giveUpOrRetry(uploadId, validation, log);
  await changeUploadStage(db, { uploadId, from: 'validating', ...verdictOf(validation) });
}

const markStarted = (uploadId: number): Promise<boolean> =>
  changeUploadStage(db, { uploadId, from: 'received', to: 'validating', action: 'validation-started' });

async function giveUpOrRetry(
  uploadId: number,
  validation: PackageValidation & { outcome: 'error' },
  log: ValidatorRun['log'],
): Promise<void> {
  const [failed] = await db.$queryRaw<{ attempts: number }[]>`
    UPDATE upload SET failed_attempts = failed_attempts + 1 WHERE id = ${uploadId} RETURNING failed_attempts AS attempts`;
  if (failed === undefined) return;
  const reason = recordValidatorFailure(validation, failed.attempts, log, { uploadId });
  await endInError(uploadId, { reason, results: validation.results });
}

async function endInError(uploadId: number, why: Pick<UploadStageChange, 'reason' | 'results'>): Promise<void> {
  const change = { uploadId, from: 'validating', to: 'error', action: 'validation-broke-down' } as const;
  await changeUploadStage(db, { ...change, ...why });
}

interface UploadStageChange extends ActivityFacts {
  uploadId: number;
  from: string;
  to: string;
  reason?: Message | null;
  results?: ValidationResults;
}

/**
 * Moves an upload that is not submitted to another stage and writes the activity row, in one statement. Returns false and
 * writes nothing when it is in another stage, submitted or removed.
 */
async function changeUploadStage(tx: Database, change: UploadStageChange): Promise<boolean> {
  const { uploadId, from, to, reason = null, results: found, ...facts } = change;
  const results = found === undefined ? null : JSON.stringify(found);
  const details = { ...facts.details, upload: uploadId, stage: to };
  const logged = activityInsert({ ...facts, details }, Prisma.sql`SELECT NULL::int, NULL::int FROM moved`);
  const moved = await tx.$queryRaw<unknown[]>`
    WITH moved AS (
      UPDATE upload SET stage = ${to}, ${setReason(reason)}, updated = now(),
        validation = coalesce(${results}::json, validation),
        validated_at = CASE WHEN ${results}::json IS NULL THEN validated_at ELSE now() END
      WHERE id = ${uploadId} AND stage = ${from}
      RETURNING id
    ), logged AS (${logged})
    SELECT id FROM moved`;
  return moved.length > 0;
}
