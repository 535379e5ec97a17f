/*
 * An installation in a folder of its own, run as an operator runs it: web servers and workers are processes that the commands
 * of the README start, and that tests may kill.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { childEnvironment } from '../../../src/config.ts';
import { startEmbeddedPostgres } from '../../../src/infra/embedded-postgres/embedded-postgres.ts';
import { exchange } from './http-exchange.ts';
import type { ApiKey } from './signing-client.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const COMMAND = 'src/addons.js';
const READY_MS = 180_000;

/** A process of the installation. */
export interface RunningProcess {
  pid: number;
  /** False once it has ended for any reason. */
  isRunning(): boolean;
  /** Ends it with the given signal, SIGKILL by default, and waits until it has ended. */
  end(signal?: NodeJS.Signals): Promise<void>;
  /** Highest resident memory so far, in bytes; see proc(5), VmHWM. */
  peakMemory(): Promise<number>;
  /** Resident memory now, in bytes. */
  memory(): Promise<number>;
  /** The data folder as this process sees it. */
  dataDir: string;
}

export interface Installation {
  dataDir: string;
  /** Address of the web server, without a slash at the end. */
  url: string;
  /** Runs a command and returns its output. */
  run(...words: string[]): Promise<string>;
  /** Creates an account with an API key. */
  developer(username: string): Promise<ApiKey>;
  /** Starts the web server; ready when this returns. */
  serve(options?: ProcessOptions): Promise<RunningProcess>;
  /** Starts a worker, which may take jobs some seconds later. */
  work(options?: Pick<ProcessOptions, 'settings'>): Promise<RunningProcess>;
  /** Ends all processes and removes the folder unless it is kept for inspection. */
  remove(options?: { keepFolder: boolean }): Promise<void>;
}

/** Settings of one process. */
export interface ProcessOptions {
  settings?: Record<string, string>;
  /** Of a second web server; default: the port of `Installation.url`. */
  port?: number;
  /** Largest file it may write, in kB: a larger write fails as on a full disk. */
  fileSizeKb?: number;
  /** Its data folder is a disk of its own, empty and of this size. Needs `canMountDisks`; see `RunningProcess.dataDir`. */
  diskMb?: number;
}

/**
 * Prepares an installation. `settings` are environment variables that override its defaults; without DATABASE_URL it has an
 * embedded database. `root` is the folder of the program, by default that of this checkout.
 */
export async function createInstallation(settings: Record<string, string> = {}, root = ROOT): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'addons-installation-'));
  // The account of the embedded database needs access to subfolders.
  await chmod(folder, 0o711);
  const port = await freePort();
  const dataDir = join(folder, 'var');
  await mkdir(dataDir);
  const environment = childEnvironment({
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: '',
    DATABASE_URL: '',
    DATA_DIR: dataDir,
    ENVIRONMENT: 'development',
    RATE_LIMITS: 'off',
    DEMO: 'false',
    LOG_LEVEL: 'warn',
    // A linter takes seconds of processor time to load, at every start of a worker.
    VALIDATOR_CONCURRENCY: '1',
    ...settings,
  });
  const running = new Set<RunningProcess>();
  killOnExit(running);
  const url = `http://127.0.0.1:${port}`;
  const start = (words: string[], options?: ProcessOptions) =>
    startProcess({ words, root, environment, folder, running }, options);
  const run = async (...words: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, COMMAND), ...words], {
      env: environment,
      cwd: root,
    });
    return stdout;
  };
  return {
    dataDir,
    url,
    run,
    developer: async (username) => {
      await run('user', 'create', '--username', username, '--email', `${username}@example.org`, '--json');
      return JSON.parse(await run('key', 'create', '--user', username, '--json')) as ApiKey;
    },
    serve: async (options) => {
      const { port: ownPort = port, settings: own } = options ?? {};
      const server = start(['serve'], { ...options, settings: { ...own, PORT: String(ownPort) } });
      await waitUntilReady(`http://127.0.0.1:${ownPort}`, server);
      return server;
    },
    work: async (options) => start(['worker'], options),
    remove: async ({ keepFolder } = { keepFolder: false }) => {
      await Promise.all([...running].map((each) => each.end()));
      await endDatabase(dataDir);
      if (!keepFolder) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Prints PASS or FAIL with the violations, and sets the exit status. */
export function endWithVerdict(violations: readonly string[], { dataDir }: Installation): void {
  const verdict = violations.length === 0 ? 'PASS' : `FAIL; see ${dataDir} and the logs in its parent folder`;
  console.log([verdict, ...violations].join('\n'));
  process.exitCode = violations.length === 0 ? 0 : 1;
}

/** Ends an embedded database: it outlives killed processes and ends with its last regular user. */
async function endDatabase(dataDir: string): Promise<void> {
  if (!existsSync(join(dataDir, 'postgres'))) return;
  const database = await startEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: () => {} } });
  await database.stop();
}

