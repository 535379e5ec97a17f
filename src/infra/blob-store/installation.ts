/*
 * Database and store have the same id. A worker on the wrong database would take every file of the store for garbage; a web process
 * would serve none of them.
 */
import { config } from '../../config.ts';
import { UnavailableError } from '../../errors.ts';
import { pool } from '../db.ts';
import { log } from '../log.ts';
import { blobs } from './blobs.ts';

/** Files of an unmarked store that are looked up in the database. */
const SAMPLE = 500;

/** The store belongs to another installation than the database. */
export class WrongStoreError extends Error {
  override readonly name = 'WrongStoreError';

  constructor({ database, store }: StoreIds) {
    const found = store === null ? 'has no id and not the files of the database' : `is of installation ${store}`;
    super(
      `The file store ${blobs.location} ${found}; the database is of installation ${database}. Set DATABASE_URL and ` +
        `${config.STORAGE === 's3' ? 'S3_BUCKET' : 'DATA_DIR'} to those that belong together. If these do, for example after a restored backup, run: npx addons storage adopt`,
    );
  }
}

/** Ids of database and store; null for a store that no process has used with a database yet. */
interface StoreIds {
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
  return { database: row.id, store: await blobs.readMarker() };
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

/** Whether the database has at least half of the files of the store, or neither has any. */
async function hasFilesOfDatabase(): Promise<boolean> {
  const sample = await blobs.sample(SAMPLE);
  const { rows } = await pool.query<{ known: number; needsFiles: boolean }>(
    `SELECT count(*)::int AS known, EXISTS (SELECT FROM stored_file_use WHERE is_needed) AS "needsFiles"
     FROM unnest($1::text[]) AS name WHERE EXISTS (SELECT FROM stored_file_use WHERE sha256 = name)`,
    [sample],
  );
  const { known = 0, needsFiles = false } = rows[0] ?? {};
  return sample.length === 0 ? !needsFiles : known * 2 >= sample.length;
}

/**
 * Marks an unmarked store as that of the database. Several processes may do so at the same time. A process starts without a bucket that
 * does not respond: collections compare the ids, too. @throws as `requireOwnStore` does.
 */
export async function claimStore(): Promise<void> {
  try {
    const { database, store } = await requireOwnStore();
    if (store !== null) return;
    await blobs.writeMarker(database, 'unmarked');
    await requireOwnStore();
  } catch (error) {
    if (config.STORAGE === 'fs' || !(error instanceof UnavailableError)) throw error;
    log.warn({ err: error }, 'The bucket does not respond; whether it belongs to the database is not known.');
  }
}

/** Gives the store the id of the database, whatever it had. Returns the ids before. */
export async function adoptStore(): Promise<StoreIds> {
  const ids = await storeIds();
  await blobs.writeMarker(ids.database, 'always');
  return ids;
}
