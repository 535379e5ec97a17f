import DataLoader from 'dataloader';
import type { Context } from './context.ts';

/**
 * Makes a loader for things that are not relations: within one request, keys that are asked for at about the same time
 * are loaded together, and each only once. `load` answers in the order of its keys; an Error in place of a value is thrown
 * to whoever asked for that key. A mutation that changes what is loaded clears the loader of its request.
 */
export function perRequest<Key, Value>(
  load: (keys: readonly Key[], context: Context) => Promise<readonly (Value | Error)[]>,
): (context: Context) => DataLoader<Key, Value> {
  const loaders = new WeakMap<Context, DataLoader<Key, Value>>();
  return (context) => {
    let loader = loaders.get(context);
    if (loader === undefined) {
      loader = new DataLoader((keys) => load(keys, context));
      loaders.set(context, loader);
    }
    return loader;
  };
}

/** Whether a loader has found what it was asked for: to filter the answer of `loadMany`. */
export function isFound<Value>(value: Value | Error): value is Value {
  return !(value instanceof Error);
}
