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

/** What another process says of its connection. */
interface Connected {
  url: string;
  isNew: boolean;
  owner: boolean;
  uid: number;
}

const children: ChildProcess[] = [];

/** The path of a data directory that does not exist yet, in a folder of its own that everybody may enter. */
export async function newDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'addons-embedded-'));
  await chmod(folder, 0o755);
  return join(folder, 'var');
}

/**
 * Puts a copy of a data directory, whose database was stopped in good order, at another path: quicker than to make a database.
 * Its record names the folder of the first until it is started there.
 */
export async function copyDatabase(made: string, dataDir: string): Promise<void> {
  // With owners and permissions.
  await promisify(execFile)('cp', ['-a', made, dataDir]);
}

/** Kills the processes of a test, ends the server that it left running by leaving as the last one, and removes everything. */
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

/** Whether the server runs, told by its pid file: a server that ends removes it last. */
export const isRunning = async (dataDir: string): Promise<boolean> => exists(await pidFile(dataDir));

/** Starts another process on the same database; `connected` is its first line, `leave` ends it in peace. */
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

/** Runs one statement over a connection of its own and returns the rows. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
