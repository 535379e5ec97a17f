import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolderSync } from './sync-folder.ts';

/**
 * The content of a key file, made by `make` when it is missing. The complete file appears through a hard link that only one
 * process can create, so that processes that start together use one key. Only its owner can read it.
 */
export function readOrCreateKeyFile(path: string, make: () => string): string {
  const found = readIfThere(path);
  if (found !== null) return found;
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  writeFileSync(draft, `${make()}\n`, { flag: 'wx', mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  // What depends on a key is lost without it, so it is durable before its first use.
  syncFolderSync(folder);
  return readFileSync(path, 'utf8').trim();
}

/** The content of a key file; null if it does not exist. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
