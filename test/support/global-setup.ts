import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/infra/embedded-postgres/embedded-postgres.ts';
import { requireDocumentedStatuses } from './documented-statuses.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of this test run, for data that test files share. */
    runFolder: string;
  }
}

const PREFIX = 'addons-test-';

/** A file system in memory. */
const MEMORY = '/dev/shm';
/** Free bytes that it must have: databases and packages of a run need less than half. */
const ROOM = 6 * 2 ** 30;

/**
 * Creates the folder of the run; the teardown removes it and stops the database server in it. The server starts with the first test
 * file that creates a database (support/database.ts), so runs of pure tests start none.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers();
  const runFolder = await mkdtemp(join(await parentFolder(), `${PREFIX}${process.pid}-`));
  // The account of the database server must be able to enter.
  await chmod(runFolder, 0o711);
  project.provide('runFolder', runFolder);
  return async () => {
    if ((await readdir(runFolder)).includes('postgres')) {
      const silent = { info: () => {}, warn: () => {} };
      await (await startEmbeddedPostgres({ dataDir: runFolder, log: silent, durable: false })).stop();
    }
    try {
      await requireDocumentedStatuses(project, runFolder);
    } finally {
      await rm(runFolder, { recursive: true, force: true });
    }
  };
}

/** Memory where there is plenty: each file's database has a thousand files, which are removed some seconds later. */
async function parentFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= ROOM && process.availableMemory() >= 2 * ROOM ? MEMORY : tmpdir();
}

/** Removes folders of killed runs. A server that still runs in one stops within a minute after its files are removed. */
async function removeLeftovers(): Promise<void> {
  for (const parent of [MEMORY, tmpdir()]) {
    for (const name of await readdir(parent).catch(() => [])) {
      const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
      if (Number.isNaN(pid) || isAlive(pid)) continue;
      await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
