/*
 * Pools of processes that parse untrusted files. In addition to its program, such a process may read two paths. While it serves a
 * request, the files of that request are there, and between requests none is.
 */
import { constants, copyFile, link, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { PackageError, UnavailableError } from '../../errors.ts';
import { log } from '../log.ts';
import { stagingPath } from '../staging/staging.ts';
import { launchNode } from './launch-node.ts';
import type { LaunchedProcess, ProcessFailure, ProcessOutcome } from './pooled-process.ts';
import { type ProcessPool, type ProcessPoolOptions, permanentPool } from './process-pool.ts';
import type { ParserReply } from './serve-parser.ts';

interface ParserProcess extends LaunchedProcess {
  /** The paths that the process may read. */
  inputs: readonly [string, string];
}

/** Files to read, and what the program of the pool takes in addition. */
interface ParserRequest {
  kind?: string;
  path?: string;
  otherPath?: string;
}

/** What a file system without hard links returns. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK']);

interface ParserPoolOptions extends Omit<ProcessPoolOptions<ParserProcess>, 'launch'> {
  /** How far the priority of the processes is below that of this process. Default: 0. */
  niceness?: number;
  /** Flags of Node.js. */
  flags?: readonly string[];
}

export class ParserPool {
  readonly #name: string;
  readonly #pool: ProcessPool<ParserProcess>;

  /** Makes a pool of processes that start at the module `entry`, with a heap of at most `heapMb`; no process is started yet. */
  constructor(entry: string, heapMb: number, { niceness, flags, ...options }: ParserPoolOptions) {
    this.#name = basename(entry, '.ts');
    this.#pool = permanentPool({ ...options, launch: () => launchParser(entry, heapMb, { niceness, flags }) });
  }

  /** Sends a request about the staged files at `path` and `otherPath`, if any, which the process gets at paths of its own. Never rejects. */
  run<Request extends ParserRequest>(request: Request): Promise<ProcessOutcome> {
    return this.#pool.run(async ({ inputs: [path, otherPath] }) => {
      if (request.path === undefined) return request;
      await provide(request.path, path);
      if (request.otherPath === undefined) return { ...request, path };
      await provide(request.otherPath, otherPath);
      return { ...request, path, otherPath };
    });
  }

  /**
   * What the process returns for a request. `refusal` makes the error for a file with which it exceeds a limit or crashes.
   * @throws {PackageError} of the process, the refusal, or {UnavailableError}: no process can be started, or the file cannot be read.
   */
  async parse<Result>(request: ParserRequest, refusal: (reason: ProcessFailure) => Error): Promise<Result> {
    const outcome = await this.run(request);
    const about = { parser: this.#name, request: request.kind };
    if (!outcome.ok) {
      log.warn({ ...about, reason: outcome.reason, detail: outcome.detail }, 'A file was not parsed.');
      throw outcome.reason === 'unavailable' ? new UnavailableError() : refusal(outcome.reason);
    }
    const reply = outcome.reply as ParserReply;
    if (reply.kind === 'read') return reply.value as Result;
    if (reply.kind === 'refused') throw new PackageError(reply.message);
    log.error({ ...about, detail: reply.detail }, 'A file was not parsed.');
    throw new UnavailableError();
  }

  /** Starts `count` processes and keeps this number from now on. @throws when one does not start. */
  warm(count: number): Promise<void> {
    return this.#pool.warm(count);
  }
}

/** The inputs are staged files of this process, so the sweep of the staging area removes what a kill left. */
async function launchParser(
  entry: string,
  heapMb: number,
  how: Pick<ParserPoolOptions, 'niceness' | 'flags'>,
): Promise<ParserProcess> {
  const inputs = [await stagingPath(), await stagingPath()] as const;
  const remove = async () => {
    for (const input of inputs) await rm(input, { force: true }).catch(() => {});
  };
  return { ...(await launchNode(entry, heapMb, { inputs, ...how })), inputs, clear: remove, dispose: remove };
}

/** Fails when a file is there already. */
async function provide(path: string, input: string): Promise<void> {
  await link(path, input).catch((error: NodeJS.ErrnoException) => {
    if (!NO_LINKS.has(error.code ?? '')) throw error;
    return copyFile(path, input, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  });
}
