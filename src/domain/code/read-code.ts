/*
 * Reads and compares stored packages in separate processes of low priority, because their contents are untrusted and comparing takes time.
 * Results are kept by the hashes of the packages.
 */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { WorkLimitError } from '../../errors.ts';
import { withSharedCopy } from '../../infra/blob-store/verified-copy.ts';
import { ParserPool } from '../../infra/process-pool/parser-pool.ts';
import type { CompareOptions } from '../../package/code/compare-texts.ts';
import { changedFiles, type FileChange, type PackageFile } from '../../package/code/file-changes.ts';
import type { ManifestFact } from '../../package/code/manifest-facts.ts';
import type { ArchiveFormat, FileText } from '../../package/code/package-files.ts';
import {
  addPortion,
  callsOfPackage,
  noCalls,
  type PackageCalls,
  type ScriptCalls,
  scriptPortions,
} from '../../package/code/script-calls.ts';
import type { SourcePlace } from '../../package/source-excerpts.ts';
import { CutResult, readKept } from './kept-results.ts';

/** How the lines of a file are compared. */
export type LineOptions = Omit<CompareOptions, 'timeoutMs'>;

/** A stored package, or a stored archive of source code. */
export interface CodeArchive {
  sha256: string;
  format: ArchiveFormat;
}

/**
 * `path` is an archive, `file` a path in it, and `otherPath` the package that it is compared with, if any. Texts that were read are
 * sent, so that they are not read again.
 */
export type CodeRequest =
  | { kind: 'list'; path: string; format: ArchiveFormat }
  | { kind: 'text' | 'picture'; path: string; format: ArchiveFormat; file: string }
  | { kind: 'counts'; path: string; otherPath: string | undefined; changes: readonly FileChange[] }
  | { kind: 'manifest'; path: string; otherPath: string | undefined }
  | { kind: 'lines'; before: string; after: string; options: LineOptions }
  | { kind: 'format'; file: string; text: string }
  | { kind: 'tokens'; file: string; text: string; from: number }
  | { kind: 'calls'; path: string; scripts: readonly string[]; processorMs: number }
  | { kind: 'excerpts'; path: string; places: readonly SourcePlace[] };

const ENTRY = fileURLToPath(new URL('./code-process.ts', import.meta.url));
const HEAP_MB = 384;

/** The largest package takes some seconds, most of it for the hashes of its files. */
const OPTIONS = {
  runsPerProcess: 500,
  wallMs: 60_000,
  processorMs: 15_000,
  rssMb: 768,
  idleRssMb: 300,
  idleMs: 30_000,
  // With a much lower priority, a busy machine leaves these processes too little time.
  niceness: 5,
  // One thread: those for garbage and compilation would take the processor that is left to other requests.
  flags: ['--single-threaded-gc', '--no-concurrent-recompilation'],
};

/** One processor is left to other requests. */
const pool = new ParserPool(ENTRY, HEAP_MB, { ...OPTIONS, concurrency: Math.max(1, availableParallelism() - 1) });

/** The files of an archive, by path. @throws as `readKept` does. */
export function archiveFiles({ sha256, format }: CodeArchive, waitMs?: number | null): Promise<PackageFile[]> {
  const read = () => withSharedCopy(sha256, ({ path }) => runCode({ kind: 'list', path, format }));
  return readKept(['list', sha256, format], read, waitMs);
}

/** The text of a file that the archive has; null for one above the limit of texts. @throws as `readKept` does. */
export function archiveText({ sha256, format }: CodeArchive, file: string): Promise<FileText | null> {
  return readKept(['text', sha256, format, file], () =>
    withSharedCopy(sha256, ({ path }) => runCode({ kind: 'text', path, format, file })),
  );
}

/** The bytes of a file that the archive has; null for one above the limit of pictures. @throws {PackageError}, {UnavailableError}. */
export function pictureBytes({ sha256, format }: CodeArchive, file: string): Promise<Uint8Array | null> {
  return withSharedCopy(sha256, ({ path }) => runCode({ kind: 'picture', path, format, file }));
}

/** The package with this SHA-256. */
export const packageArchive = (sha256: string): CodeArchive => ({ sha256, format: 'package' });

/** The files of the package with this SHA-256. @throws as `readKept` does. */
export const packageFiles = (sha256: string, waitMs?: number | null): Promise<PackageFile[]> =>
  archiveFiles(packageArchive(sha256), waitMs);

/** Processor time for the calls in the scripts of a package. */
const CALLS_MS = 8_000;

/** The calls in the scripts of the package with this SHA-256, without known libraries. @throws as `readKept` does. */
export function packageCalls(sha256: string, waitMs?: number): Promise<PackageCalls> {
  const read = async () => {
    const portions = scriptPortions(await packageFiles(sha256, null));
    const all = await withSharedCopy(sha256, async ({ path }) => {
      const found = noCalls();
      for (const scripts of portions) {
        const processorMs = CALLS_MS - found.processorMs;
        const portion =
          processorMs <= 0
            ? { ...noCalls(), unread: scripts, isCut: true }
            : await runCode<ScriptCalls>({ kind: 'calls', path, scripts, processorMs });
        addPortion(found, portion);
      }
      return found;
    });
    return all.isCut ? new CutResult(callsOfPackage(all)) : callsOfPackage(all);
  };
  return readKept(['calls', sha256], read, waitMs);
}

/**
 * The files that differ in two packages, with the numbers of their lines; all files are added without a package before it.
 * @throws as `readKept` does.
 */
export async function packageChanges(
  before: string | null,
  after: string,
  waitMs?: number | null,
): Promise<FileChange[]> {
  const read = async () => {
    const old = before === null ? [] : packageFiles(before, null);
    const changes = changedFiles(await old, await packageFiles(after, null));
    if (changes.every(({ notCompared }) => notCompared !== null)) return changes;
    const counted = await withBoth(before, after, (otherPath, path) =>
      runCode<FileChange[]>({ kind: 'counts', path, otherPath, changes }),
    );
    return counted.some(({ notCompared }) => notCompared === 'too-slow') ? new CutResult(counted) : counted;
  };
  return readKept(['counts', before, after], read, waitMs);
}

/** What the manifest of a package says next to that of one before it; null for a package without one. @throws as `readKept` does. */
export function manifestFacts(before: string | null, after: string, waitMs?: number): Promise<ManifestFact[] | null> {
  const read = () =>
    withBoth(before, after, (otherPath, path) => runCode<ManifestFact[] | null>({ kind: 'manifest', path, otherPath }));
  return readKept(['manifest', before, after], read, waitMs);
}

const withBoth = <Result>(
  before: string | null,
  after: string,
  use: (before: string | undefined, after: string) => Promise<Result>,
): Promise<Result> =>
  withSharedCopy(after, (recent) =>
    before === null ? use(undefined, recent.path) : withSharedCopy(before, (old) => use(old.path, recent.path)),
  );

/**
 * What a process returns for a request.
 * @throws {PackageError}; {WorkLimitError} for a package with which it exceeds a limit or crashes; {UnavailableError}.
 */
export function runCode<Result>(request: CodeRequest): Promise<Result> {
  return pool.parse(request, () => new WorkLimitError());
}
