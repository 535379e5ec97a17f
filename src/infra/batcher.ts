import DataLoader from 'dataloader';
import { UnavailableError } from '../errors.ts';

/** Limits of a batcher. */
export interface BatcherLimits {
  /** Keys of one batch. */
  maxKeys: number;
  /**
   * Batches that run at the same time. With one, the database and this process would wait for each other; with many, batches would be
   * small.
   */
  running: number;
  /** Keys whose values are awaited. */
  waiting: number;
}

const DEFAULTS: BatcherLimits = { maxKeys: 10_000, running: 2, waiting: Number.POSITIVE_INFINITY };

/** Returns the values in the order of its keys, which are distinct; an Error instead of a value rejects that key. */
export type LoadBatch<Key, Value> = (keys: readonly Key[]) => Promise<readonly (Value | Error)[]>;

/**
 * Loads keys in batches across requests: keys requested within two turns of the event loop, or while earlier batches run, are loaded
 * together. Nothing is cached, so a request always sees state at least as new as itself.
 */
export class Batcher<Key, Value> extends DataLoader<Key, Value> {
  readonly #limits: BatcherLimits;
  readonly #ready: (() => void)[] = [];
  #running = 0;
  #waiting = 0;

  constructor(load: LoadBatch<Key, Value>, limits: Partial<BatcherLimits> = {}) {
    const { maxKeys, running, waiting } = { ...DEFAULTS, ...limits };
    super((keys) => this.#run(load, keys), {
      cache: false,
      maxBatchSize: maxKeys,
      batchScheduleFn: (batch) => this.#schedule(batch),
    });
    this.#limits = { maxKeys, running, waiting };
  }

  /** @returns (the promise) rejects with UnavailableError when too many keys wait. */
  override load(key: Key): Promise<Value> {
    if (this.#waiting >= this.#limits.waiting) return Promise.reject(new UnavailableError());
    this.#waiting += 1;
    return super.load(key).finally(() => {
      this.#waiting -= 1;
    });
  }

  #schedule(batch: () => void): void {
    if (this.#running < this.#limits.running) this.#begin(batch);
    else this.#ready.push(batch);
  }

  #begin(batch: () => void): void {
    this.#running += 1;
    // The first turn sends the results of the last batch; the second has the requests that they cause.
    setImmediate(() => setImmediate(batch));
  }

  async #run(load: LoadBatch<Key, Value>, keys: readonly Key[]): Promise<(Value | Error)[]> {
    try {
      const distinct = [...new Set(keys)];
      const values = await load(distinct);
      const byKey = new Map(distinct.map((key, index) => [key, values[index] as Value | Error]));
      return keys.map((key) => byKey.get(key) as Value | Error);
    } finally {
      this.#running -= 1;
      const next = this.#ready.shift();
      if (next !== undefined) this.#begin(next);
    }
  }
}
