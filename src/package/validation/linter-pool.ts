/* Linter processes, kept warm. Each lints one package at a time in a private folder, with limits on processor time and memory. */
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PackageError } from '../../errors.ts';
import { lowerPriority } from '../../infra/process-pool/launch-node.ts';
import type { LaunchedProcess, ProcessLimits } from '../../infra/process-pool/pooled-process.ts';
import { ProcessPool } from '../../infra/process-pool/process-pool.ts';
import { openZip } from '../zip/read-zip.ts';
import { writeZip } from '../zip/write-zip.ts';
import type { ZipArchive } from '../zip/zip-archive.ts';
import { type LinterOutcome, type LinterRequest, type LinterSettings, readVerdict } from './linter-protocol.ts';
import { makePoolFolder, type PoolFolder, warmUpFolder } from './pool-folder.ts';

/**
 * The command line that starts a linter process, with as much isolation as the machine offers:
 *
 * - `unshare` puts it into an empty network namespace. Containers often forbid that; then it shares the network.
 * - `setpriv --pdeathsig` ends it with its parent even while it is busy parsing and cannot notice.
 * - Node's permission model, always: no writing, no other processes or threads, reading only what it needs.
 * - The shell forbids core dumps and offers the process to the kernel first when memory runs out.
 */
/** Where the launch tools are looked for; the environment of this process is not consulted. */
const TOOL_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const ENTRY = fileURLToPath(new URL('./linter-process.ts', import.meta.url));
const SERVER = fileURLToPath(new URL('../../infra/process-pool/serve-requests.ts', import.meta.url));
const LINTER = createRequire(import.meta.url).resolve('addons-linter/package.json');

const LAUNCH_SCRIPT = '(echo 800 >/proc/self/oom_score_adj) 2>/dev/null; ulimit -c 0; exec "$@"';

/** How linter processes are started on this machine. `network` is `none` when they run in an empty network namespace. */
type Isolation = { network: 'none' | 'shared'; prefix: string[] };

const CANDIDATES: Isolation[] = [
  { network: 'none', prefix: ['unshare', '-r', '-n', 'setpriv', '--pdeathsig', 'KILL'] },
  { network: 'none', prefix: ['unshare', '-n', 'setpriv', '--pdeathsig', 'KILL'] },
  { network: 'none', prefix: ['unshare', '-r', '-n'] },
  { network: 'none', prefix: ['unshare', '-n'] },
  { network: 'shared', prefix: ['setpriv', '--pdeathsig', 'KILL'] },
];

/** Tries the launch tools, strongest first, and resolves to the first set that works and can still read the linter. */
export async function probeIsolation(): Promise<Isolation> {
  for (const candidate of CANDIDATES) {
    if (await canLaunch(candidate.prefix)) return candidate;
  }
  return { network: 'shared', prefix: [] };
}

/** A root without power over other users' files, which `unshare -r` makes, may be unable to read a checkout of theirs. */
function canLaunch([tool = '', ...rest]: string[]): Promise<boolean> {
  const check = ['sh', '-c', 'test -r "$1" && test -r "$2" && test -x "$3"', 'sh', ENTRY, LINTER, process.execPath];
  return new Promise((resolve) => {
    execFile(tool, [...rest, ...check], { env: { PATH: TOOL_PATH }, timeout: 5000 }, (error) => resolve(!error));
  });
}

/**
 * Program and arguments that start a linter process with the launch tools `prefix` and a heap of at most `heapMb` MB. It reads
 * packages only in its own `folder`. `warmUp` is an unpacked package without errors.
 */
export function linterCommand(prefix: string[], heapMb: number, folder: string, warmUp: string) {
  const readable = [`${dirname(dirname(LINTER))}/`, ENTRY, SERVER, `${folder}/`, `${warmUp}/`];
  const node = [
    process.execPath,
    `--max-old-space-size=${heapMb}`,
    '--expose-gc',
    '--permission',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    ENTRY,
    warmUp,
  ];
  return { program: '/bin/sh', args: ['-c', LAUNCH_SCRIPT, 'sh', ...prefix, ...node] };
}

/**
 * `concurrency` processes at most; each lints at most `runsPerProcess` packages and is replaced once it holds more than
 * `idleRssMb` between runs. `heapMb` and the other limits are per run. `folder` holds the processes' private folders.
 */
export interface LinterPoolOptions extends Required<ProcessLimits> {
  heapMb: number;
  concurrency: number;
  runsPerProcess: number;
  idleRssMb: number;
  folder: string;
}

interface LinterProcess extends LaunchedProcess {
  /** The only folder that the process may read, apart from the linter's own. */
  folder: string;
}

