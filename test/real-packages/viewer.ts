/* Real packages in the functions behind the pages of code. */
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareLines, countLines } from '../../src/package/code/compare-packages.ts';
import { changedFiles } from '../../src/package/code/file-changes.ts';
import { format } from '../../src/package/code/format.ts';
import { highlight } from '../../src/package/code/highlight.ts';
import { listFiles, readFileBytes, readFileText } from '../../src/package/code/package-files.ts';
import { linesOf } from '../../src/package/code/text-lines.ts';
import { runProgram } from '../clients/client.ts';
import { zip } from '../support/packages.ts';
import { unifiedDiff } from '../support/unified-diff.ts';

const TIMES = { highlight: 10_000, format: 20_000 };
const COMPARISON = { context: 3, ignoreWhitespace: false, timeoutMs: 60_000 };

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

const wholeFile = async (path: string, name: string): Promise<Buffer> =>
  (await readFileBytes(path, 'package', name, MAX_BYTES)) ?? Buffer.alloc(0);

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

/**
 * Opens each file of the package at `path` and compares it with a changed copy. Returns what is wrong: a text that does not become that of
 * the copy when Git applies the comparison, wrong tokens, a formatted text with other characters, an unlisted change.
 */
export async function viewPackage(path: string, folder: string): Promise<{ problems: string[]; summary: string }> {
  const problems: string[] = [];
  const work = await mkdtemp(join(folder, 'viewer-'));
  const copy = join(work, 'copy.xpi');
  const files = await listFiles(path, 'package');
  const texts = new Map<string, string>();
  const contents: Record<string, string | Buffer> = {};
  for (const file of files) {
    const text = file.isText ? ((await readFileText(path, 'package', file.path))?.text ?? null) : null;
    if (text !== null) texts.set(file.path, text);
    contents[file.path] = text === null ? await wholeFile(path, file.path) : changedText(text);
    if (text !== null) problems.push(...problemsOf(file.path, text));
  }
  await writeFile(copy, await zip(contents));
  const changes = changedFiles(files, await listFiles(copy, 'package'));
  const counted = await countLines(path, copy, changes);
  if (counted.length !== texts.size) problems.push(`${counted.length} files differ instead of ${texts.size}`);
  problems.push(...(await appliedProblems(join(work, 'applied'), texts)));
  const late = counted.filter(({ notCompared }) => notCompared === 'too-slow').length;
  return { problems, summary: `${files.length} files, ${texts.size} texts, lines of ${late} not counted in time` };
}

/** Applies the comparison of each text with its changed copy. */
async function appliedProblems(folder: string, texts: ReadonlyMap<string, string>): Promise<string[]> {
  await mkdir(folder);
  const patches: string[] = [];
  const names = [...texts.keys()];
  for (const [index, text] of [...texts.values()].entries()) {
    const hunks = compareLines(text, changedText(text), COMPARISON);
    if (typeof hunks === 'string') return [`${names[index]}: ${hunks}`];
    await writeFile(join(folder, `${index}`), text);
    patches.push(unifiedDiff(`${index}`, hunks));
  }
  await writeFile(join(folder, 'patch'), patches.join(''));
  const { exitCode, output } = await runProgram('git', ['apply', '--whitespace=nowarn', 'patch'], { cwd: folder });
  if (exitCode !== 0) return [output];
  const problems: string[] = [];
  for (const [index, text] of [...texts.values()].entries()) {
    const applied = await readFile(join(folder, `${index}`), 'utf8');
    if (applied !== changedText(text).toWellFormed()) problems.push(`${names[index]}: the applied comparison`);
  }
  return problems;
}
