/*
 * Database and store have the same id. A worker on the wrong database would take every file of the store for garbage; a web process
 * would serve none of them.
 */
import { randomBytes } from 'node:crypto';
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pool } from '../db.ts';
import { makeStagingFolder } from '../staging/staging.ts';
import { syncFolder } from '../sync-folder.ts';
import { storeFolder } from './blob-store.ts';
import { blobs } from './blobs.ts';

/** Files of an unmarked store that are looked up in the database. */
const SAMPLE = 500;

const markerPath = (): string => join(storeFolder(), 'installation');

/** The store belongs to another installation than the database. */
export class WrongStoreError extends Error {
  override readonly name = 'WrongStoreError';

  constructor({ database, store }: StoreIds) {
    const found = store === null ? 'has no id and not the files of the database' : `is of installation ${store}`;
    super(
      `The file store ${storeFolder()} ${found}; the database is of installation ${database}. Set DATABASE_URL and DATA_DIR to those ` +
        'that belong together. If these do, for example after a restored backup, run: npx addons storage adopt',
    );
  }
}

/** Ids of database and store; null for a store that no process has used with a database yet. */
export interface StoreIds {
  database: string;
  store: string | null;
}

/** @throws when the database lacks the migration that gives it an id. */
export async function storeIds(): Promise<StoreIds> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT value #>> '{}' AS id FROM service_state WHERE name = 'installation'`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The database has no installation id.');
  return { database: row.id, store: await readMarker() };
}

/** The id of the store; null before its first use. Reads no database. */
export async function readMarker(): Promise<string | null> {
  try {
    return (await readFile(markerPath(), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * @throws {WrongStoreError} when the store has another id than the database, or none and mostly files that the database does not know, or
 * no file although the database needs some.
 */
export async function requireOwnStore(): Promise<StoreIds> {
  const ids = await storeIds();
  const isOwn = ids.store === null ? await hasFilesOfDatabase() : ids.store === ids.database;
  if (!isOwn) throw new WrongStoreError(ids);
  return ids;
}

/** Whether the database knows at least half of the files of the store, or neither has any. */
async function hasFilesOfDatabase(): Promise<boolean> {
  const sample: string[] = [];
  for await (const { sha256 } of blobs.entries()) if (sample.push(sha256) === SAMPLE) break;
  const { rows } = await pool.query<{ known: number; needsFiles: boolean }>(
    `SELECT count(*)::int AS known, EXISTS (SELECT FROM stored_file_use WHERE is_needed) AS "needsFiles"
     FROM unnest($1::text[]) AS name WHERE EXISTS (SELECT FROM stored_file_use WHERE sha256 = name)`,
    [sample],
  );
  const { known = 0, needsFiles = false } = rows[0] ?? {};
  return sample.length === 0 ? !needsFiles : known * 2 >= sample.length;
}

/** Marks an unmarked store as that of the database. Several processes may do so at the same time. @throws as `requireOwnStore` does. */
export async function claimStore(): Promise<void> {
  const { database, store } = await requireOwnStore();
  if (store !== null) return;
  const draft = await writeDraft(database);
  await link(draft, markerPath()).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(draft);
  await syncFolder(storeFolder());
  await requireOwnStore();
}

/** Gives the store the id of the database, whatever it had. Returns the ids before. */
export async function adoptStore(): Promise<StoreIds> {
  const ids = await storeIds();
  await rename(await writeDraft(ids.database), markerPath());
  await syncFolder(storeFolder());
  return ids;
}

async function writeDraft(id: string): Promise<string> {
  await makeStagingFolder();
  const draft = join(storeFolder(), 'staging', `installation.${randomBytes(8).toString('hex')}`);
  await writeFile(draft, `${id}\n`, { mode: 0o600, flush: true });
  return draft;
}
