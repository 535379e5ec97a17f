import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { PackageError } from '../../errors.ts';
import { FileWindow } from '../zip/file-window.ts';
import { DEFAULT_ZIP_LIMITS } from '../zip/zip-limits.ts';
import { bunzip2 } from './bzip2.ts';
import { listTar } from './list-tar.ts';
import { listZip, maxInflated } from './list-zip.ts';
import { brokenArchive } from './refusals.ts';
import type { SourceFormat } from './source-format.ts';

const READ_BYTES = 256 * 1024;

/**
 * Lists the archive of source code at `path`, whose format its name declares, within the limits of packages. Nothing is written; a few
 * MB of memory suffice for any archive. Returns the number of its entries.
 * @throws {PackageError} with one text for an archive that is broken, empty, of another format or above a limit.
 */
export async function listSource(path: string, format: SourceFormat): Promise<number> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    if (size > DEFAULT_ZIP_LIMITS.archiveBytes) throw brokenArchive();
    const entries =
      format === 'zip'
        ? await listZip(FileWindow.forOneReader(handle, size), DEFAULT_ZIP_LIMITS)
        : await listPackedTar(path, format, maxInflated(size, DEFAULT_ZIP_LIMITS));
    if (entries === 0) throw brokenArchive();
    return entries;
  } catch (error) {
    throw isFlaw(error) ? brokenArchive() : error;
  } finally {
    await handle.close();
  }
}

async function listPackedTar(path: string, format: 'tar.gz' | 'tar.bz2', maxBytes: number): Promise<number> {
  const packed = createReadStream(path, { highWaterMark: READ_BYTES });
  const chunks = format === 'tar.gz' ? gunzip(packed) : bunzip2(packed);
  try {
    return await listTar(chunks, { maxBytes, limits: DEFAULT_ZIP_LIMITS });
  } finally {
    packed.destroy();
  }
}

function gunzip(packed: Readable): AsyncIterable<Buffer> {
  const inflate = createGunzip({ chunkSize: READ_BYTES });
  // The reader of the result gets the error.
  pipeline(packed, inflate, () => {});
  return inflate;
}

/** Errors of the archive; others, such as a failing disk, are not. */
function isFlaw(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return error instanceof PackageError || code.startsWith('Z_') || code === 'ERR_BUFFER_OUT_OF_BOUNDS';
}
