import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { LOCK_KEYS } from '../lock-keys.ts';
import {
  type ClusterLocation,
  clusterDataFolder,
  findClusterLocation,
  lockFile,
  writeRecord,
} from './cluster-location.ts';
import { findPostmaster, startPostmaster, stopPostmaster } from './postmaster.ts';
import { runPostgresProgram } from './run.ts';

/** The role that owns the database of the service, and that database's name. It is no superuser. */
const ROLE = 'addons';

/**
 * Creates the cluster with its role and database, unless it exists, under another name that is renamed when complete. Text
 * sorts by code point (C.UTF-8), which no update of the system's libraries changes. Only the role may connect.
 * @returns whether the cluster is new.
 * @throws when an existing cluster has disappeared or belongs to another major version.
 */
async function ensureCluster(location: ClusterLocation, durable: boolean): Promise<boolean> {
  const { folder, record } = location;
  const version = await readFile(join(clusterDataFolder(location), 'PG_VERSION'), 'utf8').catch(() => null);
  if (version === null && record.initialised) {
    throw new Error(
      `The database in ${clusterDataFolder(location)} is missing. Restore it, or remove ${folder} to start with an empty one.`,
    );
  }
  if (version !== null && version.trim() !== location.major) {
    throw new Error(
      `${clusterDataFolder(location)} was made by PostgreSQL ${version.trim()}; this program has ${location.major}.`,
    );
  }
  if (version === null) await createCluster(location, durable);
  if (!record.initialised) {
    record.initialised = true;
    await writeRecord(folder, record);
  }
  return version === null;
}

async function createCluster(location: ClusterLocation, durable: boolean): Promise<void> {
  const { account, record } = location;
  // The initdb of a killed process may still write; a later attempt removes what cannot be removed now.
  for (const name of await readdir(record.home)) {
    if (name.startsWith('draft-')) await rm(join(record.home, name), { recursive: true }).catch(() => {});
  }
  const draft = await mkdtemp(join(record.home, 'draft-'));
  const data = join(draft, 'data');
  if (account) {
    await mkdir(data, { mode: 0o700 });
    await chown(data, account.uid, account.gid);
    await chmod(draft, 0o711);
  }
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const sync = durable ? [] : ['--no-sync'];
  await step(location, 'initdb', [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '--no-instructions',
    ...locale,
    ...sync,
  ]);
  await step(
    location,
    'postgres',
    ['--single', '-D', data, '-c', 'exit_on_error=on', ...(durable ? [] : ['-c', 'fsync=off']), 'postgres'],
    `create role ${ROLE} login createdb password '${record.password}'\ncreate database ${ROLE} owner ${ROLE}\n`,
  );
  await writeFile(join(data, 'pg_hba.conf'), `host all ${ROLE} 127.0.0.1/32 scram-sha-256\n`);
  await rename(data, clusterDataFolder(location));
  await rm(draft, { recursive: true });
}

async function step(location: ClusterLocation, program: string, args: string[], input = ''): Promise<void> {
  const outcome = await runPostgresProgram(join(location.programs, 'bin', program), args, location.account, input);
  if (outcome.code === 0) return;
  throw new Error(`The embedded database cannot be created: ${program} failed.\n${outcome.output.trim()}`);
}

// Every process that uses the server holds this lock shared. The process that gets it exclusively is the last one.
const LEASE_LOCK = LOCK_KEYS.embeddedServer;
const TIMEOUT_MS = 120_000;
const RESPONSE_TIMEOUT_MS = 5_000;

/** The driver's client has methods that decide whether its connection keeps the process alive; its types leave them out. */
type Connection = pg.Client & { ref(): void; unref(): void };

/** This process's use of a running server. */
export interface ServerLease {
  location: ClusterLocation;
  port: number;
  /** True when the cluster was created just now. */
  isNew: boolean;
  /** True when the server was started just now. */
  started: boolean;
  /** The connection that holds the lock; its end means that the server has ended. */
  connection: Connection;
}

