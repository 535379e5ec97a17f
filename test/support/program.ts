import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The program as operators run it. */
export const PROGRAM = join(import.meta.dirname, '../../src/addons.js');

/** How a program ended and what it printed. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

const OUTPUT_TIMEOUT_MS = 180_000;
const END_TIMEOUT_MS = 90_000;

/** What a program prints when it serves or takes jobs. Only a signal ends it then. */
const RUNS = /is ready at http|The web process serves|The worker takes jobs/;

/**
 * Runs `addons` with these arguments and settings until it ends, by the Node at `node`.
 * @throws {Error} when the program runs as a service, or has not ended after three minutes. It is killed.
 */
export async function addons(
  words: string[],
  settings: Record<string, string> = {},
  node = process.execPath,
): Promise<Outcome> {
  const child = spawn(node, [PROGRAM, ...words], { env: { ...process.env, ...settings }, stdio: 'pipe' });
  const printed = { stdout: '', stderr: '' };
  let problem: string | undefined;
  const giveUp = (why: string) => {
    problem ??= why;
    child.kill('SIGKILL');
  };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk) => {
      printed[name] += chunk;
      if (RUNS.test(printed[name])) giveUp('runs as a service and would not end');
    });
  }
  const clock = setTimeout(() => giveUp('has not ended in time'), OUTPUT_TIMEOUT_MS);
  child.stdin.end();
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(clock);
  if (problem !== undefined) {
    throw new Error(`addons ${words.join(' ')} ${problem}:\n${printed.stdout}${printed.stderr}`);
  }
  return { code, ...printed };
}

/** A running process. */
export interface RunningProgram {
  pid: number;
  /** Everything it has printed so far. */
  output(): string;
  /** Waits until its output matches, by default for 90 s, and returns the match. @throws {Error} if the program ends before. */
  printed(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
  /** Sends a signal and waits for the process to end. Returns exit code and signal. @throws {Error} if it has not ended in 90 s; it is killed. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** A running web service. */
export interface ServiceProcess extends RunningProgram {
  /** Base URL without a trailing slash. */
  url: string;
}

/** Starts a program and returns at once. */
export function startProgram(
  settings: Record<string, string | undefined>,
  { command = process.execPath, args = [PROGRAM, 'start'], cwd = process.cwd() } = {},
): RunningProgram {
  const env = { ...process.env, ...settings };
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const printed = (pattern: RegExp, timeoutMs = OUTPUT_TIMEOUT_MS) => waitFor(pattern, timeoutMs, child, () => text);
  return {
    pid: child.pid ?? 0,
    output: () => text,
    printed,
    end: async (signal) => {
      child.kill(signal);
      let isLate = false;
      const clock = setTimeout(() => {
        isLate = true;
        child.kill('SIGKILL');
      }, END_TIMEOUT_MS);
      const [code, by] = await ended;
      clearTimeout(clock);
      if (isLate) throw new Error(`The program has not ended after ${signal}, but printed:\n${text}`);
      return { code, signal: by };
    },
  };
}

/** Starts a service and waits until it prints that it is ready. Ends it if it does not. */
export async function startService(
  settings: Record<string, string>,
  how?: Parameters<typeof startProgram>[1],
): Promise<ServiceProcess> {
  const program = startProgram(settings, how);
  const ready = program.printed(/is ready at (http\S+?)\/?\n/);
  const [, url = ''] = await ready.catch(async (error: Error) => {
    await program.end('SIGTERM');
    throw error;
  });
  return { ...program, url };
}

async function waitFor(
  pattern: RegExp,
  timeoutMs: number,
  child: ChildProcess,
  text: () => string,
): Promise<RegExpExecArray> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const match = pattern.exec(text());
    if (match) return match;
    const isGone = child.exitCode !== null || child.signalCode !== null;
    if (isGone || performance.now() > deadline) throw new Error(`${pattern} was not printed, but:\n${text()}`);
    await sleep(50);
  }
}
