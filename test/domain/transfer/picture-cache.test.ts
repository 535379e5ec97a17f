import { expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';

it('caches pictures per use, but not failures', async () => {
  const database = await createTestDatabase();
  const { PictureCache } = await import('../../../src/domain/transfer/stored-files.ts');
  const cache = new PictureCache();
  const calls: string[] = [];
  const icon = async (source: string) => {
    calls.push(source);
    if (source === 'broken.png') throw new Error('broken');
    return { sha256: `icon of ${source}` };
  };
  const header = async (source: string) => ({ sha256: `header of ${source}` });

  expect(await cache.keep('a.png', icon)).toEqual({ sha256: 'icon of a.png' });
  expect(await cache.keep('a.png', icon)).toEqual({ sha256: 'icon of a.png' });
  expect(await cache.keep('a.png', header)).toEqual({ sha256: 'header of a.png' });
  await expect(cache.keep('broken.png', icon)).rejects.toThrow('broken');
  await expect(cache.keep('broken.png', icon)).rejects.toThrow('broken');
  expect(calls).toEqual(['a.png', 'broken.png', 'broken.png']);
  await database.drop();
});
