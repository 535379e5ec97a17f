import { db } from '../../infra/db.ts';
import { enqueue } from '../../jobs/enqueue.ts';
import { validateVersionTask } from '../../jobs/tasks.ts';
import { requireAuthorAccount } from '../listing/lock-addon.ts';
import { publishAddons } from '../listing/publish-addons.ts';
import { lockByGuid, requireUploadTarget } from '../uploads/who-may-upload.ts';
import { type AddedVersion, addVersion, type CheckedUpload } from './add-version.ts';
import { applyChanges, hasChanges, lockForChanges, type SubmittedChanges } from './apply-changes.ts';
import { checkType, requireListingMetadata } from './check-package.ts';

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
