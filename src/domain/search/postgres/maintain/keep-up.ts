/*
 * What keeps the search tables in order beside single changes: daily numbers, and the sums and words that pile up.
 */
import { BulkSession } from '../../../../infra/bulk-session.ts';
import { db, Prisma, type Transaction } from '../../../../infra/db.ts';
import { LEXER_VERSION } from '../../analysis/lexemes.ts';
import { levelOf, popularityFactor } from '../../index/popularity.ts';
import { queueSync } from '../../index/queue-sync.ts';
import { numberArray } from '../plan/statement.ts';
import { writeSearchRows } from './write-rows.ts';

/** Ids come in tenths, as many rows lie in one page: while one tenth is written, the places of the one before become free. */
const PARTS = 10;
/** So few rows may as well be written together. */
const FEW = 500;
/** As many rows as one statement updates well within the time that a statement may take. */
const BATCH = 5_000;

/** The numbers of some add-ons: arrays of PostgreSQL as it writes them, all in the same order. */
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

/**
 * Divides ids, in ascending order, into parts to be written by transactions of their own. No part has many neighbours, so
 * that PostgreSQL finds room for the new version of a row in its page, and leaves the text indexes alone.
 */
export function* apart(ids: readonly number[]): Generator<number[]> {
  for (let start = 0; start < ids.length; start += PARTS * BATCH) {
    const some = ids.slice(start, start + PARTS * BATCH);
    const parts = Math.min(PARTS, Math.ceil(some.length / FEW));
    for (let part = 0; part < parts; part++) yield some.filter((_, index) => index % parts === part);
  }
}

/**
 * Takes the numbers that change every day, users, downloads, hotness and ratings, over from the add-ons: call it after a
 * bulk change of them, outside of a transaction. Texts and filters are left alone. Returns how many rows have changed.
 */
export async function refreshPopularity(): Promise<number> {
  let changed = 0;
  for (const ids of apart(await findOutdated())) changed += await db.$transaction((tx) => refreshPopularityOf(tx, ids));
  return changed;
}

async function findOutdated(): Promise<number[]> {
  const rows = await BulkSession.during('addons-search', (session) =>
    session.query<{ id: number }>(`
      SELECT s.addon_id AS id FROM addon_search s JOIN addon a ON a.id = s.addon_id WHERE ${DIFFERS} ORDER BY s.addon_id`),
  );
  return rows.map(({ id }) => id);
}

const DIFFERS = `(s.users, s.downloads, s.hotness, s.rating)
  IS DISTINCT FROM (a.average_daily_users, a.weekly_downloads, a.hotness, a.rating_bayesian)`;

/**
 * Takes the same numbers over from some add-ons, inside the transaction that changed them and nothing else that the search
 * reads: two statements. Returns how many rows have changed.
 */
export async function refreshPopularityOf(tx: Transaction, addonIds: readonly number[]): Promise<number> {
  const [numbers] = await tx.$queryRaw<Numbers[]>`
    SELECT array_agg(addon_id)::text AS ids, array_agg(average_daily_users)::text AS users,
      array_agg(is_experimental)::text AS is_experimental, array_agg(is_featured)::text AS is_featured,
      array_agg(weekly_downloads)::text AS downloads, array_agg(hotness)::text AS hotness, array_agg(rating_bayesian)::text AS ratings
    FROM (
      SELECT s.addon_id, a.average_daily_users, s.is_experimental, s.is_featured, a.weekly_downloads, a.hotness, a.rating_bayesian
      FROM addon_search s JOIN addon a ON a.id = s.addon_id
      WHERE s.addon_id = ANY(${numberArray(addonIds)}::int[]) AND ${Prisma.raw(DIFFERS)}
      ORDER BY s.addon_id FOR NO KEY UPDATE OF a
    ) AS outdated HAVING count(*) > 0`;
  if (numbers === undefined) return 0;
  await writeNumbers(tx, numbers);
  const changed = elementsOf(numbers.ids).map(Number);
  await queueSync(tx, changed);
  return changed.length;
}

