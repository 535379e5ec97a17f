import { expect, it } from 'vitest';
import { FACET_AGGREGATIONS, readFacets } from '../../../../src/domain/search/elasticsearch/elasticsearch-engine.ts';

it('reads counts of tags that are names of members of every object', () => {
  const tags = ['constructor', '__proto__', 'tab'];
  const aggregations = Object.fromEntries(
    Object.keys(FACET_AGGREGATIONS).map((name) => [
      name,
      { buckets: name === 'tags' ? tags.map((key) => ({ key, doc_count: 2 })) : [] },
    ]),
  );
  expect(Object.entries(readFacets({ aggregations }).tags)).toEqual(tags.map((tag) => [tag, 2]));
});
