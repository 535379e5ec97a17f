import { describe } from 'vitest';
import { testVisitorSearches, VISITOR_CATALOGUE } from '../support/search/visitor-suite.ts';
import { indexedCatalogue } from './indexed-catalogue.ts';

const { server } = await import('./search-server.ts');

describe(`searches of pages in ${server.flavor}`, () => {
  testVisitorSearches(indexedCatalogue(VISITOR_CATALOGUE));
});
