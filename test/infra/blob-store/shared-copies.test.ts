/* Copies of blobs that reads within some seconds of each other share. */
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { blobFile } from '../../support/blob-file.ts';
import { storePackage } from '../../support/store-package.ts';

setUpApp();
afterEach(() => {
  vi.useRealTimers();
});

async function stored(text: string) {
  const { sha256 } = await storePackage(Buffer.from(text));
  const { config } = await import('../../../src/config.ts');
  return { sha256, path: blobFile(config.DATA_DIR, sha256) };
}

const share = async <Result>(sha256: string, use: (path: string) => Promise<Result>) =>
  (await import('../../../src/infra/blob-store/verified-copy.ts')).withSharedCopy(sha256, ({ path }) => use(path));

const pathOf = (sha256: string) => share(sha256, async (path) => path);

it('is made once for calls within some seconds, and then removed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { sha256, path } = await stored('shared');
  const [one, other] = await Promise.all([pathOf(sha256), pathOf(sha256)]);
  expect(one).toBe(other);
  // A copy has the bytes that its hash names, whatever becomes of the blob.
  await writeFile(path, 'replaced');
  expect(await share(sha256, (copy) => readFile(copy, 'utf8'))).toBe('shared');
  vi.advanceTimersByTime(4_000);
  expect(existsSync(one)).toBe(true);
  vi.advanceTimersByTime(2_000);
  await vi.waitFor(() => expect(existsSync(one)).toBe(false));
  await expect(pathOf(sha256)).rejects.toThrow();
});

it('of a lost blob is tried again by the next call', async () => {
  const { sha256, path } = await stored('lost');
  await rename(path, `${path}-aside`);
  await expect(pathOf(sha256)).rejects.toThrow();
  await rename(`${path}-aside`, path);
  expect(await share(sha256, (copy) => readFile(copy, 'utf8'))).toBe('lost');
});

it('is removed when it is the oldest of more than four without readers', async () => {
  const blobs = await Promise.all(['1', '2', '3', '4', '5'].map((text) => stored(`one of many ${text}`)));
  const copies: string[] = [];
  for (const { sha256 } of blobs) copies.push(await pathOf(sha256));
  await vi.waitFor(() => expect(copies.map((copy) => existsSync(copy))).toEqual([false, true, true, true, true]));
});

it('is replaced by a new one after a minute, and stays as long as it has readers', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { sha256 } = await stored('old');
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = Promise.withResolvers<string>();
  const reading = share(sha256, async (path) => {
    first.resolve(path);
    await promise;
    return readFile(path, 'utf8');
  });
  const old = await first.promise;
  vi.advanceTimersByTime(61_000);
  expect(await pathOf(sha256)).not.toBe(old);
  resolve();
  expect(await reading).toBe('old');
  await vi.waitFor(() => expect(existsSync(old)).toBe(false));
});
