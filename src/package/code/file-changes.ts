/* What is known of two packages without reading them again. It imports no reader: the web process uses it. */
import type { DiffHunk } from './compare-texts.ts';
import type { KnownLibrary } from './known-libraries.ts';

/** Texts above this size are not shown or compared, in bytes. */
export const TEXT_BYTES = 512 * 1024;
/** Pictures above this size are not shown, in bytes. */
export const PICTURE_BYTES = 4 * 1024 * 1024;

/** A file of a package. `size` is in bytes, `sha256` in hex. */
export interface PackageFile {
  path: string;
  size: number;
  sha256: string;
  /** Whether its first bytes are those of a text. */
  isText: boolean;
  /** The published library of which it is an unchanged file. */
  library: KnownLibrary | null;
}

/** Why the lines of a changed file are not compared. */
export type NotCompared = 'binary' | 'too-large' | 'too-slow';

/** A file that two packages do not have in common. `before` or `after` is null for one that was added or deleted. */
export interface FileChange {
  path: string;
  kind: 'added' | 'deleted' | 'modified';
  before: PackageFile | null;
  after: PackageFile | null;
  /** Numbers of lines; null where lines are not compared. */
  additions: number | null;
  deletions: number | null;
  notCompared: NotCompared | null;
}

/** The files that two packages do not have in common, by path, without the numbers of their lines. */
export function changedFiles(before: readonly PackageFile[], after: readonly PackageFile[]): FileChange[] {
  const old = new Map(before.map((file) => [file.path, file]));
  const recent = new Map(after.map((file) => [file.path, file]));
  const paths = [...new Set([...old.keys(), ...recent.keys()])].sort();
  return paths.flatMap((path) => {
    const [one, other] = [old.get(path) ?? null, recent.get(path) ?? null];
    if (one?.sha256 === other?.sha256) return [];
    const kind = one === null ? 'added' : other === null ? 'deleted' : 'modified';
    const notCompared = whyNot(one, other);
    return [{ path, kind, before: one, after: other, additions: null, deletions: null, notCompared }];
  });
}

function whyNot(...files: (PackageFile | null)[]): NotCompared | null {
  const present = files.filter((file) => file !== null);
  if (present.some(({ isText }) => !isText)) return 'binary';
  return present.some(({ size }) => size > TEXT_BYTES) ? 'too-large' : null;
}

/** How many lines comparisons add and delete. */
export function countChanges(hunks: readonly DiffHunk[]): { additions: number; deletions: number } {
  const counts = { additions: 0, deletions: 0 };
  for (const { lines } of hunks) {
    for (const { kind } of lines) {
      if (kind === 'added') counts.additions += 1;
      if (kind === 'deleted') counts.deletions += 1;
    }
  }
  return counts;
}
