import type { SearchEngine, SearchPage } from '../../src/domain/search/query/engine.ts';
import type { SearchRequest } from '../../src/domain/search/query/search-request.ts';
import { percentile } from '../measure.ts';
import type { Row } from '../report.ts';
import { randomFor } from '../world/random.ts';
import {
  begunQueries,
  heavyQueries,
  listings,
  MANY_RESULTS,
  misspeltQueries,
  mixedQueries,
  requestOf,
  type Sample,
  typedQueries,
  usualQueries,
} from './queries.ts';

const PAGE = { offset: 0, limit: 25 };
const DEEP = { offset: 5_000, limit: 25 };
const ROUNDS = 5;
/** Deep pages have one goal up to this many results and another above. */
const MANY = 30_000;

/** The median time of each item over some rounds, in ms. Each round runs all items. */
async function times<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<number[]> {
  const all: number[][] = items.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, item] of items.entries()) {
      const started = performance.now();
      await work(item);
      all[index]?.push(performance.now() - started);
    }
  }
  return all.map((some) => percentile(some, 0.5));
}

const row = (what: string, value: number, max?: number): Row => ({
  what,
  value,
  unit: 'ms',
  ...(max === undefined ? {} : { goal: { max } }),
});

const countsOf = (engine: SearchEngine) => async (request: SearchRequest) => (await engine.search(request, null)).count;

/** The mix, the same for the same catalogue. */
const mixFor = (engine: SearchEngine, samples: readonly Sample[]): Promise<SearchRequest[]> =>
  mixedQueries(samples, randomFor('search', 534).share, countsOf(engine));

/** Measures searches of all kinds sequentially. */
export async function measureReads(engine: SearchEngine, samples: readonly Sample[]): Promise<Row[]> {
  const { share: random } = randomFor('search', 535);
  const page = (request: SearchRequest) => engine.search(request, PAGE);
  const mix = await mixFor(engine, samples);
  const mixed = await times(mix, page);
  const typed = await times(typedQueries(samples, random), (request) => engine.autocomplete(request));
  const begun = begunQueries(samples, randomFor('search', 536).share);
  const begunNames = await times(begun, (request) => engine.autocomplete(request));
  const begunWords = await times(begun, page);
  const frequent = await times([requestOf({ q: 'the' })], page);
  const loose = await times(misspeltQueries(samples, random), page);
  const listed = await times(listings(random), page);
  return [
    ...(await sizeRows(engine, mix)),
    row(`PostgreSQL, mix of ${mix.length} queries with exact count: p50`, percentile(mixed, 0.5), 10),
    row(`PostgreSQL, mix of ${mix.length} queries with exact count: p95`, percentile(mixed, 0.95), 50),
    row(`PostgreSQL, mix of ${mix.length} queries with exact count: p99`, percentile(mixed, 0.99)),
    ...(await heavyRows(engine, random)),
    row('PostgreSQL, autocomplete: p95', percentile(typed, 0.95), 15),
    row('PostgreSQL, autocomplete of a word and one letter: p95', percentile(begunNames, 0.95), 15),
    row('PostgreSQL, search for a word and one letter: p95', percentile(begunWords, 0.95), 50),
    row('PostgreSQL, a word in nearly every add-on', percentile(frequent, 0.5), 100),
    row('PostgreSQL, misspelt queries: p95', percentile(loose, 0.95), 50),
    row('PostgreSQL, lists without a query: p95', percentile(listed, 0.95), 10),
    ...(await deepRows(engine)),
  ];
}

/** The numbers of queries of the mix with very many results. */
async function sizeRows(engine: SearchEngine, mix: readonly SearchRequest[]): Promise<Row[]> {
  const counts: number[] = [];
  for (const request of mix) counts.push(await countsOf(engine)(request));
  return MANY_RESULTS.map((limit) => ({
    what: `Queries of the mix with more than ${limit.toLocaleString('en')} results`,
    value: counts.filter((count) => count > limit).length,
    unit: 'queries',
  }));
}

/** In addition to the mix: queries with more than 100,000 results. */
async function heavyRows(engine: SearchEngine, random: () => number): Promise<Row[]> {
  const [, , limit] = MANY_RESULTS;
  const heavy: SearchRequest[] = [];
  for (const request of heavyQueries(random)) if ((await countsOf(engine)(request)) > limit) heavy.push(request);
  if (heavy.length === 0) return [];
  const taken = await times(heavy, (request) => engine.search(request, PAGE));
  const what = `PostgreSQL, ${heavy.length} words and pairs with more than ${limit.toLocaleString('en')} results`;
  return [row(`${what}: p50`, percentile(taken, 0.5)), row(`${what}: p95`, percentile(taken, 0.95))];
}

async function deepRows(engine: SearchEngine): Promise<Row[]> {
  const found: { request: SearchRequest; count: number }[] = [];
  for (const request of usualQueries()) found.push({ request, count: (await engine.search(request, null)).count });
  const worst = async (what: string, max: number, some: typeof found): Promise<Row[]> => {
    if (some.length === 0) return [];
    const deep = await times(some, ({ request }) => engine.search(request, DEEP));
    return [row(`PostgreSQL, results 5,001 to 5,025 ${what}, ${some.length} words: worst`, Math.max(...deep), max)];
  };
  const deep = found.filter(({ count }) => count > DEEP.offset);
  const isMany = ({ count }: { count: number }) => count > MANY;
  return [
    ...(await worst(
      'of up to 30,000',
      100,
      deep.filter((each) => !isMany(each)),
    )),
    ...(await worst('of more', 200, deep.filter(isMany))),
  ];
}

/**
 * Runs the mix on a search server and compares the results: ids in order, counts, and scores up to rounding.
 */
export async function compareEngines(
  server: SearchEngine,
  database: SearchEngine,
  samples: readonly Sample[],
): Promise<Row[]> {
  const mix = await mixFor(database, samples);
  let different = 0;
  for (const request of mix) {
    const [one, other] = [await server.search(request, PAGE), await database.search(request, PAGE)];
    if (!isSame(one, other)) different += 1;
  }
  const taken = await times(mix, (request) => server.search(request, PAGE));
  return [
    row(`Search server, mix of ${mix.length} queries with exact count: p50`, percentile(taken, 0.5)),
    row(`Search server, mix of ${mix.length} queries with exact count: p95`, percentile(taken, 0.95), 30),
    {
      what: 'Search server, queries with other results than PostgreSQL',
      value: different,
      unit: 'queries',
      goal: { max: 0 },
    },
  ];
}

function isSame(one: SearchPage, other: SearchPage): boolean {
  if (one.count !== other.count || one.hits.length !== other.hits.length) return false;
  return one.hits.every(({ id, score }, index) => {
    const hit = other.hits[index];
    return hit !== undefined && hit.id === id && Math.abs(hit.score - score) <= 1e-6 * Math.abs(score);
  });
}
