import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { type FileHandle, readFile, readlink, rename, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClusterLocation, clusterDataFolder, openOwn, writeRecord } from './cluster-location.ts';
import { programEnvironment, runPostgresProgram } from './run.ts';

const STOP_TIMEOUT_MS = 60_000;

/** Contents of the pid file of a server. `ready` is false while it starts and while it stops. */
interface Postmaster {
  pid: number;
  port: number;
  ready: boolean;
}

const pidFile = (location: ClusterLocation): string => join(clusterDataFolder(location), 'postmaster.pid');

/** The running server of this cluster, or undefined. */
export async function findPostmaster(location: ClusterLocation): Promise<Postmaster | undefined> {
  const lines = (await readFile(pidFile(location), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !(await isServer(pid, clusterDataFolder(location)))) return undefined;
  return { pid, port: Number(lines[3] ?? 0), ready: lines[7]?.trim() === 'ready' };
}

/** A server's working folder is its data folder. Without /proc, any living process counts as the server. */
async function isServer(pid: number, data: string): Promise<boolean> {
  if (process.platform !== 'linux') return isRunning(pid);
  return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === data;
}

/**
 * In megabytes: a 32nd of the machine's memory, 512 at most. A catalogue of some hundred thousand add-ons has indexes that are
 * written all over by every import and every day's numbers; with much less, most of that work is moving pages in and out.
 */
function sharedBuffers(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.min(512, Math.max(64, Math.round(memory / 32 / 2 ** 20)));
}

/**
 * Settings of the server: a small one, for one machine. Connections over the loopback address only, no socket file. Without
 * `durable` (tests) nothing is forced to disk. The log has what concerns the server, never statements or row values.
 */
function settings(port: number, durable: boolean): string[] {
  const values: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 100,
    shared_buffers: `${sharedBuffers()}MB`,
    effective_cache_size: '512MB',
    maintenance_work_mem: '32MB',
    min_wal_size: '32MB',
    max_wal_size: '2GB',
    max_parallel_workers_per_gather: 0,
    max_logical_replication_workers: 0,
    io_method: 'sync',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    // A backend whose client was killed in the middle of a statement ends, and gives its locks back, within a second.
    ...(process.platform === 'linux' ? { client_connection_check_interval: '1s' } : {}),
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * Starts the server if `findPostmaster` finds none, and waits until it accepts connections. It outlives this process: a Ctrl-C
 * must not stop it first, and after a kill -9 the next process takes it over. Retries while another program uses the port
 * (with another port, unless `port` is given) and while processes of a killed server end.
 * @throws with the end of the server's log when it does not start.
 */
export async function startPostmaster(location: ClusterLocation, durable: boolean, port?: number): Promise<void> {
  let wanted = port ?? (await freePort(location.record.port));
  // PostgreSQL removes the pid file of a killed server, except when another program has its process id now.
  if (process.platform === 'linux') await rm(pidFile(location), { force: true });
  for (let attempt = 1; ; attempt++) {
    const failure = await launch(location, settings(wanted, durable));
    if (failure === null) break;
    const portTaken = failure.includes('could not bind') || failure.includes('could not create any TCP/IP sockets');
    if (attempt === 150 || !(portTaken || failure.includes('is still in use'))) {
      throw new Error(`The embedded database does not start; see ${logFile(location)}.\n${failure.trim()}`);
    }
    if (portTaken && port === undefined) wanted = await freePort(0);
    await sleep(100);
  }
  if (wanted !== location.record.port) {
    location.record.port = wanted;
    await writeRecord(location.folder, location.record);
  }
}

const logFile = (location: ClusterLocation): string => join(location.folder, 'postgres.log');

/** Starts the server once; returns null when it is ready, or what it logged when it ended instead. */
async function launch(location: ClusterLocation, args: string[]): Promise<string | null> {
  const size = (await stat(logFile(location)).catch(() => null))?.size ?? 0;
  if (size > 1_000_000) await rename(logFile(location), `${logFile(location)}.1`);
  const log = await openOwn(logFile(location), constants.O_RDWR | constants.O_APPEND);
  const { size: start } = await log.stat();
  const child = spawn(join(location.programs, 'bin', 'postgres'), ['-D', clusterDataFolder(location), ...args], {
    cwd: '/',
    env: programEnvironment,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    ...location.account,
  });
  child.unref();
  const end = { reached: false, reason: '' };
  child.on('error', (error) => Object.assign(end, { reached: true, reason: error.message }));
  child.on('exit', () => Object.assign(end, { reached: true }));
  try {
    for (;;) {
      await sleep(20);
      if (end.reached) return end.reason || (await readFrom(log, start));
      const running = await findPostmaster(location);
      if (running?.pid === child.pid && running?.ready) return null;
    }
  } finally {
    await log.close();
  }
}

async function readFrom(log: FileHandle, start: number): Promise<string> {
  const { buffer, bytesRead } = await log.read(Buffer.alloc(16_384), 0, 16_384, start);
  return buffer.toString('utf8', 0, bytesRead);
}

/** A free port of the loopback address, `preferred` if it is free. */
function freePort(preferred: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', () => (preferred === 0 ? reject(new Error('No port is free.')) : resolve(freePort(0))));
    probe.listen(preferred, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Stops the server of this cluster and waits for its end. Its own account sends the signal, never root. */
export async function stopPostmaster(location: ClusterLocation): Promise<void> {
  const running = await findPostmaster(location);
  if (!running) return;
  const { programs, account } = location;
  await runPostgresProgram(
    join(programs, 'bin', 'pg_ctl'),
    ['stop', '-D', clusterDataFolder(location), '-m', 'fast', '-W', '-s'],
    account,
  );
  const deadline = performance.now() + STOP_TIMEOUT_MS;
  while ((await findPostmaster(location))?.pid === running.pid && performance.now() < deadline) await sleep(10);
}

/** Whether a process with this id runs, of whichever user. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
