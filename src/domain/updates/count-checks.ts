import { db } from '../../infra/db.ts';
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

interface Count {
  guid: string;
  /** YYYY-MM-DD, in UTC. */
  day: string;
  app: Application;
  version: string;
  count: number;
}

let waiting = new Map<string, Count>();
let lost = 0;
let timer: NodeJS.Timeout | undefined;
let writing: Promise<void> | undefined;
let today = { text: '', end: 0 };
const senders = new SenderLimit(CHECKS_PER_MINUTE);

/**
 * Counts a periodic update check for an add-on, in memory. `guid` is in lower case, `version` the installed one by the browser's
 * account, `address` that of the client, which is not kept.
 */
export function countCheck(guid: string, app: Application, version: string, address: string): void {
  if (!senders.admits(address)) return;
  const day = currentDay();
  const known = VERSION.test(version) ? version : '';
  const key = `${day} ${app} ${known} ${guid}`;
  const entry = waiting.get(key);
  if (entry !== undefined) entry.count += 1;
  else if (waiting.size < MAX_COUNTS) waiting.set(key, { guid, day, app, version: known, count: 1 });
  else lost += 1;
  timer ??= setTimeout(() => void flushUpdateCounts(), FLUSH_MS).unref();
  if (entry === undefined && waiting.size === MAX_COUNTS / 2) void flushUpdateCounts();
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
  if (waiting.size === 0) return;
  if (await isReadOnly()) {
    timer ??= setTimeout(() => void flushUpdateCounts(), FLUSH_MS).unref();
    return;
  }
  const counts = [...waiting.values()];
  waiting = new Map();
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
async function store(counts: readonly Count[]): Promise<void> {
  await db.$executeRaw`
    INSERT INTO update_check_count (addon_id, day, app, version, count)
    SELECT a.id, c.day, c.app, coalesce(v.version, ''), sum(c.count)
    FROM json_to_recordset(${JSON.stringify(counts)}::json)
      AS c(guid citext, day date, app text, version text, count int)
    JOIN addon a ON a.guid = c.guid
    LEFT JOIN version v ON v.addon_id = a.id AND v.version = c.version AND v.stage = 'signed'
    GROUP BY a.id, c.day, c.app, coalesce(v.version, '') ORDER BY a.id, c.day, c.app, coalesce(v.version, '')
    ON CONFLICT (addon_id, day, app, version)
    DO UPDATE SET count = least(update_check_count.count::bigint + excluded.count, ${MAX_INT4})`;
}
