import { db, Prisma } from '../../infra/db.ts';
import { log } from '../../infra/log.ts';

const FLUSH_MS = 1_000;
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

const waiting = new Map<string, { fileId: number; source: string; count: number }>();
let timer: NodeJS.Timeout | undefined;

export function knownSource(source: string): string {
  if (!SOURCE.test(source)) return '';
  return KNOWN_SOURCES.has(source) || KNOWN_PREFIXES.some((prefix) => source.startsWith(prefix)) ? source : '';
}

/**
 * Counts a download in memory. Counts are written once a second, so a download needs no statement of its own. A killed
 * process loses the counts of the last second.
 */
export function countDownload(fileId: number, source: string): void {
  const label = knownSource(source);
  const key = `${fileId} ${label}`;
  const entry = waiting.get(key) ?? { fileId, source: label, count: 0 };
  entry.count += 1;
  waiting.set(key, entry);
  timer ??= setTimeout(() => void flushDownloadCounts(), FLUSH_MS).unref();
}

/** Writes the counts since the last flush. */
export async function flushDownloadCounts(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  const entries = [...waiting.values()];
  waiting.clear();
  if (entries.length === 0) return;
  const rows = entries.map(({ fileId, source, count }) => Prisma.sql`(${fileId}, CURRENT_DATE, ${source}, ${count})`);
  try {
    await db.$executeRaw`
      INSERT INTO download_count (file_id, day, source, count) VALUES ${Prisma.join(rows)}
      ON CONFLICT (file_id, day, source) DO UPDATE SET count = download_count.count + excluded.count`;
  } catch (error) {
    log.warn({ err: error, lost: entries.length }, 'Download counts could not be written.');
  }
}
