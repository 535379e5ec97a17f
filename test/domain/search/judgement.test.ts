import { describe, expect, it } from 'vitest';
import { readSearchRequest } from '../../../src/domain/search/query/search-request.ts';
import { CATALOGUE } from '../../support/search/catalogue.ts';
import { judge } from '../../support/search/judge.ts';
import { JUDGEMENT_CASES } from '../../support/search/judgement-cases.ts';
import { referenceSearch } from '../../support/search/reference-scorer.ts';

describe('the relevance model', () => {
  it.each(JUDGEMENT_CASES.map((entry) => [JSON.stringify(entry.values), entry] as const))('%s', (_title, entry) => {
    const request = readSearchRequest(entry.values, { locale: entry.values.lang ?? 'en-US', except: [] });
    const hits = referenceSearch(CATALOGUE, request);
    judge(
      hits.map(({ id }) => id),
      entry.expect,
    );
  });

  it('scores the highest matched weight plus 5 % of each other one, times the popularity factor', () => {
    const request = readSearchRequest({ q: 'tab manager' }, { locale: 'en-US', except: [] });
    const [best] = referenceSearch(CATALOGUE, request);
    const lexical = 100 + 0.05 * (60 + 44 + 40 + 32 + 28 + 24 + 3);
    expect(best).toEqual({ id: 54, score: expect.closeTo(lexical * (1 + 0.125 * Math.log10(107)), 9) });
  });
});
