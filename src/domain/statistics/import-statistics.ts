import { InvalidInputError } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { englishText, type Message, message } from '../../texts/messages.ts';
import { type AuditActor, recordAudit } from '../activity/record-audit.ts';
import { publishNumbers } from '../listing/publish-numbers.ts';
import { refreshMean, writeTotals } from '../ratings/rating-sums.ts';
import { LineError } from '../transfer/line-error.ts';
import { type DailyNumbers, type RatingNumbers, StatisticsReader } from './read-statistics.ts';
import { recomputeAllStatistics, recomputeStatistics } from './recompute-statistics.ts';

/** Rows per statement, to stay within the statement timeout. */
const STORED_AT_ONCE = 5_000;

/**
 * Stores the numbers of at most 5,000 days, with two statements. A stored day is replaced; of two entries for one day the second
 * counts. Returns the number of stored days and the unknown guids, for which nothing is stored.
 */
async function storeDays(
  tx: Transaction,
  days: readonly DailyNumbers[],
): Promise<{ stored: number; unknown: string[] }> {
  const byDay = new Map(days.map((day) => [`${day.date} ${day.guid.toLowerCase()}`, day]));
  const rows = JSON.stringify([...byDay.values()].map(({ ratings: _, ...row }) => row));
  const missing = await tx.$queryRaw<{ guid: string }[]>`
    SELECT DISTINCT r.guid FROM json_to_recordset(${rows}::json) AS r(guid citext)
    WHERE NOT EXISTS (SELECT FROM addon a WHERE a.guid = r.guid) ORDER BY 1`;
  await tx.$executeRaw`
    INSERT INTO daily_statistics (addon_id, day, users, downloads)
    SELECT a.id, r.date, r.users, r.downloads
    FROM json_to_recordset(${rows}::json) AS r(guid citext, date date, users int, downloads int) JOIN addon a USING (guid)
    ORDER BY a.id, r.date
    ON CONFLICT (addon_id, day) DO UPDATE SET users = excluded.users, downloads = excluded.downloads,
      is_estimated = false
    WHERE (daily_statistics.users, daily_statistics.downloads, daily_statistics.is_estimated)
      IS DISTINCT FROM (excluded.users, excluded.downloads, false)`;
  const unknown = missing.map(({ guid }) => guid);
  const without = new Set(unknown.map((guid) => guid.toLowerCase()));
  const stored = [...byDay.values()].filter(({ guid }) => !without.has(guid.toLowerCase())).length;
  return { stored, unknown };
}

/** Ratings by guid in lower case; later entries win. */
type Ratings = Map<string, RatingNumbers & { date: string }>;

/** Merges ratings of some days; the newest day wins. */
function collectRatings(known: Ratings, days: readonly DailyNumbers[]): void {
  for (const { guid, date, ratings } of days) {
    const key = guid.toLowerCase();
    if (ratings !== null && (known.get(key)?.date ?? '') <= date) known.set(key, { ...ratings, date });
  }
}

/**
 * Stores at most 5,000 sums of ratings and the values derived from them, with a few statements. Ratings that are stored here are
 * added to the sums. Returns the ids of the changed add-ons; the caller publishes them.
 */
async function storeRatings(tx: Transaction, ratings: Ratings): Promise<number[]> {
  const rows = JSON.stringify(
    [...ratings].map(([guid, { count, textCount, average }]) => ({ guid, count, textCount, average })),
  );
  await tx.$queryRaw`
    SELECT FROM addon WHERE guid IN (SELECT guid FROM json_to_recordset(${rows}::json) AS r(guid citext))
    ORDER BY id FOR NO KEY UPDATE`;
  const stored = await tx.$queryRaw<{ id: number }[]>`
    WITH given AS MATERIALIZED (
      SELECT a.id, r.* FROM json_to_recordset(${rows}::json) AS r(guid citext, count int, "textCount" int, average float8)
      JOIN addon a USING (guid)
    ), added AS (
      UPDATE rating_sums s SET imported_count = g.count, imported_text_count = g."textCount", imported_average = g.average
      FROM given g WHERE s.addon_id = g.id
    )
    UPDATE addon a SET rating_count = g.count, rating_text_count = g."textCount", rating_average = g.average
    FROM given g WHERE a.id = g.id
    RETURNING a.id`;
  const ids = stored.map(({ id }) => id);
  await writeTotals(tx, ids);
  await refreshMean(tx);
  await writeTotals(tx, ids);
  return ids;
}

