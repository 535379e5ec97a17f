/*
 * Results of reading and comparing packages, kept by the hashes of what was read. A request waits for a bounded time; the work continues
 * without it, and later requests get the result.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { NotFoundError, PackageError, UnfinishedError, WorkLimitError } from '../../errors.ts';
import { StoredFileError } from '../../infra/blob-store/blob-store.ts';
import { SecondChanceCache } from '../../infra/second-chance-cache.ts';
import type { TooSlow } from '../../package/code/within-time.ts';
import { message } from '../../texts/messages.ts';

/** How long a request waits for a result. */
const WAIT_MS = 15_000;
/** How long a result is kept that depends on a limit of time, which a busy machine reaches sooner. */
const RETRY_MS = 60_000;

/** A result that a limit of time has cut. It is kept for a minute. */
export class CutResult {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** The result of work in a limit of time, or null. */
export const unlessTooSlow = <Result>(result: Result | TooSlow): Result | CutResult =>
  result === 'too-slow' ? new CutResult(null) : result;

type Kept = ({ value: unknown } | { error: PackageError | WorkLimitError }) & { until: number };

/** In characters of JSON. */
const CACHE_SIZE = 32e6;
const kept = new SecondChanceCache<string, Kept>(CACHE_SIZE);
const underWay = new Map<string, Promise<unknown>>();

/**
 * A result that is kept, under way for another request, or what `read` returns, which may be a `CutResult`. Without `waitMs` it waits as long
 * as that takes, which is for jobs, and for the parts of a result.
 * @throws {NotFoundError} for a package that is lost or damaged; {PackageError} for an imported one that is no valid archive;
 * {UnfinishedError} when it takes longer than `waitMs`; {WorkLimitError} when the package cannot be read within the limits;
 * {UnavailableError} when nothing can be read now.
 */
export async function readKept<Result>(
  key: readonly unknown[],
  read: () => Promise<unknown>,
  waitMs: number | null = WAIT_MS,
): Promise<Result> {
  const name = JSON.stringify(key);
  const present = kept.get(name);
  if (present !== undefined && performance.now() < present.until) {
    if ('error' in present) throw present.error;
    return present.value as Result;
  }
  const reading = underWay.get(name) ?? readOnce(name, read);
  return (await (waitMs === null ? reading : inTime(reading, waitMs))) as Result;
}

function readOnce(name: string, read: () => Promise<unknown>): Promise<unknown> {
  const reading = read()
    .then(async (result) => {
      // Receiving a large result was a turn of its own.
      await nextTurn();
      const isCut = result instanceof CutResult;
      const value = isCut ? result.value : result;
      const until = isCut ? performance.now() + RETRY_MS : Number.POSITIVE_INFINITY;
      kept.set(name, { value, until }, name.length + JSON.stringify(value).length);
      return value;
    })
    .catch((error: unknown) => {
      // The same bytes are refused again.
      if (error instanceof PackageError) kept.set(name, { error, until: Number.POSITIVE_INFINITY }, name.length);
      if (error instanceof WorkLimitError) {
        kept.set(name, { error, until: performance.now() + RETRY_MS }, name.length);
      }
      throw error instanceof StoredFileError ? new NotFoundError(message('file.unusable')) : error;
    })
    .finally(() => underWay.delete(name));
  underWay.set(name, reading);
  return reading;
}

/** @throws {UnfinishedError} when it takes longer than `waitMs`. */
async function inTime<Result>(work: Promise<Result>, waitMs: number): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new UnfinishedError()), waitMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
