import { expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { blobFile, whileUnreadable } from '../support/blob-file.ts';
import { addon } from '../support/factories.ts';
import { png } from '../support/pictures.ts';

const app = setUpApp();

it('responds with 503 and Retry-After to requests for pictures while their files cannot be read', async () => {
  const { storeIcon } = await import('../support/picture-columns.ts');
  const icon = await storeIcon(await png(64, 64));
  const { id } = await addon(icon);
  const { icons } = (await app.anonymous.get(`/api/v4/addons/addon/${id}/`)).json as { icons: { 64: string } };
  const { etag = '' } = (await app.anonymous.get(icons[64])).headers;
  await whileUnreadable(blobFile(app.config.DATA_DIR, etag.replaceAll('"', '')), async () => {
    const reply = await app.anonymous.get(icons[64]);
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '10']);
  });
  expect((await app.anonymous.get(icons[64])).status).toBe(200);
});
