/*
 * Search responses that change while no row of the database changes: the order `random` changes with the date, and a search
 * server shows a change after its next refresh. An ETag of the earlier response must not match then.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Reply } from '../support/client.ts';
import { addon } from '../support/factories.ts';
import { type MisbehavingServer, says, startMisbehavingServer } from '../support/search/misbehaving-server.ts';

const RANDOM = '/api/v4/addons/search/?featured=true&sort=random&page_size=50';
const SEARCH = '/api/v4/addons/search/?q=listed';

const app = setUpApp();
let server: MisbehavingServer;
let ids: number[];

beforeAll(async () => {
  const made = [];
  for (let index = 0; index < 20; index++) {
    made.push(await addon({ name: { 'en-US': `Listed ${index}` }, featured: [{ app: 'desktop_browser' }] }));
  }
  ids = made.map(({ id }) => id);
  server = await startMisbehavingServer();
});
afterAll(async () => {
  vi.useRealTimers();
  const { closeSearchServer } = await import('../../src/infra/search-server/send-request.ts');
  await closeSearchServer();
  await server.close();
});

const idsOf = ({ json }: Reply) => (json as { results: { id: number }[] }).results.map(({ id }) => id);

/** Reads `path` and checks that its ETag matches while nothing changes. */
async function readTwice(path: string): Promise<{ etag: string; ids: number[] }> {
  const first = await app.anonymous.get(path);
  const { etag = '' } = first.headers;
  for (const _ of [1, 2]) expect((await app.anonymous.get(path, { 'if-none-match': etag })).status).toBe(304);
  return { etag, ids: idsOf(first) };
}

describe('the ETag of search results', () => {
  it('in random order does not match on the next day', async () => {
    const before = await readTwice(RANDOM);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
    const after = await app.anonymous.get(RANDOM, { 'if-none-match': before.etag });
    vi.useRealTimers();
    expect(after.status).toBe(200);
    expect(idsOf(after)).not.toEqual(before.ids);
    expect(idsOf(after).sort()).toEqual(before.ids.sort());
  });

  it('does not match once the search server has refreshed its index', async () => {
    const { currentMake } = await import('../../src/domain/search/elasticsearch/index-schema.ts');
    const { db } = await import('../../src/infra/db.ts');
    await db.searchIndex.create({ data: { name: 'addons_1', ...currentMake(), state: 'live' } });
    app.config.ELASTICSEARCH_URL = server.url;
    const [one = 0, other = 0] = ids;
    finds([one]);
    await expect.poll(async () => idsOf(await app.anonymous.get(SEARCH))).toEqual([one]);
    const before = await readTwice(SEARCH);
    finds([one, other]);
    const after = await app.anonymous.get(SEARCH, { 'if-none-match': before.etag });
    expect([after.status, idsOf(after)]).toEqual([200, [one, other]]);
    finds([other, one]);
    expect((await app.anonymous.get(SEARCH, { 'if-none-match': after.headers.etag ?? '' })).status).toBe(200);
  });
});

function finds(found: number[]): void {
  const hits = { total: { value: found.length }, hits: found.map((id) => ({ _id: String(id), _score: 1.5 })) };
  server.behave(says(200, { timed_out: false, _shards: { total: 1, successful: 1, failed: 0 }, hits }));
}
