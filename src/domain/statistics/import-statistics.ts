import { InvalidInputError } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { englishText, type Message, message } from '../../texts/messages.ts';
import { type Actor, recordAudit } from '../activity/record-audit.ts';
import { LineError } from '../transfer/line-error.ts';
import { publishNumbers } from './publish-numbers.ts';
import { type DailyNumbers, StatisticsReader } from './read-statistics.ts';
import { recomputeAllStatistics, recomputeStatistics } from './recompute-statistics.ts';
import { collectRatings, type Ratings, STORED_AT_ONCE, storeDays, storeRatings } from './store-statistics.ts';

/** Result of an import. */
export interface ImportedStatistics {
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
  actor: Actor,
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
export async function recordStatistics(actor: Actor, days: readonly DailyNumbers[]): Promise<ImportedStatistics> {
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
