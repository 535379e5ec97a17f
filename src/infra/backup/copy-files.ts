/* The stored files of a backup. Each has its hash as name, in the backup as in the store. */
import { createReadStream } from 'node:fs';
import { access, link, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isBlobName, StoredFileError } from '../blob-store/blob-store.ts';
import { blobs } from '../blob-store/blobs.ts';
import { copyVerified } from '../blob-store/verified-copy.ts';
import { stagingPath } from '../staging/staging.ts';
import { syncFolder } from '../sync-folder.ts';
import { BackupError, type BackupManifest, FILE_LIST, hashFile, writeHashed } from './manifest.ts';

/** Files that are copied at the same time: a store over the network has latency. */
const AT_A_TIME = 8;
/** Failures of a hard link for which a file is copied instead. */
const CANNOT_LINK = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOENT']);

export interface CopiedFiles {
  copied: number;
  /** Linked to those of the backup before. */
  linked: number;
  missing: BackupManifest['missing'];
}

/** The path of a file below the folder of a backup. */
const pathOf = (folder: string, sha256: string): string => join(folder, 'files', sha256.slice(0, 2), sha256);

/** The files of the list in the folder of a backup, and whether a row needs each. @throws {BackupError} for any other line. */
async function* listedFiles(folder: string): AsyncGenerator<{ sha256: string; isNeeded: boolean }> {
  const file = await open(join(folder, FILE_LIST));
  for await (const line of file.readLines()) {
    const [sha256 = '', needed] = line.split('\t');
    if (!isBlobName(sha256)) throw new BackupError(`${FILE_LIST} has the line '${line.slice(0, 80)}'.`);
    yield { sha256, isNeeded: needed === 't' };
  }
}

/** Calls `work` for each file of a backup, some at a time. */
async function forEachFile(
  folder: string,
  work: (file: { sha256: string; isNeeded: boolean }) => Promise<void>,
): Promise<void> {
  const files = listedFiles(folder);
  const worker = async (): Promise<void> => {
    for (;;) {
      const next = await files.next();
      if (next.done) return;
      await work(next.value);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
}

/**
 * Copies the files of the list from the store into the folder of a backup, each with a check of its hash. What `previous`, the folder of an
 * earlier backup, has is linked; what an interrupted run copied is kept.
 * @throws {UnavailableError} when the store cannot be read.
 */
export async function copyFromStore(folder: string, previous: string | null): Promise<CopiedFiles> {
  const result: CopiedFiles = { copied: 0, linked: 0, missing: [] };
  for (let part = 0; part < 256; part++) {
    await mkdir(join(folder, 'files', part.toString(16).padStart(2, '0')), { recursive: true, mode: 0o700 });
  }
  await forEachFile(folder, async ({ sha256, isNeeded }) => {
    const target = pathOf(folder, sha256);
    if (await exists(target)) return void result.copied++;
    if (previous !== null && (await linked(pathOf(previous, sha256), target))) return void result.linked++;
    // A hash of metadata without bytes: a reader would report it as lost.
    if (!isNeeded && (await blobs.size(sha256)) === null) return;
    const problem = await copied(sha256, target);
    if (problem === null) result.copied++;
    else result.missing.push({ sha256, problem });
  });
  for (const part of await readdir(join(folder, 'files'))) await syncFolder(join(folder, 'files', part));
  await syncFolder(join(folder, 'files'));
  return result;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (CANNOT_LINK.has((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

async function copied(sha256: string, target: string): Promise<'lost' | 'damaged' | null> {
  const draft = `${target}.part`;
  await rm(draft, { force: true });
  try {
    await copyVerified(sha256, draft);
  } catch (error) {
    if (error instanceof StoredFileError) return error.problem;
    throw error;
  }
  await using file = await open(draft, 'r+');
  await file.sync();
  await rename(draft, target);
  return null;
}

/** Reads every file of a backup. Returns their number, and those that are missing or have other bytes, except those known as missing. */
export async function checkFiles(
  folder: string,
  { missing }: BackupManifest,
): Promise<{ read: number; damaged: string[] }> {
  const known = new Set(missing.map(({ sha256 }) => sha256));
  const damaged: string[] = [];
  let read = 0;
  await forEachFile(folder, async ({ sha256, isNeeded }) => {
    if (known.has(sha256)) return;
    const found = await hashFile(pathOf(folder, sha256)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (found !== null) read++;
    if (found === null ? isNeeded : found.sha256 !== sha256) damaged.push(sha256);
  });
  return { read, damaged: damaged.sort() };
}

/**
 * Puts the files of a backup into the store, except those that the store has whole. Returns the numbers of both, and the needed files that
 * neither has.
 * @throws {BackupError} when a file of the backup is damaged.
 */
export async function copyToStore(folder: string): Promise<{ stored: number; whole: number; missing: string[] }> {
  const result = { stored: 0, whole: 0, missing: [] as string[] };
  await forEachFile(folder, async ({ sha256, isNeeded }) => {
    if ((await blobs.check(sha256)) === null) return void result.whole++;
    const source = pathOf(folder, sha256);
    if (!(await exists(source))) return void (isNeeded && result.missing.push(sha256));
    const path = await stagingPath();
    const written = await writeHashed(path, createReadStream(source));
    if (written.sha256 !== sha256) {
      await unlink(path);
      throw new BackupError(`${source} has other bytes than its name says.`);
    }
    await blobs.put({ path, sha256 });
    result.stored++;
  });
  return result;
}

/** Makes the entries of a folder and its own entry durable. */
export async function syncBackup(folder: string): Promise<void> {
  for (const each of [folder, dirname(folder)]) await syncFolder(each);
}
