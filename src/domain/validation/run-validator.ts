/* One run of the validator on a stored package, and what its result means for the stage. */
import { openSecret, UnopenableSecretError } from '../../auth/secret-box.ts';
import { UnavailableError } from '../../errors.ts';
import { StoredFileError } from '../../infra/blob-store/stored-file-error.ts';
import { withVerifiedCopy } from '../../infra/blob-store/verified-copy.ts';
import type { log as Log } from '../../infra/log.ts';
import type { AddonType, Channel } from '../../package/enums.ts';
import { noVerdict, type Validation, type Validator } from '../../package/validation/validate-package.ts';
import { type Message, message } from '../../texts/messages.ts';

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
): Promise<Validation | StoredFileError> {
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
export function verdictOf({ outcome, results, linterMs }: Validation) {
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
  validation: Validation & { outcome: 'error' },
  failedAttempts: number,
  log: ValidatorRun['log'],
  ids: Record<string, number>,
): Message {
  const problem = `The validator broke down (${validation.reason}).`;
  log.warn({ ...ids, failedAttempts, detail: validation.detail }, problem);
  if (failedAttempts < VALIDATOR_ATTEMPTS) throw new Error(problem);
  return message('validation.broke_down', { problem: validation.reason, attempts: failedAttempts });
}
