import DataLoader from 'dataloader';
import { NotFoundError } from '../errors.ts';
import type { LoadBatch } from '../infra/batcher.ts';
import type { Context } from './context.ts';

/**
 * Key of the loaders on a request's context. Weak maps by context would free their entries only with a collection of the
 * whole heap.
 */
const LOADERS = Symbol('loaders');
interface Loading {
  [LOADERS]?: Map<unknown, unknown>;
}

/** Clears everything that loaders have cached for a request. */
export function forgetLoaded(context: Context & Loading): void {
  delete context[LOADERS];
}

/**
 * Makes a loader for data that are not relations. Within one request, keys requested in the same turn are loaded in one batch,
 * and each key once. Every mutation clears the loaders of its request.
 */
export function perRequest<Key, Value>(
  load: (keys: readonly Key[], context: Context) => ReturnType<LoadBatch<Key, Value>>,
): (context: Context) => DataLoader<Key, Value> {
  return (context: Context & Loading) => {
    context[LOADERS] ??= new Map();
    let loader = context[LOADERS].get(load) as DataLoader<Key, Value> | undefined;
    if (loader === undefined) {
      loader = new DataLoader<Key, Value>((keys) => load(keys, context));
      context[LOADERS].set(load, loader);
    }
    return loader;
  };
}

/** Rows in the order of their ids, with NotFoundError for ids without a row. */
export function rowsInOrder<Row extends { id: number }>(
  ids: readonly number[],
  rows: readonly Row[],
): (Row | NotFoundError)[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? new NotFoundError());
}

/** Whether a result of `loadMany` is a value, not an error. */
export function isFound<Value>(value: Value | Error): value is Value {
  return !(value instanceof Error);
}
