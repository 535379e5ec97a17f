import { expect, it } from 'vitest';
import type { PackageFile } from '../../../src/package/code/file-changes.ts';
import { scriptPortions } from '../../../src/package/code/script-calls.ts';

const KB = 1024;
const file = (path: string, size: number, library: PackageFile['library'] = null): PackageFile => ({
  ...{ path, size, library },
  sha256: '',
  isText: true,
});

it('divides scripts without known libraries into portions of at most 1 MB, and a larger one is alone', () => {
  const files = [
    file('a.js', 600 * KB),
    file('a.css', 10),
    file('b.mjs', 424 * KB),
    file('c.js', 1),
    file('jquery.js', 90 * KB, { name: 'jquery', version: '3.7.1' }),
    file('d.js', 3_000 * KB),
    file('e.js', 1),
  ];
  expect(scriptPortions(files)).toEqual([['a.js', 'b.mjs'], ['c.js'], ['d.js'], ['e.js']]);
  expect(scriptPortions([file('manifest.json', 10)])).toEqual([]);
});
