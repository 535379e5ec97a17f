import { describe, expect, it } from 'vitest';
import { readExcerpts, type SourcePlace } from '../../src/package/source-excerpts.ts';
import { UNREADABLE } from '../support/hostile-archive.ts';
import { zip } from '../support/packages.ts';
import { rawZip } from '../support/raw-zip.ts';
import { storedFiles } from '../support/stored-files.ts';

const stored = storedFiles('.zip');
const at = (file: string, line: number, column: number | null = null): SourcePlace => ({ file, line, column });
const MB = 1024 * 1024;

/** Lines of one place as `number text`, with `…` for what is cut. */
async function excerptOf(content: string | Buffer, line: number, column: number | null = null) {
  const path = await stored(await zip({ 'a.js': content }));
  const [excerpt] = await readExcerpts(path, [at('a.js', line, column)]);
  return excerpt?.map(
    ({ number, text, cutBefore, cutAfter }) => `${number} ${cutBefore ? '…' : ''}${text}${cutAfter ? '…' : ''}`,
  );
}

describe('the lines around a place', () => {
  it.each<[string, string, number, string[] | undefined]>([
    ['in the middle', 'a\nb\nc\nd\ne\nf\ng', 4, ['2 b', '3 c', '4 d', '5 e', '6 f']],
    ['at the beginning', 'a\nb\nc\nd', 1, ['1 a', '2 b', '3 c']],
    ['at the end, without an empty last line', 'a\nb\nc\n', 3, ['1 a', '2 b', '3 c']],
    ['after the end', 'a\nb\n', 3, undefined],
    ['far after the end', 'a', 2 ** 31 - 1, undefined],
    ['before the beginning', 'a', 0, undefined],
    ['of an empty file', '', 1, ['1 ']],
    ['with the line breaks of ECMAScript', 'a\r\nb\rc\u2028d\u2029e\n\nf', 5, ['3 c', '4 d', '5 e', '6 ', '7 f']],
    ['without a byte order mark', '\ufeffa', 1, ['1 a']],
  ])('%s', async (_name, content, line, expected) => {
    expect(await excerptOf(content, line)).toEqual(expected);
  });

  it('are cut at 400 characters, the line of the place around its column', async () => {
    const long = `${'a'.repeat(1_000)}HERE${'b'.repeat(1_000)}`;
    expect(await excerptOf(`${long}\n${long}`, 2, 1_001)).toEqual([
      `1 ${'a'.repeat(400)}…`,
      `2 …${'a'.repeat(199)}HERE${'b'.repeat(197)}…`,
    ]);
    expect(await excerptOf(long, 1, 2_004)).toEqual([`1 …${'b'.repeat(400)}`]);
    expect(await excerptOf(long, 1, 2 ** 31 - 1)).toEqual([`1 …${'b'.repeat(400)}`]);
    expect(await excerptOf(long, 1, -7)).toEqual([`1 ${'a'.repeat(400)}…`]);
  });

  it('have no half characters, and U+FFFD for bytes that are no UTF-8', async () => {
    const [line] = (await excerptOf(`${'a'.repeat(399)}😀b`, 1)) ?? [];
    expect(line).toBe(`1 ${'a'.repeat(399)}\ufffd…`);
    expect(await excerptOf(Buffer.from([0x61, 0xe9, 0x62]), 1)).toEqual(['1 a\ufffdb']);
  });
});

describe('the excerpts of a package', () => {
  it('are in the order of the places, null outside text files', async () => {
    const files = { 'a.js': 'one', 'b/c.js': 'two', 'binary.js': Buffer.from([1, 0, 2]) };
    const path = await stored(await zip(files));
    const places = ['b/c.js', 'binary.js', 'none.js', 'a.js', 'b/', 'constructor', 'b/c.js'].map((file) => at(file, 1));
    const texts = (await readExcerpts(path, places)).map((excerpt) => excerpt?.[0]?.text ?? null);
    expect(texts).toEqual(['two', null, null, 'one', null, null, 'two']);
  });

  it('leave out files above 4 MB, and those after the first 16 MB', async () => {
    const large = { name: 'large.js', content: Buffer.alloc(4 * MB + 1, 'b\n') };
    const others = [1, 2, 3, 4, 5].map((name) => ({ name: `${name}.js`, content: Buffer.alloc(4 * MB, 'b\n') }));
    const path = await stored(rawZip([large, ...others]));
    const places = ['large.js', '1.js', '2.js', '3.js', '4.js', '5.js'].map((file) => at(file, 1_000_000));
    const found = (await readExcerpts(path, places)).map((excerpt) => excerpt?.length ?? null);
    expect(found).toEqual([null, 5, 5, 5, 5, null]);
  });

  it('are not read from a file that inflates to more than it states, or is no archive', async () => {
    const bomb = rawZip([{ name: 'a.js', content: 'x'.repeat(100_000), deflated: true, both: { size: 10 } }]);
    await expect(readExcerpts(await stored(bomb), [at('a.js', 1)])).rejects.toThrow('Invalid archive.');
    await expect(readExcerpts(await stored(Buffer.from('<xml/>')), [at('a.js', 1)])).rejects.toThrow(UNREADABLE);
  });
});
