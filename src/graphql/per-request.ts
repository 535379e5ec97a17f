import DataLoader from 'dataloader';
import type { Context } from './context.ts';

/** As many keys as one statement takes. */
const MOST_AT_ONCE = 10_000;

/**
 * Where the loaders of a request are: on its context. Weak maps by context would be as good, but for the garbage collector,
 * which lets go of what is in them only when it goes through the whole heap.
 */
const LOADERS = Symbol('loaders');
interface Loading {
  [LOADERS]?: Map<unknown, unknown>;
}

/** What a request has under a name, made when it is first asked for; one name stands for one kind of thing. */
function onContext<Loader>(context: Context & Loading, name: unknown, make: () => Loader): Loader {
  context[LOADERS] ??= new Map();
  let loader = context[LOADERS].get(name) as Loader | undefined;
  if (loader === undefined) {
    loader = make();
    context[LOADERS].set(name, loader);
  }
  return loader;
}

/**
 * Makes a loader for things that are not relations: within one request, keys that are asked for at about the same time
 * are loaded together, and each only once. `load` answers in the order of its keys; an Error in place of a value is thrown
 * to whoever asked for that key. A mutation that changes what is loaded clears the loader of its request.
 */
export function perRequest<Key, Value>(
  load: (keys: readonly Key[], context: Context) => Promise<readonly (Value | Error)[]>,
): (context: Context) => DataLoader<Key, Value> {
  return (context) => onContext(context, load, () => new DataLoader<Key, Value>((keys) => load(keys, context)));
}

/** What is asked for one key at a time within one request, each key once. */
export class RequestMemory<Key, Value> {
  readonly #ask: (key: Key) => Promise<Value>;
  readonly #answers = new Map<Key, Promise<Value>>();

  constructor(ask: (key: Key) => Promise<Value>) {
    this.#ask = ask;
  }

  load(key: Key): Promise<Value> {
    let answer = this.#answers.get(key);
    if (answer === undefined) {
      answer = this.#ask(key);
      this.#answers.set(key, answer);
    }
    return answer;
  }

  /** Like `load` for each key; an Error stands for what is refused. */
  loadMany(keys: readonly Key[]): Promise<(Value | Error)[]> {
    return Promise.all(keys.map((key) => this.load(key).catch((error: Error) => error)));
  }

  prime(key: Key, value: Value): void {
    if (!this.#answers.has(key)) this.#answers.set(key, Promise.resolve(value));
  }

  clear(key: Key): void {
    this.#answers.delete(key);
  }

  clearAll(): void {
    this.#answers.clear();
  }
}

/**
 * Remembers within one request what a loader for all requests has answered: `perRequest` would wait for further keys first,
 * which such a loader does itself.
 */
export function rememberedPerRequest<Key, Value>(
  ask: (key: Key, context: Context) => Promise<Value>,
): (context: Context) => RequestMemory<Key, Value> {
  return (context) => onContext(context, ask, () => new RequestMemory<Key, Value>((key) => ask(key, context)));
}

/** Whether a loader has found what it was asked for: to filter the answer of `loadMany`. */
export function isFound<Value>(value: Value | Error): value is Value {
  return !(value instanceof Error);
}

/**
 * How many batches of one kind are under way at most; what is asked for meanwhile makes up the next. With one, the database
 * and this process would wait for each other; with many, batches would be small.
 */
const BATCHES_AT_ONCE = 2;

/** When batches of one kind begin. Each says when it has ended. */
class BatchTurns {
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  schedule(batch: () => void): void {
    if (this.#underWay < BATCHES_AT_ONCE) this.#begin(batch);
    else this.#waiting.push(batch);
  }

  end(): void {
    this.#underWay--;
    const next = this.#waiting.shift();
    if (next !== undefined) this.#begin(next);
  }

  #begin(batch: () => void): void {
    this.#underWay++;
    // In the first turn the answers to the last batch go out; in the second, what their readers ask next is here already.
    setImmediate(() => setImmediate(batch));
  }
}

/**
 * Makes a loader for what is asked of the database again and again by many requests: keys that are asked for in two turns of
 * the event loop, or while the database is at work on earlier ones, are loaded together, whichever requests want them.
 * Nothing is kept, so whoever asks gets the state of after he asked. `load` gets each key once and answers by key; undefined
 * stands for what is not there.
 */
export function acrossRequests<Key, Value>(
  load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): DataLoader<Key, Value | undefined> {
  const turns = new BatchTurns();
  const loadOnce = async (keys: readonly Key[]) => {
    try {
      const found = await load([...new Set(keys)]);
      return keys.map((key) => found.get(key));
    } finally {
      turns.end();
    }
  };
  const schedule = (batch: () => void) => turns.schedule(batch);
  return new DataLoader(loadOnce, { cache: false, maxBatchSize: MOST_AT_ONCE, batchScheduleFn: schedule });
}
