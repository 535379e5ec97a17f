/* The typed queries on an engine: it returns what the reference scorer returns, and that is what `typed-queries.jsonl` expects. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { SearchEngine, SearchHit, SearchPage } from '../../../src/domain/search/query/engine.ts';
import { readSearchRequest } from '../../../src/domain/search/query/search-request.ts';
import { expectSame } from './engine-properties.ts';
import { judge } from './judge.ts';
import { referenceSearch } from './reference-scorer.ts';
import { TYPED_CASES, TYPED_CATALOGUE, type TypedCase } from './typed-queries.ts';

/** Minimum share of the desirable queries with the expected result. Raise it when more of them hold. */
const NICE_SHARE = 0.65;

const ALL = { offset: 0, limit: 1_000 };
/** Searches under way at a time. */
const AT_ONCE = 6;
/** Kinds whose results may come from the tolerance for typing errors. */
const TOLERANT = new Set(['loose', 'noise']);

interface Outcome {
  entry: TypedCase;
  /** How the expectation differs from the reference scorer; null if it holds. */
  unexpected: string | null;
  /** How the engine differs from the reference scorer; null if it is equal. */
  different: string | null;
}

/**
 * Declares the tests of an engine that has the typed catalogue: every query has the hits, the order and the scores of the reference
 * scorer, and these are what the required queries and a share of the desirable ones expect.
 */
export function testTypedQueries(engine: SearchEngine, { tolerance = 1e-10 } = {}): void {
  describe('typed queries', () => {
    let outcomes: readonly Outcome[] = [];
    beforeAll(async () => {
      outcomes = await searchAll(engine, tolerance);
    });

    it('have the same results as in the reference scorer', () => {
      expect(outcomes).toHaveLength(TYPED_CASES.length);
      expect(outcomes.flatMap(({ different }) => different ?? [])).toEqual([]);
    });

    it('have the expected results if they are required', () => {
      const required = outcomes.filter(({ entry }) => entry.isRequired);
      expect(required.flatMap(({ unexpected }) => unexpected ?? [])).toEqual([]);
    });

    it('have the expected results in most cases if they are desirable', () => {
      const nice = outcomes.filter(({ entry }) => !entry.isRequired);
      const held = nice.filter(({ unexpected }) => unexpected === null);
      console.log(`Desirable queries with the expected result: ${held.length} of ${nice.length}`);
      expect(held.length / nice.length).toBeGreaterThanOrEqual(NICE_SHARE);
    });
  });
}

async function searchAll(engine: SearchEngine, tolerance: number): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = TYPED_CASES.entries();
  const work = async () => {
    for (const [index, entry] of waiting) outcomes[index] = await outcomeOf(entry, engine, tolerance);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return outcomes;
}

async function outcomeOf(entry: TypedCase, engine: SearchEngine, tolerance: number): Promise<Outcome> {
  const request = readSearchRequest(entry.values, { locale: entry.values.lang, except: [] });
  const searching = engine.search(request, ALL);
  const strict = referenceSearch(TYPED_CATALOGUE, request, { strictly: true });
  const hits = strict.length > 0 ? strict : referenceSearch(TYPED_CATALOGUE, request);
  const judged = TOLERANT.has(entry.kind) ? hits : strict;
  const found = await searching;
  return {
    entry,
    unexpected: failureOf(() => judge(idsOf(judged), entry.expect), entry, judged),
    different: failureOf(() => expectEqual(found, hits, tolerance), entry, found.hits, hits),
  };
}

function expectEqual({ count, hits }: SearchPage, expected: readonly SearchHit[], tolerance: number): void {
  expect(count).toBe(expected.length);
  expectSame(hits, expected, tolerance);
}

const idsOf = (hits: readonly SearchHit[]) => hits.map(({ id }) => id);

/** One line about the results of a query for which `check` throws, else null. */
function failureOf(
  check: () => void,
  { kind, values, expect: expected }: TypedCase,
  ...results: (readonly SearchHit[])[]
) {
  try {
    check();
    return null;
  } catch {
    const found = results.map((hits) => idsOf(hits).slice(0, 8).join(', ') || 'nothing').join(' and ');
    return `${kind} ${JSON.stringify(values)} expects ${JSON.stringify(expected)}, finds ${found}`;
  }
}
