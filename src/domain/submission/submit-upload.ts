import { randomUUID } from 'node:crypto';
import { canUploadVersion, refuse, requireSignedIn } from '../../auth/permissions.ts';
import { type SignedIn, uploadKeyOf, type Viewer } from '../../auth/viewer.ts';
import { type InvalidInputError, NotFoundError, NotPermittedError, refusedField } from '../../errors.ts';
import { retryAfterConflict } from '../../infra/database-errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { comparableText } from '../../infra/storable-text.ts';
import { enqueue, signVersionTask } from '../../jobs/tasks.ts';
import type { Channel } from '../../package/enums.ts';
import { type Message, message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import type { Stage } from '../addons/stages.ts';
import { FieldErrors } from '../listing/field-errors.ts';
import { requireAuthorAccount } from '../listing/lock-addon.ts';
import { publishAddons } from '../listing/publish-addons.ts';
import { advanceValidVersion } from '../signing/change-stage.ts';
import type { AcceptedUpload } from './accept-upload.ts';
import { addVersion, applyChanges, hasChanges, isGiven, lockForChanges, type SubmittedChanges } from './add-version.ts';
import type { StoredManifest } from './create-upload.ts';
import { checkReserved, checkType } from './inspect-package.ts';
import { requireListedMetadata } from './listed-metadata.ts';
import { requireFreeNumber, type SubmittedTo, targetOf } from './submission-target.ts';

/** An upload to submit as a version, and the changes that come with it. */
interface UploadSubmission {
  pk: string;
  to: SubmittedTo;
  /** When present, they must be those of the upload. */
  version: string | null;
  channel: Channel | null;
  changes: SubmittedChanges;
}

/**
 * Makes a validated upload a version of an existing or a new add-on, together with changes of its listing, in one transaction:
 * a refusal changes nothing (submission API v5). An unlisted version is signed next, a listed one waits for its review. The
 * same submission again applies its changes to the version that the first one made.
 * @throws {InvalidInputError} with all invalid fields; on `upload` unless the account has a valid upload with this identifier.
 * @throws {PackageError}, {NotPermittedError}, {NotFoundError}; {VersionExistsError} for a number that is taken.
 */
export async function submitUpload(viewer: Viewer, submission: UploadSubmission): Promise<AcceptedUpload> {
  const account = requireSignedIn(viewer);
  if (uploadKeyOf(account) !== null && isGiven(submission.changes.addon)) {
    throw new NotPermittedError(message('token.no_listing'));
  }
  // After losing a race for the same number or the same new id, the retried checks refuse the submission.
  const work = () => retryAfterConflict(() => db.$transaction((tx) => submit(tx, account, submission)));
  const { addon, version } = submission.changes;
  const faults = new FieldErrors();
  const accepted = await faults.collect(work);
  if (accepted !== undefined) return accepted;
  // Refusals that precede the changes come together with what is wrong in the request itself.
  faults.addAll({ ...addon.inputFaults, ...version.inputFaults });
  faults.throwIfAny();
  throw new Error('a submission without a result has no faults');
}

async function submit(tx: Transaction, account: SignedIn, submission: UploadSubmission): Promise<AcceptedUpload> {
  await lockForChanges(tx, submission.changes);
  await requireAuthorAccount(tx, account.accountId);
  // Of two submissions at once, the second one continues here when the first one has made the version.
  const upload = await lockUpload(tx, account.accountId, submission.pk);
  if ('versionId' in upload) return repeat(tx, account, submission, upload);
  requireSame(submission, { version: upload.manifest.version ?? '', channel: upload.channel });
  return submitFirst(tx, account, submission, upload);
}

async function submitFirst(
  tx: Transaction,
  account: SignedIn,
  { to, changes }: UploadSubmission,
  upload: WaitingUpload,
): Promise<AcceptedUpload> {
  const { manifest, channel } = upload;
  const version = manifest.version ?? '';
  const { existing, guid } = await targetOf(tx, account, to, manifest);
  if (existing !== null) checkType(manifest, existing);
  checkReserved(manifest, existing === null ? guid : null);
  if (existing !== null) await requireFreeNumber(tx, existing.id, version);
  const checked = { ...upload, account, version, guid: guid ?? `{${randomUUID()}}` };
  const ids = await addVersion(tx, checked, existing, {
    stage: 'valid',
    uploadId: upload.id,
    makesAddon: to.kind === 'new',
  });
  const faults = await applyChanges(tx, account, ids, changes);
  if (channel === 'listed') await requireListedMetadata(tx, ids, faults);
  faults.throwIfAny();
  const signsNow = await advanceValidVersion(tx, { id: ids.versionId, addonId: ids.addonId, channel });
  if (signsNow) await enqueue(tx, signVersionTask, { versionId: ids.versionId });
  await publishAddons(tx, [ids.addonId]);
  return { ...ids, isNewAddon: existing === null, isNewVersion: true };
}

/** @throws {InvalidInputError} when the client names another version or channel than that of the upload. */
function requireSame(named: Pick<UploadSubmission, 'version' | 'channel'>, own: { version: string; channel: Channel }) {
  if (named.version !== null && named.version !== own.version) {
    const values = { declared: printable(named.version), version: own.version };
    throw refusedField('version', message('package.version_mismatch', values));
  }
  if (named.channel !== null && named.channel !== own.channel) {
    throw refusedField('channel', message('upload.other_channel', { channel: own.channel, declared: named.channel }));
  }
}

/** Repeats a submission whose response the client may have lost: no second version, and its changes are applied. */
async function repeat(
  tx: Transaction,
  account: SignedIn,
  submission: UploadSubmission,
  { id: uploadId, versionId, makesAddon }: SubmittedUpload,
): Promise<AcceptedUpload> {
  const { to, changes } = submission;
  const version = await tx.version.findUniqueOrThrow({
    where: { id: versionId },
    include: { addon: { select: { guid: true, deletedAt: true, authors: { select: { accountId: true } } } } },
  });
  const { addonId, addon } = version;
  const isSame =
    to.kind === 'new'
      ? makesAddon
      : to.kind === 'guid'
        ? to.guid.toLowerCase() === addon.guid.toLowerCase()
        : to.id === addonId;
  if (!isSame) {
    throw refusedField('upload', message('upload.submitted_elsewhere', { version: version.version, guid: addon.guid }));
  }
  if (addon.deletedAt !== null) throw new NotFoundError();
  if (!canUploadVersion(account, addon.authors)) throw refuse(account);
  if (version.deletedAt !== null) await requireFreeNumber(tx, addonId, version.version);
  if (version.stage === 'error') throw notValid(message('upload.version_in_error', { version: version.version }));
  requireSame(submission, { version: version.version, channel: version.channel as Channel });
  if (hasChanges(changes)) {
    const faults = await applyChanges(tx, account, { addonId, versionId }, changes);
    faults.throwIfAny();
    await publishAddons(tx, [addonId]);
  }
  return { uploadId, addonId, versionId, isNewAddon: false, isNewVersion: false };
}

/** A validated upload that is not submitted. */
interface WaitingUpload {
  id: number;
  channel: Channel;
  manifest: StoredManifest;
  isVendorSigned: boolean;
  fileName: string;
  /** In bytes. */
  size: number;
  sha256: string;
}

/** An upload that is a version already. `makesAddon`: its submission named no add-on. */
interface SubmittedUpload {
  id: number;
  versionId: number;
  makesAddon: boolean;
}

/** The refusal of an upload. Uploads of other accounts read as unknown. */
const notValid = (problem: Message): InvalidInputError => refusedField('upload', problem);

interface Row extends Omit<WaitingUpload, 'isVendorSigned' | 'size'> {
  size: string;
  stage: Stage;
  /** When it expired; null before. */
  expired: Date | null;
}

/**
 * Reads an upload of the account. Locks it until the end of the transaction unless it is submitted: signing updates the
 * upload of a version after it has locked the add-on.
 * @throws {InvalidInputError} on `upload`, for one that is unknown, of another account, expired, not validated yet or invalid.
 */
async function lockUpload(tx: Transaction, accountId: number, pk: string): Promise<WaitingUpload | SubmittedUpload> {
  const key = comparableText(pk);
  const [row] = await tx.$queryRaw<Row[]>`
    SELECT id, channel, manifest, file_name AS "fileName", size::text, sha256, stage,
      CASE WHEN expires <= now() THEN expires END AS expired
    FROM upload WHERE pk = ${key} AND account_id = ${accountId} AND version_id IS NULL FOR UPDATE`;
  if (row === undefined) return submittedUpload(tx, accountId, key);
  const { stage, expired, size, ...upload } = row;
  if (expired !== null) throw notValid(message('upload.expired', { time: expired.toISOString() }));
  if (stage !== 'valid') throw notValid(message(UNUSABLE[stage] ?? 'upload.not_validated'));
  return { ...upload, size: Number(size), isVendorSigned: upload.manifest.isVendorSigned };
}

/** The refusals of uploads whose validation has ended. */
const UNUSABLE: Partial<Record<Stage, 'upload.invalid' | 'upload.not_checked'>> = {
  invalid: 'upload.invalid',
  error: 'upload.not_checked',
};

async function submittedUpload(tx: Transaction, accountId: number, pk: string): Promise<SubmittedUpload> {
  const found = await tx.upload.findFirst({
    where: { pk, accountId },
    select: { id: true, versionId: true, makesAddon: true },
  });
  if (found?.versionId == null) throw notValid(message('upload.unknown', { pk: printable(pk) }));
  return { ...found, versionId: found.versionId };
}
