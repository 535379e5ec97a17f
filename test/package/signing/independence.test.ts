import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../../../src/package/signing/verify');

it('the second implementation imports nothing that signs, and no ASN.1 or CBOR library', async () => {
  const imported = new Set<string>();
  for (const file of await readdir(folder)) {
    const source = await readFile(join(folder, file), 'utf8');
    for (const [, from = ''] of source.matchAll(/from '([^']+)'/g)) imported.add(from);
  }
  const foreign = [...imported].filter((from) => !from.startsWith('node:') && !from.startsWith('./'));
  expect(foreign.sort()).toEqual(['../../../errors.ts', ...['../../zip/read-zip.ts', '../../zip/zip-archive.ts']]);
});
