import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startApp, type TestApp } from '../../../support/app.ts';
import { CATALOGUE } from '../../../support/search/catalogue.ts';
import {
  type Behaviour,
  fails,
  type MisbehavingServer,
  says,
  startMisbehavingServer,
} from '../../../support/search/misbehaving-server.ts';

const SEARCH_TIMEOUT_MS = 250;
const OPEN_MS = 15_000;

let app: TestApp;
let server: MisbehavingServer;
/** Milliseconds by which the clock of the breaker is ahead of the real one. */
let skippedMs = 0;
beforeAll(async () => {
  const real = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => real() + skippedMs);
  app = await startApp();
  const { loadCatalogue } = await import('../../../support/search/load-catalogue.ts');
  await loadCatalogue(CATALOGUE);
  server = await startMisbehavingServer();
  const { currentMake } = await import('../../../../src/domain/search/elasticsearch/index-schema.ts');
  const { db } = await import('../../../../src/infra/db.ts');
  await db.searchIndex.create({ data: { name: 'addons_1', ...currentMake(), state: 'live' } });
  app.config.ELASTICSEARCH_URL = server.url;
  app.config.SEARCH_TIMEOUT_MS = SEARCH_TIMEOUT_MS;
});
afterAll(async () => {
  vi.restoreAllMocks();
  const { closeSearchServer } = await import('../../../../src/infra/search-server/send-request.ts');
  await closeSearchServer();
  await server.close();
  await app.close();
});

const search = (parameters = 'q=merge+windows') => app.anonymous.get(`/api/v4/addons/search/?${parameters}`);
const idsOf = (json: unknown) => (json as { results: { id: number }[] }).results.map(({ id }) => id);
const page = (ids: number[], more: object = {}) => ({
  timed_out: false,
  _shards: { total: 1, successful: 1, failed: 0 },
  hits: { total: { value: ids.length }, hits: ids.map((id) => ({ _id: String(id), _score: 1.5 })) },
  ...more,
});
const isDegraded = async () => (await app.anonymous.get('/healthz')).text !== 'ok\n';

/** Closes the breaker with a successful probe and makes it forget earlier failures. */
async function closeBreaker(): Promise<void> {
  skippedMs += OPEN_MS;
  server.behave(says(200, page([25, 26])));
  await search();
  // Failures older than this no longer count.
  skippedMs += OPEN_MS;
  expect(await isDegraded()).toBe(false);
}

beforeEach(closeBreaker);

const hangs: Behaviour = () => {};
const resets: Behaviour = (request) => request.socket.destroy();
const trickles: Behaviour = (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'X-Elastic-Product': 'Elasticsearch' });
  const timer = setInterval(() => response.write(' '), 20);
  response.once('close', () => clearInterval(timer));
};
const breaksOff: Behaviour = (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
  response.write('{"hits":');
  setTimeout(() => response.destroy(), 5);
};
const redirects: Behaviour = (_request, response) => response.writeHead(302, { Location: '/elsewhere' }).end();
const anotherService: Behaviour = (_request, response) =>
  response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Welcome</h1>');

const FAULTS: [string, Behaviour][] = [
  ['hangs', hangs],
  ['closes connections', resets],
  ['sends a byte at a time', trickles],
  ['closes the connection during the body', breaksOff],
  ['redirects', redirects],
  ['is another service', anotherService],
  ['rejects a search because its queue is full', fails(429, 'es_rejected_execution_exception')],
  ['returns an internal error', fails(500, 'exception')],
  ['is not reachable by its proxy', says(502, '<html>Bad Gateway</html>')],
  ['is unavailable', fails(503, 'no_shard_available_action_exception')],
  ['has no index', fails(404, 'index_not_found_exception')],
  ['has a closed index', fails(400, 'index_closed_exception')],
  ['rejects the credentials', fails(401, 'security_exception')],
  ['sends invalid JSON', says(200, '{"hits":')],
  ['sends JSON of another shape', says(200, { hits: [] })],
  ['sends null', says(200, 'null')],
  ['sends invalid ids', says(200, page([], { hits: { total: { value: 1 }, hits: [{ _id: 'x', _score: 1 }] } }))],
  ['searched only some shards', says(200, page([25], { _shards: { total: 2, successful: 1, failed: 1 } }))],
  ['timed out', says(200, page([25], { timed_out: true }))],
];

