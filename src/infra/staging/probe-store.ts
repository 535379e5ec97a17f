import { randomBytes } from 'node:crypto';
import { readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { storeFolder } from '../blob-store/blob-store.ts';
import { makeStagingFolder, stagingFolder } from './staging.ts';

/** Probes are shared for this time, so that requests for readiness cannot fill the disk with writes. */
const FRESH_MS = 1_000;
/** A network file system that hangs does not respond at all. */
const LIMIT_MS = 2_000;

/** A full disk starts read-only mode, in which requests are served. */
const FULL = new Set(['ENOSPC', 'EDQUOT']);

let latest: { at: number; result: Promise<string | null> } | null = null;

/**
 * Does what an upload does: writes a small file in the staging area, renames it into the store, reads it there, and removes it. Returns
 * what fails, with the code of the error, or null. The result is at most a second old.
 */
export async function storeProblem(): Promise<string | null> {
  if (latest === null || performance.now() - latest.at > FRESH_MS) {
    latest = { at: Number.POSITIVE_INFINITY, result: probe() };
    const { result } = latest;
    void result.then(() => {
      latest = { at: performance.now(), result };
    });
  }
  const late = setTimeout(LIMIT_MS, 'the data folder does not respond', { ref: false });
  return Promise.race([latest.result, late]);
}

async function probe(): Promise<string | null> {
  const bytes = randomBytes(16);
  const name = `probe.${bytes.toString('hex')}`;
  const [staged, stored] = [join(stagingFolder(), name), join(storeFolder(), name)];
  try {
    await makeStagingFolder();
    await writeFile(staged, bytes, { flag: 'wx', mode: 0o600 });
    await rename(staged, stored);
    return bytes.equals(await readFile(stored)) ? null : 'the data folder returns other bytes than were written';
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    return FULL.has(code) ? null : `the data folder cannot be written to (${code})`;
  } finally {
    for (const path of [staged, stored]) await unlink(path).catch(() => {});
  }
}
