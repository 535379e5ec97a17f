/**
 * A fixed number of linter processes, kept warm. Each run has one process for itself; a process is replaced after a
 * number of runs, when its memory has grown, and whenever a run ended without a verdict. Processes start when first
 * needed. Waiting packages are served in the order they came.
 */
import { rm } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { type LinterChild, type LinterChildLimits, startLinterChild } from './linter-child.ts';
import { type Isolation, probeIsolation } from './linter-command.ts';
import type { LinterOutcome, LinterSettings } from './linter-protocol.ts';
import { makePoolFolder } from './pool-folder.ts';

/**
 * `concurrency` processes at most; each lints `runsPerProcess` packages at most and is replaced once it holds more than
 * `idleRssMb` between runs. The other limits are per run. `folder` takes the processes' private folders.
 */
export type LinterPoolOptions = LinterChildLimits & {
  concurrency: number;
  runsPerProcess: number;
  idleRssMb: number;
  folder: string;
};

export interface LinterPool {
  /**
   * Lints the package file at `path` when a process is free. Never rejects: trouble is an outcome. Its `ms` count from
   * that moment on, so that they include the start of the process where it has to be waited for.
   */
  run(path: string, settings: LinterSettings): Promise<LinterOutcome>;
  /** Starts every process now; resolves when all are warm, rejects when one does not start. */
  warm(): Promise<void>;
  /** Process ids of the running linters. */
  pids(): number[];
  /** How the processes are isolated on this machine. */
  isolation(): Promise<Isolation>;
  /** Kills all processes; running and waiting packages end as `unavailable`. */
  close(): Promise<void>;
}

type Ground = { folder: string; isolation: Isolation };
type Slot = { child: LinterChild | null; starting: Promise<LinterChild> | null };

const UNAVAILABLE = { ok: false, reason: 'unavailable', ms: 0 } as const;

/** Makes a pool; nothing is started yet. Unset options get defaults that suit two processor cores. */
export function createLinterPool(options: Partial<LinterPoolOptions> = {}): LinterPool {
  return new LinterSlots(withDefaults(options));
}

class LinterSlots implements LinterPool {
  readonly #options: LinterPoolOptions;
  readonly #slots: Slot[];
  readonly #free: Slot[];
  readonly #waiting: ((slot: Slot | null) => void)[] = [];
  #ground: Promise<Ground> | null = null;
  #closed = false;

  constructor(options: LinterPoolOptions) {
    this.#options = options;
    this.#slots = Array.from({ length: options.concurrency }, () => ({ child: null, starting: null }));
    this.#free = [...this.#slots];
  }

  async run(path: string, settings: LinterSettings): Promise<LinterOutcome> {
    const slot = await this.#take();
    if (!slot) return { ...UNAVAILABLE, detail: 'The linter pool is closed.' };
    const taken = performance.now();
    const outcome = await this.#lint(slot, path, settings);
    const ms = performance.now() - taken;
    // The caller need not wait until the process has tidied up or was replaced; the next package does.
    void this.#release(slot, !outcome.ok);
    return { ...outcome, ms };
  }

  async warm(): Promise<void> {
    await Promise.all(this.#slots.map((slot) => slot.child ?? this.#start(slot)));
  }

  pids(): number[] {
    return this.#slots.flatMap(({ child }) => (child?.alive && child.pid ? [child.pid] : []));
  }

  async isolation(): Promise<Isolation> {
    return (await this.#prepare()).isolation;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const resolve of this.#waiting.splice(0)) resolve(null);
    await Promise.allSettled(this.#slots.map((slot) => slot.starting));
    await Promise.all(this.#slots.map((slot) => slot.child?.end()));
    const ground = await this.#ground?.catch(() => null);
    if (ground) await rm(ground.folder, { recursive: true, force: true });
  }

  async #lint(slot: Slot, path: string, settings: LinterSettings): Promise<LinterOutcome> {
    try {
      const child = slot.child?.alive ? slot.child : await this.#start(slot);
      return await child.lint(path, settings);
    } catch (error) {
      return { ...UNAVAILABLE, detail: String(error) };
    }
  }

  #take(): Promise<Slot | null> | Slot | null {
    if (this.#closed) return null;
    return this.#free.shift() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  #prepare(): Promise<Ground> {
    this.#ground ??= this.#makeGround();
    return this.#ground;
  }

  /** What goes wrong here, such as a full disk, is tried again by the next package. */
  async #makeGround(): Promise<Ground> {
    try {
      const [folder, isolation] = await Promise.all([makePoolFolder(this.#options.folder), probeIsolation()]);
      return { folder, isolation };
    } catch (error) {
      this.#ground = null;
      throw error;
    }
  }

  #start(slot: Slot): Promise<LinterChild> {
    slot.starting ??= this.#launch(slot).finally(() => {
      slot.starting = null;
    });
    return slot.starting;
  }

  async #launch(slot: Slot): Promise<LinterChild> {
    const { folder, isolation } = await this.#prepare();
    if (this.#closed) throw new Error('The linter pool is closed.');
    slot.child = await startLinterChild(folder, isolation.prefix, this.#options);
    return slot.child;
  }

  /** Gives the slot to the next package, once its process is idle again or, if it has served its time, ended. */
  async #release(slot: Slot, failed: boolean): Promise<void> {
    if (slot.child) await (failed ? this.#replace(slot, slot.child) : this.#replaceWorn(slot, slot.child));
    const next = this.#waiting.shift();
    if (next) next(slot);
    else this.#free.push(slot);
  }

  async #replaceWorn(slot: Slot, child: LinterChild): Promise<void> {
    await child.rest();
    const worn = child.runs >= this.#options.runsPerProcess || child.rssMb > this.#options.idleRssMb;
    if (worn || !child.alive) await this.#replace(slot, child);
  }

  /** Ends the process and starts the next one at once, so that the next package finds it warm. */
  async #replace(slot: Slot, child: LinterChild): Promise<void> {
    slot.child = null;
    await child.end();
    // A process that does not start is tried again by the next package, which then reports the trouble.
    if (!this.#closed) this.#start(slot).catch(() => {});
  }
}

function withDefaults(options: Partial<LinterPoolOptions>): LinterPoolOptions {
  const machineMb = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 2 ** 20;
  const heapMb = options.heapMb ?? Math.floor(Math.min(3072, machineMb * 0.6));
  return {
    concurrency: 2,
    wallMs: 90_000,
    rssMb: heapMb + 512,
    runsPerProcess: 50,
    idleRssMb: 500,
    folder: tmpdir(),
    ...options,
    heapMb,
  };
}
