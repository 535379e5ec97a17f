/* Texts of packages as people read them: as they are or formatted, with the tokens of their lines. */

import type { PackageFile } from '../../package/code/file-changes.ts';
import { fileType } from '../../package/code/file-type.ts';
import type { FormattedText } from '../../package/code/format.ts';
import type { FileText } from '../../package/code/package-files.ts';
import { countLinesOf, lineStart, type TokenRange } from '../../package/code/text-lines.ts';
import type { TooSlow } from '../../package/code/within-time.ts';
import { readKept, unlessTooSlow } from './kept-results.ts';
import { archiveText, type CodeArchive, runCode } from './read-code.ts';

/** Numbers of lines, from 1. */
export interface LineRange {
  first: number;
  last: number;
}

/** A text of a package as it is shown: its own, or a formatted one. */
export interface ShownText extends FileText {
  file: PackageFile;
  /** Where the lines of a formatted text begin in the original. */
  origins: FormattedText['origins'] | null;
  /** Lines of the original of a formatted text. */
  originalLineCount: number;
}

/** The text of a file of an archive; null for one that is no text or is too large. @throws as `readKept` does. */
export async function shownText(archive: CodeArchive, file: PackageFile): Promise<ShownText | null> {
  const read = file.isText ? await archiveText(archive, file.path) : null;
  return read && { ...read, file, origins: null, originalLineCount: 0 };
}

/** The text in lines with indents; null if it cannot be formatted. @throws as `readKept` does. */
export async function formattedText(shown: ShownText): Promise<ShownText | null> {
  const { file, text } = shown;
  const type = fileType(file.path);
  if (type === null || type === 'xml') return null;
  const formatted = await readKept<FormattedText | null>(['format', file.sha256, file.path], async () =>
    unlessTooSlow(await runCode<FormattedText | TooSlow | null>({ kind: 'format', file: file.path, text })),
  );
  return formatted && { ...shown, ...formatted, originalLineCount: countLinesOf(text) };
}

/**
 * Which lines of the original belong to the line of a formatted text with this index; null for lines that continue one, and for other texts.
 * Each line of the original belongs to one line of the formatted text: the first one from its origin on, or else to the one before.
 */
export function originLinesOf({ origins, originalLineCount }: ShownText, index: number): LineRange | null {
  const origin = origins?.[index] ?? null;
  if (origins === null || origin === null) return null;
  let before = index - 1;
  while (before >= 0 && origins[before] === null) before--;
  if (origins[before]?.line === origin.line) return null;
  let after = index + 1;
  while (after < origins.length && (origins[after] ?? origin).line === origin.line) after++;
  // Lines of white space at the start belong to the first line with text.
  const first = before < 0 ? 1 : origin.line;
  return { first, last: (origins[after]?.line ?? originalLineCount + 1) - 1 };
}

/** Characters of the lines of one page that are highlighted. */
const HIGHLIGHTED = 120_000;

/**
 * The tokens of `count` lines of a text from the line with the index `from`, in their order; null when they are not highlighted, because
 * that is not possible for the file, would be too much, or takes too long. @throws as `readKept` does.
 */
export async function tokensOf(
  { file, text, origins }: ShownText,
  from: number,
  count: number,
): Promise<TokenRange[][] | null> {
  if (fileType(file.path) === null) return null;
  const end = lineStart(text, from + count);
  const shown = text.slice(lineStart(text, from), end);
  if (shown.length - countLinesOf(shown) > HIGHLIGHTED) return null;
  const name = ['tokens', file.sha256, file.path, origins !== null, from, count];
  return readKept(name, async () =>
    unlessTooSlow(
      await runCode<TokenRange[][] | TooSlow | null>({
        kind: 'tokens',
        file: file.path,
        text: text.slice(0, end),
        from,
      }),
    ),
  );
}
