import { UnavailableError } from '../errors.ts';

interface Waiting<Key, Value> {
  key: Key;
  resolve(value: Value): void;
  reject(error: unknown): void;
}

/** Limits of a joined look-up. */
interface Limits {
  /** Keys of one statement. */
  keys: number;
  /** Statements that run at the same time. */
  running: number;
  /** Keys that wait for a statement. */
  waiting: number;
}

/**
 * Joins the look-ups of concurrent requests into one statement: keys that arrive in the same turn of the event loop, or
 * while the allowed number of statements runs. `load` returns the values in the order of the keys.
 * @returns the function that looks up one key; it rejects with UnavailableError when too many keys wait.
 */
export function joinedLookup<Key, Value>(
  load: (keys: readonly Key[]) => Promise<readonly Value[]>,
  limits: Limits,
): (key: Key) => Promise<Value> {
  let waiting: Waiting<Key, Value>[] = [];
  let running = 0;
  let isScheduled = false;

  const start = (): void => {
    isScheduled = false;
    while (waiting.length > 0 && running < limits.running) {
      const batch = waiting.slice(0, limits.keys);
      waiting = waiting.slice(limits.keys);
      running += 1;
      void run(batch);
    }
  };

  const run = async (batch: Waiting<Key, Value>[]): Promise<void> => {
    try {
      const values = await load(batch.map(({ key }) => key));
      batch.forEach(({ resolve }, index) => {
        resolve(values[index] as Value);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      running -= 1;
      start();
    }
  };

  return (key) => {
    if (waiting.length >= limits.waiting) return Promise.reject(new UnavailableError());
    return new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (isScheduled || running >= limits.running) return;
      isScheduled = true;
      setImmediate(start);
    });
  };
}
