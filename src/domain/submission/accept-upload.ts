import { randomUUID } from 'node:crypto';
import { canUploadVersion, requireSignedIn } from '../../auth/permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotPermittedError } from '../../errors.ts';
import { blobs } from '../../infra/blob-store/blobs.ts';
import { retryAfterConflict } from '../../infra/database-errors.ts';
import { db } from '../../infra/db.ts';
import { consumeUploadLimit } from '../../infra/rate-limits.ts';
import { receiveFile, type StagedFile, type UploadedFile } from '../../infra/staging/staging.ts';
import { enqueue, validateVersionTask } from '../../jobs/tasks.ts';
import type { Channel } from '../../package/enums.ts';
import type { PackageManifest } from '../../package/manifest/package-manifest.ts';
import { message } from '../../texts/messages.ts';
import { FieldErrors } from '../listing/field-errors.ts';
import { requireAuthorAccount } from '../listing/lock-addon.ts';
import { publishAddons } from '../listing/publish-addons.ts';
import {
  DUPLICATE_GUID,
  findUploadTarget,
  lockByGuid,
  NOT_OWNER,
  requireUploadTarget,
  type UploadTarget,
} from '../uploads/who-may-upload.ts';
import {
  type AddedVersion,
  addVersion,
  applyChanges,
  type CheckedUpload,
  hasChanges,
  lockForChanges,
  type SubmittedChanges,
} from './add-version.ts';
import {
  checkReserved,
  checkType,
  inspectPackage,
  packageVersionOf,
  resolveGuid,
  type SubmittedAs,
} from './inspect-package.ts';
import { requireListingMetadata } from './listed-metadata.ts';

/** An uploaded package and its declared identity. `guid` is null for an upload without an id. */
export interface Submission extends SubmittedAs {
  file: Promise<UploadedFile>;
  /** As sent by the client; null when absent. */
  channel: Channel | null;
  changes: SubmittedChanges;
}

/**
 * Accepts an upload: checks the package against its declared identity, stores it and records add-on, version, file, upload
 * and the validation job in one transaction (contract, Signing). The upload is durable when this returns.
 * @throws the refusals of `requireUploadTarget`, PackageError for the package, ThrottledError, UnavailableError.
 */
export async function acceptUpload(viewer: Viewer, submission: Submission): Promise<AcceptedUpload> {
  const account = requireSignedIn(viewer);
  const file = await submission.file;
  const staged = file.staged ?? (await receive(account, submission, file));
  try {
    return await acceptStaged(account, submission, staged, file.fileName);
  } finally {
    await staged.discard();
  }
}

/** Receives a file whose body is still unread. REST checks and counts before it reads the body. */
async function receive(account: SignedIn, { guid, version }: Submission, file: UploadedFile): Promise<StagedFile> {
  if (guid !== null) await requireUploadTarget(db, account, guid, version);
  await consumeUploadLimit(account.accountId);
  return receiveFile(file.open());
}

async function acceptStaged(
  account: SignedIn,
  submission: Submission,
  staged: StagedFile,
  fileName: string,
): Promise<AcceptedUpload> {
  const { manifest, isVendorSigned } = await inspectPackage(account, staged, fileName, {
    hasGuid: submission.guid !== null,
  });
  const version = packageVersionOf(manifest, submission.version);
  const addon = await currentTarget(account, { ...submission, version }, manifest);
  const guid = resolveGuid(manifest, submission, addon) ?? `{${randomUUID()}}`;
  if (addon !== null) checkType(manifest, addon);
  checkReserved(manifest, addon === null ? guid : null);
  const channel = await chooseChannel(addon, submission);
  await blobs.put(staged);
  const upload = {
    account,
    guid,
    version,
    channel,
    manifest,
    fileName,
    size: staged.size,
    sha256: staged.sha256,
    isVendorSigned,
  };
  // After losing a race for the same number or the same new id, the retried checks refuse the upload.
  return retryAfterConflict(() => recordUpload(upload, submission.changes));
}

/** The add-on that the upload is for, read again after the body. */
async function currentTarget(
  account: SignedIn,
  submission: Submission,
  manifest: PackageManifest,
): Promise<UploadTarget | null> {
  if (submission.guid !== null) return requireUploadTarget(db, account, submission.guid, submission.version);
  return manifest.guid === null ? null : claimWithoutAddress(account, manifest.guid);
}

/**
 * The add-on named by the manifest of an upload without a guid in its address. The sender may create it, and reuse it after
 * a deletion or when all its uploads failed. Any other existing add-on accepts uploads at its own address only.
 */
async function claimWithoutAddress(account: SignedIn, guid: string): Promise<UploadTarget | null> {
  const addon = await findUploadTarget(db, guid);
  if (addon === null) return null;
  const isAuthor = canUploadVersion(account, addon.authors);
  if (!isAuthor && addon.deletedAt === null) throw new NotPermittedError(NOT_OWNER);
  if (!isAuthor) throw new InvalidInputError(DUPLICATE_GUID);
  if (addon.deletedAt === null && addon.hasVersion) {
    throw new InvalidInputError(message('package.duplicate_own_guid', { guid: addon.guid }));
  }
  return addon;
}

/** @throws {InvalidInputError} for what is wrong in the request itself, and for a listed version without metadata. */
async function chooseChannel(addon: UploadTarget | null, submission: Submission): Promise<Channel> {
  const faults = new FieldErrors();
  faults.addAll(submission.changes.addon.inputFaults ?? {});
  faults.throwIfAny();
  if (addon === null) return 'unlisted';
  const channel = submission.channel ?? addon.newestChannel;
  // Changes may complete the listing; it is checked again after them.
  if (channel === 'listed' && !hasChanges(submission.changes)) await requireListingMetadata(db, addon.id);
  return channel;
}

/**
 * `isNewAddon` distinguishes a new add-on from a version of an existing one. `isNewVersion` is false when an earlier
 * request had submitted the same upload.
 */
export interface AcceptedUpload extends AddedVersion {
  isNewAddon: boolean;
  isNewVersion: boolean;
}

/**
 * Writes add-on, version, file, upload, the changes that came with them, activity and the validation job in one transaction.
 * @throws the refusals of `requireAuthorAccount`, `requireUploadTarget`, `checkType` and `requireListingMetadata`, for changes since
 * the package was checked; those of `applyChanges`.
 * @throws an error that `retryAfterConflict` retries when the number or the id was taken at the same time.
 */
export async function recordUpload(upload: CheckedUpload, changes: SubmittedChanges): Promise<AcceptedUpload> {
  return db.$transaction(async (tx) => {
    await lockForChanges(tx, changes);
    await requireAuthorAccount(tx, upload.account.accountId);
    // Since the first check, another account may have created an add-on with this id, or its state or authors changed.
    await lockByGuid(tx, upload.guid);
    const existing = await requireUploadTarget(tx, upload.account, upload.guid, upload.version);
    if (existing !== null) checkType(upload.manifest, existing);
    const ids = await addVersion(tx, upload, existing, { stage: 'received', uploadId: null });
    if (hasChanges(changes)) {
      const faults = await applyChanges(tx, upload.account, ids, changes);
      faults.throwIfAny();
      if (upload.channel === 'listed') await requireListingMetadata(tx, ids.addonId);
    }
    await enqueue(tx, validateVersionTask, { versionId: ids.versionId });
    // The catalogue does not show a version before it passed validation.
    const isNew = existing === null || existing.deletedAt !== null;
    if (isNew || hasChanges(changes)) await publishAddons(tx, [ids.addonId]);
    return { ...ids, isNewAddon: existing === null, isNewVersion: true };
  });
}
