import { Buffer } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { invalidArchive } from './refusals.ts';

const WINDOW_BYTES = 1024 * 1024;
const PIECE_BYTES = 256 * 1024;

/**
 * Positional reads of one file through a single window of 1 MiB, so that a walk over thousands of small neighbours costs
 * a few system calls. A buffer is never written again after it was filled: what `bytes` returned stays true, also when
 * several readers share the window.
 */
export class FileWindow {
  readonly size: number;
  readonly #handle: FileHandle;
  #start = 0;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(handle: FileHandle, size: number) {
    this.#handle = handle;
    this.size = size;
  }

  /** Exactly `length` bytes from `offset`. Throws `PackageError` where they would lie outside the file. */
  async bytes(offset: number, length: number): Promise<Buffer> {
    const at = offset - this.#start;
    if (at >= 0 && at + length <= this.#buffer.length) return this.#buffer.subarray(at, at + length);
    if (offset + length > this.size) throw invalidArchive();
    if (length >= WINDOW_BYTES) return this.#load(offset, length);
    const buffer = await this.#load(offset, Math.min(WINDOW_BYTES, this.size - offset));
    this.#start = offset;
    this.#buffer = buffer;
    return buffer.subarray(0, length);
  }

  /** The same bytes in pieces of at most 256 KiB. */
  async *pieces(offset: number, length: number): AsyncGenerator<Buffer, void, undefined> {
    for (let done = 0; done < length; done += PIECE_BYTES) {
      yield await this.bytes(offset + done, Math.min(PIECE_BYTES, length - done));
    }
  }

  async #load(offset: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafeSlow(length);
    for (let filled = 0; filled < length; ) {
      const { bytesRead } = await this.#handle.read(buffer, filled, length - filled, offset + filled);
      if (bytesRead === 0) throw new Error('The archive became shorter while it was read.');
      filled += bytesRead;
    }
    return buffer;
  }
}
