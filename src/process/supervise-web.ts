/*
 * Several web processes on one port. This process starts them, starts them again when they end, replaces them one after the other on
 * SIGUSR2, and ends them. It holds no connection to the database and serves no request. The port belongs to it (node:cluster), so a
 * connection that a process has not accepted yet is given to another one when that process ends. With sockets of their own on one port
 * (SO_REUSEPORT), the kernel would reset such connections (docs/decisions.md D133); Node 20 and macOS do not have that option.
 */
import cluster, { type Worker } from 'node:cluster';
import { join } from 'node:path';
import { config } from '../config.ts';
import { log } from '../infra/log.ts';
import { RestartDelay } from './restart-delay.ts';
import { endsWithin, isTerminalLost } from './shutdown.ts';

const PROGRAM = join(import.meta.dirname, '../cli.ts');
const ROLL_SIGNAL = 'SIGUSR2';
/** Message to a web process that another one has replaced. */
export const RETIRE_MESSAGE = 'retire';
/** Requests of a process get 30 s, its connections 5 s. */
const STOP_MS = 40_000;

/** A process that serves, or is about to. */
interface WebProcess {
  worker: Worker;
  started: number;
  /** Resolves with exit code and signal, both null when it could not be started. */
  ended: Promise<readonly [code: number | null, signal: string | null]>;
}

/** The place of one of the processes; its number is added to METRICS_PORT. */
interface Place {
  number: number;
  process: WebProcess | null;
  delay: RestartDelay;
}

/** Runs WEB_PROCESSES processes that serve, until `stop` resolves with a cause. If the first one cannot start, the status is 1. */
export async function superviseWeb(stop: Promise<string>): Promise<void> {
  cluster.setupPrimary({ exec: PROGRAM, args: ['serve'] });
  const supervisor = new WebSupervisor();
  const starting = supervisor.start();
  if ((await Promise.race([starting, stop.then(() => true)])) === false) {
    // It has printed the problem.
    process.exitCode = 1;
    return;
  }
  process.on(ROLL_SIGNAL, () => void supervisor.roll());
  process.on('SIGHUP', () => isTerminalLost() || supervisor.reload());
  const cause = await stop;
  log.info(`The web processes stop after ${cause}.`);
  await supervisor.stop(cause === 'SIGTERM');
}

class WebSupervisor {
  readonly #places: readonly Place[] = Array.from({ length: config.WEB_PROCESSES }, (_, number) => ({
    number,
    process: null,
    delay: new RestartDelay(),
  }));
  /** With those that are being replaced. */
  readonly #running = new Set<WebProcess>();
  #isStopping = false;
  #isRolling = false;

  /**
   * Starts all processes, the first one alone: what it cannot use, such as the database, the others could not use either. Returns
   * whether it serves.
   */
  async start(): Promise<boolean> {
    const [first, ...others] = this.#places;
    if (first === undefined || !(await this.#replace(first))) return false;
    for (const place of others) this.#keep(place);
    log.info({ processes: this.#places.length }, 'The supervisor keeps the web processes running.');
    return true;
  }

  /** Replaces all processes one after the other. When a new one does not serve, those of before go on. */
  async roll(): Promise<void> {
    if (this.#isRolling || this.#isStopping) return;
    this.#isRolling = true;
    log.info('The web processes are replaced.');
    for (const place of this.#places) {
      if (this.#isStopping || (await this.#replace(place))) continue;
      log.error('A new web process ended before it served; the others are not replaced.');
      break;
    }
    log.info('The replacement of the web processes has ended.');
    this.#isRolling = false;
  }

  /** Lets all processes read their secrets and keys again. */
  reload(): void {
    for (const { worker } of this.#running) worker.process.kill('SIGHUP');
  }

  /** Stops all processes: with a drain, or at once. */
  async stop(isDraining: boolean): Promise<void> {
    this.#isStopping = true;
    const stopped = [...this.#running].map((each) => {
      if (isDraining) each.worker.process.kill('SIGTERM');
      else if (each.worker.isConnected()) each.worker.process.disconnect();
      return untilEnded(each);
    });
    await Promise.all(stopped);
  }

  /** Starts a process and then retires the one in its place. Returns whether it serves. */
  async #replace(place: Place): Promise<boolean> {
    const replacement = this.#launch(place);
    const listening = new Promise<boolean>((resolve) => replacement.worker.once('listening', () => resolve(true)));
    if (!(await Promise.race([listening, replacement.ended.then(() => false)]))) return false;
    const { process: former } = place;
    this.#watch(place, replacement);
    if (former === null || !this.#running.has(former)) return true;
    if (former.worker.isConnected()) former.worker.send(RETIRE_MESSAGE);
    await untilEnded(former);
    return true;
  }

  /** Starts a process that is started again when it ends. */
  #keep(place: Place): void {
    if (this.#isStopping) return;
    this.#watch(place, this.#launch(place));
  }

  #watch(place: Place, watched: WebProcess): void {
    place.process = watched;
    // Another process may be in its place by then, or none be wanted.
    const isMissed = () => place.process === watched && !this.#isStopping;
    void watched.ended.then(([code, signal]) => {
      if (!isMissed()) return;
      const restartMs = place.delay.after(performance.now() - watched.started);
      log.warn({ code, signal, restartMs }, 'A web process ended; it is restarted.');
      setTimeout(() => isMissed() && this.#keep(place), restartMs);
    });
  }

  #launch({ number }: Place): WebProcess {
    const { METRICS_PORT: port } = config;
    const worker = cluster.fork(port === undefined ? {} : { METRICS_PORT: String(port + number) });
    const ended = new Promise<readonly [number | null, string | null]>((resolve) => {
      worker.once('exit', (code, signal) => resolve([code, signal]));
      worker.on('error', (error) => {
        log.error({ err: error }, 'A web process failed.');
        // A process that did not start has no exit.
        if (worker.process.pid === undefined) resolve([null, null]);
      });
    });
    const launched = { worker, ended, started: performance.now() };
    this.#running.add(launched);
    void ended.then(() => this.#running.delete(launched));
    return launched;
  }
}

/** Waits until a process that was told to stop has ended, and kills it when that takes too long. */
async function untilEnded({ worker, ended }: WebProcess): Promise<void> {
  if (await endsWithin(STOP_MS + config.SHUTDOWN_DELAY * 1_000, ended)) return;
  log.warn({ pid: worker.process.pid }, 'A web process did not stop in time; it is killed.');
  worker.process.kill('SIGKILL');
  await ended;
}
