import { Buffer } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { PackageError } from '../../errors.ts';
import { message } from '../../texts/messages.ts';
import { FileWindow } from '../zip/file-window.ts';
import { DEFAULT_ZIP_LIMITS } from '../zip/zip-archive.ts';
import { bunzip2 } from './bzip2.ts';
import type { SourceVisitor } from './entry-path.ts';
import { listTar } from './list-tar.ts';
import { listZip, maxInflated } from './list-zip.ts';
import { ProcessorTime } from './processor-time.ts';
import { damagedSource, refusedSource, truncatedSource } from './refusals.ts';
import { contentFormat, type SourceFormat, sourceFormat } from './source-format.ts';

const READ_BYTES = 256 * 1024;
/** The first bytes of a file, which show its format. */
const HEAD_BYTES = 8;

/** bzip2 needs most, up to 40 bytes of input for each byte of output. */
const PROCESSOR_MS = 10_000;

/**
 * Lists the archive of source code at `path`, whose format its name declares, within the limits of packages and `processorMs` of
 * processor time, and passes the contents of its files to `visit`. Nothing is written; a few MB of memory suffice for any archive. Returns
 * the number of its entries.
 * @throws {PackageError} which says what is wrong, for an archive that is broken, empty, of another format or above a limit.
 */
export async function listSource(
  path: string,
  format: SourceFormat,
  processorMs = PROCESSOR_MS,
  visit?: SourceVisitor,
): Promise<number> {
  const time = new ProcessorTime(processorMs);
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    await requireFormat(handle, size, format);
    const entries =
      format === 'zip'
        ? await listZip(FileWindow.forOneReader(handle, size), DEFAULT_ZIP_LIMITS, time, visit)
        : await listPackedTar(path, format, { maxBytes: maxInflated(size, DEFAULT_ZIP_LIMITS), time, visit });
    if (entries === 0) throw refusedSource(message('source.no_files'));
    return entries;
  } catch (error) {
    throw asRefusal(error);
  } finally {
    await handle.close();
  }
}

async function listPackedTar(
  path: string,
  format: 'tar.gz' | 'tar.bz2',
  { maxBytes, time, visit }: { maxBytes: number; time: ProcessorTime; visit: SourceVisitor | undefined },
): Promise<number> {
  const packed = createReadStream(path, { highWaterMark: READ_BYTES });
  // The input too: streams without content have no output.
  const chunks = format === 'tar.gz' ? gunzip(packed) : bunzip2(time.limit<Buffer>(packed));
  try {
    return await listTar(time.limit(chunks), { maxBytes, limits: DEFAULT_ZIP_LIMITS, visit });
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

/** @throws {PackageError} unless the first bytes are those of the format, and for a file that is too large. */
async function requireFormat(handle: FileHandle, size: number, format: SourceFormat): Promise<void> {
  const max = DEFAULT_ZIP_LIMITS.archiveBytes;
  if (size === 0) throw refusedSource(message('source.empty_file'));
  if (size > max) throw refusedSource(message('source.too_large', { size, max }));
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(HEAD_BYTES), position: 0 });
  const found = contentFormat(buffer.subarray(0, bytesRead));
  if (found === null) throw refusedSource(message('source.no_archive', { format }));
  if (found === format) return;
  const isAccepted = sourceFormat(`a.${found}`) !== null;
  throw refusedSource(message(isAccepted ? 'source.other_format' : 'source.foreign_format', { format, found }));
}

/** Errors of the archive as refusals; others, such as a failing disk, as they are. */
function asRefusal(error: unknown): unknown {
  if (error instanceof PackageError) return error.reason?.code.startsWith('source.') ? error : damagedSource();
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') return truncatedSource();
  return code.startsWith('Z_') || code === 'ERR_BUFFER_OUT_OF_BOUNDS' ? damagedSource() : error;
}
