/* The signing endpoints below /api/v5/, where tools send what the contract documents for v4. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { xpi } from '../support/packages.ts';

const app = setUpApp();
let dev: Client;

beforeAll(async () => {
  dev = await app.developer();
});

const ADDRESS = '/api/v5/addons/signed@v5.test/versions/1.0/';

describe('signing under v5', () => {
  it('takes a package, returns its state and the signed file, with addresses of v5', async () => {
    const upload = await xpi({ guid: 'signed@v5.test', version: '1.0' });
    const created = await dev.put(ADDRESS, { upload });
    expect(created.status).toBe(201);
    const { pk, url } = created.json as { pk: string; url: string };
    expect(url).toBe(`${app.url}${ADDRESS}uploads/${pk}/`);
    await app.runJobs();
    const state = await dev.get(ADDRESS);
    expect(state.status).toBe(200);
    const [file] = (state.json as { files: { signed: boolean; download_url: string }[] }).files;
    expect(file?.signed).toBe(true);
    expect(file?.download_url).toContain('/api/v5/file/');
    const downloaded = await dev.get(file?.download_url.slice(app.url.length) ?? '');
    expect([downloaded.status, downloaded.bytes.subarray(0, 2).toString()]).toEqual([200, 'PK']);
    const ofV4 = (await dev.get(ADDRESS.replace('v5', 'v4'))).text;
    expect(state.text).toBe(ofV4.replaceAll('/api/v4/', '/api/v5/'));
  });

  it('refuses with the bodies of v4', async () => {
    const requests: [string, string, () => Promise<Record<string, unknown>>][] = [
      ['PUT', 'signed@v5.test/versions/1.0', async () => ({ upload: await xpi({ guid: 'signed@v5.test' }) })],
      ['PUT', 'other@v5.test/versions/1.0', async () => ({})],
      ['PUT', 'other@v5.test/versions/2.0', async () => ({ upload: await xpi({ guid: 'other@v5.test' }) })],
    ];
    for (const [, path, form] of requests) {
      const [v4, v5] = [
        await dev.put(`/api/v4/addons/${path}/`, (await form()) as never),
        await dev.put(`/api/v5/addons/${path}/`, (await form()) as never),
      ];
      expect([path, v5.status, v5.text]).toEqual([path, v4.status, v4.text]);
      expect(v5.json).toHaveProperty('error');
    }
    const anonymous = await app.anonymous.get(ADDRESS);
    expect([anonymous.status, anonymous.text]).toEqual([
      401,
      (await app.anonymous.get(ADDRESS.replace('v5', 'v4'))).text,
    ]);
  });
});
