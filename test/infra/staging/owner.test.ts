import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, databaseSettings, type TestDatabase } from '../../support/database.ts';

const STAGE = join(import.meta.dirname, 'stage-process.ts');
/** Larger than any process id of Linux. */
const FOREIGN_PID = 2 ** 22 + 1;

let database: TestDatabase;
let staging: typeof import('../../../src/infra/staging/staging.ts');
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  staging = await import('../../../src/infra/staging/staging.ts');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  const { closeDatabase } = await import('../../../src/infra/db.ts');
  await closeDatabase();
  await database.drop();
});

/** Starts a process that reports this process id and holds a staged file. */
async function stageInProcess(pid: number): Promise<{ path: string; child: ChildProcess }> {
  const env = { ...databaseSettings(database), DATA_DIR: process.env.DATA_DIR, LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, [STAGE, String(pid)], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [path] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { path, child };
}

describe('a sweep of the staging folder', () => {
  it('keeps the uploads of a live process whose id is unknown here, as in another container', async () => {
    const { path } = await stageInProcess(FOREIGN_PID);
    for (let round = 0; round < 3; round++) await staging.sweepStaging({ ownerGoneMs: 0 });
    await access(path);
  });

  it('removes the uploads of a dead process whose id a live one uses', async () => {
    const { path, child } = await stageInProcess(process.pid);
    child.kill('SIGKILL');
    await once(child, 'exit');
    // PostgreSQL releases the lock of the process once it reads the end of its connection, which takes a moment.
    const swept = async () => {
      await staging.sweepStaging({ ownerGoneMs: 0 });
      return access(path).then(
        () => 'kept',
        (error: NodeJS.ErrnoException) => error.code,
      );
    };
    await expect.poll(swept).toBe('ENOENT');
  });

  it('keeps the uploads of a process that lost its database connection until it reconnects', async () => {
    const { path } = await stageInProcess(FOREIGN_PID);
    const { pool } = await import('../../../src/infra/db.ts');
    const { liveStagingOwners } = await import('../../../src/infra/staging/staging.ts');
    const owners = await liveStagingOwners();
    expect(owners.size).toBe(1);
    await pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'addons staging' AND datname = current_database()`);
    await staging.sweepStaging();
    await expect.poll(liveStagingOwners, { timeout: 10_000 }).toEqual(owners);
    await staging.sweepStaging({ ownerGoneMs: 0 });
    await access(path);
  });
});
