/* The only writer of file states after the upload: files of a version that its developers have disabled stay disabled. */
import type { Transaction } from '../../infra/db.ts';
import { FILE_STATUS, type FileStatus } from '../../package/enums.ts';

/** Sets the state of all files of a version. While the version is disabled, they get the state when it is enabled. */
export async function setFileStatus(tx: Transaction, versionId: number, status: FileStatus): Promise<void> {
  await tx.$executeRaw`
    UPDATE file SET
      status = CASE WHEN status_when_enabled IS NULL THEN ${status}::int ELSE ${FILE_STATUS.disabled}::int END,
      status_when_enabled = CASE WHEN status_when_enabled IS NOT NULL THEN ${status}::int END
    WHERE version_id = ${versionId}`;
}

/** Disables or enables the files of a version on behalf of its developers. Returns whether that changed anything. */
export async function switchFiles(tx: Transaction, versionId: number, isDisabled: boolean): Promise<boolean> {
  const changed = isDisabled
    ? await tx.$executeRaw`
        UPDATE file SET status_when_enabled = status, status = ${FILE_STATUS.disabled}::int
        WHERE version_id = ${versionId} AND status_when_enabled IS NULL`
    : await tx.$executeRaw`
        UPDATE file SET status = status_when_enabled, status_when_enabled = NULL
        WHERE version_id = ${versionId} AND status_when_enabled IS NOT NULL`;
  return changed > 0;
}
