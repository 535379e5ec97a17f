import { pool } from '../../infra/db.ts';
import { MAX_INT4 } from '../../infra/int4.ts';
import { log } from '../../infra/log.ts';
import { isReadOnly } from '../../infra/read-only.ts';
import type { Application } from '../../package/words.ts';
import { SenderLimit } from './sender-limit.ts';

/** How often counts are written; a killed process loses those of this time. */
const FLUSH_MS = 10_000;
/** A browser with very many add-ons, or a large network behind one address. */
export const CHECKS_PER_MINUTE = 600;
/** Different counts in memory; from half of them on, they are written at once. */
export const MAX_COUNTS = 50_000;
/** Other texts are no version of any package. */
const VERSION = /^[\x21-\x7e]{1,64}$/;
const DAY_MS = 86_400_000;

/** An add-on and application whose checks are counted. Keeps the counts since the last write, for speed. */
export interface Counted {
  /** In lower case. */
  readonly guid: string;
  readonly app: Application;
  /** By version, as browsers state it. */
  counts: Map<string, Count> | null;
}

/** The checks of one day and version since the last write. */
export interface Count {
  of: Counted;
  /** YYYY-MM-DD, in UTC. */
  day: string;
  version: string;
  count: number;
}

let waiting: Count[] = [];
let lost = 0;
let timer: NodeJS.Timeout | undefined;
let writing: Promise<void> | undefined;
let today = { text: '', end: 0 };
const senders = new SenderLimit(CHECKS_PER_MINUTE);

/**
 * Counts a periodic update check in memory. `version` is the installed one by the browser's account, `address` that of the client, which
 * is not kept.
 */
export function countCheck(of: Counted, version: string, address: string): void {
  if (!senders.admits(address)) return;
  const day = currentDay();
  const count = of.counts?.get(version);
  if (count !== undefined && count.day === day) count.count += 1;
  else startCount(of, VERSION.test(version) ? version : '', day);
}

/** Counts the first check of a day and version since the last write. */
function startCount(of: Counted, version: string, day: string): void {
  const known = of.counts?.get(version);
  if (known !== undefined && known.day === day) {
    known.count += 1;
    return;
  }
  if (waiting.length >= MAX_COUNTS) {
    lost += 1;
    return;
  }
  const count = { of, day, version, count: 1 };
  of.counts ??= new Map();
  of.counts.set(version, count);
  waiting.push(count);
  timer ??= setTimeout(() => void flushUpdateCounts(), FLUSH_MS).unref();
  if (waiting.length === MAX_COUNTS / 2) void flushUpdateCounts();
}

function currentDay(): string {
  const now = Date.now();
  if (now >= today.end || now < today.end - DAY_MS) {
    const start = now - (now % DAY_MS);
    today = { text: new Date(start).toISOString().slice(0, 10), end: start + DAY_MS };
  }
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
  for (const { of } of counts) of.counts = null;
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

/** In the order of the primary key, so that concurrent processes do not deadlock. */
const STORE = `
  INSERT INTO update_check_count (addon_id, day, app, version, count)
  SELECT a.id, c.day, c.app, coalesce(v.version, ''), sum(c.count)
  FROM json_to_recordset($1::json) AS c(guid citext, day date, app text, version text, count int)
  JOIN addon a ON a.guid = c.guid
  LEFT JOIN version v ON v.addon_id = a.id AND v.version = c.version AND v.stage = 'signed'
  GROUP BY a.id, c.day, c.app, coalesce(v.version, '') ORDER BY a.id, c.day, c.app, coalesce(v.version, '')
  ON CONFLICT (addon_id, day, app, version)
  DO UPDATE SET count = least(update_check_count.count::bigint + excluded.count, ${MAX_INT4})`;

/** A raw statement, whose parameter is a text of some megabytes for 50,000 counts. */
async function store(counts: readonly Count[]): Promise<void> {
  const rows = counts.map(({ of: { guid, app }, day, version, count }) => ({ guid, day, app, version, count }));
  await pool.query(STORE, [JSON.stringify(rows)]);
}
