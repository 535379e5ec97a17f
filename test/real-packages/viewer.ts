/* Real packages in the functions behind the pages of code. */
import { isUtf8 } from 'node:buffer';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareLines, countLines } from '../../src/package/code/compare-packages.ts';
import { changedFiles, countChanges, type PackageFile } from '../../src/package/code/file-changes.ts';
import { format } from '../../src/package/code/format.ts';
import { highlight } from '../../src/package/code/highlight.ts';
import { listFiles, readTexts } from '../../src/package/code/package-files.ts';
import { linesOf } from '../../src/package/code/text-lines.ts';
import { readEntries } from '../../src/package/zip/read-entries.ts';
import { runProgram } from '../clients/client.ts';
import { zip } from '../support/packages.ts';
import { unifiedDiff } from '../support/unified-diff.ts';

/** The time that the pages of code have for a file. */
const TIMES = { highlight: 1_000, format: 4_000 };
const COMPARISON = { context: 3, ignoreWhitespace: false, timeoutMs: 240_000 };

/** A text that differs in every part of it: some lines are deleted, some changed, some added. */
function changedText(text: string): string {
  const lines = text.split('\n').flatMap((line, index) => {
    if (index % 11 === 3) return [];
    if (index % 7 === 5) return [`${line} changed`];
    return index % 13 === 8 ? [line, 'added'] : [line];
  });
  return `first\n${lines.join('\n')}`;
}

const bare = (text: string): string => text.replace(/\s+/g, '');

/** More than a package has. */
const MAX_BYTES = 2 ** 30;

/** What is wrong with a highlighted and formatted text. */
function problemsOf(path: string, text: string): string[] {
  const problems: string[] = [];
  const lines = linesOf(text);
  const tokenLines = highlight(path, text, TIMES.highlight);
  for (const [index, tokens] of (Array.isArray(tokenLines) ? tokenLines : []).entries()) {
    let at = 0;
    for (const { start, end } of tokens) {
      if (start < at || end <= start || end > (lines[index]?.length ?? 0))
        problems.push(`${path}: a token of line ${index + 1}`);
      at = end;
    }
  }
  const formatted = format(path, text, TIMES.format);
  if (formatted !== null && formatted !== 'too-slow' && bare(formatted.text) !== bare(text))
    problems.push(`${path}: the formatted text`);
  return problems;
}

/** A package whose files are read. */
interface Opened {
  path: string;
  files: PackageFile[];
  /** Bytes of each file, and the texts as they are shown. */
  bytes: ReadonlyMap<string, Buffer>;
  texts: ReadonlyMap<string, string>;
}

async function open(path: string): Promise<Opened> {
  const files = await listFiles(path, 'package');
  const limits = { fileBytes: MAX_BYTES, totalBytes: MAX_BYTES };
  const bytes = await readEntries(path, new Set(files.map((file) => file.path)), limits);
  const shown = files.filter(({ isText }) => isText).map((file) => file.path);
  const texts = await readTexts(path, shown, MAX_BYTES);
  return { path, files, bytes, texts: new Map([...texts].map(([name, { text }]) => [name, text])) };
}

/**
 * Opens each file of a package and compares it with a changed copy, and with the `other` package of the add-on, if there is one. Returns what is
 * wrong: a text that does not become the other one when Git applies the comparison, wrong tokens, a formatted text with other characters,
 * an unlisted change.
 */
export async function viewPackage(
  path: string,
  other: string | null,
  folder: string,
): Promise<{ problems: string[]; summary: string }> {
  const work = await mkdtemp(join(folder, 'viewer-'));
  const shown = await open(path);
  const problems = [...shown.texts].flatMap(([name, text]) => problemsOf(name, text));
  const contents = [...shown.bytes].map(([name, bytes]) => {
    const text = shown.texts.get(name);
    return [name, text === undefined ? bytes : changedText(text)];
  });
  const copy = join(work, 'copy.xpi');
  await writeFile(copy, await zip(Object.fromEntries(contents)));
  const copied = await comparison(shown, await open(copy), join(work, 'copy'));
  if (copied.changed !== shown.texts.size)
    problems.push(`${copied.changed} files differ instead of ${shown.texts.size}`);
  const real = other === null ? null : await comparison(await open(other), shown, join(work, 'other'));
  return {
    problems: [...problems, ...copied.problems, ...(real?.problems ?? [])],
    summary: `${shown.files.length} files, ${shown.texts.size} texts; ${copied.summary} from the changed copy; ${
      real === null ? 'no other version' : `${real.summary} from the other version`
    }`,
  };
}

