/* Minified code in lines and with indents. Only white space changes, which is checked, so each line has a place in the original. */
import beautify from 'js-beautify';
import { fileType } from './file-type.ts';
import { linesOf, type TextPosition } from './text-lines.ts';
import { type TooSlow, withinTime } from './within-time.ts';

export interface FormattedText {
  text: string;
  /** Where the first character of each line is in the original that is no white space; null for lines of white space. */
  origins: (TextPosition | null)[];
}

const OPTIONS = { indent_size: 2, max_preserve_newlines: 2, end_with_newline: true, preserve_newlines: true } as const;

/**
 * A script, style sheet or JSON file as `path` declares, formatted. Null for other files, and when more than white space would change;
 * `too-slow` when it takes longer than `timeoutMs`.
 */
export function format(path: string, text: string, timeoutMs: number): FormattedText | TooSlow | null {
  const type = fileType(path);
  if (type === null || type === 'xml') return null;
  const run = type === 'css' ? () => beautify.css(text, OPTIONS) : () => beautify.js(text, OPTIONS);
  const formatted = withinTime(timeoutMs, run);
  if (formatted === null || formatted === 'too-slow') return formatted;
  const origins = originsOf(text, formatted);
  return origins === null ? null : { text: formatted, origins };
}

const isSpace = (character: string): boolean => /\s/.test(character);

function originsOf(text: string, formatted: string): FormattedText['origins'] | null {
  const origins: FormattedText['origins'] = [];
  let [at, line, lineStart] = [0, 1, 0];
  const skipSpace = () => {
    while (at < text.length && isSpace(text[at] as string)) {
      if (text[at] === '\n') [line, lineStart] = [line + 1, at + 1];
      at++;
    }
  };
  for (const formattedLine of linesOf(formatted)) {
    let origin: TextPosition | null = null;
    for (const character of formattedLine.split('')) {
      if (isSpace(character)) continue;
      skipSpace();
      if (text[at] !== character) return null;
      origin ??= { line, column: at - lineStart + 1 };
      at++;
    }
    origins.push(origin);
  }
  skipSpace();
  return at === text.length ? origins : null;
}
