/*
 * An embedded database with public add-ons for update checks: three versions each, with files and ranges of two applications.
 */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/infra/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../src/infra/migrations/migrate.ts';
import { addons as runAddons } from '../../test/support/program.ts';

const silent = { info: () => {}, warn: () => {} };

/** A filled database. */
export interface FilledDatabase {
  url: string;
  database: pg.Client;
  /** DATA_DIR of the servers. */
  dataDir: string;
  /** Stops the database and removes its folder, unless that was given. */
  remove(): Promise<void>;
}

/** The id of the add-on with this number, from 1. */
export const idOf = (number: number): string => `{${String(number).padStart(8, '0')}-0000-4000-8000-000000000000}`;

/** Creates the database with this number of add-ons, in `folder` if given, where an equal one is reused. */
export async function fillDatabase(addons: number, folder: string | null): Promise<FilledDatabase> {
  const home = folder ?? (await mkdtemp(join(tmpdir(), 'addons-bench-updates-')));
  await mkdir(home, { recursive: true });
  await chmod(home, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir: join(home, 'var'), log: silent });
  await migrate(postgres.url, { log: silent });
  const database = new pg.Client({ connectionString: postgres.url });
  database.on('error', () => {});
  await database.connect();
  const { rows } = await database.query<{ count: number }>('SELECT count(*)::int AS count FROM addon');
  const dataDir = join(home, 'data');
  if (rows[0]?.count === 0) {
    await fill(database, addons);
    // The rows name files that no store has.
    const adopted = await runAddons(['storage', 'adopt'], { DATABASE_URL: postgres.url, DATA_DIR: dataDir });
    if (adopted.code !== 0) throw new Error(adopted.stderr);
  } else if (rows[0]?.count !== addons) throw new Error(`${home} holds ${rows[0]?.count} add-ons, not ${addons}`);
  return {
    url: postgres.url,
    database,
    dataDir,
    remove: async () => {
      await database.end();
      await postgres.stop();
      if (folder === null) await rm(home, { recursive: true, force: true });
    },
  };
}

async function fill(database: pg.Client, addons: number): Promise<void> {
  await database.query(`SET addons.bulk_load = 'on'`);
  await database.query(
    `INSERT INTO addon (guid, slug, type, status, default_locale, name, weekly_downloads)
    SELECT '{' || lpad(n::text, 8, '0') || '-0000-4000-8000-000000000000}', 'addon-' || n, 'extension', 'public', 'en-US',
      jsonb_build_object('en-US', 'Add-on ' || n), $1::int - n FROM generate_series(1, $1::int) n`,
    [addons],
  );
  await database.query(
    `INSERT INTO version (addon_id, version, channel, stage, created, release_notes)
    SELECT a.id, n || '.0', 'listed', 'signed', timestamptz '2026-01-01' + n * interval '1 day',
      CASE WHEN a.id % 2 = 0 THEN '{"en-US": "Faster."}'::jsonb ELSE '{}' END
    FROM addon a CROSS JOIN generate_series(1, 3) n ORDER BY a.id, n`,
  );
  await database.query(
    `INSERT INTO version_compatibility (version_id, app, min, max, min_code, max_code)
    SELECT v.id, app, '57.0', '*', 125344329072640, 9007199254675471
    FROM version v CROSS JOIN unnest(ARRAY['desktop_browser', 'mobile_browser']) app`,
  );
  await database.query(
    `INSERT INTO file (version_id, name, size, sha256, original_sha256, permissions, status, is_webextension)
    SELECT id, 'addon_' || addon_id || '-' || version || '-mb+db.xpi', 50000, encode(sha256(id::text::bytea), 'hex'),
      encode(sha256(id::text::bytea), 'hex'), '{storage}', 4, true FROM version`,
  );
  // Without statistics, the subquery below may read all versions for each add-on.
  await database.query('ANALYZE addon, version');
  await database.query(
    `UPDATE addon a SET current_version_id = (SELECT max(v.id) FROM version v WHERE v.addon_id = a.id)`,
  );
  await database.query('INSERT INTO addon_document (addon_id, body) SELECT addon_id, body FROM current_addon_document');
  await database.query('RESET addons.bulk_load');
  await database.query('VACUUM ANALYZE');
}