/** Connection string for the role of the service; `database` is its own one unless given. */
export function serverUrl({ location, port }: Pick<ServerLease, 'location' | 'port'>, database = ROLE): string {
  return `postgresql://${ROLE}:${location.record.password}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

/**
 * Makes sure that the cluster in `folder` exists and its server runs, and registers this process with it. One of several
 * concurrent processes creates and starts it. With `port`, the server is started on this port only.
 * @throws when the server cannot be started or refuses the connection.
 */
export async function acquire(folder: string, durable: boolean, port?: number): Promise<ServerLease> {
  const releaseStartLock = await takeStartLock(lockFile(folder), TIMEOUT_MS);
  try {
    const location = await findClusterLocation(folder);
    const isNew = await ensureCluster(location, durable);
    return { ...(await connectOrStart(location, durable, port)), isNew };
  } finally {
    releaseStartLock();
  }
}

async function connectOrStart(
  location: ClusterLocation,
  durable: boolean,
  wanted?: number,
): Promise<Omit<ServerLease, 'isNew'>> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (let started = false; ; ) {
    const running = await findPostmaster(location);
    if (!running) {
      await startPostmaster(location, durable, wanted);
      started = true;
      continue;
    }
    const { port } = running;
    if (wanted !== undefined && port > 0 && port !== wanted) {
      throw new Error(`It runs on port ${port} by now, not on ${wanted}: restart this process.`);
    }
    try {
      return { location, port, started, connection: await connect(serverUrl({ location, port }, 'postgres')) };
    } catch (error) {
      if (!isPassing(error) || performance.now() > deadline) throw error;
    }
    await sleep(50);
  }
}

/** Takes the shared lock. Waits while a process that releases its lease holds it exclusively, and fails when the server stops. */
async function connect(connectionString: string): Promise<Connection> {
  const settings = {
    connectionString,
    application_name: 'addons-presence',
    connectionTimeoutMillis: RESPONSE_TIMEOUT_MS,
  };
  const connection = new pg.Client({ ...settings, keepAlive: true }) as Connection;
  // An `error` event without a listener would end the process; callers watch for `end`.
  connection.on('error', () => {});
  try {
    await connection.connect();
    await connection.query('select pg_advisory_lock_shared($1)', [LEASE_LOCK]);
  } catch (error) {
    await connection.end().catch(() => {});
    throw error;
  }
  // A command that does not release its lease can still exit.
  connection.unref();
  return connection;
}

/** Whether an error is that of a server which starts, stops or has just died: refused, cut, or "not now" (class 57P). */
function isPassing(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string };
  return code ? /^(57P0[1-3]|ECONNREFUSED|ECONNRESET|EPIPE)$/.test(code) : /terminated|timeout/i.test(message);
}

/** Ends the use of the server, and stops it when no other process uses it. */
export async function release({ connection, location }: ServerLease): Promise<void> {
  connection.ref();
  try {
    await connection.query('select pg_advisory_unlock_shared($1)', [LEASE_LOCK]);
    const result = await connection.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [LEASE_LOCK]);
    if (result.rows[0]?.alone) await stopPostmaster(location);
  } catch {
    // The server has stopped, which released the lock.
  }
  await connection.end().catch(() => {});
}

const SQLITE_BUSY = 5;

/**
 * Takes the lock file at `path`, waiting up to `timeout` milliseconds, and returns the function that releases it. Node has no
 * file locks; an exclusive SQLite transaction on an empty file is one, which the kernel releases when the process dies.
 * @throws when another process still holds it after `timeout`.
 */
async function takeStartLock(path: string, timeout: number): Promise<() => void> {
  const deadline = performance.now() + timeout;
  const database = new DatabaseSync(path, { timeout: 0 });
  for (;;) {
    try {
      database.exec('begin exclusive');
      return () => database.close();
    } catch (error) {
      const busy = (error as { errcode?: number }).errcode === SQLITE_BUSY;
      if (!busy || performance.now() > deadline) database.close();
      if (!busy) throw error;
      if (performance.now() > deadline) {
        throw new Error(`Another process has been starting the database for too long: ${path}`, { cause: error });
      }
    }
    await sleep(20);
  }
}
