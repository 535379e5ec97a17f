import { describe } from 'vitest';
import { CATALOGUE } from '../support/search/catalogue.ts';
import { testJudgementCases } from '../support/search/judgement-suite.ts';
import { indexedCatalogue } from './indexed-catalogue.ts';

const { server, TOLERANCE } = await import('./search-server.ts');

describe(`search in ${server.flavor}`, () => {
  testJudgementCases(indexedCatalogue(CATALOGUE), { tolerance: TOLERANCE });
});
