import { randomUUID } from 'node:crypto';
import { canUploadVersion, requireSignedIn } from '../../auth/permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotPermittedError } from '../../errors.ts';
import { blobs } from '../../infra/blob-store/blobs.ts';
import { retryAfterConflict } from '../../infra/database-errors.ts';
import { db } from '../../infra/db.ts';
import { consumeUploadLimit } from '../../infra/rate-limits.ts';
import { receiveFile } from '../../infra/staging/staging.ts';
import type { StagedFile, UploadedFile } from '../../infra/staging/uploaded-file.ts';
import type { Channel } from '../../package/enums.ts';
import type { PackageManifest } from '../../package/manifest/package-manifest.ts';
import { message } from '../../texts/messages.ts';
import { FieldErrors } from '../listing/field-errors.ts';
import {
  DUPLICATE_GUID,
  findUploadTarget,
  NOT_OWNER,
  requireUploadTarget,
  type UploadTarget,
} from '../uploads/who-may-upload.ts';
import { hasChanges, type SubmittedChanges } from './apply-changes.ts';
import {
  checkReserved,
  checkType,
  packageVersionOf,
  requireListingMetadata,
  resolveGuid,
  type SubmittedAs,
} from './check-package.ts';
import { inspectPackage } from './inspect-package.ts';
import { type AcceptedUpload, recordUpload } from './record-upload.ts';

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
