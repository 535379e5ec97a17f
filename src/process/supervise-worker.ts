import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { childEnvironment, config } from '../config.ts';
import { log } from '../infra/log.ts';
import nodeSettings from './node-settings.json' with { type: 'json' };
import { RestartDelay } from './restart-delay.ts';
import { endsWithin } from './shutdown.ts';

/** Message of a supervised worker to its parent: it takes jobs, or the reason why it cannot start. */
export type WorkerMessage = { kind: 'ready' } | { kind: 'refused'; problem: string };

const PROGRAM = join(import.meta.dirname, '../cli.ts');
/** Its jobs get 30 s, its connections 5 s. */
const STOP_MS = 40_000;

/** A worker process that is restarted when it ends. */
export interface SupervisedWorker {
  /** Resolves when the worker first takes jobs; rejects when it reports that it cannot start. */
  ready: Promise<void>;
  /** Process id; undefined while it is not running. */
  pid(): number | undefined;
  /** Lets it read its secrets and keys again. One that starts reads them anyway. */
  reload(): void;
  /** Stops it; its jobs get about 30 s to finish. Resolves when the process has ended. */
  stop(): Promise<void>;
}

/**
 * Runs a worker as a child process and restarts it with exponential backoff when it ends. The child stops by itself when
 * this process ends.
 */
export function superviseWorker(): SupervisedWorker {
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  let child: ChildProcess | undefined;
  let stopping = false;
  const delay = new RestartDelay();
  let restart: NodeJS.Timeout | undefined;

  const onEnd = (uptimeMs: number, facts: object): void => {
    child = undefined;
    if (stopping) return;
    const restartMs = delay.after(uptimeMs);
    log.warn({ ...facts, restartMs }, 'The worker process ended; it is restarted.');
    restart = setTimeout(launch, restartMs);
  };
  const launch = (): void => {
    const started = performance.now();
    const failed = (error: unknown): void => onEnd(0, { err: error });
    try {
      const launched = forkWorker();
      child = launched;
      launched.on('message', (report: WorkerMessage) => {
        if (report.kind === 'ready') return resolve();
        log.error({ problem: report.problem }, 'The worker cannot start.');
        reject(new Error(report.problem));
      });
      // A process that did not start has no exit.
      launched.on('error', (error) => {
        if (launched.pid === undefined) failed(error);
        else log.error({ err: error }, 'The worker process failed.');
      });
      launched.on('exit', (code, signal) => onEnd(performance.now() - started, { code, signal }));
    } catch (error) {
      failed(error);
    }
  };
  launch();
  return {
    ready,
    pid: () => child?.pid,
    reload: () => void child?.kill('SIGHUP'),
    stop: async () => {
      stopping = true;
      clearTimeout(restart);
      if (child?.pid !== undefined) await endChild(child);
    },
  };
}

function forkWorker(): ChildProcess {
  return fork(PROGRAM, ['worker', '--supervised'], {
    env: childEnvironment(config.METRICS_PORT === undefined ? {} : { METRICS_PORT: String(config.METRICS_PORT + 1) }),
    execArgv: nodeSettings.flags.worker,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** A worker stops when its IPC channel closes. */
async function endChild(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  if (child.connected) child.disconnect();
  if (await endsWithin(STOP_MS, exited)) return;
  log.warn('The worker did not stop in time; another worker takes over its jobs.');
  child.kill('SIGKILL');
  await exited;
}
