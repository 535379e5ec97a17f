import { openSecret, UnopenableSecretError } from '../../auth/secret-box.ts';
import { UnavailableError } from '../../errors.ts';
import { StoredFileError } from '../../infra/blob-store/blob-store.ts';
import { withVerifiedCopy } from '../../infra/blob-store/verified-copy.ts';
import { db, type Transaction } from '../../infra/db.ts';
import type { log as Log } from '../../infra/log.ts';
import type { AddonType, Channel } from '../../package/enums.ts';
import { noVerdict, type PackageValidation, type Validator } from '../../package/validation/validate-package.ts';
import { type Message, message } from '../../texts/messages.ts';
import type { Stage } from '../addons/stages.ts';
import {
  advanceValidVersion,
  changeStage,
  lockForSigning,
  type StageChange,
  unusableReason,
} from '../signing/change-stage.ts';

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
  validation: PackageValidation & { outcome: 'error' },
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
async function recordVerdict(tx: Transaction, version: Candidate, validation: PackageValidation): Promise<boolean> {
  await lockForSigning(tx, version.id);
  const verdict = verdictOf(validation);
  const moved = await changeStage(tx, { versionId: version.id, from: ['validating'], ...verdict });
  return moved !== null && verdict.to === 'valid' && advanceValidVersion(tx, version);
}

/** After this many failures of the validator itself, the upload ends in `error`. */
const VALIDATOR_ATTEMPTS = 3;

/** A package in the blob store. `sealedSecrets` are its uploader's API secrets, which the package must not contain. */
export interface StoredPackage {
  channel: Channel;
  type: AddonType;
  sha256: string;
  format: 'webextension' | 'install-rdf' | 'opensearch';
  isExperiment: boolean;
  sealedSecrets: Uint8Array[];
}

/** `stopping` is aborted when the worker stops. */
export interface ValidatorRun {
  stopping: AbortSignal;
  log: typeof Log;
}

/**
 * Validates a private copy of the package, whose hash is that of the upload.
 * Returns a `StoredFileError` when the store has lost the package or has other bytes.
 * @throws {UnavailableError} during an outage of the blob store, so that the job is retried without a failed attempt.
 */
export async function validateBlob(
  stored: StoredPackage,
  validator: Validator,
  logger: ValidatorRun['log'],
): Promise<PackageValidation | StoredFileError> {
  const request = {
    type: stored.type,
    format: stored.format,
    listed: stored.channel === 'listed',
    isExperiment: stored.isExperiment,
    apiSecrets: openSecrets(stored.sealedSecrets, logger),
  };
  try {
    return await withVerifiedCopy(stored.sha256, ({ path }) => validator.validate(path, request));
  } catch (error) {
    if (error instanceof StoredFileError) return error;
    if (error instanceof UnavailableError) throw error;
    return noVerdict(request, 'unavailable', (error as Error).message, 0);
  }
}

/** Leaves out secrets that were sealed with a lost key: they authenticate no request, so a package may contain them. */
function openSecrets(sealed: readonly Uint8Array[], logger: ValidatorRun['log']): string[] {
  return sealed.flatMap((secret) => {
    try {
      return [openSecret(secret)];
    } catch (error) {
      if (!(error instanceof UnopenableSecretError)) throw error;
      logger.warn({ err: error }, 'A package is not searched for an API secret of its uploader.');
      return [];
    }
  });
}

/** The transition that a verdict makes. */
export function verdictOf({ outcome, results, linterMs }: PackageValidation) {
  const isPassed = outcome === 'passed';
  const { errors, warnings, notices } = results;
  return {
    to: isPassed ? 'valid' : 'invalid',
    action: isPassed ? 'validation-passed' : 'validation-failed',
    reason: isPassed ? null : message('validation.errors_found', { count: errors }),
    details: { errors, warnings, notices, linterMs: Math.round(linterMs) },
    results,
  } as const;
}

/**
 * Logs a failure of the validator itself. Returns the reason why the upload ends in `error` after the last attempt.
 * @throws before that, so that the job is retried.
 */
export function recordValidatorFailure(
  validation: PackageValidation & { outcome: 'error' },
  failedAttempts: number,
  log: ValidatorRun['log'],
  ids: Record<string, number>,
): Message {
  const problem = `The validator broke down (${validation.reason}).`;
  log.warn({ ...ids, failedAttempts, detail: validation.detail }, problem);
  if (failedAttempts < VALIDATOR_ATTEMPTS) throw new Error(problem);
  return message('validation.broke_down', { problem: validation.reason, attempts: failedAttempts });
}
