/* What readers of code see: tokens, formatted texts, known libraries. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { format } from '../../../src/package/code/format.ts';
import { highlight } from '../../../src/package/code/highlight.ts';
import { knownLibrary } from '../../../src/package/code/known-libraries.ts';

const MS = 60_000;

function inTime<Result>(result: Result | 'too-slow' | null): Result | null {
  if (result === 'too-slow') throw new Error('It took too long.');
  return result;
}

/** The tokens as texts, by line. */
const tokens = (path: string, text: string) =>
  inTime(highlight(path, text, MS))?.map((line, index) =>
    line.map(({ kind, start, end }) => `${kind} ${text.split('\n')[index]?.slice(start, end)}`),
  );

describe('the tokens of a text', () => {
  it('are found in scripts, also those of several lines', () => {
    expect(tokens('a.js', `const a = \`x\n\${b}\ny\`; /* <c>\nd */ f("&", 1)`)).toEqual([
      ['keyword const', 'string `x'],
      [],
      ['string y`', 'comment /* <c>'],
      ['comment d */', 'string "&"', 'number 1'],
    ]);
  });

  it('are found in style sheets, JSON and markup', () => {
    expect(tokens('a.css', 'a { color: #fff }')).toEqual([['keyword a', 'keyword color', 'number #fff']]);
    expect(tokens('a.json', '{"b": [true, "c"]}')).toEqual([['keyword "b"', 'keyword true', 'string "c"']]);
    expect(tokens('a.html', '<p id="b">&amp;<!-- c\nd --></p>')).toEqual([
      ['keyword p', 'keyword id', 'string "b"', 'number &amp;', 'comment <!-- c'],
      ['comment d -->', 'keyword p'],
    ]);
  });

  it.each(['a.txt', 'a', 'js', 'a.constructor', '.js/a'])('are not looked for in %s', (path) => {
    expect(highlight(path, 'const a = 1;', MS)).toBeNull();
  });

  it('are not found after the time', () => {
    expect(highlight('a.js', 'const a = `${'.repeat(40_000), 5)).toBe('too-slow');
  });
});

describe('the formatted text', () => {
  it('says where each line is in the file', () => {
    expect(format('a.js', 'var a=1;f(b)\n;', MS)).toEqual({
      text: 'var a = 1;\nf(b);\n',
      origins: [
        { line: 1, column: 1 },
        { line: 1, column: 9 },
      ],
    });
  });

  it('differs in white space alone', () => {
    const program = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8').slice(
      0,
      200_000,
    );
    const bare = (text: string) => text.replace(/\s+/g, '');
    const formatted = inTime(format('a.js', program, MS));
    expect(bare(formatted?.text ?? '')).toBe(bare(program));
    const lines = formatted?.text.split('\n') ?? [];
    const original = program.split('\n');
    for (const [index, origin] of (formatted?.origins ?? []).entries()) {
      const start = lines[index]?.trim().slice(0, 1) ?? '';
      if (origin !== null) expect(original[origin.line - 1]?.[origin.column - 1]).toBe(start);
    }
  });

  it('exists for style sheets and JSON', () => {
    expect(inTime(format('a.css', 'a{b:c}', MS))?.text).toBe('a {\n  b: c\n}\n');
    expect(inTime(format('a.json', '{"a":[{"b":1}]}', MS))?.text.split('\n').length).toBeGreaterThan(4);
  });

  it.each([
    ['a.html', '<p>'],
    ['a.txt', 'a'],
  ])('does not exist for %s', (path, text) => {
    expect(format(path, text, MS)).toBeNull();
  });

  it.each(['a ? : b(((', '"unterminated', '`${`${`', '/*', '<!-- a', '}}}}', '\u2028\ufeff\0a'])(
    'of a broken script has all of its characters, or does not exist: %s',
    (text) => {
      const formatted = inTime(format('a.js', text, MS));
      if (formatted !== null) expect(formatted.text.replace(/\s+/g, '')).toBe(text.replace(/\s+/g, ''));
    },
  );

  it('does not exist after the time', () => {
    expect(format('a.js', 'f(function(){'.repeat(40_000), 5)).toBe('too-slow');
  });
});

describe('the list of known libraries', () => {
  it('has the unchanged files of libraries that the linter knows', () => {
    expect(knownLibrary('ff1523fb7389539c84c65aba19260648793bb4f5e29329d2ee8804bc37a3fe6e')).toEqual({
      ...{ name: 'jquery', version: '3.6.0' },
    });
    expect(knownLibrary(createHash('sha256').update('a').digest('hex'))).toBeNull();
  });
});
