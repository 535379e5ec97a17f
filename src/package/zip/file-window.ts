import { Buffer } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { brokenArchive } from './refusals.ts';

const WINDOW_BYTES = 1024 * 1024;
const PIECE_BYTES = 256 * 1024;

/**
 * Positional reads of one file through a window of 1 MiB, so that thousands of small adjacent reads take few system calls.
 * Returned bytes stay valid, except those of `forOneReader`, which reuses two buffers. Offsets count from byte `origin` of the file.
 */
export class FileWindow {
  readonly size: number;
  readonly #handle: FileHandle;
  readonly #origin: number;
  #start = 0;
  #buffer: Buffer = Buffer.alloc(0);
  /** The two buffers of `forOneReader`, the next one to fill first. */
  #turns: [Buffer, Buffer] | null = null;

  /** `size` is that of the whole file, in bytes. */
  constructor(handle: FileHandle, size: number, origin = 0) {
    this.#handle = handle;
    this.#origin = origin;
    this.size = size - origin;
  }

  /**
   * A window that allocates nothing as it moves. For a single reader: returned bytes are valid until the window has moved
   * twice.
   */
  static forOneReader(handle: FileHandle, size: number, origin = 0): FileWindow {
    const window = new FileWindow(handle, size, origin);
    const bytes = Math.min(WINDOW_BYTES, window.size);
    window.#turns = [Buffer.allocUnsafeSlow(bytes), Buffer.allocUnsafeSlow(bytes)];
    return window;
  }

  /** Exactly `length` bytes from `offset`. Throws `PackageError` when they are outside the file. */
  async bytes(offset: number, length: number): Promise<Buffer> {
    const at = offset - this.#start;
    if (at >= 0 && at + length <= this.#buffer.length) return this.#buffer.subarray(at, at + length);
    if (offset + length > this.size) throw brokenArchive('package.zip_truncated');
    if (length >= WINDOW_BYTES) return this.#load(offset, Buffer.allocUnsafeSlow(length));
    const buffer = await this.#load(offset, this.#nextBuffer(Math.min(WINDOW_BYTES, this.size - offset)));
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

  #nextBuffer(length: number): Buffer {
    if (this.#turns === null) return Buffer.allocUnsafeSlow(length);
    this.#turns.reverse();
    return this.#turns[1].subarray(0, length);
  }

  async #load(offset: number, buffer: Buffer): Promise<Buffer> {
    const start = this.#origin + offset;
    for (let filled = 0; filled < buffer.length; ) {
      const { bytesRead } = await this.#handle.read(buffer, filled, buffer.length - filled, start + filled);
      if (bytesRead === 0) throw new Error('The archive became shorter while it was read.');
      filled += bytesRead;
    }
    return buffer;
  }
}
