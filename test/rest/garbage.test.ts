import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { type Client, exchange, type Reply } from '../support/client.ts';
import { beginningWith } from '../support/expect-refusal.ts';
import { addon, type MadeAddon } from '../support/factories.ts';
import {
  type CatalogueRead,
  catalogueReads,
  GARBAGE,
  type GarbageRequest,
  garbageRequests,
  goodRequest,
  privateReads,
} from '../support/garbage.ts';

const app = setUpApp();
let pack: MadeAddon;
let author: Client;
let holder: string;
let rating: number;

beforeAll(async () => {
  const featured = [{ app: 'desktop_browser' }];
  pack = await addon({ guid: 'made@example', slug: 'pack', type: 'language', targetLocale: 'de', featured });
  author = await app.developer();
  const { accountId } = author;
  holder = String(accountId);
  await addon({ featured, tags: ['a'], authors: [accountId ?? 0] });
  const { db } = await import('../../src/infra/db.ts');
  await db.compatOverride.create({ data: { guid: 'made@example', name: 'Made' } });
  const send = (path: string, body: object) =>
    author.request('POST', `/api/v4/${path}`, {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  await send(`accounts/account/${holder}/collections/`, { name: { 'en-US': 'Made' }, slug: 'made' });
  await send(`accounts/account/${holder}/collections/made/addons/`, { addon: pack.id });
  const rated = await send('ratings/rating/', { addon: pack.id, version: pack.versions[0]?.id, score: 4 });
  rating = (rated.json as { id: number }).id;
  await db.replacement.create({ data: { guid: 'old@example', guids: ['made@example'] } });
});

const names = () => ({
  ...{ addon: 'pack', account: holder, version_id: String(pack.versions[0]?.id) },
  ...{ collection: 'made', id: String(rating) },
});
const READS = catalogueReads('v4');

/** 200; 400 with an error for one parameter; 404 for an id in the path, or for a page that does not exist. */
function expectDocumented(read: CatalogueRead, { parameter, what, path }: GarbageRequest, reply: Reply): void {
  const where = `${parameter} with ${what}: ${path.slice(0, 150)}`;
  if (read.pathNames.includes(parameter)) {
    expect([reply.status, reply.json, where]).toEqual([404, { detail: 'Not found.' }, where]);
    return;
  }
  // A list of ratings is refused with its add-on.
  if (reply.status === 404 && read.template === '/ratings/rating/' && parameter === 'addon') return;
  if (reply.status === 404) {
    expect([parameter, reply.json, where]).toEqual(['page', { detail: beginningWith('Invalid page. ') }, where]);
    return;
  }
  expect([200, 400], where).toContain(reply.status);
  if (reply.status !== 400) return;
  const entries = Object.entries(reply.json as Record<string, unknown>);
  // Reads of ratings are refused as a whole when parameters do not fit together.
  if (read.template.startsWith('/ratings/') && entries[0]?.[0] === 'detail') return;
  expect(entries, where).toEqual([[expect.any(String), [expect.any(String)]]]);
  // A list form such as `app[]` counts as another parameter, so the error is for a missing one.
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

describe('the OpenAPI document', () => {
  it('lists the expected reads', () => {
    expect(READS.map(({ template }) => template).sort()).toEqual([
      '/accounts/account/{account}/',
      '/accounts/account/{account}/collections/{collection}/',
      '/accounts/account/{account}/collections/{collection}/addons/',
      '/accounts/account/{account}/collections/{collection}/addons/{addon}/',
      '/addons/addon/{addon}/',
      '/addons/addon/{addon}/eula_policy/',
      '/addons/addon/{addon}/feature_compatibility/',
      '/addons/addon/{addon}/versions/',
      '/addons/addon/{addon}/versions/{version_id}/',
      '/addons/autocomplete/',
      '/addons/categories/',
      '/addons/compat-override/',
      '/addons/featured/',
      '/addons/language-tools/',
      '/addons/recommendations/',
      '/addons/replacement-addon/',
      '/addons/search/',
      '/ratings/rating/',
      '/ratings/rating/{id}/',
      '/site/',
    ]);
  });
});

describe.each(READS)('$template', (read) => {
  it('returns 200 for a valid request', async () => {
    expect((await app.anonymous.get(goodRequest(read, 'v4', names()))).status).toBe(200);
  });

  it('returns a documented response for garbage in any parameter', async () => {
    await tryAll(read, garbageRequests(read, 'v4', names()));
  });

  it('returns a documented response for garbage under v3 and v4dev', async () => {
    const frozen = catalogueReads('v3').find(({ template }) => template === read.template);
    const aQuarter = (requests: GarbageRequest[]) => requests.filter((_request, index) => index % 4 === 0);
    if (frozen) await tryAll(frozen, aQuarter(garbageRequests(frozen, 'v3', names())));
    await tryAll(read, aQuarter(garbageRequests(read, 'v4dev', names())));
  });
});

describe('a read of version 5 that needs credentials', () => {
  beforeAll(() => addon({ slug: 'full', authors: [author.accountId ?? 0] }));
  const fullNames = { addon: 'full', version_ref: '1.0', uuid: 'f'.repeat(32) };

  it.each(privateReads('v5'))('$template returns a documented response for garbage in any parameter', async (each) => {
    for (const { path, parameter, what } of garbageRequests(each, 'v5', fullNames)) {
      const { status } = await author.get(path);
      expect([parameter, what, [200, 400, 404].includes(status)]).toEqual([parameter, what, true]);
    }
  });
});

describe('URLs in responses that are outside the API', () => {
  const ADDRESSES: [string, string][] = [
    ['/downloads/file/', '/name.xpi'],
    ['/downloads/file/1/', ''],
    ['/themes/update-check/', ''],
    ['/media/addons/', '/icon-32.png'],
    ['/media/addons/1/', ''],
    ['/media/personas/', '/header.png'],
    ['/media/', ''],
    ['/static/img/', ''],
    ['/outgoing/', '/https%3A%2F%2Felsewhere.example%2F'],
    [`/outgoing/${'0'.repeat(64)}/`, ''],
    ['/validation/', ''],
  ];
  it.each(ADDRESSES)('%s…%s returns 404 for garbage', async (start, end) => {
    for (const [what, value] of GARBAGE) {
      const { status } = await exchange(app.url, 'GET', `${start}${value}${end}`, {});
      expect([status, what]).toEqual([404, what]);
      // The query string has no effect.
      expect((await exchange(app.url, 'GET', `${start}${value}${end}?src=${value}&lang=${value}`, {})).status).toBe(
        404,
      );
    }
  });
});
