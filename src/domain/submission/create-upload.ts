import { extname } from 'node:path';
import { requireSignedIn } from '../../auth/permissions.ts';
import { apiKeyOf, type SignedIn, type Viewer } from '../../auth/viewer.ts';
import { config } from '../../config.ts';
import { PackageError } from '../../errors.ts';
import { blobs } from '../../infra/blob-store/blobs.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { LOCK_KEYS } from '../../infra/lock-keys.ts';
import { consumeUploadLimit } from '../../infra/rate-limits.ts';
import { receiveFile, type StagedFile, type UploadedFile } from '../../infra/staging/staging.ts';
import { enqueue, validateUploadTask } from '../../jobs/tasks.ts';
import type { Channel } from '../../package/enums.ts';
import type { PackageManifest } from '../../package/manifest/package-manifest.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { requireAuthorAccount } from '../listing/lock-addon.ts';
import { newUploadPk } from '../uploads/load-upload.ts';
import { removeExcessUploads } from '../uploads/remove-uploads.ts';
import { checkReserved, inspectPackage } from './inspect-package.ts';
import { requireFurtherVersion } from './submission-target.ts';

const EXTENSIONS: ReadonlySet<string> = new Set(['.zip', '.xpi', '.crx']);

/** What an upload keeps of its package until it is submitted. */
export interface StoredManifest extends PackageManifest {
  isVendorSigned: boolean;
}

/** How long an upload that is only checked is kept. */
const CHECKED_HOURS = 24;

/**
 * Stores a package as an upload that is no version yet and takes no number, and queues its validation for the channel
 * (submission API v5). The upload is durable when this returns its database id. Older uploads of the account that exceed its
 * limits are removed, and so is this one after `UPLOAD_RETENTION_DAYS`, or after a day with `onlyChecked`. With `addonId`, the package
 * must fit that add-on, so that its developers learn at once what its submission would refuse.
 * @throws {PackageError} for a package that cannot be read or that the account may not submit; ThrottledError,
 * UnavailableError, NotAuthenticatedError.
 */
export async function createUpload(
  viewer: Viewer,
  file: Promise<UploadedFile>,
  channel: Channel,
  { onlyChecked = false, addonId = null }: { onlyChecked?: boolean; addonId?: number | null } = {},
): Promise<number> {
  const account = requireSignedIn(viewer);
  const { fileName, staged: received, open } = await file;
  const staged = received ?? (await receive(account, open));
  try {
    requireExtension(fileName);
    const { manifest, isVendorSigned } = await inspectPackage(account, staged, fileName, { hasGuid: true });
    checkReserved(manifest, null);
    await blobs.put(staged);
    const stored: StoredManifest = { ...manifest, isVendorSigned };
    const hours = onlyChecked ? CHECKED_HOURS : config.UPLOAD_RETENTION_DAYS * 24;
    const upload = { account, channel, fileName, staged, stored, hours, addonId };
    return await db.$transaction((tx) => insertUpload(tx, upload));
  } finally {
    await staged.discard();
  }
}

/** REST counts before it reads the body. */
async function receive({ accountId }: SignedIn, open: UploadedFile['open']): Promise<StagedFile> {
  await consumeUploadLimit(accountId);
  return receiveFile(open());
}

function requireExtension(fileName: string): void {
  if (EXTENSIONS.has(extname(fileName).toLowerCase())) return;
  throw new PackageError(message('upload.file_type', { name: printable(fileName) }));
}

interface NewUpload {
  account: SignedIn;
  channel: Channel;
  fileName: string;
  staged: StagedFile;
  stored: StoredManifest;
  /** How long it is kept. */
  hours: number;
  /** The add-on that it is for; null when the package names it, or for a new one. */
  addonId: number | null;
}

async function insertUpload(
  tx: Transaction,
  { account, channel, fileName, staged, stored, hours, addonId }: NewUpload,
) {
  const { accountId } = account;
  const { sha256, size } = staged;
  await requireAuthorAccount(tx, accountId);
  if (addonId !== null) await requireFurtherVersion(tx, account, addonId, stored);
  // One at a time for an account, so that two uploads at once cannot exceed its limits.
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK_KEYS.accountUploads}::int, ${accountId}::int)`;
  const [row] = await tx.$queryRaw<{ uploadId: number }[]>`
    INSERT INTO upload (pk, account_id, api_key_id, file_name, channel, stage, sha256, size, manifest,
      target_addon_id, expires)
    VALUES (${newUploadPk()}, ${accountId}::int, ${apiKeyOf(account)}::int, ${fileName.slice(0, 255)}, ${channel},
      'received', ${sha256}, ${size}::int8, ${JSON.stringify(stored)}::jsonb,
      ${addonId}::int, now() + make_interval(hours => ${hours}::int))
    RETURNING id AS "uploadId"`;
  if (row === undefined) throw new Error('The statement that records an upload returned no row.');
  await enqueue(tx, validateUploadTask, row);
  const details = { upload: row.uploadId, channel, sha256 };
  await recordActivity(tx, { action: 'upload-received', accountId, details });
  await removeExcessUploads(tx, accountId);
  return row.uploadId;
}
