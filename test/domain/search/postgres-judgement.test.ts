import { afterAll, beforeAll, describe } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { CATALOGUE } from '../../support/search/catalogue.ts';
import { testJudgementCases } from '../../support/search/judgement-suite.ts';

const database = await createTestDatabase();
const { closeDatabase } = await import('../../../src/infra/db.ts');
const { loadCatalogue } = await import('../../support/search/load-catalogue.ts');
const { databaseEngine: engine } = await import('../../../src/domain/search/postgres/postgres-engine.ts');

describe('the search in PostgreSQL', () => {
  beforeAll(() => loadCatalogue(CATALOGUE));
  afterAll(async () => {
    await closeDatabase();
    await database.drop();
  });

  testJudgementCases(engine);
});
