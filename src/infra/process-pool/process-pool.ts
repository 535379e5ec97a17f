/*
 * A fixed number of child processes for work on untrusted input: native decoders, parsers, the linter. Each request has one
 * process for itself, with limits on time and memory; waiting requests are served in the order they came. A process is
 * started when first needed. It is replaced after a number of requests, when it holds much memory, or after a request without
 * a reply.
 */
import { type LaunchedProcess, PooledProcess, type ProcessLimits, type ProcessOutcome } from './pooled-process.ts';

export interface ProcessPoolOptions<Launched extends LaunchedProcess> extends ProcessLimits {
  /** Starts a process that calls `serveRequests`. */
  launch(): Promise<Launched>;
  /** Maximum number of processes. */
  concurrency: number;
  /** A process is replaced after this number of requests. */
  runsPerProcess: number;
  /** A process is replaced when it holds more memory than this between requests, in MB. */
  idleRssMb?: number;
  /** A process without work is ended after this time, unless `warm` keeps it. By default it is kept. */
  idleMs?: number;
  /** How many processes may crash with one request before the request is given up. Default: 1. */
  attempts?: number;
}

interface Slot<Launched extends LaunchedProcess> {
  running: PooledProcess<Launched> | null;
  starting: Promise<PooledProcess<Launched>> | null;
  idle?: NodeJS.Timeout;
}

const CLOSED = 'The process pool is closed.';

export class ProcessPool<Launched extends LaunchedProcess = LaunchedProcess> {
  readonly #options: ProcessPoolOptions<Launched>;
  readonly #slots: Slot<Launched>[];
  /** Used as a stack, so that processes without work stay without work and end. */
  readonly #free: Slot<Launched>[];
  readonly #waiting: ((slot: Slot<Launched> | null) => void)[] = [];
  #kept = 0;
  #closed = false;

  /** Makes a pool; no process is started yet. */
  constructor(options: ProcessPoolOptions<Launched>) {
    this.#options = options;
    this.#slots = Array.from({ length: options.concurrency }, () => ({ running: null, starting: null }));
    this.#free = [...this.#slots];
  }

  /**
   * Sends a request to a process when one is free. Never rejects. `makeRequest` gets the process that will serve it, which
   * is replaced if its reply is not valid. `ms` counts from when a process was free, so it includes the start of the process.
   */
  async run(
    makeRequest: (process: Launched) => unknown,
    isValid: (reply: unknown) => boolean = () => true,
  ): Promise<ProcessOutcome & { ms: number }> {
    const slot = await this.#take();
    if (slot === null) return { ok: false, reason: 'unavailable', detail: CLOSED, ms: 0 };
    const taken = performance.now();
    const outcome = await this.#runIn(slot, makeRequest);
    await slot.running?.launched.clear?.();
    // The caller does not wait until the process has collected its garbage; the next request does.
    void this.#release(slot, outcome.ok && isValid(outcome.reply));
    return { ...outcome, ms: performance.now() - taken };
  }

  /** Starts processes ahead of the first request and keeps this number from now on. @throws when one does not start. */
  async warm(count = this.#options.concurrency): Promise<void> {
    this.#kept = Math.min(count, this.#slots.length);
    // From the end, where requests take them.
    await Promise.all(this.#slots.slice(-this.#kept).map((slot) => slot.running ?? this.#start(slot)));
  }

  /** Ids of the running processes. */
  pids(): number[] {
    return this.#slots.flatMap(({ running }) => (running?.alive && running.pid ? [running.pid] : []));
  }

  /** Kills all processes, also those that start; running and waiting requests end as `unavailable`. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const resolve of this.#waiting.splice(0)) resolve(null);
    await Promise.all(this.#slots.map((slot) => this.#end(slot)));
    await Promise.allSettled(this.#slots.map(({ starting }) => starting));
  }

  async #runIn(slot: Slot<Launched>, makeRequest: (process: Launched) => unknown): Promise<ProcessOutcome> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#tryIn(slot, makeRequest);
      const crashed = !outcome.ok && outcome.reason === 'crash' && !this.#closed;
      if (!crashed || attempt >= (this.#options.attempts ?? 1)) return outcome;
      await this.#end(slot);
    }
  }

  async #tryIn(slot: Slot<Launched>, makeRequest: (process: Launched) => unknown): Promise<ProcessOutcome> {
    try {
      const running = slot.running?.alive ? slot.running : await this.#start(slot);
      return await running.run(await makeRequest(running.launched));
    } catch (error) {
      return { ok: false, reason: 'unavailable', detail: String(error) };
    }
  }

  async #take(): Promise<Slot<Launched> | null> {
    if (this.#closed) return null;
    const slot = this.#free.pop();
    if (slot === undefined) return new Promise((resolve) => this.#waiting.push(resolve));
    clearTimeout(slot.idle);
    return slot;
  }

  #start(slot: Slot<Launched>): Promise<PooledProcess<Launched>> {
    slot.starting ??= this.#launch(slot).finally(() => {
      slot.starting = null;
    });
    return slot.starting;
  }

  async #launch(slot: Slot<Launched>): Promise<PooledProcess<Launched>> {
    if (this.#closed) throw new Error(CLOSED);
    await this.#end(slot);
    const running = new PooledProcess(await this.#options.launch(), this.#options);
    slot.running = running;
    try {
      if (this.#closed) throw new Error(CLOSED);
      await running.untilReady();
      return running;
    } catch (error) {
      await this.#end(slot);
      throw error;
    }
  }

  /** Gives the slot to the next request, once its process is idle again or, if it is due for replacement, ended. */
  async #release(slot: Slot<Launched>, isSound: boolean): Promise<void> {
    await slot.running?.rest();
    if (!isSound || this.#isDue(slot)) await this.#replace(slot);
    const next = this.#waiting.shift();
    if (next) return next(slot);
    this.#free.push(slot);
    const { idleMs } = this.#options;
    if (idleMs !== undefined) slot.idle = setTimeout(() => this.#endIdle(slot), idleMs).unref();
  }

  #isDue({ running }: Slot<Launched>): boolean {
    const { runsPerProcess, idleRssMb = Number.POSITIVE_INFINITY } = this.#options;
    return running !== null && (!running.alive || running.runs >= runsPerProcess || running.rssMb > idleRssMb);
  }

  /** Ends the process; starts the next one at once if it is to be warm. */
  async #replace(slot: Slot<Launched>): Promise<void> {
    await this.#end(slot);
    // A process that does not start is tried again by the next request, which then reports the failure.
    if (!this.#closed && this.pids().length < this.#kept) this.#start(slot).catch(() => {});
  }

  #endIdle(slot: Slot<Launched>): void {
    if (this.pids().length > this.#kept) void this.#end(slot);
  }

  async #end(slot: Slot<Launched>): Promise<void> {
    const { running } = slot;
    slot.running = null;
    await running?.end();
  }
}

const permanent: Pick<ProcessPool, 'close'>[] = [];

/** A pool that is used until this process stops. */
export function permanentPool<Launched extends LaunchedProcess>(
  options: ProcessPoolOptions<Launched>,
): ProcessPool<Launched> {
  const pool = new ProcessPool(options);
  permanent.push(pool);
  return pool;
}

/** Kills the processes of all permanent pools. Requests under way end as `unavailable`. */
export async function closePermanentPools(): Promise<void> {
  await Promise.all(permanent.map((pool) => pool.close()));
}
