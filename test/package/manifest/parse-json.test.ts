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

  it('refuses what JSON.parse refuses, comments and the byte order mark aside', () => {
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

  it('takes two slashes inside a string for text', () => {
    expect(parseJson('"https://example.org // no comment"')).toBe('https://example.org // no comment');
  });

  it.each([
    ['a repeated key', '{\n  "id": 1,\n  "id": 2\n}'],
    ['a key repeated by an escape', '{"id": 1, "\\u0069d": 2}'],
    ['a repeated key deep inside', '[{"a": {"b": 1, "b": 1}}]'],
    ['__proto__', '{"__proto__": {}}'],
    ['__proto__ in escapes', '{"\\u005f_proto__": 1}'],
    ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`],
    ['65 levels of objects', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`],
    ['a block comment', '/* no */ {}'],
    ['a comma too many', '{"a": 1,}'],
    ['a second byte order mark', '\uFEFF\uFEFF{}'],
    ['two values', '{} {}'],
    ['no colon', '{"a" 1}'],
    ['no closing brace', '{"a": 1'],
    ['no closing bracket', '[1 2]'],
    ['a line break in a string', '"a\nb"'],
    ['an unknown escape', '"\\x41"'],
    ['a cut escape', '"\\u00'],
    ['nothing', ''],
    ['only a comment', '// nothing'],
    ['NaN', 'NaN'],
    ['a number with a leading zero', '01'],
  ])('refuses %s', (_what, text) => {
    expect(() => parseJson(text)).toThrow(JsonSyntaxError);
  });

  it('reads 64 levels', () => {
    expect(JSON.stringify(parseJson(`${'['.repeat(64)}${']'.repeat(64)}`))).toHaveLength(128);
  });

  it('lets the last of repeated keys win where browsers do', () => {
    expect({ ...(parseJson('{"a": 1, "a": 2}', { duplicateKeys: 'last-wins' }) as object) }).toEqual({ a: 2 });
  });

  it('makes objects that inherit nothing', () => {
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
    ['escapes in an open string', `"${'\\"'.repeat(500_000)}`],
    ['an open string', `"${'a'.repeat(1_000_000)}`],
    ['keys', `{${'"a":1,'.repeat(150_000)}`],
  ])('handles a lot of %s', (_what, text) => {
    try {
      parseJson(text);
    } catch (error) {
      expect(error).toBeInstanceOf(JsonSyntaxError);
    }
  });
});
