import { blobs } from '../../infra/blob-store/blobs.ts';
import { db } from '../../infra/db.ts';

/** A blob may be older than its row for as long as a backup takes: first the database is read, then the files. */
const GRACE_MS = 24 * 3_600_000;
const BATCH = 500;

/**
 * Removes the files of the store that no row refers to: what a kill between storing and committing leaves, and unsigned
 * results that lost a race. May run beside itself. Returns how many it removed.
 */
export async function collectBlobs(graceMs = GRACE_MS): Promise<number> {
  await forgetRenditions(graceMs);
  let removed = 0;
  let batch: string[] = [];
  for await (const sha256 of blobs.list(graceMs)) {
    batch.push(sha256);
    if (batch.length === BATCH) {
      removed += await collect(batch, graceMs);
      batch = [];
    }
  }
  return removed + (await collect(batch, graceMs));
}

/**
 * Drops the rows of pictures whose source no row refers to; what they name is then collected like anything else. A source
 * that is stored again renews them, and the row that will refer to it follows within the grace.
 */
async function forgetRenditions(graceMs: number): Promise<void> {
  await db.$executeRaw`
    DELETE FROM picture_rendition made
    WHERE made.stored < now() - make_interval(secs => ${graceMs / 1000}::float8)
      AND NOT EXISTS (SELECT FROM addon WHERE addon.icon_sha256 = made.source_sha256)
      AND NOT EXISTS (SELECT FROM persona WHERE persona.header_sha256 = made.source_sha256)`;
}

async function collect(hashes: string[], graceMs: number): Promise<number> {
  if (hashes.length === 0) return 0;
  const rows = await db.$queryRaw<{ sha256: string }[]>`
    SELECT candidate AS sha256 FROM unnest(${hashes}::text[]) AS candidate
    WHERE NOT EXISTS (SELECT FROM file WHERE file.sha256 = candidate OR file.original_sha256 = candidate)
      AND NOT EXISTS (SELECT FROM addon WHERE addon.icon_sha256 = candidate)
      AND NOT EXISTS (SELECT FROM account WHERE account.picture_sha256 = candidate)
      AND NOT EXISTS (SELECT FROM preview WHERE candidate IN (preview.image_sha256, preview.thumbnail_sha256))
      AND NOT EXISTS (SELECT FROM persona WHERE candidate IN (persona.header_sha256, persona.footer_sha256))
      AND NOT EXISTS (SELECT FROM picture_rendition made WHERE made.sha256 = candidate)`;
  let removed = 0;
  for (const { sha256 } of rows) if (await blobs.remove(sha256, graceMs)) removed++;
  return removed;
}
