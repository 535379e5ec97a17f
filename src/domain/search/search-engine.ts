/*
 * Chooses the engine of a search: the search server when it is configured, healthy and has an index of this format; else PostgreSQL, which
 * returns the same results in the same order. A circuit breaker keeps requests from waiting for a server that is down: after five
 * failures within ten seconds the server is skipped for fifteen. A refused search (400) does not open the breaker; it is served by
 * PostgreSQL, and health and log report it. With SEARCH_FALLBACK=none searches fail with UNAVAILABLE instead.
 *
 * The state of the index (name, format, window) is read from the database and cached for a short time. `query/engine.ts` is the port that both
 * engines implement.
 */
import { tracingChannel } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '../../config.ts';
import { UnavailableError } from '../../errors.ts';
import { Breaker, BreakerOpenError } from '../../infra/breaker.ts';
import { db, hasRoomInQueue, requireRoomInQueue } from '../../infra/db.ts';
import { log } from '../../infra/log.ts';
import { SearchServerError, SearchServerRefusal } from '../../infra/search-server/failures.ts';
import { hasSearchServer } from '../../infra/search-server/send-request.ts';
import { elasticsearchEngine, TooManyLookUpsError } from './elasticsearch/elasticsearch-engine.ts';
import { isOfThisProgram, isSearchableIndex, liveIndex, readAlias } from './elasticsearch/index-list.ts';
import { queueIndexCheck, resumeSearchJobs } from './index/queue-sync.ts';
import { databaseEngine } from './postgres/postgres-engine.ts';
import { cachedFor, type SearchEngine, type SearchHit } from './query/engine.ts';
import type { OffsetLimit, SearchRequest } from './query/search-request.ts';
import { searchForVisitors, suggestForVisitors, type VisitorPage } from './search-for-visitors.ts';

const breaker = new Breaker(
  { failures: 5, withinMs: 10_000, openMs: 15_000 },
  (error) => error instanceof SearchServerError,
  (isOpen, error) => {
    if (isOpen) log.warn({ problem: (error as Error).message }, 'The search server is out of order.');
    else log.info('The search server is in order again.');
    if (!isOpen) void resumeSearchJobs().catch(ignore);
  },
);

const ignore = (): void => {};

/**
 * Diagnostics channel for monitoring agents: start and end of each request to the search server. After an error PostgreSQL serves the
 * search.
 */
export const searchServerChannel = tracingChannel('addons.search-server');

/** The search engine of this process. */
export const searchEngine: SearchEngine = {
  search: (request, slice) => runOnEngine(request, (engine) => engine.search(request, slice)),
  autocomplete: (request) => runOnEngine(request, (engine) => engine.autocomplete(request)),
  facets: (request) => runOnEngine(request, (engine) => engine.facets(request)),
};

/** A slice of the results of a page's search. */
export const searchAsVisitor = (request: SearchRequest, slice: OffsetLimit | null): Promise<VisitorPage> =>
  runOnEngine(request, (engine) => searchForVisitors(engine, request, slice));

/** Suggestions of a page. */
export const suggestToVisitor = (request: SearchRequest): Promise<readonly SearchHit[]> =>
  runOnEngine(request, (engine) => suggestForVisitors(engine, request));

/** Maximum delay of a refusal. Clients refused at the same moment would return together, and other requests would wait behind them. */
const REFUSAL_SPREAD_MS = 500;

/**
 * Refuses a search before any work for it, if PostgreSQL serves searches: many refusals must not delay other requests.
 * @throws {UnavailableError} when its queue is full, still after a random delay.
 */
export async function requireSearchRoom(): Promise<void> {
  if (hasSearchServer()) return;
  if (!hasRoomInQueue()) await sleep(Math.random() * REFUSAL_SPREAD_MS);
  requireRoomInQueue();
}

