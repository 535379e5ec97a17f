/* Properties of every engine: it returns the same as the reference scorer, which checks every add-on. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SearchEngine, SearchHit } from '../../../src/domain/search/query/engine.ts';
import { readSearchRequest, type SearchValues } from '../../../src/domain/search/query/search-request.ts';
import type { CatalogueAddon } from './catalogue.ts';
import { anySearch } from './random-catalogue.ts';
import { referenceSearch } from './reference-scorer.ts';

const read = (values: SearchValues) => readSearchRequest(values, { locale: values.lang ?? 'en-US', except: [] });

/** Maximum relative error of a score. */
const EXACT = 1e-10;

/** Expects the same hits in the same order, with the same scores. */
export function expectSame(hits: readonly SearchHit[], expected: readonly SearchHit[], tolerance = EXACT): void {
  expect(hits.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  for (const [index, { score }] of hits.entries()) {
    const right = expected[index]?.score ?? 0;
    expect(Math.abs(score - right) / right).toBeLessThanOrEqual(tolerance);
  }
}

export const slices = fc.record({ offset: fc.constantFrom(0, 0, 3, 40), limit: fc.constantFrom(1, 10, 25) });
export const runs = (numRuns: number) => ({ numRuns, seed: 20_181_025 });

/** Declares the tests of an engine with this catalogue. */
export function testEngineProperties(
  engine: SearchEngine,
  catalogue: readonly CatalogueAddon[],
  { searches, suggestions, tolerance = EXACT }: { searches: number; suggestions: number; tolerance?: number },
): void {
  it('returns the same hits, count, scores and order as the reference', async () => {
    await fc.assert(
      fc.asyncProperty(anySearch, slices, async (values, slice) => {
        const request = read(values);
        const expected = referenceSearch(catalogue, request);
        const { count, hits } = await engine.search(request, slice);
        expect(count).toBe(expected.length);
        expectSame(hits, expected.slice(slice.offset, slice.offset + slice.limit), tolerance);
      }),
      runs(searches),
    );
  });

  it('returns the same suggestions as the reference', async () => {
    await fc.assert(
      fc.asyncProperty(anySearch, async (values) => {
        const request = read(values);
        const expected = referenceSearch(catalogue, request, { namesOnly: true });
        expectSame(await engine.autocomplete(request), expected.slice(0, 10), tolerance);
      }),
      runs(suggestions),
    );
  });

  it('counts facets of the results', async () => {
    for (const values of [{ q: 'tab' }, { q: 'donwloadhelper' }, { type: 'extension' }, { tag: 'dark' }, { q: '&' }]) {
      const request = read(values);
      const ids = new Set(referenceSearch(catalogue, request).map(({ id }) => id));
      const found = catalogue.filter(({ id }) => ids.has(id));
      const facets = await engine.facets(request);
      expect(facets.types).toEqual(countOf(found.map(({ type }) => type)));
      expect(facets.tags).toEqual(countOf(found.flatMap(({ tags }) => tags.map((tag) => tag.toLowerCase()))));
      expect(facets.locales).toEqual(countOf(found.flatMap(({ name }) => Object.keys(name))));
      expect(facets.platforms).toEqual(countOf(found.flatMap(({ platforms }) => platforms)));
      const categories = Object.values(facets.categories).reduce((sum, n) => sum + n, 0);
      expect(categories).toBe(found.flatMap(({ categories }) => categories).length);
    }
  });

  it('returns featured add-ons in the random order of the day', async () => {
    const request = read({ featured: 'true', sort: 'random' });
    const expected = referenceSearch(catalogue, request);
    const first = await engine.search(request, { offset: 0, limit: 50 });
    const second = await engine.search(request, { offset: 50, limit: 50 });
    expectSame([...first.hits, ...second.hits], expected.slice(0, 100));
    expect(first.count).toBe(expected.length);
  });

  it('counts without fetching a page', async () => {
    const request = read({ q: 'tab' });
    expect(await engine.search(request, null)).toEqual({ count: referenceSearch(catalogue, request).length, hits: [] });
  });
}

function countOf(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
