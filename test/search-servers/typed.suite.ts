import { afterAll, beforeAll, describe } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { TYPED_CATALOGUE } from '../support/search/typed/index.ts';
import { testTypedQueries } from '../support/search/typed/suite.ts';

const database = await createTestDatabase();
const { removeIndexes, waitForDatabase, server, TOLERANCE, useServer } = await import('./search-server.ts');
useServer();
const { closeDatabase } = await import('../../src/infra/db.ts');
const { loadCatalogue } = await import('../support/search/load-catalogue.ts');
const { elasticsearchEngine } = await import('../../src/domain/search/elasticsearch/elasticsearch-engine.ts');
const { readAlias } = await import('../../src/domain/search/elasticsearch/index-list.ts');
const { reindex } = await import('../../src/domain/search/elasticsearch/reindex.ts');

describe(`search in ${server.flavor}`, () => {
  beforeAll(async () => {
    await waitForDatabase();
    await loadCatalogue(TYPED_CATALOGUE);
    await reindex();
  });
  afterAll(async () => {
    await removeIndexes();
    await closeDatabase();
    await database.drop();
  });

  testTypedQueries(elasticsearchEngine(readAlias()), { tolerance: TOLERANCE });
});
