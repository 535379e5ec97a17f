import { unlessBackupRuns } from '../../infra/backup/exclude-collection.ts';
import { blobs } from '../../infra/blob-store/blobs.ts';
import { storeIds, WrongStoreError } from '../../infra/blob-store/installation.ts';
import { db } from '../../infra/db.ts';
import { log } from '../../infra/log.ts';
import { GRACE_MS, withoutUse } from './verify-store.ts';

const BATCH = 500;

/** A collection of more files than this, and of a larger part of the store, is refused unless it is confirmed. */
const MAX_FILES = 100;
const MAX_PART = 0.1;

/** What a collection found, in files. `removed` is 0 for a refused one. */
interface CollectedBlobs {
  stored: number;
  unreferenced: number;
  removed: number;
  isRefused: boolean;
  /** A backup copies files, so that none was looked for. */
  isDeferred?: boolean;
}

interface Options {
  graceMs?: number;
  /** By an operator, who has looked at what would be removed. */
  isConfirmed?: boolean;
}

/**
 * Removes blobs that no row references: of uploads killed between storing and committing, of uploads that were never
 * submitted, and of signed files that were not published. A collection of many files removes none: more probably the database is the
 * wrong one, or was restored from an older backup. May run concurrently; does nothing while a backup runs.
 * @throws {WrongStoreError} when the store is of another installation.
 */
export async function collectBlobs(options: Options = {}): Promise<CollectedBlobs> {
  const collection = await unlessBackupRuns(() => collect(options));
  return collection ?? { stored: 0, unreferenced: 0, removed: 0, isRefused: false, isDeferred: true };
}

async function collect({ graceMs = GRACE_MS, isConfirmed = false }: Options): Promise<CollectedBlobs> {
  const ids = await storeIds();
  if (ids.store !== null && ids.store !== ids.database) throw new WrongStoreError(ids);
  await deleteUnusedRenditions(graceMs);
  const { stored, unreferenced } = await findUnreferenced(graceMs);
  const found = { stored, unreferenced: unreferenced.length };
  const isMuch = found.unreferenced > MAX_FILES && found.unreferenced > stored * MAX_PART;
  if (isMuch && !isConfirmed) {
    log.alert(
      found,
      'The collection of unreferenced files was refused: it would remove too many. Nothing was removed.',
    );
    await rememberRefusal(found);
    return { ...found, removed: 0, isRefused: true };
  }
  let removed = 0;
  for (const sha256 of unreferenced) {
    if (!(await blobs.remove(sha256, graceMs))) continue;
    log.info({ sha256 }, 'A stored file that no row references was removed.');
    removed++;
  }
  await db.serviceState.deleteMany({ where: { name: REFUSED } });
  return { ...found, removed, isRefused: false };
}

/** The row of `service_state` with the last collection, if it was refused. */
const REFUSED = 'refused-collection';

async function rememberRefusal(value: Pick<CollectedBlobs, 'stored' | 'unreferenced'>): Promise<void> {
  await db.serviceState.upsert({ where: { name: REFUSED }, create: { name: REFUSED, value }, update: { value } });
}

/** What the last collection would have removed if it had not been refused; null if it was not. */
export async function refusedCollection(): Promise<Pick<CollectedBlobs, 'stored' | 'unreferenced'> | null> {
  const row = await db.serviceState.findUnique({ where: { name: REFUSED } });
  return row && (row.value as unknown as Pick<CollectedBlobs, 'stored' | 'unreferenced'>);
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

/** What a collection would find now. */
export async function countUnreferenced(): Promise<Pick<CollectedBlobs, 'stored' | 'unreferenced'>> {
  const { stored, unreferenced } = await findUnreferenced(GRACE_MS);
  return { stored, unreferenced: unreferenced.length };
}

async function findUnreferenced(graceMs: number): Promise<{ stored: number; unreferenced: string[] }> {
  let stored = 0;
  const unreferenced: string[] = [];
  let batch: string[] = [];
  for await (const { sha256, modified } of blobs.entries()) {
    stored += 1;
    if (Date.now() - modified > graceMs) batch.push(sha256);
    if (batch.length < BATCH) continue;
    unreferenced.push(...(await withoutUse(batch)));
    batch = [];
  }
  unreferenced.push(...(await withoutUse(batch)));
  return { stored, unreferenced };
}
