import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect } from 'vitest';
import { startEmbeddedPostgres } from '../../src/infra/embedded-postgres/embedded-postgres.ts';

/** The program that `startProcess` runs. */
export const program = join(import.meta.dirname, 'embedded-postgres-process.ts');
export const silent = { info: () => {}, warn: () => {} };

/** The first line that the program prints. */
interface Connected {
  url: string;
  isNew: boolean;
  owner: boolean;
  uid: number;
}

const children: ChildProcess[] = [];

/** The path for a data directory, in a new folder that every user may enter. */
export async function newDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'addons-embedded-'));
  await chmod(folder, 0o755);
  return join(folder, 'var');
}

/**
 * Copies a data directory whose database was stopped cleanly, which is faster than creating a database. Its record names the
 * original folder until the copy is started.
 */
export async function copyDatabase(made: string, dataDir: string): Promise<void> {
  // Keeps owners and permissions.
  await promisify(execFile)('cp', ['-a', made, dataDir]);
}

/** Kills the processes of a test, stops a server that still runs, and removes all files. */
export async function removeDataDir(dataDir: string): Promise<void> {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  if (await exists(join(dataDir, 'postgres', 'cluster.json'))) {
    const { home } = await clusterRecord(dataDir);
    const server = await startEmbeddedPostgres({ dataDir, log: silent }).catch(() => null);
    await server?.stop();
    if (!home.startsWith(dataDir)) await rm(home, { recursive: true });
  }
  await rm(join(dataDir, '..'), { recursive: true });
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

export async function clusterRecord(dataDir: string): Promise<{ home: string }> {
  return JSON.parse(await readFile(join(dataDir, 'postgres', 'cluster.json'), 'utf8'));
}

export async function pidFile(dataDir: string): Promise<string> {
  return join((await clusterRecord(dataDir)).home, 'data', 'postmaster.pid');
}

export async function serverPid(dataDir: string): Promise<number> {
  return Number((await readFile(await pidFile(dataDir), 'utf8')).split('\n')[0]);
}

/** Whether the server runs: a server removes its pid file as the last step of a stop. */
export const isRunning = async (dataDir: string): Promise<boolean> => exists(await pidFile(dataDir));

/** Starts another process on the same database. `connected` resolves to its first line; `leave` ends it cleanly. */
export function startProcess(dataDir: string, uid?: number) {
  const ids = uid === undefined ? {} : { uid, gid: uid };
  const child = spawn(process.execPath, [program, dataDir], { cwd: '/', stdio: ['pipe', 'pipe', 'ignore'], ...ids });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? 'null');
  const connected: Promise<Connected> = next();
  const leave = async (): Promise<void> => {
    await connected;
    const exited = once(child, 'exit');
    child.stdin.end();
    expect(await next()).toEqual({ stopped: true });
    await exited;
  };
  return { child, connected, leave };
}

export async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Runs one statement on a new connection and returns the rows. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
