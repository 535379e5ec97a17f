/*
 * Maintenance of the search tables. `write-rows.ts` writes the rows of changed add-ons in the transaction of the change; this file has the
 * bulk work: daily figures of all add-ons, compaction of counters, and removal of duplicate words. `rebuild-rows.ts` replaces all rows
 * after a change of the analysis.
 *
 * Four tables hold the search: `addon_search` (lexemes and columns), `search_listing` (columns of lists without a query), counters per kind
 * of add-on, and the words of names for misspellings. Writers append to counters and words instead of updating shared rows, so concurrent
 * transactions do not block each other; the nightly run compacts them. Bulk updates go in several transactions whose rows are spread over
 * pages, so that PostgreSQL can place new row versions in the same page (HOT) and skip the text indexes. Every function may be interrupted
 * and run again, and may run concurrently with all writers and with itself.
 */
import { BulkSession } from '../../../../infra/bulk-session.ts';
import { db, Prisma, type Transaction } from '../../../../infra/db.ts';
import { levelOf, popularityFactor } from '../../index/popularity.ts';
import { queueSync } from '../../index/queue-sync.ts';
import { numberArray } from '../plan/statement.ts';
import { KIND_COLUMNS } from './write-rows.ts';

/** Ids are split into ten interleaved parts: rows of one page are updated in different transactions and reuse freed space. */
const PARTS = 10;
/** Up to this many rows are written in one transaction. */
const FEW = 500;
/** Rows per statement, chosen to stay well within the statement timeout. */
const BATCH = 1_000;

/** Numbers of add-ons as PostgreSQL array texts, all in the same order. */
interface Numbers {
  ids: string;
  users: string;
  is_experimental: string;
  is_featured: string;
  downloads: string;
  hotness: string;
  ratings: string;
}

const elementsOf = (text: string) => text.slice(1, -1).split(',');

/** Divides ascending ids into parts, one transaction each. */
export function* interleavedBatches(ids: readonly number[]): Generator<number[]> {
  for (let start = 0; start < ids.length; start += PARTS * BATCH) {
    const some = ids.slice(start, start + PARTS * BATCH);
    const parts = Math.min(PARTS, Math.ceil(some.length / FEW));
    for (let part = 0; part < parts; part++) yield some.filter((_, index) => index % parts === part);
  }
}

/**
 * Copies the daily figures (users, downloads, hotness, ratings) of all add-ons to the search rows. Call it after a bulk change, outside
 * a transaction. Does not touch texts and filters. Returns the number of changed rows.
 */
export async function refreshPopularity(): Promise<number> {
  let changed = 0;
  for (const ids of interleavedBatches(await findOutdated()))
    changed += await db.$transaction((tx) => refreshPopularityOf(tx, ids));
  return changed;
}

async function findOutdated(): Promise<number[]> {
  const rows = await BulkSession.during('addons-search', (session) =>
    session.query<{ id: number }>(`
      SELECT s.addon_id AS id FROM ${ROWS} WHERE ${DIFFERS} ORDER BY s.addon_id`),
  );
  return rows.map(({ id }) => id);
}

const ROWS = 'addon_search s JOIN search_listing l USING (addon_id) JOIN addon a ON a.id = s.addon_id';
// Processes of release 0.1.0 write no ratings to the listing.
const DIFFERS = `(s.users, s.downloads, s.hotness, s.rating, l.rating)
  IS DISTINCT FROM (a.average_daily_users, a.weekly_downloads, a.hotness, a.rating_bayesian, a.rating_bayesian)`;

/**
 * Copies the same figures of some add-ons, in the transaction that changed only them: two statements. Returns the number of changed
 * rows.
 */
