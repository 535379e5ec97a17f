/**
 * One linter process, seen from its parent: started, given one package at a time, and killed with its whole process
 * group when it takes too long or too much memory. Nothing here throws because of what a package does.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { linterCommand, TOOL_PATH } from './linter-command.ts';
import {
  isRecord,
  type LinterFailure,
  type LinterOutcome,
  type LinterReport,
  type LinterRequest,
  type LinterSettings,
  readReport,
} from './linter-protocol.ts';
import { warmUpFolder } from './pool-folder.ts';

/** Limits of one process: MB for memory, milliseconds for time. `rssMb` bounds what the heap limit does not count. */
export type LinterChildLimits = { heapMb: number; rssMb: number; wallMs: number };

/** A running linter process. `runs` and `rssMb` tell the pool when it has served long enough. */
export interface LinterChild {
  readonly pid: number | undefined;
  readonly runs: number;
  readonly rssMb: number;
  readonly alive: boolean;
  /** Lints the package at `path`. Must not be called again before it has resolved; never rejects. */
  lint(path: string, settings: LinterSettings): Promise<LinterOutcome>;
  /** Resolves when the process has tidied up after its last run and `rssMb` is current, or when it has ended. */
  rest(): Promise<void>;
  /** Kills the process group and removes its folder. */
  end(): Promise<void>;
}

const STDERR_KEPT = 8192;
const MEMORY_WATCH_MS = 200;
/** See nice(2): the processes of requests and jobs have 0. */
const LINTER_NICENESS = 10;
/** Loading the linter takes about a second; this long only on a machine in trouble. */
const START_MS = 60_000;

type Ending = { reason: LinterFailure; detail: string };
type Reply = Record<string, unknown>;
type Answer = { reply: Reply } | { ending: Ending };

/** Starts a process in a new folder inside `poolFolder`; resolves when it is warm, rejects when it does not get there. */
export async function startLinterChild(
  poolFolder: string,
  prefix: string[],
  limits: LinterChildLimits,
): Promise<LinterChild> {
  const folder = await mkdtemp(join(poolFolder, 'process-'));
  const { program, args } = linterCommand(prefix, limits.heapMb, folder, warmUpFolder(poolFolder));
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: TOOL_PATH, HOME: folder, TMPDIR: folder },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    detached: true,
  });
  yieldToOthers(child);
  const linter = new RunningLinter(child, folder, limits);
  try {
    await linter.untilReady();
    return linter;
  } catch (error) {
    await linter.end();
    throw error;
  }
}

/** Linting takes whole cores for as long as it lasts: who waits for an answer comes first. */
function yieldToOthers({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, LINTER_NICENESS);
  } catch {
    // It has ended already, which is noticed elsewhere.
  }
}

class RunningLinter implements LinterChild {
  runs = 0;
  rssMb = 0;
  alive = true;
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #limits: LinterChildLimits;
  readonly #ended: Promise<Ending>;
  readonly #listeners = new Set<(reply: Reply) => void>();
  #resting: Promise<void> = Promise.resolve();
  #stderr = '';
  #killedFor: Ending | null = null;

