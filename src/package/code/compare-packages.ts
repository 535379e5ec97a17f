import { type CompareOptions, compareTexts, type DiffHunk } from './compare-texts.ts';
import { countChanges, type FileChange, type NotCompared } from './file-changes.ts';
import { type FileText, readTexts } from './package-files.ts';

/** Time for the lines of one file, and of all files of a package. */
const FILE_MS = 1_000;
const PACKAGE_MS = 2_500;
/** Texts in memory at once. */
const BATCH_BYTES = 8 * 1024 * 1024;

/**
 * The changes of two packages at these paths, with the numbers of their lines; after some seconds the rest is `too-slow`. Without
 * `before`, all files are added.
 * @throws {PackageError} when an archive cannot be read.
 */
export async function countLines(
  before: string | undefined,
  after: string,
  changes: readonly FileChange[],
): Promise<FileChange[]> {
  const end = performance.now() + PACKAGE_MS;
  const counted = new Map<string, FileChange>();
  for (const batch of inBatches(changes.filter(({ notCompared }) => notCompared === null))) {
    const isLate = performance.now() > end;
    const texts = isLate ? null : await textsOf(before, after, batch);
    for (const change of batch) {
      const timeoutMs = Math.min(FILE_MS, end - performance.now());
      const options = { context: 0, ignoreWhitespace: false, timeoutMs };
      const hunks = texts === null || timeoutMs <= 0 ? null : compareChange(change, texts, options);
      counted.set(change.path, {
        ...change,
        ...(hunks === null ? { notCompared: 'too-slow' as const } : countChanges(hunks)),
      });
    }
  }
  return changes.map((change) => counted.get(change.path) ?? change);
}

/** Lines of one comparison. A text has some thousand, unless it was made to have many. */
const MAX_LINES = 20_000;

/** The lines of two texts that differ, or why they are not compared. */
export function compareLines(before: string, after: string, options: CompareOptions): DiffHunk[] | NotCompared {
  const hunks = compareTexts(before, after, options);
  if (hunks === null) return 'too-slow';
  const lines = hunks.reduce((count, hunk) => count + hunk.lines.length, 0);
  return lines > MAX_LINES ? 'too-large' : hunks;
}

function* inBatches(changes: readonly FileChange[]): Generator<FileChange[]> {
  let batch: FileChange[] = [];
  let bytes = 0;
  for (const change of changes) {
    const size = (change.before?.size ?? 0) + (change.after?.size ?? 0);
    if (batch.length > 0 && bytes + size > BATCH_BYTES) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(change);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

interface Texts {
  before: ReadonlyMap<string, FileText>;
  after: ReadonlyMap<string, FileText>;
}

async function textsOf(before: string | undefined, after: string, changes: readonly FileChange[]): Promise<Texts> {
  const names = (side: 'before' | 'after') => changes.flatMap((change) => change[side]?.path ?? []);
  return {
    before: before === undefined ? new Map() : await readTexts(before, names('before'), BATCH_BYTES),
    after: await readTexts(after, names('after'), BATCH_BYTES),
  };
}

function compareChange({ path }: FileChange, { before, after }: Texts, options: CompareOptions): DiffHunk[] | null {
  return compareTexts(before.get(path)?.text ?? '', after.get(path)?.text ?? '', options);
}
