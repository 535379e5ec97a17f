/* Lists archives of source code in processes of their own, which may read files and nothing else. */
import { fileURLToPath } from 'node:url';
import { PackageError } from '../../errors.ts';
import { ParserPool } from '../../infra/process-pool/parser-pool.ts';
import { refusedSource, sourceTooSlow } from '../../package/source/refusals.ts';
import type { SourceFormat } from '../../package/source/source-format.ts';
import { message } from '../../texts/messages.ts';

interface SourceArchive {
  /** Path of the staged file. */
  path: string;
  format: SourceFormat;
}

export interface SourceRequest extends SourceArchive {
  /** Limit on the processor time; by default the longest that an archive may take. */
  processorMs?: number;
}

const ENTRY = fileURLToPath(new URL('./source-process.ts', import.meta.url));
const HEAP_MB = 128;

/** Nearly all archives take less: some 50 MB of content in a .zip or .tar.gz. */
const QUICK_MS = 250;

/** Slow archives use the processor time that nothing else needs, so that they delay no quick one. */
const SLOW_NICENESS = 5;

/** The process limits its own processor time; these are the limits of a parser that does not return. */
const newPool = (niceness: number) =>
  new ParserPool(ENTRY, HEAP_MB, {
    concurrency: 2,
    runsPerProcess: 200,
    processorMs: 15_000,
    wallMs: 60_000,
    rssMb: 512,
    idleRssMb: 250,
    idleMs: 30_000,
    attempts: 2,
    niceness,
  });

/** Every archive gets `QUICK_MS` here, so that accounts with slow archives, however many, do not delay the others for long. */
const quickPool = newPool(0);
/** Archives that take more than that wait here for each other. */
const slowPool = newPool(SLOW_NICENESS);

/** The last archive of each account that is listed or waits. */
const lastOf = new Map<number, Promise<unknown>>();

/**
 * Lists the file at `path`, one at a time of an account, so that slow archives of one account do not delay others.
 * @throws {PackageError} unless it is an archive of this format within the limits, also when listing exceeds the limits of the
 * process or crashes it.
 * @throws {UnavailableError} when no process can be started or the file cannot be read.
 */
export async function requireListable(accountId: number, archive: SourceArchive): Promise<void> {
  const listing = (lastOf.get(accountId) ?? Promise.resolve()).then(() => list(archive));
  const settled = listing.catch(() => undefined);
  lastOf.set(accountId, settled);
  try {
    await listing;
  } finally {
    if (lastOf.get(accountId) === settled) lastOf.delete(accountId);
  }
}

async function list(archive: SourceArchive): Promise<void> {
  try {
    await listIn(quickPool, { ...archive, processorMs: QUICK_MS });
  } catch (error) {
    if (!(error instanceof PackageError) || error.reason?.code !== 'source.too_slow') throw error;
    await listIn(slowPool, archive);
  }
}

function listIn(pool: ParserPool, request: SourceRequest): Promise<unknown> {
  return pool.parse(request, (reason) =>
    reason === 'timeout' ? sourceTooSlow(10) : refusedSource(message('source.reader_failed')),
  );
}
