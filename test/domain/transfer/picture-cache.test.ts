import { expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';

it('caches pictures per kind, and no failures', async () => {
  const database = await createTestDatabase();
  const { ICON, PERSONA_HEADER } = await import('../../../src/domain/pictures/picture-kinds.ts');
  const { PictureCache } = await import('../../../src/domain/transfer/stored-files.ts');
  const stored: string[] = [];
  const cache = new PictureCache(async (source, { noun }) => {
    stored.push(`${noun} ${source}`);
    if (source === 'broken.png') throw new Error('broken');
    return { sha256: `${noun} of ${source}`, width: 1, height: 1, renditions: [] };
  });

  expect(await cache.store('a.png', ICON)).toMatchObject({ sha256: 'Icons of a.png' });
  expect(await cache.store('a.png', ICON)).toMatchObject({ sha256: 'Icons of a.png' });
  expect(await cache.store('a.png', PERSONA_HEADER)).toMatchObject({ sha256: 'Images of a.png' });
  await expect(cache.store('broken.png', ICON)).rejects.toThrow('broken');
  await expect(cache.store('broken.png', ICON)).rejects.toThrow('broken');
  expect(stored).toEqual(['Icons a.png', 'Images a.png', 'Icons broken.png', 'Icons broken.png']);
  await database.drop();
});
