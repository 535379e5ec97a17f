import { blobs } from '../../infra/blob-store/blobs.ts';
import { db } from '../../infra/db.ts';

/** Longer than a backup, which reads the database first and the files later. */
const GRACE_MS = 24 * 3_600_000;
const BATCH = 500;

/**
 * Removes blobs that no row references: of uploads killed between storing and committing, of uploads that were never
 * submitted, and of signed files that were not published. May run concurrently. Returns the number of removed blobs.
 */
export async function collectBlobs(graceMs = GRACE_MS): Promise<number> {
  await deleteUnusedRenditions(graceMs);
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
 * Deletes the rows of renditions whose source picture no row references, so that their blobs are collected. Storing a source
 * again renews the rows, and the row that references it follows within the grace period.
 */
async function deleteUnusedRenditions(graceMs: number): Promise<void> {
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
    WHERE NOT EXISTS (SELECT FROM stored_file_use WHERE stored_file_use.sha256 = candidate)`;
  let removed = 0;
  for (const { sha256 } of rows) if (await blobs.remove(sha256, graceMs)) removed++;
  return removed;
}