export async function refreshPopularityOf(tx: Transaction, addonIds: readonly number[]): Promise<number> {
  const [numbers] = await tx.$queryRaw<Numbers[]>`
    SELECT array_agg(addon_id)::text AS ids, array_agg(average_daily_users)::text AS users,
      array_agg(is_experimental)::text AS is_experimental, array_agg(is_featured)::text AS is_featured,
      array_agg(weekly_downloads)::text AS downloads, array_agg(hotness)::text AS hotness, array_agg(rating_bayesian)::text AS ratings
    FROM (
      SELECT s.addon_id, a.average_daily_users, s.is_experimental, s.is_featured, a.weekly_downloads, a.hotness, a.rating_bayesian
      FROM ${Prisma.raw(ROWS)} WHERE s.addon_id = ANY(${numberArray(addonIds)}::int[]) AND ${Prisma.raw(DIFFERS)}
      ORDER BY s.addon_id FOR NO KEY UPDATE OF a
    ) AS outdated HAVING count(*) > 0`;
  if (numbers === undefined) return 0;
  await writeNumbers(tx, numbers);
  const changed = elementsOf(numbers.ids).map(Number);
  await queueSync(tx, changed);
  return changed.length;
}

/** Uses arrays: transferring thousands of rows takes longer than writing them. */
async function writeNumbers(tx: Transaction, numbers: Numbers): Promise<void> {
  const { ids, users, downloads, hotness, ratings } = numbers;
  const [experimental, featured] = [elementsOf(numbers.is_experimental), elementsOf(numbers.is_featured)];
  const used = elementsOf(users).map(Number);
  const factors = used.map((averageDailyUsers, index) =>
    popularityFactor({
      averageDailyUsers,
      isExperimental: experimental[index] === 't',
      isFeatured: featured[index] === 't',
    }),
  );
  const levels = used.map((averageDailyUsers, index) => levelOf(factors[index] ?? 0, averageDailyUsers));
  await tx.$executeRaw`
    WITH fresh AS MATERIALIZED (
      SELECT * FROM unnest(${ids}::int[], ${users}::int[], ${downloads}::int[], ${hotness}::float8[], ${ratings}::float8[],
        ${numberArray(factors)}::float8[], ${numberArray(levels)}::int2[]) AS r(addon_id, users, downloads, hotness, rating, m, lvl)
    ), listed AS (
      UPDATE search_listing l SET users = fresh.users, downloads = fresh.downloads, hotness = fresh.hotness, rating = fresh.rating
      FROM fresh WHERE l.addon_id = fresh.addon_id
    )
    UPDATE addon_search s SET users = fresh.users, downloads = fresh.downloads, hotness = fresh.hotness,
      rating = fresh.rating, m = fresh.m, lvl = fresh.lvl, rev = nextval('addon_search_rev')
    FROM fresh WHERE s.addon_id = fresh.addon_id`;
}

/** Sums the counted changes into one row per kind of add-on. Safe to run concurrently with all other writers. */
export const FOLD_COUNTS = `
  WITH deleted AS (DELETE FROM search_facet RETURNING *)
  INSERT INTO search_facet (${KIND_COLUMNS}, n) SELECT ${KIND_COLUMNS}, sum(n) FROM deleted GROUP BY ${KIND_COLUMNS} HAVING sum(n) <> 0`;

/** Flushes the pending lists of the GIN indexes. */
export const MERGE_PENDING_ROWS = `
  SELECT gin_clean_pending_list(name::regclass)
  FROM unnest(ARRAY['addon_search_lexemes', 'addon_search_lexemes_1', 'addon_search_lexemes_2']) AS name`;

/**
 * Compacts counters and removes duplicate words. Runs nightly; safe to run concurrently with all writers. Words of
 * deleted names stay: they cost a comparison and match nothing.
 */
export async function compactSearchTables(): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.$executeRawUnsafe(FOLD_COUNTS);
    await tx.$executeRaw`
      DELETE FROM search_word w USING (
        SELECT ctid, row_number() OVER (PARTITION BY kind, c1, len, term ORDER BY ctid) AS place FROM search_word
      ) AS known WHERE w.ctid = known.ctid AND place > 1`;
  });
  await db.$queryRawUnsafe(MERGE_PENDING_ROWS);
}
