import { StoredFileError } from '../../infra/blob-store/stored-file-error.ts';
import { db, type Transaction } from '../../infra/db.ts';
import type { Validation, Validator } from '../../package/validation/validate-package.ts';
import type { Stage } from '../addons/stages.ts';
import { advanceValidVersion } from '../signing/advance-valid-version.ts';
import { changeStage, type StageChange } from '../signing/change-stage.ts';
import { lockForSigning } from '../signing/signing-blocked.ts';
import { unusableReason } from '../signing/stored-reason.ts';
import {
  recordValidatorFailure,
  type StoredPackage,
  type ValidatorRun,
  validateBlob,
  verdictOf,
} from './run-validator.ts';

/** A version with its package. */
interface Candidate extends StoredPackage {
  id: number;
  addonId: number;
  stage: Stage;
}

/** An uploaded version has one file. Null for imported versions. */
async function versionToValidate(versionId: number): Promise<Candidate | null> {
  const [version] = await db.$queryRaw<Candidate[]>`
    SELECT v.id, v.addon_id AS "addonId", v.stage, v.channel, a.type, f.sha256, f.format, f.is_experiment AS "isExperiment",
      ARRAY(SELECT sealed_secret FROM api_key WHERE account_id = u.account_id AND revoked_at IS NULL) AS "sealedSecrets"
    FROM version v JOIN addon a ON a.id = v.addon_id JOIN upload u ON u.version_id = v.id JOIN file f ON f.version_id = v.id
    WHERE v.id = ${versionId}`;
  return version ?? null;
}

/**
 * Validates a version and takes it to its next stage. Returns whether to sign it now, in the same job. May run twice: a second
 * run continues from the stage that a killed first one left. When the validator itself failed three times, or the store
 * no longer has the package, the upload ends in `error`, which frees its number.
 * @throws when the validator failed or the blob store cannot be read, so that the job is retried.
 */
export async function validateVersion(
  versionId: number,
  validator: Validator,
  { stopping, log }: ValidatorRun,
): Promise<boolean> {
  const version = await versionToValidate(versionId);
  if (version === null) return false;
  if (version.stage === 'valid') return db.$transaction((tx) => advanceValidVersion(tx, version));
  if (version.stage !== 'received' && version.stage !== 'validating') {
    // A listed version in stage `signing` has a job of its own since a reviewer approved it.
    return version.channel === 'unlisted' && version.stage === 'signing';
  }
  // In parallel, so that validation does not wait for the write.
  const [isStarted, validation] = await Promise.all([
    version.stage === 'validating' || markStarted(versionId),
    validateBlob(version, validator, log),
  ]);
  if (!isStarted) return false;
  // A worker that stops ends its validators, which is not a failure of the validator.
  if (stopping.aborted) throw new Error('The worker is stopping.');
  if (validation instanceof StoredFileError) {
    await endInError(versionId, { reason: unusableReason(validation) });
    return false;
  }
  if (validation.outcome !== 'error') return db.$transaction((tx) => recordVerdict(tx, version, validation));
  await giveUpOrRetry(version, validation, log);
  return false;
}

async function markStarted(versionId: number): Promise<boolean> {
  const started = { versionId, from: ['received'], to: 'validating', action: 'validation-started' } as const;
  return (await changeStage(db, started)) !== null;
}

async function giveUpOrRetry(
  version: Candidate,
  validation: Validation & { outcome: 'error' },
  log: ValidatorRun['log'],
): Promise<void> {
  const { failedAttempts } = await db.upload.update({
    where: { versionId: version.id },
    data: { failedAttempts: { increment: 1 } },
    select: { failedAttempts: true },
  });
  const reason = recordValidatorFailure(validation, failedAttempts, log, { versionId: version.id });
  await endInError(version.id, { reason, results: validation.results });
}

async function endInError(versionId: number, why: Pick<StageChange, 'reason' | 'results'>): Promise<void> {
  await changeStage(db, { versionId, from: ['validating'], to: 'error', action: 'validation-broke-down', ...why });
}

/** Writes the verdict and takes a version that passed to its next stage. Returns whether to sign now. */
async function recordVerdict(tx: Transaction, version: Candidate, validation: Validation): Promise<boolean> {
  await lockForSigning(tx, version.id);
  const verdict = verdictOf(validation);
  const moved = await changeStage(tx, { versionId: version.id, from: ['validating'], ...verdict });
  return moved !== null && verdict.to === 'valid' && advanceValidVersion(tx, version);
}
