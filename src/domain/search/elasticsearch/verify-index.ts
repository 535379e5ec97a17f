/* Acceptance check of a new index: every add-on in its current revision, and the same results as PostgreSQL. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { config } from '../../../config.ts';
import { pool } from '../../../infra/db.ts';
import { SearchServerError } from '../../../infra/search-server/failures.ts';
import { sendSearchRequest } from '../../../infra/search-server/send-request.ts';
import { databaseEngine } from '../postgres/postgres-engine.ts';
import { readSearchRequest, type SearchRequest } from '../query/search-request.ts';
import { elasticsearchEngine } from './elasticsearch-engine.ts';
import { refreshIndex } from './index-admin.ts';
import { syncAddons } from './sync-addons.ts';

/** A new index is incomplete or returns other results. */
export class IndexGapError extends Error {
  override readonly name = 'IndexGapError';
}

const BATCH = 500;

/** @throws {IndexGapError} when the index differs from the database. */
export async function verifyIndex(name: string): Promise<void> {
  await requireSameRevisions(name);
  await requireSameResults(name);
}

/** Recently changed add-ons may differ; an add-on that differs again in the same way is a gap. */
async function requireSameRevisions(name: string): Promise<void> {
  const before = await differencesOf(name);
  if (before.length === 0) return;
  for (let start = 0; start < before.length; start += BATCH) {
    await syncAddons(before.slice(start, start + BATCH).map(({ id }) => id));
  }
  await refreshIndex(name);
  const known = new Set(before.map((each) => JSON.stringify(each)));
  const gaps = (await differencesOf(name)).filter((each) => known.has(JSON.stringify(each)));
  if (gaps.length > 0) {
    throw new IndexGapError(
      `The new index differs from the database in ${gaps.length} add-ons, such as ${gaps[0]?.id}.`,
    );
  }
}

const SAMPLE = `SELECT coalesce(name->>default_locale, '') AS q FROM addon JOIN (
    (SELECT addon_id FROM search_listing ORDER BY users DESC, addon_id LIMIT 5)
    UNION (SELECT addon_id FROM search_listing ORDER BY downloads DESC, addon_id LIMIT 5)
  ) AS used ON addon.id = used.addon_id`;
const PAGE = { offset: 0, limit: 10 };
/** Comparisons before a difference counts as a gap: an add-on may change between the two searches. */
const MAX_TRIES = 12;
const PAUSE_MS = 250;
const TIMEOUT_MS = 30_000;

async function requireSameResults(name: string): Promise<void> {
  const { rows } = await pool.query<{ q: string }>(SAMPLE);
  for (const { q } of rows) {
    for (let tries = 1; !(await hasSameResults(name, q)); tries++) {
      if (tries === MAX_TRIES) {
        throw new IndexGapError(`The new index returns other results for '${q}' than the database.`);
      }
      await sleep(PAUSE_MS);
      await requireSameRevisions(name);
    }
  }
}

/**
 * Runs every kind of search on an index.
 * @throws {SearchServerError} when the server does not respond, SearchServerRefusal when it refuses a search.
 */
export async function tryIndex(name: string): Promise<void> {
  const { rows } = await pool.query<{ q: string }>(SAMPLE);
  const engine = elasticsearchEngine(name, TIMEOUT_MS);
  for (const { q } of rows) {
    const request = requestFor(q);
    await engine.search(request, PAGE);
    await engine.autocomplete(request);
    await engine.facets(request);
  }
}

function requestFor(name: string): SearchRequest {
  const q = Array.from(name).slice(0, 100).join('');
  return readSearchRequest({ q }, { locale: config.DEFAULT_LOCALE, except: [] });
}

async function hasSameResults(name: string, q: string): Promise<boolean> {
  const request = requestFor(q);
  const [one, other] = await Promise.all([
    elasticsearchEngine(name, TIMEOUT_MS).search(request, PAGE),
    databaseEngine.search(request, PAGE),
  ]);
  const ids = (hits: readonly { id: number }[]) => hits.map(({ id }) => id).join();
  return one.count === other.count && ids(one.hits) === ids(other.hits);
}

/** An add-on with different revisions in index and database; null where one of them has none. */
interface Difference {
  id: number;
  inDatabase: number | null;
  inIndex: number | null;
}

const STEP = 2_000;

const response = z.object({
  hits: z.object({ hits: z.array(z.object({ _id: z.string(), _version: z.number() })) }),
});

type Revisions = Map<number, number>;

/** Compares all revisions of both sides. Add-ons that change during the walk may or may not be included. */
export async function differencesOf(index: string): Promise<Difference[]> {
  const different: Difference[] = [];
  for (let after = 0; ; ) {
    const inDatabase = await databaseRevisions(after);
    const last = inDatabase.size < STEP ? null : Math.max(...inDatabase.keys());
    const inIndex = await indexRevisions(index, after, last);
    for (const id of new Set([...inDatabase.keys(), ...inIndex.keys()])) {
      const pair = { id, inDatabase: inDatabase.get(id) ?? null, inIndex: inIndex.get(id) ?? null };
      if (pair.inDatabase !== pair.inIndex) different.push(pair);
    }
    if (last === null) return different;
    after = last;
  }
}

async function databaseRevisions(after: number): Promise<Revisions> {
  const { rows } = await pool.query<{ id: number; rev: string }>(
    'SELECT addon_id AS id, rev::text FROM addon_search WHERE addon_id > $1 ORDER BY addon_id LIMIT $2',
    [after, STEP],
  );
  return new Map(rows.map(({ id, rev }) => [id, Number(rev)]));
}

async function indexRevisions(index: string, after: number, last: number | null): Promise<Revisions> {
  const found: Revisions = new Map();
  const size = Math.min(STEP, config.SEARCH_WINDOW);
  for (let from = after; ; ) {
    const range = { gt: from, ...(last === null ? {} : { lte: last }) };
    const body = { query: { range: { id: range } }, sort: [{ id: 'asc' }], size, version: true, _source: false };
    const deadline = AbortSignal.timeout(config.SEARCH_WRITE_TIMEOUT_MS);
    const parsed = response.safeParse(
      await sendSearchRequest({ method: 'POST', path: `/${index}/_search`, body, deadline }),
    );
    if (!parsed.success) throw new SearchServerError('the response has no revisions');
    const { hits } = parsed.data.hits;
    for (const { _id, _version } of hits) found.set(Number(_id), _version);
    if (hits.length < size) return found;
    from = Number(hits.at(-1)?._id);
  }
}