/** Unless this process is killed, no process of the installation outlives it. */
function killOnExit(running: Set<RunningProcess>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  process.once('exit', () => {
    for (const { pid, isRunning } of running) if (isRunning()) process.kill(pid, 'SIGKILL');
  });
}

/** A port of the loopback interface that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

interface Launch {
  words: string[];
  /** Of the program. */
  root: string;
  environment: NodeJS.ProcessEnv;
  /** For logs. */
  folder: string;
  running: Set<RunningProcess>;
}

function startProcess(
  { words, root, environment, folder, running }: Launch,
  { settings = {}, fileSizeKb, diskMb }: ProcessOptions = {},
): RunningProcess {
  const log = createWriteStream(join(folder, `${words[0]}.log`), { flags: 'a' });
  const command = [process.execPath, join(root, COMMAND), ...words];
  // The shell counts blocks of 512 bytes (POSIX, ulimit).
  const limited = fileSizeKb === undefined ? [] : ['sh', '-c', `ulimit -f ${fileSizeKb * 2}; exec "$@"`, 'sh'];
  const dataDir = environment['DATA_DIR'] ?? '';
  const ownDisk =
    diskMb === undefined
      ? []
      : [...OWN_MOUNTS, `mount -t tmpfs -o size=${diskMb}m,nr_inodes=${INODES} tmpfs "$0"; exec "$@"`, dataDir];
  const [file = '', ...rest] = [...limited, ...ownDisk, ...command];
  const child = spawn(file, rest, {
    env: { ...environment, ...settings },
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const exited = once(child, 'exit');
  const { pid } = child;
  if (pid === undefined) throw new Error(`${words.join(' ')} did not start`);
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const each: RunningProcess = {
    pid,
    isRunning,
    end: async (signal = 'SIGKILL') => {
      if (isRunning()) child.kill(signal);
      await exited;
      running.delete(each);
    },
    peakMemory: () => readMemory(pid, 'VmHWM'),
    memory: () => readMemory(pid, 'VmRSS'),
    dataDir: `/proc/${pid}/root${dataDir}`,
  };
  running.add(each);
  return each;
}

/** Files and folders that fit on a disk of its own. */
const INODES = 200;

/** A shell with a mount namespace of its own. */
const OWN_MOUNTS = ['unshare', '--map-root-user', '--mount', 'sh', '-c'];

/** Whether unprivileged accounts may mount disks in their own namespace on this machine. */
export async function canMountDisks(): Promise<boolean> {
  const [file = '', ...rest] = [...OWN_MOUNTS, 'mount -t tmpfs -o size=1m tmpfs "$0"', tmpdir()];
  return promisify(execFile)(file, rest).then(
    () => true,
    () => false,
  );
}

async function readMemory(pid: number, field: 'VmHWM' | 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024;
}

async function waitUntilReady(url: string, server: RunningProcess): Promise<void> {
  const deadline = Date.now() + READY_MS;
  for (;;) {
    const status = await exchange({ method: 'GET', url: `${url}/readyz` }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    if (!server.isRunning()) throw new Error('The web server ended while it was starting; see serve.log.');
    if (Date.now() > deadline) throw new Error('The web server did not become ready; see serve.log.');
    await sleep(20);
  }
}
