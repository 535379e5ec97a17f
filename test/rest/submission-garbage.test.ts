/* Garbage in every parameter of the reads of API v5 (submission API) that need credentials. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon } from '../support/factories.ts';
import { garbageRequests, privateReads } from '../support/garbage.ts';

let app: TestApp;
let author: Client;

beforeAll(async () => {
  app = await startApp();
  author = await app.developer();
  await addon({ slug: 'full', authors: [author.accountId ?? 0] });
});
afterAll(() => app.close());

const NAMES = { addon: 'full', version_ref: '1.0', uuid: 'f'.repeat(32) };

it.each(privateReads('v5'))('garbage in any parameter of $template gets a documented response', async (each) => {
  for (const { path, parameter, what } of garbageRequests(each, 'v5', NAMES)) {
    const { status } = await author.get(path);
    expect([parameter, what, [200, 400, 404].includes(status)]).toEqual([parameter, what, true]);
  }
});
