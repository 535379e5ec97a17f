import { config } from '../../config.ts';
import { pool } from '../../infra/db.ts';
import { MAX_INT4 } from '../../infra/int4.ts';
import { log } from '../../infra/log.ts';
import { NetworkLimit } from '../../infra/network.ts';
import { isReadOnly } from '../../infra/read-only.ts';
import type { Application } from '../../package/enums.ts';

/** How often counts are written; a killed process loses those of this time. */
const FLUSH_MS = 10_000;
/** A browser with very many add-ons, or a large network behind one address. */
export const CHECKS_PER_MINUTE = 600;
/** Different counts in memory; from half of them on, they are written at once. */
export const MAX_COUNTS = 50_000;
/** Other texts are no version of any package. */
const VERSION = /^[\x21-\x7e]{1,64}$/;
/** How often the clock is read for the day. */
const CLOCK_MS = 1_000;

/** An add-on and application whose checks are counted. Keeps the counts since the last write, for speed. */
export interface CountedChecks {
  readonly addonId: number;
  readonly app: Application;
  /** The count of the first version since then. Most add-ons have no other, so few need a map. */
  first: Count | null;
  /** The counts of other versions, as browsers state them. */
  others: Map<string, Count> | null;
}

/** The checks of one day and version since the last write. */
interface Count {
  of: CountedChecks;
  /** YYYY-MM-DD, in UTC. */
  day: string;
  version: string;
  count: number;
}

let waiting: Count[] = [];
let lost = 0;
let timer: NodeJS.Timeout | undefined;
let writing: Promise<void> | undefined;
let today = { text: '', until: 0 };
const perMinute = new NetworkLimit(2 ** 16, 'minute');
/** By add-on. A process with ten million pairs of network and add-on a day has five in each counter. */
const perDay = new NetworkLimit(2 ** 21, 'day');

/**
 * Counts a periodic update check in memory, up to the limits of the network of its sender. `version` is the installed one by the browser's account, `address` that of the client, which
 * is not kept, `now` is `performance.now()`.
 */
export function countCheck(of: CountedChecks, version: string, address: string, now: number): void {
  const time = performance.timeOrigin + now;
  if (!perMinute.tryConsume(address, 0, CHECKS_PER_MINUTE, time)) return;
  if (!perDay.tryConsume(address, of.addonId, config.UPDATE_CHECKS_PER_NETWORK, time)) return;
  const day = dayAt(now);
  const count = countOf(of, version);
  if (count?.day === day) count.count += 1;
  else startCount(of, VERSION.test(version) ? version : '', day);
}

const countOf = ({ first, others }: CountedChecks, version: string): Count | null =>
  first?.version === version ? first : (others?.get(version) ?? null);

/** Counts the first check of a day and version since the last write. */
function startCount(of: CountedChecks, version: string, day: string): void {
  const known = countOf(of, version);
  if (known?.day === day) {
    known.count += 1;
    return;
  }
  if (waiting.length >= MAX_COUNTS) {
    lost += 1;
    return;
  }
  const count = { of, day, version, count: 1 };
  if (of.first === null || of.first === known) {
    of.first = count;
  } else {
    of.others ??= new Map();
    of.others.set(version, count);
  }
  waiting.push(count);
  timer ??= setTimeout(() => void flushUpdateCounts(), FLUSH_MS).unref();
  if (waiting.length === MAX_COUNTS / 2) void flushUpdateCounts();
}

function dayAt(now: number): string {
  if (now >= today.until) today = { text: new Date().toISOString().slice(0, 10), until: now + CLOCK_MS };
  return today.text;
}

/** Writes the counts since the last write. In read-only mode they stay in memory. */
export async function flushUpdateCounts(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  await writing;
  writing = write().finally(() => {
    writing = undefined;
  });
  await writing;
}

async function write(): Promise<void> {
  if (waiting.length === 0) return;
  if (await isReadOnly()) {
    timer ??= setTimeout(() => void flushUpdateCounts(), FLUSH_MS).unref();
    return;
  }
  const counts = waiting;
  waiting = [];
  for (const { of } of counts) {
    of.first = null;
    of.others = null;
  }
  const dropped = lost;
  lost = 0;
  if (dropped > 0) log.warn({ lost: dropped }, 'Too many different update checks to count.');
  try {
    await store(counts);
  } catch (error) {
    // It may have been committed. A count that is lost is better than one that counts twice.
    log.warn({ err: error, lost: counts.length }, 'Counts of update checks could not be written.');
  }
}

/**
 * Into the partitioned table (docs/decisions.md D135), in the order of the primary key, so that concurrent processes do not deadlock. Each parameter is a column, whose
 * values contain no spaces.
 */
const STORE = `
  INSERT INTO update_check (addon_id, day, app, version, count)
  SELECT a.id, c.day, c.app, coalesce(v.version, ''), sum(c.count)
  FROM unnest(string_to_array($1, ' ')::int[], string_to_array($2, ' ')::date[], string_to_array($3, ' '), string_to_array($4, ' '),
    string_to_array($5, ' ')::int[]) AS c(addon_id, day, app, version, count)
  JOIN addon a ON a.id = c.addon_id
  LEFT JOIN version v ON v.addon_id = a.id AND v.version = c.version AND v.stage = 'signed'
  GROUP BY a.id, c.day, c.app, coalesce(v.version, '') ORDER BY a.id, c.day, c.app, coalesce(v.version, '')
  ON CONFLICT (addon_id, day, app, version)
  DO UPDATE SET count = least(update_check.count::bigint + excluded.count, ${MAX_INT4})`;

/** A raw statement with columns as texts, which is faster than objects for 50,000 counts. */
async function store(counts: readonly Count[]): Promise<void> {
  const column = (value: (count: Count) => string | number) => counts.map(value).join(' ');
  await pool.query(STORE, [
    column(({ of }) => of.addonId),
    column(({ day }) => day),
    column(({ of }) => of.app),
    column(({ version }) => version),
    column(({ count }) => count),
  ]);
}
