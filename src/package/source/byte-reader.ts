import { Buffer } from 'node:buffer';
import { oversizedSource, truncatedSource } from './refusals.ts';

/** Reads a stream of chunks by length. Throws `PackageError` when it has more than `maxBytes`. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #maxBytes: number;
  #received = 0;
  #chunk: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>, maxBytes: number) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#maxBytes = maxBytes;
  }

  /** The next `length` bytes, or null at the end. @throws {PackageError} when the stream ends between. */
  async read(length: number): Promise<Buffer | null> {
    if (this.#chunk.length >= length) return this.#take(length);
    const parts: Buffer[] = [];
    for (let missing = length; missing > 0; ) {
      if (this.#chunk.length === 0 && !(await this.#next())) {
        if (missing === length) return null;
        throw truncatedSource();
      }
      const part = this.#take(Math.min(missing, this.#chunk.length));
      parts.push(part);
      missing -= part.length;
    }
    return Buffer.concat(parts);
  }

  /** Passes over `length` bytes. @throws {PackageError} when the stream ends before. */
  async skip(length: number): Promise<void> {
    for (let missing = length; missing > 0; ) {
      if (this.#chunk.length === 0 && !(await this.#next())) throw truncatedSource();
      missing -= this.#take(Math.min(missing, this.#chunk.length)).length;
    }
  }

  /** Reads to the end of the stream, where its checksums are. */
  async drain(): Promise<void> {
    while (await this.#next());
  }

  #take(length: number): Buffer {
    const taken = this.#chunk.subarray(0, length);
    this.#chunk = this.#chunk.subarray(length);
    return taken;
  }

  /** Gets the next chunk. Returns false at the end. */
  async #next(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (done) return false;
    this.#received += value.length;
    if (this.#received > this.#maxBytes) throw oversizedSource(this.#maxBytes);
    this.#chunk = value;
    return true;
  }
}
