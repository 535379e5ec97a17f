import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { hostileForms } from '../support/hostile-forms.ts';
import { xpi } from '../support/packages.ts';

let app: TestApp;
let dev: Client;
let upload: Buffer;

beforeAll(async () => {
  app = await startApp();
  dev = await app.developer();
  upload = await xpi({ guid: 'hostile@forms.test', version: '1.0' });
});
afterAll(() => app.close());

describe('a hostile form', () => {
  it('comes in at least twenty kinds', () => {
    expect(hostileForms(upload).length).toBeGreaterThanOrEqual(20);
  });

  it.each(hostileForms(Buffer.from('package')).map(({ name }, index) => [name, index] as const))(
    'is refused: %s',
    async (_name, index) => {
      const form = hostileForms(upload)[index];
      if (form === undefined) throw new Error('no such form');
      const reply = await dev.request('PUT', '/api/v4/addons/hostile@forms.test/versions/1.0/', form);
      expect([reply.status, reply.json]).toEqual([400, { error: form.error }]);
      expect(await staged()).toEqual([]);
    },
  );

  it('harms neither the process nor the next upload', async () => {
    const reply = await dev.put('/api/v4/addons/hostile@forms.test/versions/1.0/', { upload });
    expect(reply.status).toBe(201);
    expect(await staged()).toEqual([]);
  });
});

/** What lies in staging: nothing, whenever a request has been answered. */
const staged = () => readdir(`${app.config.DATA_DIR}/staging`);
