import { refusedField } from '../../errors.ts';
import { blobs } from '../../infra/blob-store/blobs.ts';
import { receiveFile, tooLarge, UPLOAD_LIMIT_BYTES } from '../../infra/staging/staging.ts';
import type { UploadedFile } from '../../infra/staging/uploaded-file.ts';
import { sourceFormat } from '../../package/source/source-format.ts';
import { isListable } from './list-source.ts';

const UNSUPPORTED = 'Unsupported file type, please upload an archive file (.zip, .tar.gz, .tgz, .tar.bz2).';
const BROKEN = 'Invalid or broken archive.';

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
 * @throws {InvalidInputError} on `field` for other files, broken archives and those above a limit; {UnavailableError}.
 */
export async function receiveSource(file: UploadedFile, field: string): Promise<StoredSource> {
  const { fileName: name } = file;
  const format = sourceFormat(name);
  if (format === null) {
    await file.staged?.discard();
    throw refusedField(field, UNSUPPORTED);
  }
  const refusal = () => refusedField(field, tooLarge(UPLOAD_LIMIT_BYTES).message);
  const staged = file.staged ?? (await receiveFile(file.open(), { refusal }));
  try {
    if (!(await isListable({ path: staged.path, format }))) throw refusedField(field, BROKEN);
    await blobs.put(staged);
  } finally {
    await staged.discard();
  }
  return { name, size: staged.size, sha256: staged.sha256 };
}
