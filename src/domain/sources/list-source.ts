/* Lists archives of source code in processes of their own, which may read files and nothing else. */
import { fileURLToPath } from 'node:url';
import { UnavailableError } from '../../errors.ts';
import { log } from '../../infra/log.ts';
import { launchNode } from '../../infra/process-pool/launch-node.ts';
import { ProcessPool } from '../../infra/process-pool/process-pool.ts';
import type { SourceFormat } from '../../package/source/source-format.ts';

export interface SourceRequest {
  /** Path of the staged file. */
  path: string;
  format: SourceFormat;
}

export type SourceReply =
  | { kind: 'listed'; entries: number }
  | { kind: 'refused' }
  | { kind: 'failed'; detail: string };

const ENTRY = fileURLToPath(new URL('./source-process.ts', import.meta.url));
const HEAP_MB = 128;

/** bzip2 takes most: some 100 s for the 500 MB that an archive may contain. */
const pool = new ProcessPool({
  launch: () => launchNode(ENTRY, HEAP_MB, '--permission', '--allow-fs-read=*'),
  concurrency: 2,
  runsPerProcess: 200,
  wallMs: 180_000,
  rssMb: 512,
  idleRssMb: 250,
  idleMs: 30_000,
  attempts: 2,
});

/**
 * Whether the file at `path` is an archive of this format within the limits. Also false when listing exceeds the limits of the process
 * or crashes two of them.
 * @throws {UnavailableError} when no process can be started or the file cannot be read.
 */
export async function isListable(request: SourceRequest): Promise<boolean> {
  const outcome = await pool.run(() => request);
  if (!outcome.ok) {
    log.warn({ reason: outcome.reason, detail: outcome.detail }, 'An archive of source code was not listed.');
    if (outcome.reason === 'unavailable') throw new UnavailableError();
    return false;
  }
  const reply = outcome.reply as SourceReply;
  if (reply.kind !== 'failed') return reply.kind === 'listed';
  log.error({ detail: reply.detail }, 'An archive of source code was not listed.');
  throw new UnavailableError();
}

/** Ends the processes, for tests; those of a service end with it. Uploads under way get 503. */
export const closeSourceReader = (): Promise<void> => pool.close();
