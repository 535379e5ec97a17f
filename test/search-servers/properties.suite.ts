import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchEngine } from '../../src/domain/search/query/engine.ts';
import { createTestDatabase } from '../support/database.ts';
import { expectSame, testEngineProperties } from '../support/search/engine-properties.ts';
import { randomCatalogue } from '../support/search/random-catalogue.ts';

const database = await createTestDatabase();
const { removeIndexes, waitForDatabase, server, TOLERANCE, useServer } = await import('./search-server.ts');
const { closeDatabase } = await import('../../src/infra/db.ts');
const { loadCatalogue } = await import('../support/search/load-catalogue.ts');
const { databaseEngine } = await import('../../src/domain/search/postgres/postgres-engine.ts');
const { elasticsearchEngine } = await import('../../src/domain/search/elasticsearch/elasticsearch-engine.ts');
const { readAlias } = await import('../../src/domain/search/elasticsearch/index-list.ts');
const { reindex } = await import('../../src/domain/search/elasticsearch/reindex.ts');
const { searchEngine } = await import('../../src/domain/search/search-engine.ts');
const { readSearchRequest } = await import('../../src/domain/search/query/search-request.ts');

const own = () => elasticsearchEngine(readAlias());
const catalogue = randomCatalogue(400, 7);

describe(`search in ${server.flavor}, compared with a scorer without an index`, () => {
  beforeAll(async () => {
    await waitForDatabase();
    await loadCatalogue(catalogue);
    useServer();
    await reindex();
  });
  afterAll(async () => {
    await removeIndexes();
    await closeDatabase();
    await database.drop();
  });

  const engine: SearchEngine = {
    // PostgreSQL serves the random order.
    search: (request, slice) => (request.sort.includes('random') ? searchEngine : own()).search(request, slice),
    autocomplete: (request) => own().autocomplete(request),
    facets: (request) => own().facets(request),
  };
  testEngineProperties(engine, catalogue, { searches: 120, suggestions: 50, tolerance: TOLERANCE });

  it('returns the same for queries with the maximum number of parts', async () => {
    for (const q of [
      'a1'.repeat(50),
      'aB'.repeat(50),
      'a '.repeat(50),
      '日'.repeat(100),
      `x${'*?~^:()[]{}\\/"'.repeat(6)}`,
    ]) {
      const request = readSearchRequest({ q }, { locale: 'fr', except: [] });
      const page = { offset: 0, limit: 5 };
      const [found, expected] = [await searchEngine.search(request, page), await databaseEngine.search(request, page)];
      expectSame(found.hits, expected.hits, TOLERANCE);
      expect(found.count).toBe(expected.count);
    }
  });
});