interface Comparison {
  problems: string[];
  /** Number of files that differ. */
  changed: number;
  summary: string;
}

/** Compares two packages as pages do, and has Git change the files of the first one by it. */
async function comparison(before: Opened, after: Opened, folder: string): Promise<Comparison> {
  const changes = await countLines(before.path, after.path, changedFiles(before.files, after.files));
  const problems = unlisted(before, after, new Set(changes.map(({ path }) => path)));
  const patches: string[] = [];
  const applied = new Map<string, { path: string; expected: Buffer }>();
  let large = 0;
  await mkdir(folder);
  for (const [index, change] of changes.entries()) {
    const { path } = change;
    if (change.notCompared === 'binary' || change.notCompared === 'too-large') continue;
    const [old, recent] = [sideOf(before, path), sideOf(after, path)];
    const hunks = compareLines(old.text, recent.text, COMPARISON);
    if (hunks === 'too-large') {
      large += 1;
      continue;
    }
    if (typeof hunks === 'string') {
      problems.push(`${path}: ${hunks}`);
      continue;
    }
    const { additions, deletions } = countChanges(hunks);
    if (change.notCompared === null && (change.additions !== additions || change.deletions !== deletions))
      problems.push(
        `${path}: ${change.additions} and ${change.deletions} lines differ instead of ${additions} and ${deletions}`,
      );
    // Git would not create or delete a file without hunks, such as an empty one.
    if (hunks.length === 0 && !old.bytes.equals(recent.bytes)) continue;
    await writeFile(join(folder, `${index}`), old.bytes);
    patches.push(unifiedDiff(`${index}`, hunks));
    applied.set(`${index}`, { path, expected: recent.bytes });
  }
  problems.push(...(await appliedProblems(folder, patches, applied)));
  const late = changes.filter(({ notCompared }) => notCompared === 'too-slow').length;
  const summary = `${applied.size} of ${changes.length} differences applied, ${large} too large, lines of ${late} not counted in time`;
  return { problems, changed: changes.filter(({ path }) => before.texts.has(path)).length, summary };
}

/** The text of a file as it is shown, and its bytes: in UTF-8 and without a byte order mark, which is no part of the text. */
function sideOf({ bytes, texts }: Opened, path: string): { text: string; bytes: Buffer } {
  const text = texts.get(path) ?? '';
  const own = bytes.get(path) ?? Buffer.alloc(0);
  if (!isUtf8(own)) return { text, bytes: Buffer.from(text) };
  return { text, bytes: own.subarray(own.toString('latin1', 0, 3) === '\xef\xbb\xbf' ? 3 : 0) };
}

/** Files with other bytes that are not in the list of changes. */
function unlisted(before: Opened, after: Opened, listed: ReadonlySet<string>): string[] {
  const isSame = (path: string) => before.bytes.get(path)?.equals(after.bytes.get(path) ?? Buffer.alloc(0)) ?? false;
  const paths = new Set([...before.bytes.keys(), ...after.bytes.keys()]);
  return [...paths].filter((path) => isSame(path) === listed.has(path)).map((path) => `${path}: not listed correctly`);
}

/** Applies comparisons to the files of a folder, and compares them byte for byte with what they should be. */
async function appliedProblems(
  folder: string,
  patches: readonly string[],
  expected: ReadonlyMap<string, { path: string; expected: Buffer }>,
): Promise<string[]> {
  if (patches.length === 0) return [];
  await writeFile(join(folder, 'patch'), patches.join(''));
  const apply = ['apply', '--whitespace=nowarn', 'patch'];
  const { exitCode, output } = await runProgram('git', apply, { cwd: folder });
  if (exitCode !== 0) return [output];
  const problems: string[] = [];
  for (const [name, file] of expected) {
    const applied = await readFile(join(folder, name));
    if (!applied.equals(file.expected)) problems.push(`${file.path}: the applied comparison`);
  }
  return problems;
}
