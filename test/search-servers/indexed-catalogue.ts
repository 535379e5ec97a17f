import { afterAll, beforeAll } from 'vitest';
import type { SearchEngine } from '../../src/domain/search/query/engine.ts';
import { createTestDatabase } from '../support/database.ts';
import type { CatalogueAddon } from '../support/search/catalogue.ts';

const database = await createTestDatabase();
const { removeIndexes, waitForDatabase, useServer } = await import('./search-server.ts');
const { closeDatabase } = await import('../../src/infra/db.ts');
const { loadCatalogue } = await import('../support/search/load-catalogue.ts');
const { elasticsearchEngine } = await import('../../src/domain/search/elasticsearch/elasticsearch-engine.ts');
const { readAlias } = await import('../../src/domain/search/elasticsearch/index-list.ts');
const { reindex } = await import('../../src/domain/search/elasticsearch/reindex.ts');

/** Indexes a catalogue on the search server for the tests of a file, and removes it afterwards. Returns the engine on it. */
export function indexedCatalogue(catalogue: readonly CatalogueAddon[]): SearchEngine {
  useServer();
  beforeAll(async () => {
    await waitForDatabase();
    await loadCatalogue(catalogue);
    await reindex();
  });
  afterAll(async () => {
    await removeIndexes();
    await closeDatabase();
    await database.drop();
  });
  return elasticsearchEngine(readAlias());
}
