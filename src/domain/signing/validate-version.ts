import { openSecret } from '../../auth/secret-box.ts';
import { blobs } from '../../infra/blob-store/blobs.ts';
import { db, type Transaction } from '../../infra/db.ts';
import type { log as Log } from '../../infra/log.ts';
import type { AddonType } from '../../package/manifest/package-manifest.ts';
import { noVerdict, type Validation, type Validator } from '../../package/validation/validate-package.ts';
import { refreshAddonStatus } from '../addons/addon-status.ts';
import { publishAddons } from '../listing/publish-addons.ts';
import { changeStage } from './change-stage.ts';
import { lockForSigning } from './signing-hold.ts';
import type { Channel, Stage } from './stages.ts';

/** How often the validator itself may fail on one upload before the upload is given up. */
const VALIDATOR_ATTEMPTS = 3;

/** A version with its package and the API secrets of its sender, sealed: none of them may be inside the package. */
interface Candidate {
  id: number;
  addonId: number;
  stage: Stage;
  channel: Channel;
  type: AddonType;
  sha256: string;
  format: 'webextension' | 'install-rdf' | 'opensearch';
  isExperiment: boolean;
  sealedSecrets: Uint8Array[];
}

/** The job that validates. `stopping` is aborted when its worker stops. */
interface Run {
  stopping: AbortSignal;
  log: typeof Log;
}

/** An uploaded version has one file; null for a version that nobody uploaded. */
async function versionToValidate(versionId: number): Promise<Candidate | null> {
  const [version] = await db.$queryRaw<Candidate[]>`
    SELECT v.id, v.addon_id AS "addonId", v.stage, v.channel, a.type, f.sha256, f.format, f.is_experiment AS "isExperiment",
      ARRAY(SELECT sealed_secret FROM api_key WHERE account_id = u.account_id AND revoked_at IS NULL) AS "sealedSecrets"
    FROM version v JOIN addon a ON a.id = v.addon_id JOIN upload u ON u.version_id = v.id JOIN file f ON f.version_id = v.id
    WHERE v.id = ${versionId}`;
  return version ?? null;
}

/**
 * The work of the validation job up to the verdict; returns whether the version is to be signed now, which is the same
 * job's next step. May run twice for a version: a second run finds it moved on, and only says whether a killed first run
 * has left its signing undone. A validator that breaks down is asked again; after three times the upload ends in `error`,
 * and its number is free.
 * @throws when the validator broke down, so that the job is tried again.
 */
export async function validateVersion(
  versionId: number,
  validator: Validator,
  { stopping, log }: Run,
): Promise<boolean> {
  const version = await versionToValidate(versionId);
  if (version === null) return false;
  if (version.stage === 'valid') return db.$transaction((tx) => sendOn(tx, version));
  if (version.stage !== 'received' && version.stage !== 'validating') {
    // A listed version in stage `signing` has a job of its own since a reviewer approved it.
    return version.channel === 'unlisted' && version.stage === 'signing';
  }
  // Side by side: the validator need not wait until the stage is written.
  const [isStarted, validation] = await Promise.all([
    version.stage === 'validating' || markStarted(versionId),
    validateBlob(version, validator),
  ]);
  if (!isStarted) return false;
  // A worker that stops ends its validators; that is no verdict on the package and does not count as an attempt.
  if (stopping.aborted) throw new Error('The worker is stopping.');
  if (validation.outcome !== 'error') return db.$transaction((tx) => recordVerdict(tx, version, validation));
  await giveUpOrRetry(version, validation, log);
  return false;
}

/** A package missing from the store counts as a breakdown of the validator, whose attempts are limited. */
async function validateBlob(version: Candidate, validator: Validator): Promise<Validation> {
  const request = {
    type: version.type,
    format: version.format,
    listed: version.channel === 'listed',
    isExperiment: version.isExperiment,
    apiSecrets: version.sealedSecrets.map(openSecret),
  };
  try {
    return await blobs.withLocalFile(version.sha256, (path) => validator.validate(path, request));
  } catch (error) {
    return noVerdict(request, 'unavailable', (error as Error).message, 0);
  }
}

async function markStarted(versionId: number): Promise<boolean> {
  const started = { versionId, from: ['received'], to: 'validating', action: 'validation-started' } as const;
  return (await changeStage(db, started)) !== null;
}

async function giveUpOrRetry(
  version: Candidate,
  validation: Validation & { outcome: 'error' },
  log: Run['log'],
): Promise<void> {
  const { failedAttempts } = await db.upload.update({
    where: { versionId: version.id },
    data: { failedAttempts: { increment: 1 } },
    select: { failedAttempts: true },
  });
  const problem = `The validator broke down (${validation.reason}).`;
  log.warn({ versionId: version.id, failedAttempts, detail: validation.detail }, problem);
  if (failedAttempts < VALIDATOR_ATTEMPTS) throw new Error(problem);
  await changeStage(db, {
    versionId: version.id,
    from: ['validating'],
    to: 'error',
    action: 'validation-broke-down',
    reason: `${problem} It was tried ${failedAttempts} times.`,
    results: validation.results,
  });
}

/** Writes the verdict and what follows from it. Returns whether the version is to be signed now. */
async function recordVerdict(tx: Transaction, version: Candidate, validation: Validation): Promise<boolean> {
  await lockForSigning(tx, version.id);
  const passed = validation.outcome === 'passed';
  const { errors, warnings, notices } = validation.results;
  const moved = await changeStage(tx, {
    versionId: version.id,
    from: ['validating'],
    to: passed ? 'valid' : 'invalid',
    action: passed ? 'validation-passed' : 'validation-failed',
    reason: passed ? null : `Validation found ${errors} error${errors === 1 ? '' : 's'}.`,
    details: { errors, warnings, notices, linterMs: Math.round(validation.linterMs) },
    results: validation.results,
  });
  return moved !== null && passed && sendOn(tx, version);
}

/**
 * Takes a version that passed validation to its next stage: listed versions wait for a reviewer, unlisted ones are signed,
 * unless they are held. Returns whether to sign now.
 */
async function sendOn(tx: Transaction, version: Candidate): Promise<boolean> {
  const { id: versionId, addonId } = version;
  const { isHeld } = await lockForSigning(tx, versionId);
  if (version.channel === 'listed') {
    await changeStage(tx, { versionId, from: ['valid'], to: 'awaiting_review', action: 'review-requested' });
    await refreshAddonStatus(tx, addonId);
    await publishAddons(tx, [addonId]);
    return false;
  }
  if (isHeld) return false;
  return (await changeStage(tx, { versionId, from: ['valid'], to: 'signing', action: 'signing-started' })) !== null;
}