/** Arrays instead of rows: thousands of rows take longer to be read, here and there, than to be written. */
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
      UPDATE search_listing l SET users = fresh.users, downloads = fresh.downloads, hotness = fresh.hotness
      FROM fresh WHERE l.addon_id = fresh.addon_id
    )
    UPDATE addon_search s SET users = fresh.users, downloads = fresh.downloads, hotness = fresh.hotness,
      rating = fresh.rating, m = fresh.m, lvl = fresh.lvl, rev = nextval('addon_search_rev')
    FROM fresh WHERE s.addon_id = fresh.addon_id`;
}

const KIND = `type, apps, platforms, desktop_min, desktop_max, mobile_min, mobile_max, suite_min, suite_max, mail_min,
  mail_max`;

/** Adds the counted changes up, one row for each kind of add-on. Safe beside every other change and beside itself. */
export const FOLD_COUNTS = `
  WITH gone AS (DELETE FROM search_facet RETURNING *)
  INSERT INTO search_facet (${KIND}, n) SELECT ${KIND}, sum(n) FROM gone GROUP BY ${KIND} HAVING sum(n) <> 0`;

/** Adds the marks of changes up, which leaves their sum as it is. Safe beside every change and beside itself. */
export const FOLD_CHANGES = `
  WITH gone AS (DELETE FROM search_change RETURNING mark)
  INSERT INTO search_change (mark) SELECT sum(mark) FROM gone HAVING count(*) > 0`;

/** Puts the rows that wait in the lists of the text indexes in their places, as who writes single rows would in time. */
export const MERGE_PENDING_ROWS = `
  SELECT gin_clean_pending_list(name::regclass)
  FROM unnest(ARRAY['addon_search_lexemes', 'addon_search_lexemes_1', 'addon_search_lexemes_2']) AS name`;

/**
 * Adds counted changes and their marks up, and removes words that are there twice. Safe beside every other change and beside itself;
 * run it nightly. Words of names that are gone stay: they cost a comparison and find nothing.
 */
export async function tidySearchTables(): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.$executeRawUnsafe(FOLD_COUNTS);
    await tx.$executeRawUnsafe(FOLD_CHANGES);
    await tx.$executeRaw`
      DELETE FROM search_word w USING (
        SELECT ctid, row_number() OVER (PARTITION BY kind, c1, len, term ORDER BY ctid) AS place FROM search_word
      ) AS known WHERE w.ctid = known.ctid AND place > 1`;
  });
  await db.$queryRawUnsafe(MERGE_PENDING_ROWS);
}

const REWRITTEN = 500;
const STATE = 'search';

/**
 * Writes the rows of all add-ons anew when they were made by another version of the analysis, or never; else nothing.
 * Searches go on meanwhile. It can be interrupted and run again, also by several processes. Returns whether it was needed.
 */
export async function rewriteOutdatedRows(): Promise<boolean> {
  const state = await db.serviceState.findUnique({ where: { name: STATE } });
  if (JSON.stringify(state?.value) === JSON.stringify(CURRENT)) return false;
  await rewriteAllRows();
  await db.serviceState.upsert({
    where: { name: STATE },
    create: { name: STATE, value: CURRENT },
    update: { value: CURRENT },
  });
  return true;
}

const CURRENT = { lexer: LEXER_VERSION };

/** Writes the rows of all add-ons anew, some at a time. */
export async function rewriteAllRows(): Promise<void> {
  for (let after = 0; ; ) {
    const some = await db.addon.findMany({
      where: { id: { gt: after } },
      orderBy: { id: 'asc' },
      take: REWRITTEN,
      select: { id: true },
    });
    const last = some.at(-1);
    if (last === undefined) return;
    const ids = some.map(({ id }) => id);
    await db.$transaction((tx) => writeSearchRows(tx, ids));
    after = last.id;
  }
}
