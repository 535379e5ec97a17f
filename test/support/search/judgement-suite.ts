import { expect, it } from 'vitest';
import type { SearchEngine } from '../../../src/domain/search/query/engine.ts';
import { readSearchRequest } from '../../../src/domain/search/query/search-request.ts';
import { CATALOGUE } from './catalogue.ts';
import { expectSame } from './engine-properties.ts';
import { judge } from './judge.ts';
import { JUDGEMENT_CASES } from './judgement-cases.ts';
import { referenceSearch } from './reference-scorer.ts';

const ALL = { offset: 0, limit: 1_000 };

/** Declares a test for each case, of an engine with the catalogue of the cases. */
export function testJudgementCases(engine: SearchEngine, { tolerance = 1e-10 } = {}): void {
  it.each(JUDGEMENT_CASES.map((entry) => [JSON.stringify(entry.values), entry] as const))(
    '%s',
    async (_title, entry) => {
      const request = readSearchRequest(entry.values, { locale: entry.values.lang ?? 'en-US', except: [] });
      const expected = referenceSearch(CATALOGUE, request);
      const { count, hits } = await engine.search(request, ALL);
      judge(
        hits.map(({ id }) => id),
        entry.expect,
      );
      expectSame(hits, expected, tolerance);
      expect(count).toBe(expected.length);
    },
  );
}