describe('a search server', () => {
  it.each(FAULTS)('that %s is replaced by PostgreSQL within the timeout', async (_title, behaviour) => {
    server.behave(behaviour);
    for (let round = 1; round <= 7; round++) {
      const before = server.requestCount();
      const started = Date.now();
      const reply = await search();
      expect(reply.status).toBe(200);
      expect(idsOf(reply.json)).toEqual([25, 26]);
      expect(reply.headers['x-svc-read-only']).toBe('false');
      if (round > 1) expect(Date.now() - started).toBeLessThan(SEARCH_TIMEOUT_MS + 1_050);
      // The breaker opens after five failures.
      expect(server.requestCount() - before).toBe(round <= 5 ? 1 : 0);
    }
    expect((await app.anonymous.get('/healthz')).text).toBe('ok\nsearch: degraded\n');
    expect((await app.anonymous.get('/healthz')).status).toBe(200);
    await app.sql('delete from graphile_worker._private_jobs');
  });

  it('that refuses a request does not open the breaker; the reason is logged once a minute', async () => {
    const { log } = await import('../../../../src/infra/log.ts');
    const logged = vi.spyOn(log, 'error');
    const reason = `unknown query [nonsense] ${'x'.repeat(500)}`;
    server.behave(says(400, { error: { type: 'parsing_exception', reason }, status: 400 }));
    for (let round = 0; round < 7; round++) expect(idsOf((await search()).json)).toEqual([25, 26]);
    expect((await app.anonymous.get('/healthz')).text).toBe('ok\nsearch: requests refused\n');
    skippedMs += 60_000;
    await search();
    const problem = `A request was refused by the search server: parsing_exception: ${reason.slice(0, 300)}`;
    const text = 'The search server refuses searches; PostgreSQL serves them.';
    expect(logged.mock.calls).toEqual([
      [{ problem, searches: 1 }, text],
      [{ problem, searches: 7 }, text],
    ]);
    const { tryIndex } = await import('../../../../src/domain/search/elasticsearch/verify-index.ts');
    await expect(tryIndex('addons_1')).rejects.toThrow(problem);
    skippedMs += 600_000;
    expect((await app.anonymous.get('/healthz')).text).toBe('ok\n');
    logged.mockRestore();
  });

  it('that returns ids of add-ons that are not public does not expose them', async () => {
    server.behave(says(200, page([46, 47, 25, 999_999])));
    const reply = await search();
    expect(idsOf(reply.json)).toEqual([25]);
  });

  it('that has lost its index gets one job that checks the index', async () => {
    server.behave(fails(404, 'index_not_found_exception'));
    skippedMs += 5_000;
    for (let round = 0; round < 3; round++) await search();
    await vi.waitFor(async () => expect(await app.pendingJobs()).toEqual(['check-search-index']), 20_000);
    await app.sql('delete from graphile_worker._private_jobs');
  });

  it('that recovers is used again, and waiting jobs run at once', async () => {
    const { queueSync } = await import('../../../../src/domain/search/index/queue-sync.ts');
    const { db } = await import('../../../../src/infra/db.ts');
    await queueSync(db, [1]);
    await app.sql(`update graphile_worker._private_jobs set run_at = now() + interval '1 hour', attempts = 9,
      last_error = '[search-server] The search server does not respond (ConnectionError)'`);
    server.behave(resets);
    for (let round = 0; round < 5; round++) await search();
    expect(await isDegraded()).toBe(true);
    await closeBreaker();
    await vi.waitFor(async () => {
      const waiting = 'select attempts from graphile_worker.jobs where run_at <= now()';
      expect(await app.sql(waiting)).toEqual([{ attempts: 0 }]);
    }, 20_000);
    await app.sql('delete from graphile_worker._private_jobs');
  });

  it('that has a new index is used at once', async () => {
    server.behave(fails(404, 'index_not_found_exception'));
    for (let round = 0; round < 5; round++) await search();
    expect(await isDegraded()).toBe(true);
    await app.sql(`update search_index set name = 'addons_2'`);
    skippedMs += 1_000;
    server.behave(says(200, page([26])));
    expect(idsOf((await search()).json)).toEqual([26]);
    expect(await isDegraded()).toBe(false);
    await app.sql('delete from graphile_worker._private_jobs');
  });

  it('that fails without a fallback makes searches return 503, not maintenance mode', async () => {
    app.config.SEARCH_FALLBACK = 'none';
    try {
      server.behave(resets);
      const reply = await search();
      expect(reply.status).toBe(503);
      expect((reply.json as { detail: string }).detail).toBe('The service is temporarily unavailable.');
      expect(reply.headers['retry-after']).toBe('1');
      expect(reply.headers['x-svc-read-only']).toBe('false');
      for (let round = 0; round < 5; round++) await search();
      expect(Number((await search()).headers['retry-after'])).toBeGreaterThan(10);
      expect((await app.anonymous.get('/api/v4/addons/autocomplete/?q=tab')).status).toBe(503);
      expect((await app.anonymous.get('/api/v4/addons/addon/addon-1/')).status).toBe(200);
    } finally {
      app.config.SEARCH_FALLBACK = 'postgres';
    }
  });

  it('that has an index of another result window or release is not used', async () => {
    const { requireSearchWindow } = await import('../../../../src/domain/search/search-engine.ts');
    for (const change of ['result_window = 30000', "schema_hash = 'other'", 'lexer = 0', "state = 'retired'"]) {
      const [row] = await app.sql<Record<string, unknown>>('select * from search_index');
      await app.sql(`update search_index set ${change}`);
      skippedMs += 1_000;
      const before = server.requestCount();
      expect(idsOf((await search()).json)).toEqual([25, 26]);
      expect(server.requestCount()).toBe(before);
      expect(await isDegraded()).toBe(true);
      if (change.startsWith('result_window'))
        await expect(requireSearchWindow()).rejects.toThrow('SEARCH_WINDOW is 25000');
      await app.sql('update search_index set result_window = $1, schema_hash = $2, lexer = $3, state = $4', [
        row?.['result_window'],
        row?.['schema_hash'],
        row?.['lexer'],
        row?.['state'],
      ]);
      skippedMs += 1_000;
    }
  });
});
