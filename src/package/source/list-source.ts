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
import { ProcessorTime } from './processor-time.ts';
import { brokenArchive } from './refusals.ts';
import type { SourceFormat } from './source-format.ts';

const READ_BYTES = 256 * 1024;

/** bzip2 needs most, up to 40 bytes of input for each byte of output. */
const PROCESSOR_MS = 10_000;

/**
 * Lists the archive of source code at `path`, whose format its name declares, within the limits of packages and `processorMs` of
 * processor time. Nothing is written; a few MB of memory suffice for any archive. Returns the number of its entries.
 * @throws {PackageError} with one text for an archive that is broken, empty, of another format or above a limit, and with another
 * for one that takes too long.
 */
export async function listSource(path: string, format: SourceFormat, processorMs = PROCESSOR_MS): Promise<number> {
  const time = new ProcessorTime(processorMs);
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    if (size > DEFAULT_ZIP_LIMITS.archiveBytes) throw brokenArchive();
    const entries =
      format === 'zip'
        ? await listZip(FileWindow.forOneReader(handle, size), DEFAULT_ZIP_LIMITS, time)
        : await listPackedTar(path, format, { maxBytes: maxInflated(size, DEFAULT_ZIP_LIMITS), time });
    if (entries === 0) throw brokenArchive();
    return entries;
  } catch (error) {
    // Limits have texts of their own; what the readers of packages say would not fit source code.
    throw isFlaw(error) && !isTooSlow(error) ? brokenArchive() : error;
  } finally {
    await handle.close();
  }
}

async function listPackedTar(
  path: string,
  format: 'tar.gz' | 'tar.bz2',
  { maxBytes, time }: { maxBytes: number; time: ProcessorTime },
): Promise<number> {
  const packed = createReadStream(path, { highWaterMark: READ_BYTES });
  // The input too: streams without content have no output.
  const chunks = format === 'tar.gz' ? gunzip(packed) : bunzip2(time.limit<Buffer>(packed));
  try {
    return await listTar(time.limit(chunks), { maxBytes, limits: DEFAULT_ZIP_LIMITS });
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

const isTooSlow = (error: unknown): boolean =>
  error instanceof PackageError && error.reason?.code === 'source.too_slow';

/** Errors of the archive; others, such as a failing disk, are not. */
function isFlaw(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return error instanceof PackageError || code.startsWith('Z_') || code === 'ERR_BUFFER_OUT_OF_BOUNDS';
}
