import type { DiffHunk } from '../../package/code/compare-texts.ts';
import {
  changedFiles,
  countChanges,
  type FileChange,
  type NotCompared,
  type PackageFile,
} from '../../package/code/file-changes.ts';
import { CutResult, readKept } from './kept-results.ts';
import { type LineOptions, packageArchive, packageFiles, runCode } from './read-code.ts';
import { formattedText, type ShownText, shownText } from './shown-text.ts';

/** A changed file with its lines. `before` and `after` have the compared texts. */
export interface ComparedFile {
  change: FileChange;
  hunks: DiffHunk[];
  before: ShownText | null;
  after: ShownText | null;
  isFormatted: boolean;
}

/** The lines of a file that differ in two packages; null for a file that does not. Without a path, the first one. @throws as `readKept` does. */
export async function comparedFile(
  before: string,
  after: string,
  path: string | null,
  { isFormatted, ...options }: LineOptions & { isFormatted: boolean },
): Promise<ComparedFile | null> {
  const file = path ?? (await firstComparedPath(before, after));
  if (file === null) return null;
  const [old, recent] = [await namedFile(before, file), await namedFile(after, file)];
  const [change] = changedFiles(old === null ? [] : [old], recent === null ? [] : [recent]);
  if (change === undefined) return null;
  const replaced = { change, hunks: [], before: null, after: null, isFormatted: false };
  if (change.notCompared !== null) return replaced;
  const texts = {
    before: old && (await shownText(packageArchive(before), old)),
    after: recent && (await shownText(packageArchive(after), recent)),
  };
  const formatted = isFormatted ? await bothFormatted(texts) : null;
  const compared = formatted ?? texts;
  const key = ['lines', old?.sha256, recent?.sha256, file, formatted !== null, options];
  const hunks = await readKept<DiffHunk[] | NotCompared>(key, async () => {
    const sides = { before: compared.before?.text ?? '', after: compared.after?.text ?? '' };
    const result = await runCode<DiffHunk[] | NotCompared>({ kind: 'lines', ...sides, options });
    return result === 'too-slow' ? new CutResult(result) : result;
  });
  if (typeof hunks === 'string') return { ...replaced, change: { ...change, notCompared: hunks } };
  return { ...compared, change: { ...change, ...countChanges(hunks) }, hunks, isFormatted: formatted !== null };
}

/**
 * The path of the first file whose lines are compared, by path, without unchanged files of libraries; null without one.
 * @throws as `readKept` does.
 */
async function firstComparedPath(before: string, after: string): Promise<string | null> {
  const changes = changedFiles(await packageFiles(before), await packageFiles(after));
  return (
    changes.find((change) => change.notCompared === null && (change.after?.library ?? null) === null)?.path ?? null
  );
}

async function namedFile(sha256: string, file: string): Promise<PackageFile | null> {
  return (await packageFiles(sha256)).find(({ path }) => path === file) ?? null;
}

type Texts = Pick<ComparedFile, 'before' | 'after'>;

/** Null unless both texts are formatted. */
async function bothFormatted({ before, after }: Texts): Promise<Texts | null> {
  const [old, recent] = [before && (await formattedText(before)), after && (await formattedText(after))];
  const isMissing = (before !== null && old === null) || (after !== null && recent === null);
  return isMissing ? null : { before: old, after: recent };
}
