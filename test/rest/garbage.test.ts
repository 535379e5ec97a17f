import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import type { Reply } from '../support/client.ts';
import { addon, type MadeAddon } from '../support/factories.ts';
import {
  type CatalogueRead,
  catalogueReads,
  type GarbageRequest,
  garbageRequests,
  goodRequest,
} from '../support/garbage.ts';

let app: TestApp;
let pack: MadeAddon;

beforeAll(async () => {
  app = await startApp();
  const featured = [{ app: 'desktop_browser' }];
  pack = await addon({ guid: 'made@example', slug: 'pack', type: 'language', targetLocale: 'de', featured });
  await addon({ featured, tags: ['a'] });
  const { db } = await import('../../src/infra/db.ts');
  await db.compatOverride.create({ data: { guid: 'made@example', name: 'Made' } });
  await db.replacement.create({ data: { guid: 'old@example', guids: ['made@example'] } });
});
afterAll(() => app.close());

const names = () => ({ addon: 'pack', version_id: String(pack.versions[0]?.id) });
const READS = catalogueReads('v4');

/** 200; 400 that blames one parameter; 404 for what names a thing that is not there. */
function expectDocumented(read: CatalogueRead, { parameter, what, path }: GarbageRequest, reply: Reply): void {
  const where = `${parameter} with ${what}: ${path.slice(0, 150)}`;
  if (read.pathNames.includes(parameter)) {
    expect([reply.status, reply.json, where]).toEqual([404, { detail: 'Not found.' }, where]);
    return;
  }
  if (reply.status === 404) {
    expect([parameter, reply.json, where]).toEqual(['page', { detail: 'Invalid page.' }, where]);
    return;
  }
  expect([200, 400], where).toContain(reply.status);
  if (reply.status !== 400) return;
  const entries = Object.entries(reply.json as Record<string, unknown>);
  expect(entries, where).toEqual([[expect.any(String), [expect.any(String)]]]);
  // A list form is no value of the parameter: it is the parameter itself that is missing then.
  expect(read.queryNames, where).toContain(entries[0]?.[0]);
}

async function tryAll(read: CatalogueRead, requests: readonly GarbageRequest[]): Promise<void> {
  const rest = [...requests];
  const send = async () => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
      expectDocumented(read, next, await app.anonymous.get(next.path));
    }
  };
  await Promise.all(Array.from({ length: 8 }, send));
}

it('has found the documented reads', () => {
  expect(READS.map(({ template }) => template).sort()).toEqual([
    '/addons/addon/{addon}/',
    '/addons/addon/{addon}/eula_policy/',
    '/addons/addon/{addon}/feature_compatibility/',
    '/addons/addon/{addon}/versions/',
    '/addons/addon/{addon}/versions/{version_id}/',
    '/addons/autocomplete/',
    '/addons/compat-override/',
    '/addons/featured/',
    '/addons/language-tools/',
    '/addons/recommendations/',
    '/addons/replacement-addon/',
    '/addons/search/',
  ]);
});

describe.each(READS)('$template', (read) => {
  it('answers a good request', async () => {
    expect((await app.anonymous.get(goodRequest(read, 'v4', names()))).status).toBe(200);
  });

  it('answers garbage in any parameter as documented', { timeout: 120_000 }, async () => {
    await tryAll(read, garbageRequests(read, 'v4', names()));
  });

  it('does so under v3 and v4dev', { timeout: 120_000 }, async () => {
    const frozen = catalogueReads('v3').find(({ template }) => template === read.template) ?? read;
    const aQuarter = (requests: GarbageRequest[]) => requests.filter((_request, index) => index % 4 === 0);
    await tryAll(frozen, aQuarter(garbageRequests(frozen, 'v3', names())));
    await tryAll(read, aQuarter(garbageRequests(read, 'v4dev', names())));
  });
});
