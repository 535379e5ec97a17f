import { requireSignedIn } from '../../auth/permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { fieldMessagesOf, InvalidInputError, PackageError, refusedField } from '../../errors.ts';
import { blobs } from '../../infra/blob-store/blobs.ts';
import { consumeUploadLimit } from '../../infra/rate-limits.ts';
import { receiveFile, tooLarge, UPLOAD_LIMIT_BYTES, type UploadedFile } from '../../infra/staging/staging.ts';
import { sourceFormat } from '../../package/source/source-format.ts';
import { message } from '../../texts/messages.ts';
import type { InputFaults } from '../listing/field-errors.ts';
import { requireListable } from './list-source.ts';

const UNSUPPORTED = message('source.file_type');

/** An archive of source code that was checked and is in the blob store. */
export interface StoredSource {
  /** The client's name of the file. */
  name: string;
  /** In bytes. */
  size: number;
  sha256: string;
}

/**
 * Receives an archive of source code, lists it in a child process and stores it; nothing is unpacked. Unless a row references it
 * within a day, it is collected.
 * @throws {InvalidInputError} on `field` for other files, broken archives and those above a limit; {ThrottledError}, which REST decides
 * before it reads the body; {UnavailableError}.
 */
export async function receiveSource(account: SignedIn, file: UploadedFile, field: string): Promise<StoredSource> {
  const { fileName: name } = file;
  const format = sourceFormat(name);
  if (format === null) {
    await file.staged?.discard();
    throw refusedField(field, UNSUPPORTED);
  }
  if (file.staged === undefined) await consumeUploadLimit(account.accountId);
  const refusal = () => refusedField(field, tooLarge(UPLOAD_LIMIT_BYTES).reason);
  const staged = file.staged ?? (await receiveFile(file.open(), { refusal }));
  try {
    await requireListable(account.accountId, { path: staged.path, format }).catch((error: unknown) => {
      throw error instanceof PackageError ? refusedField(field, error.reason) : error;
    });
    await blobs.put(staged);
  } finally {
    await staged.discard();
  }
  return { name, size: staged.size, sha256: staged.sha256 };
}

/** The source code in changes of a version; null removes it. Messages about it by field. */
interface SourceChange {
  source?: StoredSource | null;
  inputFaults?: InputFaults;
}

/**
 * Adds the source code of an input to changes of a version: undefined leaves it, null removes it. What is wrong with the archive joins
 * the faults of the request, so that the client gets all of them in one response.
 * @throws {NotAuthenticatedError}, {ThrottledError}, {UnavailableError}.
 */
export async function withSource<Changes extends SourceChange>(
  viewer: Viewer,
  changes: Changes,
  file: Promise<UploadedFile> | null | undefined,
): Promise<Changes & SourceChange> {
  if (file === undefined) return changes;
  if (file === null) return { ...changes, source: null };
  const account = requireSignedIn(viewer);
  try {
    return { ...changes, source: await receiveSource(account, await file, 'source') };
  } catch (error) {
    const fields = error instanceof InvalidInputError ? fieldMessagesOf(error) : null;
    if (fields === null) throw error;
    return { ...changes, inputFaults: { ...changes.inputFaults, ...fields } };
  }
}
