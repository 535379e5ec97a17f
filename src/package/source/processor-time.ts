import { sourceTooSlow } from './refusals.ts';

/** Limits the processor time of this process for one archive. */
export class ProcessorTime {
  readonly #start = process.cpuUsage();
  readonly #limitMs: number;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** @throws {PackageError} when the limit is exceeded. */
  require(): void {
    const { user, system } = process.cpuUsage(this.#start);
    if ((user + system) / 1000 > this.#limitMs) throw sourceTooSlow(this.#limitMs / 1000);
  }

  /** The chunks, as long as the time suffices. */
  async *limit<Chunk>(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk, void, undefined> {
    for await (const chunk of chunks) {
      this.require();
      yield chunk;
    }
  }
}
