/*
 * Pools of processes that parse untrusted files. In addition to its program, such a process may read one path. While it serves a
 * request, the file of that request is there, and between requests none is.
 */
import { constants, copyFile, link, rm } from 'node:fs/promises';
import { stagingPath } from '../staging/staging.ts';
import { launchNode } from './launch-node.ts';
import type { LaunchedProcess, Outcome } from './pooled-process.ts';
import { type ProcessPool, type ProcessPoolOptions, permanentPool } from './process-pool.ts';

interface ParserProcess extends LaunchedProcess {
  /** The path that the process may read. */
  input: string;
}

/** What a file system without hard links returns. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK']);

interface ParserPoolOptions extends Omit<ProcessPoolOptions<ParserProcess>, 'launch'> {
  /** How far the priority of the processes is below that of this process. Default: 0. */
  niceness?: number;
}

export class ParserPool {
  readonly #pool: ProcessPool<ParserProcess>;

  /** Makes a pool of processes that start at the module `entry`, with a heap of at most `heapMb`; no process is started yet. */
  constructor(entry: string, heapMb: number, { niceness, ...options }: ParserPoolOptions) {
    this.#pool = permanentPool({ ...options, launch: () => launchParser(entry, heapMb, niceness) });
  }

  /** Sends a request about the staged file at `path`, which the process gets as its `path`. Never rejects. */
  run<Request extends { path: string }>(request: Request): Promise<Outcome> {
    return this.#pool.run(async ({ input }) => {
      await provide(request.path, input);
      return { ...request, path: input };
    });
  }

  /** Starts `count` processes and keeps this number from now on. @throws when one does not start. */
  warm(count: number): Promise<void> {
    return this.#pool.warm(count);
  }
}

/** The input is a staged file of this process, so the sweep of the staging area removes what a kill left. */
async function launchParser(entry: string, heapMb: number, niceness?: number): Promise<ParserProcess> {
  const input = await stagingPath();
  const remove = () => rm(input, { force: true }).catch(() => {});
  return { ...(await launchNode(entry, heapMb, { input, niceness })), input, clear: remove, dispose: remove };
}

/** Fails when a file is there already. */
async function provide(path: string, input: string): Promise<void> {
  await link(path, input).catch((error: NodeJS.ErrnoException) => {
    if (!NO_LINKS.has(error.code ?? '')) throw error;
    return copyFile(path, input, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  });
}