  constructor(child: ChildProcess, folder: string, limits: LinterChildLimits) {
    this.#child = child;
    this.#folder = folder;
    this.#limits = limits;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
    });
    child.on('message', (reply) => {
      if (isRecord(reply)) for (const listener of this.#listeners) listener(reply);
    });
    this.#ended = new Promise((resolve) => {
      child.on('error', (error) => this.#close(resolve, error.message));
      // What the process may have left behind would keep its pipe open, and with it the `close` event away.
      child.on('exit', () => this.#killGroup());
      child.on('close', (code, signal) => this.#close(resolve, `exit ${signal ?? code}`));
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  async untilReady(): Promise<void> {
    const stopClock = this.#startClock(START_MS);
    const answer = await this.#reply((reply) => reply.kind === 'ready');
    stopClock();
    if ('reply' in answer) return;
    const { reason, detail } = answer.ending;
    throw new Error(`A linter process does not start (${reason}): ${detail}`);
  }

  async lint(path: string, settings: LinterSettings): Promise<LinterOutcome> {
    const started = performance.now();
    const id = ++this.runs;
    // The process may read its own folder only, so it gets a copy; a name without `.crx` keeps the linter on plain ZIP.
    const copy = join(this.#folder, `package-${id}.zip`);
    try {
      await copyFile(path, copy, constants.COPYFILE_FICLONE);
      const answer = await this.#ask({ id, path: copy, settings });
      const ms = performance.now() - started;
      if ('ending' in answer) return { ok: false, ...answer.ending, ms };
      return { ...readVerdict(answer.reply, settings.messageLimit), ms };
    } catch (error) {
      return { ok: false, reason: 'unavailable', detail: String(error), ms: performance.now() - started };
    } finally {
      await rm(copy, { force: true });
    }
  }

  rest(): Promise<void> {
    return this.#resting;
  }

  async end(): Promise<void> {
    this.#kill({ reason: 'unavailable', detail: 'The linter process was ended.' });
    await this.#ended;
    // A run that is just being given up may still touch the folder; what stays goes with the folder of the pool.
    await rm(this.#folder, { recursive: true, force: true }).catch(() => {});
  }

  #ask(request: LinterRequest): Promise<Answer> {
    const stopClock = this.#startClock(this.#limits.wallMs);
    const answer = this.#reply(({ kind, id }) => (kind === 'report' || kind === 'refused') && id === request.id);
    this.#resting = this.#reply(({ kind, id }) => kind === 'idle' && id === request.id).then((idle) => {
      stopClock();
      if ('reply' in idle) this.rssMb = Number(idle.reply.rss) / 2 ** 20;
    });
    // A process that is already gone is reported by `#ended`, not by the failing pipe.
    this.#child.send(request, () => {});
    return answer;
  }

  /** The next message that `fits`, or how the process ended, whichever comes first. */
  async #reply(fits: (reply: Reply) => boolean): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const listener = (reply: Reply) => fits(reply) && resolve({ reply });
    this.#listeners.add(listener);
    const answer = await Promise.race([promise, this.#ended.then((ending) => ({ ending }))]);
    this.#listeners.delete(listener);
    return answer;
  }

  /** Kills the process when it exceeds `limitMs` or its memory limit before the returned function is called. */
  #startClock(limitMs: number): () => void {
    const { rssMb } = this.#limits;
    const clock = setTimeout(() => {
      this.#kill({ reason: 'timeout', detail: `No answer within ${limitMs / 1000} seconds.` });
    }, limitMs);
    const watch = setInterval(async () => {
      if ((await residentMb(this.pid)) <= rssMb) return;
      this.#kill({ reason: 'memory', detail: `More than ${rssMb} MB of memory in use.` });
    }, MEMORY_WATCH_MS);
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
      // The group is gone already.
    }
  }

  #close(resolve: (ending: Ending) => void, how: string): void {
    this.alive = false;
    const outOfHeap = /heap out of memory|heap limit/i.test(this.#stderr);
    const crash: Ending = outOfHeap
      ? { reason: 'memory', detail: `More than ${this.#limits.heapMb} MB of heap needed.` }
      : { reason: 'crash', detail: `${how}: ${this.#stderr.trim().slice(-500)}` };
    resolve(this.#killedFor ?? crash);
  }
}

/** What a reply says about the package: a complete report, or why there is none. */
function readVerdict(
  reply: Reply,
  messageLimit: number,
): { ok: true; report: LinterReport } | ({ ok: false } & Ending) {
  if (reply.kind === 'refused') return { ok: false, reason: 'refused', detail: String(reply.reason).slice(0, 500) };
  const report = readReport(reply.report, messageLimit);
  if (report) return { ok: true, report };
  return { ok: false, reason: 'malformed', detail: 'The report of the linter is not complete.' };
}

/** Memory that process `pid` holds, in MB; 0 where the system does not tell. */
async function residentMb(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}
