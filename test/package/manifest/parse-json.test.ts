import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonSyntaxError, parseJson } from '../../../src/package/manifest/parse-json.ts';

describe('parseJson', () => {
  it('reads every JSON value as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false, maxDepth: 4 }), (text) => {
        fc.pre(!text.includes('"__proto__"'));
        expect(JSON.stringify(parseJson(text, { duplicateKeys: 'last-wins' }))).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 500 },
    );
  });

  it('refuses what JSON.parse refuses, except comments and a byte order mark', () => {
    const piece = fc.constantFrom(
      ...'{}[],:"\\/0123456789.eE+- \n\tntrufals\u0000\u001f'.split(''),
      '"a":',
      '1.5e3',
      'true',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        fc.pre(!text.includes('//'));
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(() => parseJson(text, { duplicateKeys: 'last-wins' }), text).toThrow(JsonSyntaxError);
          return;
        }
        expect(JSON.stringify(parseJson(text, { duplicateKeys: 'last-wins' }))).toBe(JSON.stringify(expected));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['a byte order mark', '\uFEFF{"a": 1}'],
    ['a comment at the end of a line', '{"a": 1 // one\n}'],
    ['a comment on a line of its own', '// first\r\n{\r// second\n"a": 1}'],
    ['a comment as the last thing', '{"a": 1}\n// the end'],
    ['a comment between key and value', '{"a"//key\n://colon\n1//value\n}'],
  ])('accepts %s', (_what, text) => {
    expect({ ...(parseJson(text) as object) }).toEqual({ a: 1 });
  });

  it('reads two slashes in a string as text', () => {
    expect(parseJson('"https://example.org // no comment"')).toBe('https://example.org // no comment');
  });

  it.each([
    ['a repeated key', '{\n  "id": 1,\n  "id": 2\n}', 'Duplicate key at line 3, column 3'],
    ['a key repeated by an escape', '{"id": 1, "\\u0069d": 2}', 'Duplicate key at line 1, column 11'],
    ['a repeated key deep inside', '[{"a": {"b": 1, "b": 1}}]', 'Duplicate key at line 1, column 17'],
    ['__proto__', '{"__proto__": {}}', 'The key "__proto__" is not allowed at line 1, column 2'],
    ['__proto__ in escapes', '{"\\u005f_proto__": 1}', 'The key "__proto__" is not allowed at line 1, column 2'],
    ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`, 'More than 64 levels at line 1, column 65'],
    ['65 levels of objects', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, 'More than 64 levels at line 1, column 321'],
    ['a block comment', '/* no */ {}', 'Expected a value at line 1, column 1'],
    ['a comma too many', '{"a": 1,}', 'Expected a string at line 1, column 9'],
    ['a second byte order mark', '\uFEFF\uFEFF{}', 'Expected a value at line 1, column 2'],
    ['two values', '{} {}', 'Unexpected text after the end at line 1, column 4'],
    ['no colon', '{"a" 1}', 'Expected a colon at line 1, column 6'],
    ['no closing brace', '{"a": 1', 'Expected a comma or a closing brace at line 1, column 8'],
    ['no closing bracket', '[1 2]', 'Expected a comma or a closing bracket at line 1, column 4'],
    ['a line break in a string', '"a\nb"', 'Unterminated string at line 1, column 1'],
    ['an unknown escape', '"\\x41"', 'Invalid escape at line 1, column 2'],
    ['a cut escape', '"\\u00', 'Invalid escape at line 1, column 2'],
    ['nothing', '', 'Expected a value at line 1, column 1'],
    ['only a comment', '// nothing', 'Expected a value at line 1, column 11'],
    ['NaN', 'NaN', 'Expected a value at line 1, column 1'],
    ['a number with a leading zero', '01', 'Unexpected text after the end at line 1, column 2'],
  ])('refuses %s and names the place', (_what, text, message) => {
    expect(() => parseJson(text)).toThrow(new JsonSyntaxError(message.split(' at line')[0] ?? '', ...place(message)));
    expect(() => parseJson(text)).toThrow(message);
  });

  it('reads 64 levels', () => {
    expect(JSON.stringify(parseJson(`${'['.repeat(64)}${']'.repeat(64)}`))).toHaveLength(128);
  });

  it('uses the last of repeated keys, as browsers do', () => {
    expect({ ...(parseJson('{"a": 1, "a": 2}', { duplicateKeys: 'last-wins' }) as object) }).toEqual({ a: 2 });
  });

  it('creates objects without a prototype', () => {
    const value = parseJson('{"constructor": 1}') as Record<string, unknown>;
    expect(value.constructor).toBe(1);
    expect(value.toString).toBeUndefined();
    expect(Object.getPrototypeOf(value)).toBeNull();
  });

  it.each([
    ['brackets', '['.repeat(100_000)],
    ['digits', '9'.repeat(100_000)],
    ['backslashes', `"${'\\\\'.repeat(50_000)}`],
    ['open strings', '"'.repeat(100_000)],
    ['slashes', '/'.repeat(100_000)],
    ['commas', `[${','.repeat(100_000)}`],
    ['line breaks', '\n'.repeat(100_000)],
  ])('handles 100 kB of %s', (_what, text) => {
    try {
      parseJson(text);
    } catch (error) {
      expect(error).toBeInstanceOf(JsonSyntaxError);
    }
  });
});

function place(message: string): [number, number] {
  const [, line, column] = /line (\d+), column (\d+)$/.exec(message) ?? [];
  return [Number(line), Number(column)];
}
