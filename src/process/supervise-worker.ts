import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { childEnvironment } from '../config.ts';
import { log } from '../infra/log.ts';
import { within } from './shutdown.ts';

/** What a supervised worker tells its parent: that it takes jobs, or why it never will. */
export type WorkerReport = { kind: 'ready' } | { kind: 'refused'; problem: string };

const PROGRAM = join(import.meta.dirname, '../cli.ts');
/** A worker leaves much garbage at a time; these flags trade some speed for a small process. */
const WORKER_FLAGS = ['--expose-gc', '--semi-space-growth-factor=1'];
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;
/** A worker that has worked this long is started again as soon as one that never died before. */
const STEADY_MS = 30_000;
const STOP_MS = 35_000;

/** A worker process that is kept alive. */
export interface SupervisedWorker {
  /** Settles when the worker takes jobs for the first time; rejects when it says that it never will. */
  ready: Promise<void>;
  /** Its process id; undefined between two lives. */
  pid(): number | undefined;
  /** Lets it finish its jobs, for about 30 s at most, and returns when it is gone. */
  stop(): Promise<void>;
}

/**
 * Runs a worker as a child process and starts it again whenever it dies, later each time it dies soon. It ends by itself
 * when this process is gone.
 */
export function superviseWorker(): SupervisedWorker {
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  let child: ChildProcess | undefined;
  let stopping = false;
  let delay = FIRST_DELAY_MS;
  let restart: NodeJS.Timeout | undefined;

  const launch = (): void => {
    const started = performance.now();
    const stdio: ['ignore', 'inherit', 'inherit', 'ipc'] = ['ignore', 'inherit', 'inherit', 'ipc'];
    child = fork(PROGRAM, ['worker', '--supervised'], { env: childEnvironment({}), execArgv: WORKER_FLAGS, stdio });
    child.on('message', (report: WorkerReport) => {
      if (report.kind === 'ready') resolve();
      else reject(new Error(report.problem));
    });
    child.on('error', (error) => log.error({ err: error }, 'The worker process cannot be reached.'));
    child.on('exit', (code, signal) => {
      child = undefined;
      if (stopping) return;
      if (performance.now() - started > STEADY_MS) delay = FIRST_DELAY_MS;
      log.warn({ code, signal, restartMs: delay }, 'The worker process ended; it will be started again.');
      restart = setTimeout(launch, delay);
      delay = Math.min(delay * 2, LONGEST_DELAY_MS);
    });
  };
  launch();
  return {
    ready,
    pid: () => child?.pid,
    stop: async () => {
      stopping = true;
      clearTimeout(restart);
      if (child) await endChild(child);
    },
  };
}

/** A worker takes the end of its channel for the request to stop. */
async function endChild(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  if (child.connected) child.disconnect();
  if (await within(STOP_MS, gone)) return;
  log.warn('The worker did not finish in time; its jobs go to the next one.');
  child.kill('SIGKILL');
  await gone;
}
