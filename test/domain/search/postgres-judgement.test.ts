import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { CATALOGUE } from '../../support/search/catalogue.ts';
import { judge } from '../../support/search/judge.ts';
import { JUDGEMENT_CASES } from '../../support/search/judgement-cases.ts';
import { referenceSearch } from '../../support/search/reference-scorer.ts';

const database = await createTestDatabase();
const { closeDatabase } = await import('../../../src/infra/db.ts');
const { loadCatalogue } = await import('../../support/search/load-catalogue.ts');
const { databaseEngine: engine } = await import('../../../src/domain/search/postgres/database-engine.ts');
const { readSearchRequest } = await import('../../../src/domain/search/read-search-request.ts');

const everything = { offset: 0, limit: 1_000 };

describe('the search in PostgreSQL', () => {
  beforeAll(() => loadCatalogue(CATALOGUE));
  afterAll(async () => {
    await closeDatabase();
    await database.drop();
  });

  it.each(JUDGEMENT_CASES.map((entry) => [JSON.stringify(entry.values), entry] as const))(
    '%s',
    async (_title, entry) => {
      const request = readSearchRequest(entry.values, { locale: entry.values.lang ?? 'en-US', except: [] });
      const expected = referenceSearch(CATALOGUE, request);
      const { count, hits } = await engine.search(request, everything);
      judge(
        hits.map(({ id }) => id),
        entry.expect,
      );
      expect(hits.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      expect(count).toBe(expected.length);
      for (const [index, { score }] of hits.entries()) expect(score).toBeCloseTo(expected[index]?.score ?? 0, 9);
    },
  );
});
