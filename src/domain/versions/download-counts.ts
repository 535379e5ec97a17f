import { config } from '../../config.ts';
import { isRefusedStatement, pool } from '../../infra/db.ts';
import { MAX_INT4 } from '../../infra/int4.ts';
import { log } from '../../infra/log.ts';
import { NetworkLimit } from '../../infra/network.ts';

const FLUSH_MS = 1_000;
/** Different counts that are kept for the next flush when one fails. */
const MAX_KEPT = 100_000;
const SOURCE = /^[a-z0-9-]{1,64}$/i;
/** Known source labels. Labels that are unknown and have no known prefix count as the empty label. */
const KNOWN_SOURCES = new Set(
  `addondetail addon-detail-version api category collection creatured developers discovery-dependencies
  discovery-upsell discovery-video email find-replacement homepagebrowse homepagepromo installservice mostshared
  oftenusedwith prerelease-banner recommended search sharingapi similarcollections ss userprofile
  version-history co-hc-sidebar co-dp-sidebar hp-btn-promo hp-dl-promo hp-contest-winners dp-btn-primary
  dp-btn-version dp-btn-devchannel`.split(/\s+/),
);
const KNOWN_PREFIXES = 'external- discovery- cb-btn- cb-dl- cb-hc- hp-hc- hp-dl- dp-hc- dp-dl-'.split(' ');

const UUID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

interface Count {
  fileId: number;
  source: string;
  /** UUID of the collection whose link was used; null for others. */
  collection: string | null;
  count: number;
}

/** By add-on. */
const perDay = new NetworkLimit(2 ** 20, 'day');
const waiting = new Map<string, Count>();
let timer: NodeJS.Timeout | undefined;

/** A label of a download source that is counted by itself; else an empty text. */
export function knownSource(source: string): string {
  if (!SOURCE.test(source)) return '';
  return KNOWN_SOURCES.has(source) || KNOWN_PREFIXES.some((prefix) => source.startsWith(prefix)) ? source : '';
}

/** A complete download. */
interface CountedDownload {
  addonId: number;
  fileId: number;
  /** The label that the client gave, or an empty text. */
  source: string;
  /** The UUID of a collection that the client gave. */
  collection?: string | null;
  /** The client's address, which is not kept; null after a disconnect, which does not count. */
  address: string | null;
}

/**
 * Counts a download in memory, up to the limit of the client's network for the add-on and the day. Counts are written once a second, so a download needs no statement of its own. A killed
 * process loses the counts of the last second.
 */
export function countDownload({ addonId, fileId, source, collection = null, address }: CountedDownload): void {
  if (address === null || !perDay.tryConsume(address, addonId, config.DOWNLOADS_PER_NETWORK, Date.now())) return;
  const uuid = collection !== null && UUID.test(collection) ? collection.toLowerCase() : null;
  add({ fileId, source: knownSource(source), collection: uuid, count: 1 });
}

function add({ fileId, source, collection, count }: Count): void {
  const key = `${fileId} ${source} ${collection}`;
  const entry = waiting.get(key) ?? { fileId, source, collection, count: 0 };
  entry.count += count;
  waiting.set(key, entry);
  timer ??= setTimeout(() => void flushDownloadCounts(), FLUSH_MS).unref();
}

/** Writes the counts since the last flush. Counts that were certainly not written are kept for the next one. */
export async function flushDownloadCounts(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  const entries = [...waiting.values()];
  waiting.clear();
  if (entries.length === 0) return;
  try {
    await store(entries);
  } catch (error) {
    const kept = error instanceof NotStoredError ? entries.slice(0, MAX_KEPT) : [];
    kept.forEach(add);
    const facts = { err: error, kept: kept.length, lost: entries.length - kept.length };
    log.warn(facts, 'Download counts could not be written.');
  }
}

/** The statement was not sent, or the server refused it. After other failures it may have been committed. */
class NotStoredError extends Error {}

/** In the order of the primary key, so that concurrent processes do not deadlock. Items of collections count their own links, too. */
const STORE = `
  WITH given AS (
    SELECT * FROM unnest($1::int[], $2::text[], $3::uuid[], $4::int[]) AS c(file_id, source, collection, count)
  ), stored AS (
    INSERT INTO download_count (file_id, day, source, count)
    SELECT file.id, CURRENT_DATE, g.source, sum(g.count) FROM given g JOIN file ON file.id = g.file_id
    GROUP BY file.id, g.source ORDER BY file.id, g.source
    ON CONFLICT (file_id, day, source)
    DO UPDATE SET count = least(download_count.count::bigint + excluded.count, ${MAX_INT4})
  )
  UPDATE collection_item i SET downloads = least(i.downloads::bigint + used.count, ${MAX_INT4}) FROM (
    SELECT c.id AS collection_id, a.guid, sum(g.count) AS count FROM given g JOIN collection c ON c.uuid = g.collection
    JOIN file f ON f.id = g.file_id JOIN version v ON v.id = f.version_id JOIN addon a ON a.id = v.addon_id GROUP BY c.id, a.guid
  ) used WHERE i.collection_id = used.collection_id AND i.guid = used.guid`;

/** @throws {NotStoredError} when nothing was written. */
async function store(counts: readonly Count[]): Promise<void> {
  const client = await pool.connect().catch((cause: unknown) => {
    throw new NotStoredError('no connection', { cause });
  });
  const columns = (['fileId', 'source', 'collection', 'count'] as const).map((key) =>
    counts.map((count) => count[key]),
  );
  try {
    await client.query(STORE, columns);
    client.release();
  } catch (error) {
    client.release(true);
    throw isRefusedStatement(error) ? new NotStoredError('refused', { cause: error }) : error;
  }
}
