import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { BZIP2 } from '../../support/raw-tar.ts';
import { rawZip } from '../../support/raw-zip.ts';
import { storedFiles } from '../../support/stored-files.ts';

const stored = storedFiles('');
let database: TestDatabase;
let requireListable: typeof import('../../../src/domain/sources/list-source.ts').requireListable;
let closePermanentPools: () => Promise<void>;

beforeAll(async () => {
  database = await createTestDatabase();
  ({ requireListable } = await import('../../../src/domain/sources/list-source.ts'));
  ({ closePermanentPools } = await import('../../../src/infra/process-pool/process-pool.ts'));
});
afterAll(async () => {
  await closePermanentPools();
  const { closeDatabase } = await import('../../../src/infra/db.ts');
  await closeDatabase();
  await database.drop();
});

/** One zero byte, whose code tables take some 10 to 200 µs to build. */
const ONE_BYTE = Buffer.from('425a6839314159265359b1f7404b00000040004000200021184682ee48a70a12163ee80960', 'hex');

/** A small archive, and zero bytes after its end that take more than half a minute on every machine. */
const slowArchive = () => stored(Buffer.concat([BZIP2, Buffer.alloc(ONE_BYTE.length * 4_000_000, ONE_BYTE)]));

it('slow archives of one account are refused one by one, and those of several do not delay other accounts', async () => {
  const [slow, quick] = [await slowArchive(), await stored(rawZip([{ name: 'a.js', content: 'tick();' }]))];
  const begun = performance.now();
  const first = requireListable(1, { path: slow, format: 'tar.bz2' });
  const others = Array.from({ length: 4 }, () => requireListable(1, { path: slow, format: 'tar.bz2' }));
  const colluding = [11, 12, 13].map((account) => requireListable(account, { path: slow, format: 'tar.bz2' }));
  const ended = Promise.allSettled([...others, ...colluding]);
  let isPending = true;
  const end = () => {
    isPending = false;
  };
  first.then(end, end);
  for (const account of [2, 3]) await requireListable(account, { path: quick, format: 'zip' });
  expect(isPending).toBe(true);
  await expect(first).rejects.toMatchObject({ reason: { code: 'source.too_slow', params: { seconds: 10 } } });
  expect(performance.now() - begun).toBeGreaterThan(9_000);
  await closePermanentPools();
  expect((await ended).every(({ status }) => status === 'rejected')).toBe(true);
}, 180_000);
