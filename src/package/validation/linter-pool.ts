/* Linter processes, kept warm. Each lints one package at a time in a private folder, with limits on processor time and memory. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { PackageError } from '../../errors.ts';
import { lowerPriority } from '../../infra/process-pool/launch-node.ts';
import type { LaunchedProcess, ProcessLimits } from '../../infra/process-pool/pooled-process.ts';
import { ProcessPool } from '../../infra/process-pool/process-pool.ts';
import { openZip } from '../zip/read-zip.ts';
import { writeZip } from '../zip/write-zip.ts';
import type { ZipArchive } from '../zip/zip-archive.ts';
import { type Isolation, linterCommand, probeIsolation, TOOL_PATH } from './linter-command.ts';
import { type LinterOutcome, type LinterRequest, type LinterSettings, readVerdict } from './linter-protocol.ts';
import { makePoolFolder, type PoolFolder, warmUpFolder } from './pool-folder.ts';

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