/** Result of an import. */
interface ImportedStatistics {
  /** Stored days of add-ons. A day that occurs twice, thousands of lines apart, counts twice. */
  rows: number;
  /** Add-ons whose users, downloads or hotness changed. */
  addons: number;
  /** Lines left out (`line 17: users: …`) and unknown guids. */
  skipped: string[];
}

/** Limit of reported problems. */
const MAX_PROBLEMS = 20;
/** Time limit in milliseconds, for a year of a large catalogue. */
const TIMEOUT_MS = 60 * 60 * 1000;

/**
 * Stores the daily statistics of a file in one transaction, then updates the numbers of all add-ons. If that is interrupted, the
 * nightly job completes it. `skipBad` leaves out invalid lines and unknown guids.
 * @throws {InvalidInputError} naming invalid lines and unknown guids.
 */
export async function importStatistics(
  actor: AuditActor,
  lines: AsyncIterable<string | LineError>,
  { skipBad = false } = {},
): Promise<ImportedStatistics> {
  const skipped: Message[] = [];
  const skip = (problems: readonly Message[]) => {
    skipped.push(...problems);
    if (problems.length > 0 && !skipBad && skipped.length >= MAX_PROBLEMS) throw unusable(skipped);
  };
  const rows = await db.$transaction(
    async (tx) => {
      // The source may pause, such as a query whose output is standard input.
      await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
      const ratings: Ratings = new Map();
      let stored = 0;
      for await (const days of inBatches(readLines(lines, skip))) {
        collectRatings(ratings, days);
        const some = await storeDays(tx, days);
        skip(some.unknown.map(unknownAddon));
        stored += some.stored;
      }
      if (skipped.length > 0 && !skipBad) throw unusable(skipped);
      await takeRatings(tx, ratings);
      await recordAudit(tx, actor, 'statistics-imported', { rows: stored, skipped: skipped.length });
      return stored;
    },
    { timeout: TIMEOUT_MS },
  );
  return { rows, addons: await recomputeAllStatistics(), skipped: skipped.map(englishText) };
}

/**
 * Stores daily statistics of at most 5,000 days and publishes the results, in one transaction.
 * @throws {InvalidInputError} for more days, and naming unknown guids.
 */
export async function recordStatistics(actor: AuditActor, days: readonly DailyNumbers[]): Promise<ImportedStatistics> {
  if (days.length > STORED_AT_ONCE) throw unusable([message('statistics.too_many_days', { count: STORED_AT_ONCE })]);
  return db.$transaction(async (tx) => {
    const { stored, unknown } = await storeDays(tx, days);
    if (unknown.length > 0) throw unusable(unknown.map(unknownAddon));
    const ratings: Ratings = new Map();
    collectRatings(ratings, days);
    await takeRatings(tx, ratings);
    const guids = days.map(({ guid }) => guid);
    const named = await tx.addon.findMany({ where: { guid: { in: guids } }, select: { id: true } });
    const ids = named.map(({ id }) => id);
    const changed = await recomputeStatistics(tx, ids);
    await publishNumbers(tx, changed);
    await recordAudit(tx, actor, 'statistics-imported', { rows: stored, skipped: 0 });
    return { rows: stored, addons: changed.length, skipped: [] };
  });
}

async function takeRatings(tx: Transaction, ratings: Ratings): Promise<void> {
  const all = [...ratings];
  for (let start = 0; start < all.length; start += STORED_AT_ONCE) {
    await publishNumbers(tx, await storeRatings(tx, new Map(all.slice(start, start + STORED_AT_ONCE))));
  }
}

function unusable(problems: readonly Message[]): InvalidInputError {
  const named = problems.slice(0, MAX_PROBLEMS);
  const others = problems.length - named.length;
  const rows = others > 0 ? [...named, message('statistics.more_problems', { count: others })] : named;
  return new InvalidInputError(message('statistics.unusable', { problems: rows.map(englishText).join('; ') }), {
    rows,
  });
}

const unknownAddon = (guid: string) => message('statistics.unknown_addon', { guid });

async function* readLines(
  lines: AsyncIterable<string | LineError>,
  skip: (problems: readonly Message[]) => void,
): AsyncGenerator<DailyNumbers> {
  const reader = new StatisticsReader();
  let number = 0;
  for await (const line of lines) {
    number += 1;
    try {
      if (line instanceof LineError) throw line;
      const day = reader.read(line);
      if (day !== null) yield day;
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      const problem = message('statistics.invalid_line', { line: String(number), problem: error.message });
      if (!reader.hasFormat) throw unusable([problem]);
      skip([problem]);
    }
  }
}

async function* inBatches<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    if (batch.push(item) < STORED_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