interface Environment {
  folder: PoolFolder;
  isolation: Isolation;
}

/** See nice(2): the processes that serve clients have 0. */
const LINTER_NICENESS = 10;

export class LinterPool {
  readonly #options: LinterPoolOptions;
  readonly #pool: ProcessPool<LinterProcess>;
  #environment: Promise<Environment> | null = null;

  /** Makes a pool; no process is started yet. The defaults suit two processor cores. */
  constructor(options: Partial<LinterPoolOptions> = {}) {
    this.#options = withDefaults(options);
    this.#pool = new ProcessPool({
      ...this.#options,
      launch: () => this.#launch(),
    });
  }

  /** Lints the package file at `path` when a process is free. Never rejects. `ms` includes the start of the process. */
  async run(path: string, settings: LinterSettings): Promise<LinterOutcome> {
    const name = `package-${randomUUID()}.zip`;
    let copy: string | null = null;
    const makeRequest = async ({ folder }: LinterProcess): Promise<LinterRequest> => {
      copy = join(folder, name);
      await plainCopy(path, copy);
      return { path: copy, settings };
    };
    const verdict = (reply: unknown) => readVerdict(reply, settings.messageLimit);
    const { ms, ...outcome } = await this.#pool.run(makeRequest, (reply) => verdict(reply).ok);
    if (copy !== null) await rm(copy, { force: true });
    return { ...(outcome.ok ? verdict(outcome.reply) : outcome), ms };
  }

  /** Starts every process now. @throws when one does not start. */
  warm(): Promise<void> {
    return this.#pool.warm();
  }

  /** Ids of the running processes. */
  pids(): number[] {
    return this.#pool.pids();
  }

  /** How the processes are isolated on this machine. */
  async isolation(): Promise<Isolation> {
    return (await this.#prepare()).isolation;
  }

  /** Kills all processes; running and waiting packages end as `unavailable`. */
  async close(): Promise<void> {
    await this.#pool.close();
    const environment = await this.#environment?.catch(() => null);
    await environment?.folder.remove();
  }

  #prepare(): Promise<Environment> {
    this.#environment ??= this.#makeEnvironment();
    return this.#environment;
  }

  /** A failure, such as a full disk, is not final: the next package tries again. */
  async #makeEnvironment(): Promise<Environment> {
    try {
      const [folder, isolation] = await Promise.all([makePoolFolder(this.#options.folder), probeIsolation()]);
      return { folder, isolation };
    } catch (error) {
      this.#environment = null;
      throw error;
    }
  }

  async #launch(): Promise<LinterProcess> {
    const { folder: pool, isolation } = await this.#prepare();
    const folder = await mkdtemp(join(pool.path, 'process-'));
    const { program, args } = linterCommand(isolation.prefix, this.#options.heapMb, folder, warmUpFolder(pool.path));
    const child = spawn(program, args, {
      cwd: folder,
      env: { PATH: TOOL_PATH, HOME: folder, TMPDIR: folder },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      detached: true,
    });
    lowerPriority(child.pid, LINTER_NICENESS);
    // A run that is being given up may still use the folder; what is left goes with the folder of the pool.
    const dispose = () => rm(folder, { recursive: true, force: true }).catch(() => {});
    return { child, folder, dispose };
  }
}

function withDefaults(options: Partial<LinterPoolOptions>): LinterPoolOptions {
  const machineMb = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 2 ** 20;
  const heapMb = options.heapMb ?? Math.floor(Math.min(3072, machineMb * 0.6));
  return {
    concurrency: 2,
    wallMs: 450_000,
    processorMs: 90_000,
    rssMb: heapMb + 512,
    runsPerProcess: 50,
    idleRssMb: 500,
    folder: tmpdir(),
    ...options,
    heapMb,
  };
}

/**
 * Copies the archive at `from` to `to`, which must not exist, in the form that is signed: without a CRX header, comments, zip64 and
 * unknown extra fields. An archive that has none of them, or is refused, is copied byte for byte.
 */
async function plainCopy(from: string, to: string): Promise<void> {
  const archive = await openUnlessRefused(from);
  try {
    if (archive === null || archive.isPlain) await copyFile(from, to, constants.COPYFILE_FICLONE);
    else
      await writeZip(
        to,
        archive.entries.map((entry) => ({ name: entry.name, copy: { archive, entry } })),
      );
  } finally {
    await archive?.close();
  }
}

async function openUnlessRefused(path: string): Promise<ZipArchive | null> {
  try {
    return await openZip(path, { container: 'packed' });
  } catch (error) {
    if (error instanceof PackageError) return null;
    throw error;
  }
}
