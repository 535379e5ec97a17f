/*
 * Reads lines of stored packages in a separate process, because their contents are untrusted. Uploads have other processes, so
 * that neither waits for the other.
 */
import { fileURLToPath } from 'node:url';
import { withVerifiedCopy } from '../../infra/blob-store/verified-copy.ts';
import { log } from '../../infra/log.ts';
import { ParserPool } from '../../infra/process-pool/parser-pool.ts';
import type { SourceLine, SourcePlace } from '../../package/source-excerpts.ts';

export interface SourceLinesRequest {
  /** Path of the package. */
  path: string;
  places: readonly SourcePlace[];
}

export type SourceLinesReply =
  | { kind: 'read'; excerpts: (SourceLine[] | null)[] }
  | { kind: 'refused' }
  | { kind: 'failed'; detail: string };

const ENTRY = fileURLToPath(new URL('./source-lines-process.ts', import.meta.url));
const HEAP_MB = 256;

/** The largest package that is accepted takes a tenth of a second and some 100 MB. */
const pool = new ParserPool(ENTRY, HEAP_MB, {
  concurrency: 1,
  runsPerProcess: 1_000,
  wallMs: 5_000,
  rssMb: 512,
  idleRssMb: 250,
  idleMs: 30_000,
});

/**
 * The lines around places in a stored package, in the same order. Null for places outside its text files, and for all of them when
 * the package is lost, damaged or cannot be read. Never rejects: messages are useful without lines.
 */
export async function readSourceLines(
  sha256: string,
  places: readonly SourcePlace[],
): Promise<readonly (SourceLine[] | null)[]> {
  if (places.length === 0) return [];
  try {
    const outcome = await withVerifiedCopy(sha256, ({ path }) =>
      pool.run({ path, places } satisfies SourceLinesRequest),
    );
    if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.detail}`);
    const reply = outcome.reply as SourceLinesReply;
    if (reply.kind === 'read') return reply.excerpts;
    if (reply.kind === 'failed') throw new Error(reply.detail);
  } catch (error) {
    log.warn({ err: error, sha256 }, 'The lines of a package were not read.');
  }
  return places.map(() => null);
}
