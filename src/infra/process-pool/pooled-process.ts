import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { ProcessRequest, ProcessResponse } from './serve-requests.ts';

/** A started process. It leads a process group and has an IPC channel and a pipe for its standard error. */
export interface LaunchedProcess {
  child: ChildProcess;
  /** Removes what was made for a request, before the next. */
  clear?(): Promise<void>;
  /** Removes what was made for the process, after its end. */
  dispose?(): Promise<void>;
}

/**
 * Limits of one request. `processorMs` ends work that is too much on every machine; `wallMs` by the clock, which a busy machine also
 * reaches with little work, so that it is several times as long. Memory is in MB; `rssMb` bounds what the heap limit does not count.
 */
export interface ProcessLimits {
  processorMs: number;
  wallMs: number;
  rssMb?: number | undefined;
}

/** Why a request has no reply. `crash` may be the fault of the input, `unavailable` is not. */
export type ProcessFailure = 'timeout' | 'memory' | 'crash' | 'unavailable';
export type ProcessOutcome = { ok: true; reply: unknown } | Ending;

interface Ending {
  ok: false;
  reason: ProcessFailure;
  /** For the log. */
  detail: string;
}

/** Loading a program takes about a second; this long only on a machine in trouble. A request with a higher limit may wait for longer. */
const START_MS = 60_000;
const WATCH_MS = 200;
const STDERR_KEPT = 8192;

/** One process of a pool, seen from its parent. It is killed with its process group when it exceeds a limit. */
export class PooledProcess<Launched extends LaunchedProcess> {
  readonly launched: Launched;
  runs = 0;
  /** Memory held after the last request, in MB. */
  rssMb = 0;
  alive = true;
  readonly #limits: ProcessLimits;
  readonly #ended: Promise<Ending>;
  readonly #listeners = new Set<(response: ProcessResponse) => void>();
  #resting: Promise<void> = Promise.resolve();
  #stderr = '';
  #killedFor: Ending | null = null;

  constructor(launched: Launched, limits: ProcessLimits) {
    this.launched = launched;
    this.#limits = limits;
    const { child } = launched;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
    });
    child.on('message', (message) => {
      // Untrusted, like everything from the child.
      if (typeof message !== 'object' || message === null) return;
      for (const listener of this.#listeners) listener(message as ProcessResponse);
    });
    this.#ended = new Promise((resolve) => {
      child.on('error', (error) => this.#close(resolve, error.message));
      // A surviving grandchild would keep the pipe open and the `close` event away.
      child.on('exit', () => this.#killGroup());
      child.on('close', (code, signal) => this.#close(resolve, `exit ${signal ?? code}`));
    });
  }

  get pid(): number | undefined {
    return this.launched.child.pid;
  }

  /** Resolves when the process can take requests. @throws when it ends or takes too long. */
  async untilReady(): Promise<void> {
    const { rssMb, wallMs } = this.#limits;
    const stopClock = this.#startClock({ rssMb, processorMs: START_MS, wallMs: Math.max(START_MS, wallMs) });
    const ready = await this.#next(({ kind }) => kind === 'ready');
    stopClock();
    this.#keepAlive(false);
    if ('reason' in ready) throw new Error(`A process does not start (${ready.reason}): ${ready.detail}`);
  }

  /** Sends one request. Must not be called again before it has resolved; never rejects. */
  async run(request: unknown): Promise<ProcessOutcome> {
    const id = ++this.runs;
    this.#keepAlive(true);
    const stopClock = this.#startClock(this.#limits);
    const replied = this.#next((response) => response.kind === 'reply' && response.id === id);
    this.#resting = this.#next((response) => response.kind === 'idle' && response.id === id).then((idle) => {
      stopClock();
      this.#keepAlive(false);
      if ('kind' in idle && idle.kind === 'idle') this.rssMb = idle.rss / 2 ** 20;
    });
    // A process that has ended already is reported by `#ended`, not by the failing pipe.
    this.launched.child.send({ id, request } satisfies ProcessRequest, () => {});
    const response = await replied;
    if ('reason' in response) return response;
    return { ok: true, reply: response.kind === 'reply' ? response.reply : undefined };
  }

  /** Resolves when the process has collected the garbage of its last request and `rssMb` is current, or when it has ended. */
  rest(): Promise<void> {
    return this.#resting;
  }

  /** Kills the process group and disposes of what was made for it. This process runs until that is done. */
  async end(): Promise<void> {
    this.#keepAlive(true);
    this.#kill({ ok: false, reason: 'unavailable', detail: 'The process was ended.' });
    await this.#ended;
    await this.launched.dispose?.();
  }

  /** The next response that `fits`, or how the process ended, whichever comes first. */
  async #next(fits: (response: ProcessResponse) => boolean): Promise<ProcessResponse | Ending> {
    const { promise, resolve } = Promise.withResolvers<ProcessResponse>();
    const listener = (response: ProcessResponse) => fits(response) && resolve(response);
    this.#listeners.add(listener);
    const next = await Promise.race([promise, this.#ended]);
    this.#listeners.delete(listener);
    return next;
  }

  /** A process without work does not keep the parent running, and ends when the parent does. */
  #keepAlive(isBusy: boolean): void {
    const { child } = this.launched;
    const method = isBusy ? 'ref' : 'unref';
    child[method]();
    child.channel?.[method]();
    (child.stderr as { ref?(): void; unref?(): void } | null)?.[method]?.();
  }

  /** Kills the process when it exceeds a limit before the returned function is called. */
  #startClock(limits: ProcessLimits): () => void {
    const { wallMs, processorMs, rssMb = Number.POSITIVE_INFINITY } = limits;
    const clock = setTimeout(() => {
      this.#kill({ ok: false, reason: 'timeout', detail: `No reply within ${wallMs / 1000} seconds.` });
    }, wallMs);
    // Most requests end before the first look, which counts from then on.
    let start: Usage | null = null;
    const watch = setInterval(async () => {
      const now = await usageOf(this.pid);
      start ??= now;
      if (now.rssMb > rssMb) {
        this.#kill({ ok: false, reason: 'memory', detail: `More than ${rssMb} MB of memory in use.` });
      } else if (now.processorMs - start.processorMs > processorMs) {
        const detail = `No reply within ${processorMs / 1000} seconds of processor time.`;
        this.#kill({ ok: false, reason: 'timeout', detail });
      }
    }, WATCH_MS);
    return () => {
      clearTimeout(clock);
      clearInterval(watch);
    };
  }

  #kill(why: Ending): void {
    if (!this.alive) return;
    this.#killedFor ??= why;
    this.#killGroup();
  }

  #killGroup(): void {
    if (this.pid === undefined) return;
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch {
      // The group has ended.
    }
  }

  #close(resolve: (ending: Ending) => void, how: string): void {
    this.alive = false;
    const outOfHeap = /heap out of memory|heap limit/i.test(this.#stderr);
    const detail = `${how}: ${this.#stderr.trim().slice(-500)}`;
    resolve(this.#killedFor ?? { ok: false, reason: outOfHeap ? 'memory' : 'crash', detail });
  }
}

/** Linux reports times in this unit on every architecture (`USER_HZ`). */
const TICK_MS = 10;

interface Usage {
  rssMb: number;
  processorMs: number;
}

/** Memory that process `pid` holds, in MB, and the processor time of all its threads; 0 where the system does not report them. */
export async function usageOf(pid: number | undefined): Promise<Usage> {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
  const [status, stat] = await Promise.all([read('status'), read('stat')]);
  // The fields after the program's name, from the third: proc_pid_stat(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  return { rssMb: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024, processorMs: ticks * TICK_MS };
}
