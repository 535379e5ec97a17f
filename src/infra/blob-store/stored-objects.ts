/*
 * The rows of `stored_object`: which blobs a bucket has, their sizes and ages. The rows decide, not the bucket, and every statement here is
 * complete in itself: a process can be killed, or stopped for hours, between any two of them.
 *
 * - A blob is stored: its row is claimed (`claimObject`), the object written, the row completed (`completeObject`).
 * - A blob is removed: its row is marked (`markObject`), from which moment the blob is lost for readers; the object is deleted; the row
 *   records that (`noteRemoval`), and is kept for some time.
 * - A blob that is stored after the mark gets an object with another name, of the next generation. So the deletion of the old one, even
 *   if it is carried out late, deletes nothing that is needed.
 */
import { pool, prepared } from '../db.ts';
import type { BucketEntry } from './bucket.ts';

/** What the rows have about a blob. */
interface ObjectRow {
  generation: number;
  /** In bytes. */
  size: number;
  isComplete: boolean;
  isRemoved: boolean;
}

/** A blob that is about to be written. */
export interface BlobClaim {
  generation: number;
  /** Whether the bucket has confirmed the object of this generation before. */
  isComplete: boolean;
  /** Whether a reader found it lost or damaged. */
  isSuspect: boolean;
}

const object = prepared<ObjectRow>(
  pool,
  'stored-object',
  `SELECT generation, size::float8 AS size, is_complete AS "isComplete", removing IS NOT NULL AS "isRemoved"
   FROM stored_object WHERE sha256 = $1`,
);

/** The object of a blob; null without one. */
export async function findObject(sha256: string): Promise<ObjectRow | null> {
  return (await object(sha256))[0] ?? null;
}

/** Begins the storage of a blob, and resets its age. */
export async function claimObject(sha256: string, size: number): Promise<BlobClaim> {
  const { rows } = await pool.query<BlobClaim>(
    `INSERT INTO stored_object AS o (sha256, size) VALUES ($1, $2::bigint)
     ON CONFLICT (sha256) DO UPDATE SET size = excluded.size, stored = now(), removing = NULL, removed = NULL,
       generation = o.generation + (o.removing IS NOT NULL)::int, is_complete = o.is_complete AND o.removing IS NULL
     RETURNING generation, is_complete AS "isComplete",
       EXISTS (SELECT FROM stored_file_problem p WHERE p.sha256 = o.sha256) AS "isSuspect"`,
    [sha256, size],
  );
  const [claim] = rows;
  if (claim === undefined) throw new Error('The statement that claims an object returned no row.');
  return claim;
}

/** Ends the storage of a blob. Returns false when a collection has marked it in the meantime. */
export async function completeObject(sha256: string, generation: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE stored_object SET is_complete = true, stored = now() WHERE sha256 = $1 AND generation = $2 AND removing IS NULL`,
    [sha256, generation],
  );
  return rowCount === 1;
}

/** Records objects that a bucket has and that have no row. Returns their number. */
export async function recordObjects(found: readonly (ListedObject & { modified: Date })[]): Promise<number> {
  const { rowCount } = await pool.query(
    `INSERT INTO stored_object (sha256, generation, size, stored, is_complete)
     SELECT sha256, generation, size, stored, true
     FROM unnest($1::text[], $2::int[], $3::bigint[], $4::timestamptz[]) AS found(sha256, generation, size, stored)
     ON CONFLICT (sha256) DO NOTHING`,
    [
      found.map(({ sha256 }) => sha256),
      found.map(({ generation }) => generation),
      found.map(({ size }) => size),
      found.map(({ modified }) => modified),
    ],
  );
  return rowCount ?? 0;
}

/**
 * Marks a blob that was stored at least `graceMs` ago and that no row references. Returns the generation to remove, also of a blob that
 * was marked before and whose removal was interrupted; null when the blob stays.
 */
export async function markObject(sha256: string, graceMs: number): Promise<number | null> {
  const { rows } = await pool.query<{ generation: number }>(
    `UPDATE stored_object o SET removing = coalesce(removing, now())
     WHERE sha256 = $1 AND removed IS NULL AND (removing IS NOT NULL OR (
       stored <= now() - make_interval(secs => $2::float8 / 1000)
       AND NOT EXISTS (SELECT FROM stored_file_use used WHERE used.sha256 = o.sha256)))
     RETURNING generation`,
    [sha256, graceMs],
  );
  return rows[0]?.generation ?? null;
}

/** Records that the bucket has removed the object of a marked blob. */
export async function noteRemoval(sha256: string, generation: number): Promise<void> {
  await pool.query(
    'UPDATE stored_object SET removed = now() WHERE sha256 = $1 AND generation = $2 AND removing IS NOT NULL',
    [sha256, generation],
  );
}

/** A page of rows that are not removed, in order of their names: after `after`, and beginning with `prefix`. */
export async function listObjects(
  prefix: string,
  after: string,
  limit: number,
): Promise<{ sha256: string; stored: Date }[]> {
  const { rows } = await pool.query<{ sha256: string; stored: Date }>(
    `SELECT sha256, stored FROM stored_object
     WHERE sha256 > $1 AND sha256 < $2 AND removed IS NULL ORDER BY sha256 LIMIT $3`,
    [after < prefix ? prefix : after, `${prefix}g`, limit],
  );
  return rows;
}

/** The name of an object, in parts. */
export interface ListedObject {
  sha256: string;
  generation: number;
  /** In bytes. */
  size: number;
}

/** Those of the objects that are left: their blob was removed, or has an object of a later generation. */
export async function staleObjects(found: readonly ListedObject[]): Promise<ListedObject[]> {
  const { rows } = await pool.query<ListedObject>(
    `SELECT found.sha256, found.generation, 0 AS size FROM unnest($1::text[], $2::int[]) AS found(sha256, generation)
     JOIN stored_object o ON o.sha256 = found.sha256
       AND (o.generation > found.generation OR (o.generation = found.generation AND o.removed IS NOT NULL))`,
    [found.map(({ sha256 }) => sha256), found.map(({ generation }) => generation)],
  );
  return rows;
}

/** Days for which a removed blob keeps its row, and so its old names: no request is carried out this late. */
const KEPT_DAYS = 30;

/** Deletes the rows of objects that were removed long ago. */
export async function forgetRemoved(): Promise<void> {
  await pool.query(`DELETE FROM stored_object WHERE removed < now() - make_interval(days => ${KEPT_DAYS})`);
}

/** As in the folder, with the generation of those that are not the first. */
const OBJECT = /^[0-9a-f]{2}\/([0-9a-f]{64})(?:\.(\d{1,9}))?$/;

/** The name of the object with a blob. No name is used twice (docs/decisions.md D131). */
export const objectName = (sha256: string, generation: number): string =>
  `${sha256.slice(0, 2)}/${sha256}${generation === 0 ? '' : `.${generation}`}`;

/** The blobs of objects, without other objects, such as the marker. */
export function blobsOf(entries: readonly BucketEntry[]): (ListedObject & { modified: Date })[] {
  return entries.flatMap(({ name, size, modified }) => {
    const [, sha256, generation = '0'] = OBJECT.exec(name) ?? [];
    return sha256 === undefined ? [] : [{ sha256, generation: Number(generation), size, modified }];
  });
}
