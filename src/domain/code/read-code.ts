/*
 * Reads and compares stored packages in separate processes of low priority, because their contents are untrusted and comparing takes time.
 * Results are kept by the hashes of the packages.
 */
import { fileURLToPath } from 'node:url';
import { NotFoundError, PackageError, UnavailableError } from '../../errors.ts';
import { StoredFileError } from '../../infra/blob-store/blob-store.ts';
import { withVerifiedCopy } from '../../infra/blob-store/verified-copy.ts';
import { log } from '../../infra/log.ts';
import { ParserPool } from '../../infra/process-pool/parser-pool.ts';
import { SecondChanceCache } from '../../infra/second-chance-cache.ts';
import type { CompareOptions, DiffHunk } from '../../package/code/compare-texts.ts';
import {
  changedFiles,
  countChanges,
  type FileChange,
  type NotCompared,
  type PackageFile,
} from '../../package/code/file-changes.ts';
import type { FileText } from '../../package/code/package-files.ts';
import { type Message, message } from '../../texts/messages.ts';

/** How the lines of a file are compared. */
export type LineOptions = Omit<CompareOptions, 'timeoutMs'>;

/** `path` and `otherPath` are packages, `file` is a path in the first. */
export type CodeRequest = { path: string } & (
  | { kind: 'list' }
  | { kind: 'text'; file: string }
  | { kind: 'counts'; otherPath: string; changes: readonly FileChange[] }
  | { kind: 'lines'; otherPath: string; change: FileChange; options: LineOptions }
);

export type CodeReply =
  | { kind: 'read'; value: unknown }
  | { kind: 'refused'; message: Message }
  | { kind: 'failed'; detail: string };

const ENTRY = fileURLToPath(new URL('./code-process.ts', import.meta.url));
const HEAP_MB = 384;

/** The largest package takes some seconds, most of it for the hashes of its files. */
const pool = new ParserPool(ENTRY, HEAP_MB, {
  concurrency: 2,
  runsPerProcess: 500,
  wallMs: 60_000,
  processorMs: 15_000,
  rssMb: 768,
  idleRssMb: 300,
  idleMs: 30_000,
  niceness: 10,
});

/** In characters of JSON. */
const CACHE_SIZE = 32e6;
const kept = new SecondChanceCache<string, unknown>(CACHE_SIZE);
const underWay = new Map<string, Promise<unknown>>();

/** The files of the package with this SHA-256, by path. @throws as `readKept` does. */
export function packageFiles(sha256: string): Promise<PackageFile[]> {
  return readKept(['list', sha256], () => withVerifiedCopy(sha256, ({ path }) => run({ kind: 'list', path })));
}

/** The text of a file that the package has; null for one above the limit of texts. @throws as `readKept` does. */
export function packageText(sha256: string, file: string): Promise<FileText | null> {
  return readKept(['text', sha256, file], () =>
    withVerifiedCopy(sha256, ({ path }) => run({ kind: 'text', path, file })),
  );
}

/** The files that differ in two packages, with the numbers of their lines. @throws as `readKept` does. */
export async function packageChanges(before: string, after: string): Promise<FileChange[]> {
  const changes = changedFiles(await packageFiles(before), await packageFiles(after));
  if (changes.every(({ notCompared }) => notCompared !== null)) return changes;
  return readKept(['counts', before, after], () =>
    withBoth(before, after, (path, otherPath) => run({ kind: 'counts', path, otherPath, changes })),
  );
}

/** A changed file with its lines. */
export type ComparedFile = FileChange & { hunks: DiffHunk[] };

/** The lines of a file that differ in two packages; null for a file that does not. @throws as `readKept` does. */
export async function comparedFile(
  before: string,
  after: string,
  file: string,
  options: LineOptions,
): Promise<ComparedFile | null> {
  const named = async (sha256: string) => (await packageFiles(sha256)).filter(({ path }) => path === file);
  const [change] = changedFiles(await named(before), await named(after));
  if (change === undefined) return null;
  if (change.notCompared !== null) return { ...change, hunks: [] };
  const hunks = await readKept<DiffHunk[] | NotCompared>(['lines', before, after, file, options], () =>
    withBoth(before, after, (path, otherPath) => run({ kind: 'lines', path, otherPath, change, options })),
  );
  if (typeof hunks === 'string') return { ...change, notCompared: hunks, hunks: [] };
  return { ...change, ...countChanges(hunks), hunks };
}

const withBoth = (before: string, after: string, use: (path: string, otherPath: string) => Promise<unknown>) =>
  withVerifiedCopy(before, (old) => withVerifiedCopy(after, (recent) => use(old.path, recent.path)));

/**
 * A result that is kept, or under way for another request.
 * @throws {NotFoundError} for a package that is lost or damaged; {PackageError} for an imported one that is no valid archive;
 * {UnavailableError} when it cannot be read within the limits, or now.
 */
async function readKept<Result>(key: readonly unknown[], read: () => Promise<unknown>): Promise<Result> {
  const name = JSON.stringify(key);
  const present = kept.get(name);
  if (present !== undefined) return present as Result;
  const reading = underWay.get(name) ?? readOnce(name, read);
  return (await reading) as Result;
}

function readOnce(name: string, read: () => Promise<unknown>): Promise<unknown> {
  const reading = read()
    .then((value) => {
      kept.set(name, value, name.length + JSON.stringify(value).length);
      return value;
    })
    .catch((error: unknown) => {
      throw error instanceof StoredFileError ? new NotFoundError(message('file.unusable')) : error;
    })
    .finally(() => underWay.delete(name));
  underWay.set(name, reading);
  return reading;
}

async function run(request: CodeRequest): Promise<unknown> {
  const outcome = await pool.run(request);
  const reply = outcome.ok ? (outcome.reply as CodeReply) : null;
  if (reply?.kind === 'read') return reply.value;
  if (reply?.kind === 'refused') throw new PackageError(reply.message);
  const detail = outcome.ok ? reply?.detail : `${outcome.reason}: ${outcome.detail}`;
  log.warn({ detail, request: request.kind }, 'A package was not read.');
  throw new UnavailableError();
}
