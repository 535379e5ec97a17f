/* The key files that this host made in DATA_DIR, for backups. Keys that settings name are in the operator's hands. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { config } from '../config.ts';
import { syncFolder } from '../infra/sync-folder.ts';

interface KeyPlace {
  /** What it is, for operators. */
  name: string;
  /** The setting that replaces the files. */
  setting: 'SECRET_KEY' | 'LOG_KEY_FILE' | 'SIGNING_KEY_FILE';
  /** Below DATA_DIR. */
  files: readonly string[];
}

const PLACES: readonly KeyPlace[] = [
  { name: 'secret key', setting: 'SECRET_KEY', files: ['secret.key'] },
  { name: 'key of the logs', setting: 'LOG_KEY_FILE', files: ['log.key'] },
  {
    name: 'development CA',
    setting: 'SIGNING_KEY_FILE',
    files: ['root', 'intermediate', 'root-key', 'intermediate-key', 'chain'].map((name) => `ca/${name}.pem`),
  },
];

/** The key files of this host, and why others are not among them, one sentence for each. */
export function findKeyFiles(): { files: string[]; absent: string[] } {
  const files: string[] = [];
  const absent: string[] = [];
  for (const place of PLACES) {
    const existing = place.files.filter((file) => existsSync(join(config.DATA_DIR, file)));
    if (config[place.setting] !== undefined) absent.push(`the ${place.name}: the setting ${place.setting} replaces it`);
    else if (existing.length === 0) absent.push(`the ${place.name}: this host has none in DATA_DIR`);
    else files.push(...existing);
  }
  return { files, absent };
}

/** Copies files between two folders, with their subfolders; only this user can read the copies. Each appears when it is complete. */
export async function copyKeyFiles(files: readonly string[], from: string, to: string): Promise<void> {
  for (const file of files) {
    const target = join(to, file);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const draft = `${target}.${randomBytes(8).toString('hex')}`;
    try {
      await writeFile(draft, await readFile(join(from, file)), { flag: 'wx', mode: 0o600, flush: true });
      await rename(draft, target);
    } finally {
      await rm(draft, { force: true });
    }
    await syncFolder(dirname(target));
  }
}

/** Those of the key files of a backup that DATA_DIR has with other contents. */
export async function otherKeyFiles(files: readonly string[], folder: string): Promise<string[]> {
  const other: string[] = [];
  for (const file of files) {
    const own = await readFile(join(config.DATA_DIR, file)).catch(() => null);
    if (own !== null && !own.equals(await readFile(join(folder, file)))) other.push(file);
  }
  return other;
}