async function runOnEngine<Result>(
  { sort }: SearchRequest,
  run: (engine: SearchEngine) => Promise<Result>,
): Promise<Result> {
  // Only PostgreSQL has the order of `random`.
  if (!hasSearchServer() || sort.includes('random')) return run(databaseEngine);
  if (await isIndexUsable()) {
    try {
      return await searchServerChannel.tracePromise(() => breaker.run(() => run(elasticsearchEngine(readAlias()))));
    } catch (error) {
      if (error instanceof TooManyLookUpsError) return run(databaseEngine);
      note(error);
    }
  }
  if (config.SEARCH_FALLBACK === 'none') {
    throw new UnavailableError(undefined, breaker.isOpen ? breaker.secondsLeft : 1);
  }
  return run(databaseEngine);
}

/** The breaker logs outages once; refused searches, which are errors of this program, are recorded here. */
function note(error: unknown): void {
  if (error instanceof BreakerOpenError) return;
  if (error instanceof SearchServerRefusal) {
    noteRefusal(error);
    return;
  }
  if (!(error instanceof SearchServerError)) {
    log.error({ err: error }, 'The search server failed unexpectedly.');
    return;
  }
  log.debug({ problem: error.message }, 'The search server did not serve a search.');
  if (error.isMissing) noteMissing();
}

/** Interval between log lines, so that repeated searches do not fill the log. */
const BETWEEN_LINES_MS = 60_000;
const REMEMBERED_MS = 600_000;

let lastRefusal = Number.NEGATIVE_INFINITY;
let logged = Number.NEGATIVE_INFINITY;
let unlogged = 0;

/** Records that the search server refused a search, and logs the reason. */
function noteRefusal({ message }: SearchServerRefusal): void {
  lastRefusal = performance.now();
  unlogged += 1;
  if (lastRefusal - logged < BETWEEN_LINES_MS) return;
  log.error({ problem: message, searches: unlogged }, 'The search server refuses searches; PostgreSQL serves them.');
  logged = lastRefusal;
  unlogged = 0;
}

/** Whether a search was refused within the last ten minutes. */
export function hasRefusals(): boolean {
  return performance.now() - lastRefusal < REMEMBERED_MS;
}

const BETWEEN_CHECKS_MS = 5_000;
let checkedAt = Number.NEGATIVE_INFINITY;

/** A worker rebuilds a lost index. */
function noteMissing(): void {
  if (performance.now() - checkedAt < BETWEEN_CHECKS_MS) return;
  checkedAt = performance.now();
  void queueIndexCheck(db).catch(ignore);
}

/** How long the state of the index is cached. */
const USABILITY_MS = 1_000;
let known: { isUsable: boolean; name?: string | undefined } = { isUsable: false };

/** Whether the live index has the format of this program. */
const isIndexUsable = cachedFor(USABILITY_MS, async () => {
  const live = await liveIndex();
  const isUsable = live !== undefined && isSearchableIndex(live);
  if (isUsable !== known.isUsable) {
    if (isUsable) log.info({ index: live.name }, 'The search server serves searches.');
    else log.warn({ index: live?.name ?? null }, 'The search server has no index that this program can search.');
  }
  // The index was just created, so the server was up.
  if (isUsable && live.name !== known.name) breaker.probeNow();
  known = { isUsable, name: live?.name };
  return isUsable;
});

const MAX_LOOKUP_MS = 200;

/** Whether PostgreSQL serves searches although a search server is configured. */
export async function isSearchDegraded(): Promise<boolean> {
  if (!hasSearchServer()) return false;
  const isUsable = isIndexUsable().catch(() => false);
  // Health checks must not wait for a database that hangs.
  return breaker.isOpen || !(await Promise.race([isUsable, sleep(MAX_LOOKUP_MS, false)]));
}

/**
 * Requires that the index was built with the present SEARCH_WINDOW: pages beyond the smaller one would fail.
 * @throws {Error} with instructions.
 */
export async function requireSearchWindow(): Promise<void> {
  if (!hasSearchServer()) return;
  const live = await liveIndex();
  // An index of another release is not searched; it is rebuilt with the present window.
  if (live === undefined || !isOfThisProgram(live) || live.resultWindow === config.SEARCH_WINDOW) return;
  throw new Error(
    `SEARCH_WINDOW is ${config.SEARCH_WINDOW}, but the index on the search server was made for ${live.resultWindow}. ` +
      'Set it back, or run: npx addons reindex',
  );
}
