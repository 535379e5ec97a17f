/* What a store in a folder has next to its blobs: the id of its installation, and files that test whether it can be written to. */
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../sync-folder.ts';

const markerOf = (folder: string): string => join(folder, 'installation');

/** The id of the installation; null when the folder has none. */
export async function readFolderMarker(folder: string): Promise<string | null> {
  try {
    return (await readFile(markerOf(folder), 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Sets it: of a folder without one only, or of any folder. Durable when this returns. */
export async function writeFolderMarker(folder: string, id: string, when: 'unmarked' | 'always'): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${markerOf(folder)}.${randomBytes(8).toString('hex')}`;
  try {
    await writeFile(draft, `${id}\n`, { mode: 0o600, flush: true });
    if (when === 'always') await rename(draft, markerOf(folder));
    else await unlessExists(link(draft, markerOf(folder)));
  } finally {
    await unlink(draft).catch(() => {});
  }
  await syncFolder(folder);
}

/** A full disk starts read-only mode, in which requests are served. */
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** Does what an upload does: writes a file, renames it into the folder, reads it there, and removes it. Returns what fails, or null. */
export async function probeFolder(folder: string): Promise<string | null> {
  const bytes = randomBytes(16);
  const name = `probe.${bytes.toString('hex')}`;
  const [staged, stored] = [join(folder, 'staging', name), join(folder, name)];
  try {
    await mkdir(dirname(staged), { recursive: true, mode: 0o700 });
    await writeFile(staged, bytes, { flag: 'wx', mode: 0o600 });
    await rename(staged, stored);
    return bytes.equals(await readFile(stored)) ? null : 'the data folder returns other bytes than were written';
  } catch (error) {
    return FULL.has(codeOf(error)) ? null : `the data folder cannot be written to (${codeOf(error)})`;
  } finally {
    for (const path of [staged, stored]) await unlink(path).catch(() => {});
  }
}

/** Waits for a link, which another process may have made. */
export function unlessExists(work: Promise<void>): Promise<void> {
  return work.catch((error) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown';
