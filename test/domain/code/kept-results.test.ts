/* How long results of reading packages are kept, and how long a request waits for one. */
import { afterEach, expect, it, vi } from 'vitest';
import { CutResult, readKept } from '../../../src/domain/code/kept-results.ts';
import { PackageError, UnfinishedError, WorkLimitError } from '../../../src/errors.ts';
import { message } from '../../../src/texts/messages.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A result under `name`, and how often it was read. */
function source(name: string, read: () => Promise<unknown>) {
  const state = { reads: 0 };
  const get = (waitMs?: number | null) =>
    readKept<unknown>(
      [name],
      () => {
        state.reads += 1;
        return read();
      },
      waitMs,
    );
  return { state, get };
}

it('reads a result once', async () => {
  const { state, get } = source('once', async () => ['a']);
  expect(await Promise.all([get(), get()])).toEqual([['a'], ['a']]);
  expect(await get()).toEqual(['a']);
  expect(state.reads).toBe(1);
});

it('lets a request wait for a bounded time, and later ones get the result of the same work', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { state, get } = source('late', () => promise);
  await expect(get(5)).rejects.toThrow(UnfinishedError);
  const waiting = get(null);
  resolve('read');
  expect(await waiting).toBe('read');
  expect(await get(5)).toBe('read');
  expect(state.reads).toBe(1);
});

it('reads again a minute after a result that a limit of time has cut', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  const results = [new CutResult(null), 'whole'];
  const { state, get } = source('cut', async () => results[state.reads - 1]);
  expect(await get()).toBeNull();
  vi.advanceTimersByTime(59_000);
  expect(await get()).toBeNull();
  vi.advanceTimersByTime(2_000);
  expect(await get()).toBe('whole');
  vi.advanceTimersByTime(3_600_000);
  expect(await get()).toBe('whole');
  expect(state.reads).toBe(2);
});

it('tries a package that exceeds the limits again after a minute, one that is no valid archive never, and any other failure at once', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  const limited = source('limited', () => Promise.reject(new WorkLimitError()));
  await expect(limited.get()).rejects.toThrow(WorkLimitError);
  await expect(limited.get()).rejects.toThrow(WorkLimitError);
  expect(limited.state.reads).toBe(1);
  vi.advanceTimersByTime(61_000);
  await expect(limited.get()).rejects.toThrow(WorkLimitError);
  expect(limited.state.reads).toBe(2);
  const refused = source('refused', () => Promise.reject(new PackageError(message('file.unusable'))));
  await expect(refused.get()).rejects.toThrow(PackageError);
  vi.advanceTimersByTime(3_600_000);
  await expect(refused.get()).rejects.toThrow(PackageError);
  expect(refused.state.reads).toBe(1);
  const failing = source('failing', () => Promise.reject(new Error('lost')));
  await expect(failing.get()).rejects.toThrow('lost');
  await expect(failing.get()).rejects.toThrow('lost');
  expect(failing.state.reads).toBe(2);
});
