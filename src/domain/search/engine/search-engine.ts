/*
 * Who answers searches: the search server where there is one that answers, else PostgreSQL, which finds the same in the same
 * order. No reader waits for a search server that is out of order.
 */
import { tracingChannel } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '../../../config.ts';
import { UnavailableError } from '../../../errors.ts';
import { db } from '../../../infra/db.ts';
import { log } from '../../../infra/log.ts';
import { hasSearchServer } from '../../../infra/search-server/ask.ts';
import { Breaker, BreakerOpenError } from '../../../infra/search-server/breaker.ts';
import { SearchServerError, SearchServerRefusal } from '../../../infra/search-server/errors.ts';
import { elasticsearchEngine, TooManyLookUpsError } from '../elasticsearch/elasticsearch-engine.ts';
import { isOfThisProgram, isSearchableIndex, listIndexes, readAlias } from '../elasticsearch/index-list.ts';
import { queueIndexCheck, resumeSearchJobs } from '../index/queue-sync.ts';
import { databaseEngine } from '../postgres/database-engine.ts';
import type { SearchRequest } from '../query/search-request.ts';
import type { SearchEngine } from './engine.ts';
import { noteRefusal } from './refusals.ts';

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
 * Tells whoever listens, as monitoring agents do, when a search is asked of the search server, and when that has ended: with
 * an answer, or with an error, whereupon PostgreSQL is asked.
 */
export const askingSearchServer = tracingChannel('addons.search-server');

/** The search engine of this process. */
export const searchEngine: SearchEngine = {
  search: (request, slice) => answer(request, (engine) => engine.search(request, slice)),
  autocomplete: (request) => answer(request, (engine) => engine.autocomplete(request)),
  facets: (request) => answer(request, (engine) => engine.facets(request)),
};

async function answer<Result>(
  { sort }: SearchRequest,
  ask: (engine: SearchEngine) => Promise<Result>,
): Promise<Result> {
  // The order of a draw is one that only the database has.
  if (!hasSearchServer() || sort.includes('random')) return ask(databaseEngine);
  if (await isIndexUsable()) {
    try {
      return await askingSearchServer.tracePromise(() => breaker.run(() => ask(elasticsearchEngine(readAlias()))));
    } catch (error) {
      if (error instanceof TooManyLookUpsError) return ask(databaseEngine);
      note(error);
    }
  }
  if (config.SEARCH_FALLBACK === 'none')
    throw new UnavailableError(undefined, breaker.isOpen ? breaker.secondsLeft : 1);
  return ask(databaseEngine);
}

/** What happened to the server is told once by the breaker; what is a mistake of ours, here. */
function note(error: unknown): void {
  if (error instanceof BreakerOpenError) return;
  if (error instanceof SearchServerRefusal) {
    noteRefusal(error);
    return;
  }
  if (!(error instanceof SearchServerError)) {
    log.error({ err: error }, 'The search server could not be asked.');
    return;
  }
  log.debug({ problem: error.message }, 'A search was not answered by the search server.');
  if (error.isMissing) noteMissing();
}

const BETWEEN_CHECKS_MS = 5_000;
let checkedAt = Number.NEGATIVE_INFINITY;

/** An index that is gone is made anew by a worker. */
function noteMissing(): void {
  if (performance.now() - checkedAt < BETWEEN_CHECKS_MS) return;
  checkedAt = performance.now();
  void queueIndexCheck(db).catch(ignore);
}

/** For how long what the database says about the index is believed. */
const BELIEVED_MS = 1_000;
let known: { isUsable: boolean; name?: string | undefined; at: number } = {
  isUsable: false,
  at: Number.NEGATIVE_INFINITY,
};
let reading: Promise<boolean> | undefined;

/** Whether the index that is searched is one that this program can ask. */
async function isIndexUsable(): Promise<boolean> {
  if (performance.now() - known.at < BELIEVED_MS) return known.isUsable;
  reading ??= readUsability().finally(() => {
    reading = undefined;
  });
  return reading;
}

async function readUsability(): Promise<boolean> {
  const live = (await listIndexes()).find(({ state }) => state === 'live');
  const isUsable = live !== undefined && isSearchableIndex(live);
  if (isUsable !== known.isUsable) {
    if (isUsable) log.info({ index: live.name }, 'The search server is asked.');
    else log.warn({ index: live?.name ?? null }, 'The search server has no index that this program can search.');
  }
  // Somebody has just made it, on a server that was in order then.
  if (isUsable && live.name !== known.name) breaker.askSoon();
  known = { isUsable, name: live?.name, at: performance.now() };
  return isUsable;
}

const LONGEST_LOOK_MS = 200;

/** Whether searches are answered by PostgreSQL although there is a search server. */
export async function isSearchDegraded(): Promise<boolean> {
  if (!hasSearchServer()) return false;
  const isUsable = isIndexUsable().catch(() => false);
  // Whoever asks how this process is does not wait for a database that hangs.
  return breaker.isOpen || !(await Promise.race([isUsable, sleep(LONGEST_LOOK_MS, false)]));
}

/**
 * Refuses to serve with another window than the index was made with: pages beyond the smaller one would fail.
 * @throws {Error} that says what to do.
 */
export async function requireSearchWindow(): Promise<void> {
  if (!hasSearchServer()) return;
  const live = (await listIndexes()).find(({ state }) => state === 'live');
  // One of another release is not searched, and is made anew with the window of now.
  if (live === undefined || !isOfThisProgram(live) || live.resultWindow === config.SEARCH_WINDOW) return;
  throw new Error(
    `SEARCH_WINDOW is ${config.SEARCH_WINDOW}, but the index on the search server was made for ${live.resultWindow}. ` +
      'Set it back, or run: npx addons reindex',
  );
}
