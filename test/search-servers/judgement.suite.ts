import { afterAll, beforeAll, describe } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { CATALOGUE } from '../support/search/catalogue.ts';
import { testJudgementCases } from '../support/search/judgement-suite.ts';

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
    await loadCatalogue(CATALOGUE);
    await reindex();
  });
  afterAll(async () => {
    await removeIndexes();
    await closeDatabase();
    await database.drop();
  });

  testJudgementCases(elasticsearchEngine(readAlias()), { tolerance: TOLERANCE });
});
