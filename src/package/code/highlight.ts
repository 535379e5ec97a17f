/* Tokens of a text by line. The library returns markup in which tokens nest and span lines. */
import hljs from 'highlight.js/lib/core';
import css from 'highlight.js/lib/languages/css';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import xml from 'highlight.js/lib/languages/xml';
import { fileType } from './file-type.ts';
import type { TokenKind, TokenRange } from './text-lines.ts';
import { type TooSlow, withinTime } from './within-time.ts';

for (const [name, language] of Object.entries({ javascript, css, json, xml })) hljs.registerLanguage(name, language);

/** What the classes of the library are; others, such as the names of functions, are plain text. */
const KINDS: Readonly<Record<string, TokenKind | null>> = {
  ...{ keyword: 'keyword', meta: 'keyword', name: 'keyword', 'selector-tag': 'keyword' },
  ...{ attr: 'keyword', attribute: 'keyword' },
  ...{ string: 'string', regexp: 'string', link: 'string' },
  ...{ comment: 'comment', doctag: 'comment', quote: 'comment' },
  ...{ number: 'number', literal: 'number', symbol: 'number' },
  // The code in a template string.
  subst: null,
};

const PIECES = /<span class="(?:hljs-)?([^" ]*)[^"]*">|<\/span>|&(?:amp|lt|gt|quot|#x27);|[^<&]+/g;

/**
 * The tokens of each line, of the type that the name of the file declares. Null for files of no such type; `too-slow` when it takes longer
 * than `timeoutMs`.
 */
export function highlight(path: string, text: string, timeoutMs: number): TokenRange[][] | TooSlow | null {
  const language = fileType(path);
  if (language === null) return null;
  const markup = withinTime(timeoutMs, () => hljs.highlight(text, { language, ignoreIllegals: true }).value);
  return markup === null || markup === 'too-slow' ? markup : tokensIn(markup);
}

function tokensIn(markup: string): TokenRange[][] {
  let line: TokenRange[] = [];
  const lines = [line];
  const open: (TokenKind | null)[] = [];
  let at = 0;
  for (const [piece, name] of markup.matchAll(PIECES)) {
    if (name !== undefined) {
      open.push(Object.hasOwn(KINDS, name) ? (KINDS[name] ?? null) : (open.at(-1) ?? null));
    } else if (piece === '</span>') {
      open.pop();
    } else {
      const kind = open.at(-1) ?? null;
      for (const [index, part] of (piece[0] === '&' ? ['&'] : piece.split('\n')).entries()) {
        if (index > 0) {
          line = [];
          lines.push(line);
          at = 0;
        }
        if (kind !== null && part !== '') extend(line, { kind, start: at, end: at + part.length });
        at += part.length;
      }
    }
  }
  return lines;
}

/** Adds a token, to the one before it if they are of one kind and adjoin. */
function extend(line: TokenRange[], token: TokenRange): void {
  const last = line.at(-1);
  if (last?.kind === token.kind && last.end === token.start) last.end = token.end;
  else line.push(token);
}
