/*
 * Reads uploaded packages in processes of their own: unpacking takes the processor for up to seconds, and the parsers get
 * untrusted bytes. The web process keeps one of them warm.
 */
import { fileURLToPath } from 'node:url';
import { PackageError, UnavailableError } from '../../errors.ts';
import { log } from '../../infra/log.ts';
import { ParserPool } from '../../infra/process-pool/parser-pool.ts';
import type { ReadPackage } from '../../package/manifest/read-package.ts';
import { type Message, message } from '../../texts/messages.ts';

export interface PackageRequest {
  /** Path of the staged file. */
  path: string;
  /** The client's name for the file. */
  fileName: string;
  /** Application versions that packages may name, as `isKnownAmong` takes them. */
  knownVersions: string;
  /** Roots and class of the signatures to verify; none are when it is absent. */
  trusted?: { roots: string[]; ou: string };
  /** Base name of the signature files that the package will get. */
  signedAs: string;
}

export type PackageReply =
  | { kind: 'read'; result: ReadPackage }
  | { kind: 'refused'; message: Message }
  | { kind: 'failed'; detail: string };

const ENTRY = fileURLToPath(new URL('./package-process.ts', import.meta.url));
const HEAP_MB = 256;
const WALL_S = 60;

/** The limits are far above what the largest package takes. */
const pool = new ParserPool(ENTRY, HEAP_MB, {
  concurrency: 2,
  runsPerProcess: 1_000,
  wallMs: WALL_S * 1_000,
  rssMb: 1_024,
  idleRssMb: 400,
  idleMs: 30_000,
  attempts: 2,
});

/**
 * What an uploaded package says about itself.
 * @throws {PackageError} with the documented text, also when reading exceeds the limits or crashes twice.
 * @throws {UnavailableError} when no process can be started or the file cannot be read.
 */
export async function readUploadedPackage(request: PackageRequest): Promise<ReadPackage> {
  const outcome = await pool.run(request);
  if (!outcome.ok) {
    log.warn({ reason: outcome.reason, detail: outcome.detail }, 'A package was not read.');
    if (outcome.reason === 'unavailable') throw new UnavailableError();
    throw new PackageError(readingFailed(outcome.reason));
  }
  const reply = outcome.reply as PackageReply;
  if (reply.kind === 'read') return reply.result;
  if (reply.kind === 'refused') throw new PackageError(reply.message);
  log.error({ detail: reply.detail }, 'A package was not read.');
  throw new UnavailableError();
}

const readingFailed = (reason: string): Message =>
  reason === 'timeout' ? message('package.reader_timeout', { seconds: WALL_S }) : message('package.reader_failed');

/** Starts one process and keeps it, so that the first upload need not wait for its start. Never rejects. */
export async function warmPackageReader(): Promise<void> {
  await pool.warm(1).catch((error) => log.warn({ err: error }, 'The package reader does not start.'));
}
