import { describe } from 'vitest';
import { TYPED_CATALOGUE } from '../support/search/typed-queries.ts';
import { testTypedQueries } from '../support/search/typed-suite.ts';
import { indexedCatalogue } from './indexed-catalogue.ts';

const { server, TOLERANCE } = await import('./search-server.ts');

describe(`search in ${server.flavor}`, () => {
  testTypedQueries(indexedCatalogue(TYPED_CATALOGUE), { tolerance: TOLERANCE });
});
