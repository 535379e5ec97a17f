/* An add-on with a large package, and later versions of it that wait for review. */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { zip } from '../../test/support/packages.ts';

const FILES = 2_000;
const LINES = 200;
/** Every tenth file differs from that of the version before. */
const CHANGED = 10;
/** Versions that wait have numbers above those of the catalogue. */
const MAJOR = 9_000;

/** The add-on with the packages, and the numbers of its versions. */
export interface LargeAddon {
  slug: string;
  /** Public. */
  base: string;
  waiting: string[];
}

export const nameOf = (index: number): string => `folder-${index % 40}/file-${index}.js`;

/** About 10 kB. */
const textOf = (index: number, version: number): string =>
  Array.from({ length: LINES }, (_, line) =>
    line % 50 === 7 && index % CHANGED === 0
      ? `export const changed${line} = { version: ${version}, file: ${index} };\n`
      : `export const value${line} = fetch("${index * 7919 + line}"); // of ${line}\n`,
  ).join('');

/** Gives an add-on packages of 2,000 files, 20 MB together: its newest public version, and `count` versions that wait. */
export async function storeLargeAddon(database: pg.Client, dataDir: string, count: number): Promise<LargeAddon> {
  const { rows } = await database.query<{ id: number; slug: string; versionId: number; base: string }>(
    `SELECT a.id, a.slug, v.id AS "versionId", v.version AS base FROM addon a JOIN version v ON v.id = a.current_version_id
     WHERE a.status = 'public' AND a.slug IS NOT NULL AND a.type = 'extension' AND v.channel = 'listed' AND v.stage = 'signed'
       AND EXISTS (SELECT FROM file f WHERE f.version_id = v.id)
     ORDER BY a.weekly_downloads DESC, a.id LIMIT 1`,
  );
  const [found] = rows;
  if (found === undefined) throw new Error('No add-on has a public version.');
  await usePackage(database, dataDir, found.versionId, 0);
  const waiting = Array.from({ length: count }, (_, index) => `${MAJOR + index}.0`);
  for (const [index, version] of waiting.entries()) {
    // Those of an earlier run, in a catalogue that is reused.
    await database.query("UPDATE version SET stage = 'error' WHERE addon_id = $1 AND version = $2", [
      found.id,
      version,
    ]);
    const { rows: added } = await database.query<{ id: number }>(
      `WITH added AS (
         INSERT INTO version (addon_id, version, channel, stage, created, modified)
         VALUES ($1, $2, 'listed', 'awaiting_review', now(), now()) RETURNING id
       ) INSERT INTO file (version_id, name, size, sha256, original_sha256, permissions, is_webextension)
         SELECT id, 'large.xpi', 1, '', '', '{storage,cookies}', true FROM added RETURNING version_id AS id`,
      [found.id, version],
    );
    await usePackage(database, dataDir, added[0]?.id ?? 0, index + 1);
  }
  await database.query('UPDATE addon SET is_source_public = true WHERE id = $1', [found.id]);
  return { slug: found.slug, base: found.base, waiting };
}

/** Stores the package with the texts of `seed` and makes it that of a version. */
async function usePackage(database: pg.Client, dataDir: string, versionId: number, seed: number): Promise<void> {
  const names = Array.from({ length: FILES }, (_, index) => index);
  const bytes = await zip(Object.fromEntries(names.map((index) => [nameOf(index), textOf(index, seed)])));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const folder = join(dataDir, 'blobs', sha256.slice(0, 2));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, sha256), bytes);
  await database.query(
    'UPDATE file SET original_sha256 = $1, sha256 = $1, size = $2, is_stored = true WHERE version_id = $3',
    [sha256, bytes.length, versionId],
  );
  // As the worker stores them.
  const hashes = names.map((index) => createHash('sha256').update(textOf(index, seed)).digest('hex'));
  await database.query(
    `INSERT INTO package_file (sha256, addon_id, file_id)
     SELECT DISTINCT decode(hex, 'hex'), v.addon_id, f.id FROM unnest($1::text[]) AS hex, file f JOIN version v ON v.id = f.version_id
     WHERE v.id = $2 ON CONFLICT DO NOTHING`,
    [hashes, versionId],
  );
}
