import { expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';

it('caches pictures per kind, and no failures', async () => {
  const database = await createTestDatabase();
  const { ICON_KIND: ICON, PERSONA_HEADER } = await import('../../../src/domain/pictures/picture-kinds.ts');
  const { PictureCache } = await import('../../../src/domain/transfer/stored-files.ts');
  const stored: string[] = [];
  const cache = new PictureCache(async (source, { kept: { width } }) => {
    stored.push(`${width} ${source}`);
    if (source === 'broken.png') throw new Error('broken');
    return { sha256: `${width} of ${source}`, width: 1, height: 1, renditions: [] };
  });

  expect(await cache.store('a.png', ICON)).toMatchObject({ sha256: '512 of a.png' });
  expect(await cache.store('a.png', ICON)).toMatchObject({ sha256: '512 of a.png' });
  expect(await cache.store('a.png', PERSONA_HEADER)).toMatchObject({ sha256: '100000 of a.png' });
  await expect(cache.store('broken.png', ICON)).rejects.toThrow('broken');
  await expect(cache.store('broken.png', ICON)).rejects.toThrow('broken');
  expect(stored).toEqual(['512 a.png', '100000 a.png', '512 broken.png', '512 broken.png']);
  await database.drop();
});
