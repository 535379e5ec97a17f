/*
 * The measured processes, and their processor time and memory (proc(5)).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from '../src/config.ts';
import nodeSettings from '../src/process/node-settings.json' with { type: 'json' };

const READY_MS = 120_000;
/** `sysconf(_SC_CLK_TCK)` on Linux. */
const TICK_MS = 10;

/** A running web server process. */
export interface ServerProcess {
  pid: number;
  /** Without a trailing slash. */
  url: string;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** The flags of Node.js of a web process. */
export const WEB_FLAGS = nodeSettings.flags.serve;

/** Starts `node file words…` on a free port of 127.0.0.1 and waits until `path` returns a status below 500. */
export async function startServer(
  words: readonly string[],
  settings: Record<string, string>,
  path: string,
): Promise<ServerProcess> {
  const port = await freePort();
  const env = childEnvironment({ SHUTDOWN_DELAY: '0', ...settings, HOST: '127.0.0.1', PORT: String(port) });
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + READY_MS;
  while (!(await isServing(url + path))) {
    if (child.exitCode !== null) throw new Error(`${words.join(' ')} ended with status ${child.exitCode}`);
    if (performance.now() > deadline) throw new Error(`${words.join(' ')} does not respond`);
    await sleep(100);
  }
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  return { pid: child.pid ?? 0, url, stop };
}

async function isServing(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => null);
  await response?.arrayBuffer();
  return response !== null && response.status < 500;
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** The fields of /proc/<pid>/stat from the third on; null if the process has ended. */
async function statOf(pid: number | string): Promise<number[] | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return text === null
    ? null
    : text
        .slice(text.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
}

/** Processor time of a process so far, in ms. */
export async function processorTime(pid: number): Promise<number> {
  const stat = await statOf(pid);
  return ((stat?.[11] ?? 0) + (stat?.[12] ?? 0)) * TICK_MS;
}

/** Processor time of a PostgreSQL server and all its processes so far, including ended ones, in ms. */
export async function familyTime(postmaster: number): Promise<number> {
  let ticks = 0;
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await statOf(entry);
    if (stat === null || (Number(entry) !== postmaster && stat[1] !== postmaster)) continue;
    ticks += (stat[11] ?? 0) + (stat[12] ?? 0);
    if (Number(entry) === postmaster) ticks += (stat[13] ?? 0) + (stat[14] ?? 0);
  }
  return ticks * TICK_MS;
}

/** The parent process of a PostgreSQL backend, given the backend's process id. */
export async function postmasterOf(backend: number): Promise<number> {
  const stat = await statOf(backend);
  if (stat === null) throw new Error(`there is no process ${backend}: the database has to run on this machine`);
  return stat[1] ?? 0;
}

/** Resident memory of a process in MB: current and peak. */
export async function memoryOf(pid: number): Promise<{ current: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const megabytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return { current: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}
