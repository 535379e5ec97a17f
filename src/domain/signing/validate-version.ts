import { openSecret } from '../../auth/secret-box.ts';
import { db, type Prisma, type Transaction } from '../../infra/db.ts';
import { log } from '../../infra/log.ts';
import { blobPath } from '../../infra/storage/blobs.ts';
import { enqueue } from '../../jobs/enqueue.ts';
import type { AddonType } from '../../package/manifest/package-manifest.ts';
import type { Validation, Validator } from '../../package/validation/validate-package.ts';
import { refreshAddonStatus } from '../addons/addon-status.ts';
import { publishAddons } from '../addons/publish-addons.ts';
import { changeStage } from './change-stage.ts';
import { isServedAsUploaded, publishVersion } from './publish-version.ts';

/** How often the validator itself may fail on one upload before the upload is given up. */
const VALIDATOR_ATTEMPTS = 3;

async function versionToValidate(versionId: number) {
  return db.version.findUnique({
    where: { id: versionId },
    select: {
      id: true,
      addonId: true,
      stage: true,
      channel: true,
      version: true,
      addon: { select: { type: true, guid: true } },
      files: { select: { sha256: true, format: true, isVendorSignedExtension: true } },
      upload: { select: { accountId: true, failedAttempts: true } },
    },
  });
}

type Candidate = NonNullable<Awaited<ReturnType<typeof versionToValidate>>>;

/** The API secrets of an account, unsealed: none of them may be inside a package. */
async function apiSecrets(accountId: number): Promise<string[]> {
  const keys = await db.apiKey.findMany({ where: { accountId, revokedAt: null }, select: { sealedSecret: true } });
  return Promise.all(keys.map((key) => openSecret(key.sealedSecret)));
}

/**
 * The work of the validation job. May run twice for a version: a second run finds it moved on and does nothing. A
 * validator that breaks down is asked again; after three times the upload ends in `error`, and its number is free.
 * @throws when the validator broke down, so that the job is tried again.
 */
export async function validateVersion(versionId: number, validator: Validator, stopping: AbortSignal): Promise<void> {
  const version = await versionToValidate(versionId);
  const file = version?.files[0];
  if (!version?.upload || !file || (version.stage !== 'received' && version.stage !== 'validating')) return;
  // Side by side: the validator need not wait until the stage is written.
  const [isStarted, validation] = await Promise.all([
    version.stage === 'validating' || markStarted(versionId),
    validator.validate(blobPath(file.sha256), {
      type: version.addon.type as AddonType,
      format: file.format as 'webextension' | 'install-rdf' | 'opensearch',
      listed: version.channel === 'listed',
      apiSecrets: await apiSecrets(version.upload.accountId),
    }),
  ]);
  if (!isStarted) return;
  // A worker that stops ends its validators; that is no verdict on the package and does not count as an attempt.
  if (stopping.aborted) throw new Error('The worker is stopping.');
  if (validation.outcome === 'error') await giveUpOrRetry(version, validation);
  else await db.$transaction((tx) => recordVerdict(tx, version, validation));
}

function markStarted(versionId: number): Promise<boolean> {
  const started = { versionId, from: ['received'], to: 'validating', action: 'validation-started' } as const;
  return db.$transaction((tx) => changeStage(tx, started));
}

async function giveUpOrRetry(version: Candidate, validation: Validation & { outcome: 'error' }): Promise<void> {
  const { failedAttempts } = await db.upload.update({
    where: { versionId: version.id },
    data: { failedAttempts: { increment: 1 } },
    select: { failedAttempts: true },
  });
  const problem = `The validator broke down (${validation.reason}).`;
  log.warn({ versionId: version.id, failedAttempts, detail: validation.detail }, problem);
  if (failedAttempts < VALIDATOR_ATTEMPTS) throw new Error(problem);
  await db.$transaction(async (tx) => {
    await saveResults(tx, version.id, validation);
    await changeStage(tx, {
      versionId: version.id,
      from: ['validating'],
      to: 'error',
      action: 'validation-broke-down',
      reason: `${problem} It was tried ${failedAttempts} times.`,
    });
  });
}

async function saveResults(tx: Transaction, versionId: number, { results }: Validation): Promise<void> {
  await tx.upload.update({
    where: { versionId },
    data: { validation: results as unknown as Prisma.InputJsonValue, validatedAt: new Date() },
  });
}

async function recordVerdict(tx: Transaction, version: Candidate, validation: Validation): Promise<void> {
  const passed = validation.outcome === 'passed';
  const { errors, warnings, notices } = validation.results;
  const moved = await changeStage(tx, {
    versionId: version.id,
    from: ['validating'],
    to: passed ? 'valid' : 'invalid',
    action: passed ? 'validation-passed' : 'validation-failed',
    reason: passed ? null : `Validation found ${errors} error${errors === 1 ? '' : 's'}.`,
    details: { errors, warnings, notices, linterMs: Math.round(validation.linterMs) },
  });
  if (!moved) return;
  await saveResults(tx, version.id, validation);
  if (passed) await sendOn(tx, version);
}

/** Unlisted: signed at once. Listed: a person decides. */
async function sendOn(tx: Transaction, version: Candidate): Promise<void> {
  if (version.channel === 'listed') {
    await changeStage(tx, {
      versionId: version.id,
      from: ['valid'],
      to: 'awaiting_review',
      action: 'review-requested',
    });
    await refreshAddonStatus(tx, version.addonId);
    await publishAddons(tx, [version.addonId]);
  } else if (version.files.every(isServedAsUploaded)) {
    await publishVersion(tx, { versionId: version.id, from: ['valid'] });
  } else {
    await enqueue(tx, 'sign-version', { versionId: version.id });
  }
}
