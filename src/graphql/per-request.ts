import DataLoader from 'dataloader';
import type { Context } from './context.ts';

/** Maximum number of keys of a batch. */
const MAX_BATCH_SIZE = 10_000;

/**
 * Key of the loaders on a request's context. Weak maps by context would free their entries only with a collection of the
 * whole heap.
 */
const LOADERS = Symbol('loaders');
interface Loading {
  [LOADERS]?: Map<unknown, unknown>;
}

/** The loader of a request with this name, made at its first use. */
function onContext<Loader>(context: Context & Loading, name: unknown, make: () => Loader): Loader {
  context[LOADERS] ??= new Map();
  let loader = context[LOADERS].get(name) as Loader | undefined;
  if (loader === undefined) {
    loader = make();
    context[LOADERS].set(name, loader);
  }
  return loader;
}

/** Clears everything that loaders have cached for a request. */
export function forgetLoaded(context: Context & Loading): void {
  delete context[LOADERS];
}

/**
 * Makes a loader for data that are not relations. Within one request, keys requested in the same turn are loaded in one batch,
 * and each key once. `load` returns values in the order of its keys; an Error instead of a value rejects the load of that key.
 * Every mutation clears the loaders of its request.
 */
export function perRequest<Key, Value>(
  load: (keys: readonly Key[], context: Context) => Promise<readonly (Value | Error)[]>,
): (context: Context) => DataLoader<Key, Value> {
  return (context) => onContext(context, load, () => new DataLoader<Key, Value>((keys) => load(keys, context)));
}

/** Caches the promise of each key for one request. */
class RequestCache<Key, Value> {
  readonly #load: (key: Key) => Promise<Value>;
  readonly #values = new Map<Key, Promise<Value>>();

  constructor(load: (key: Key) => Promise<Value>) {
    this.#load = load;
  }

  load(key: Key): Promise<Value> {
    let value = this.#values.get(key);
    if (value === undefined) {
      value = this.#load(key);
      this.#values.set(key, value);
    }
    return value;
  }

  /** Like `load` for each key, with the Error as the value of a key that rejects. */
  loadMany(keys: readonly Key[]): Promise<(Value | Error)[]> {
    return Promise.all(keys.map((key) => this.load(key).catch((error: Error) => error)));
  }

  prime(key: Key, value: Value): void {
    if (!this.#values.has(key)) this.#values.set(key, Promise.resolve(value));
  }
}

/**
 * Caches the values of a loader across requests for one request. `perRequest` would wait for further keys a second time.
 */
export function cachedPerRequest<Key, Value>(
  load: (key: Key, context: Context) => Promise<Value>,
): (context: Context) => RequestCache<Key, Value> {
  return (context) => onContext(context, load, () => new RequestCache<Key, Value>((key) => load(key, context)));
}

/** Whether a result of `loadMany` is a value, not an error. */
export function isFound<Value>(value: Value | Error): value is Value {
  return !(value instanceof Error);
}

/**
 * Maximum number of running batches of one kind; keys requested while they run form the next batch. With one, the database
 * and this process would wait for each other; with many, batches would be small.
 */
const MAX_RUNNING_BATCHES = 2;

/** Limits the running batches of one kind. Each calls `end` when it has finished. */
class BatchLimiter {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  schedule(batch: () => void): void {
    if (this.#running < MAX_RUNNING_BATCHES) this.#begin(batch);
    else this.#waiting.push(batch);
  }

  end(): void {
    this.#running--;
    const next = this.#waiting.shift();
    if (next !== undefined) this.#begin(next);
  }

  #begin(batch: () => void): void {
    this.#running++;
    // The first turn sends the results of the last batch; the second has the requests that they cause.
    setImmediate(() => setImmediate(batch));
  }
}

/**
 * Makes a loader that batches across requests: keys requested within two turns of the event loop, or while earlier batches run,
 * are loaded together. Nothing is cached, so a request always sees state at least as new as itself. `load` gets each key once and
 * returns a map; keys without an entry are undefined.
 */
export function acrossRequests<Key, Value>(
  load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): DataLoader<Key, Value | undefined> {
  const turns = new BatchLimiter();
  const loadOnce = async (keys: readonly Key[]) => {
    try {
      const found = await load([...new Set(keys)]);
      return keys.map((key) => found.get(key));
    } finally {
      turns.end();
    }
  };
  const schedule = (batch: () => void) => turns.schedule(batch);
  return new DataLoader(loadOnce, { cache: false, maxBatchSize: MAX_BATCH_SIZE, batchScheduleFn: schedule });
}
