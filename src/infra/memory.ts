import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options?: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

function collector(): Collect {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return collect;
}

/** By how much the space for young objects grows when much in it stays in use. By itself it grows up to 100 MB. */
const growYoungSpace = (factor: 1 | 2): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

/** In bytes: what the space for young objects may become. With much less, requests under way are copied over and over. */
const YOUNG_SPACE = 16 * 2 ** 20;

/** By how many percent the old objects may become more before those that are out of use are collected. */
const OLD_GROWTH = 20;

/**
 * Bounds the memory of a process that answers requests: gives back what its start has left behind, lets the space for young
 * objects grow as far as is of use, and collects old ones, such as documents that others have displaced, before they are
 * several times as many as are in use. Takes about 100 ms.
 */
export function boundServerMemory(): void {
  collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  setFlagsFromString(`--heap-growing-percent=${OLD_GROWTH}`);
  let mayGrow = true;
  // The space shrinks when little happens, and has to grow again then.
  new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
    if (young < YOUNG_SPACE === mayGrow) return;
    mayGrow = !mayGrow;
    growYoungSpace(mayGrow ? 2 : 1);
  }).observe({ entryTypes: ['gc'] });
}

/**
 * Keeps the memory of this process small at some cost of speed, as is right for a worker. Its work leaves much garbage
 * behind at a time, and decompressors hold memory that the collector does not see and is in no hurry for. Returns a function
 * that collects all garbage now, which takes about 30 ms.
 */
export function keepMemorySmall(): () => void {
  growYoungSpace(1);
  const collect = collector();
  return () => collect();
}
