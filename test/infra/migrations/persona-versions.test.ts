import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../../../src/infra/migrations/migrate.ts';
import { createEmptyDatabase, type TestDatabase } from '../../support/database.ts';

const ALL = join(import.meta.dirname, '../../../prisma/migrations');
const MIGRATION = '0019_current_versions.sql';

let database: TestDatabase;
let directory: string;
let client: pg.Client;

beforeAll(async () => {
  database = await createEmptyDatabase();
  directory = await mkdtemp(join(tmpdir(), 'addons-migrations-'));
  for (const name of await readdir(ALL)) if (name < MIGRATION) await cp(join(ALL, name), join(directory, name));
  await migrate(database.url, { directory });
  client = new pg.Client({ connectionString: database.url });
  client.on('error', () => {});
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
  await rm(directory, { recursive: true });
});

it('0019 gives public personas a current version, and uploaded add-ons the flag of their permissions', async () => {
  await client.query(`
    INSERT INTO account (id, username) VALUES (1, 'author');
    INSERT INTO addon (id, guid, slug, type, status, default_locale, current_version_id) VALUES
      (1, 'bare@x', 'bare', 'persona', 'public', 'en-US', NULL),
      (2, 'imported@x', 'imported', 'persona', 'public', 'en-US', NULL),
      (3, 'waiting@x', 'waiting', 'persona', 'pending', 'en-US', NULL),
      (4, 'uploaded@x', 'uploaded', 'extension', 'public', 'en-US', NULL),
      (5, 'known@x', 'known', 'extension', 'public', 'en-US', NULL);
    INSERT INTO version (id, addon_id, version, channel, stage) VALUES
      (20, 2, '2.0', 'listed', 'signed'), (40, 4, '1.0', 'listed', 'signed'), (50, 5, '1.0', 'listed', 'signed');
    INSERT INTO version_compatibility VALUES (20, 'mobile_browser', '48.0', '*', 1, 2);
    INSERT INTO file (version_id, name, status, size, sha256, original_sha256, permissions) VALUES
      (40, 'a.xpi', 4, 1, 'a', 'a', '{storage,https://*/*}'), (50, 'b.xpi', 4, 1, 'b', 'b', '{tabs}');
    INSERT INTO upload (pk, addon_id, version_id, account_id, file_name) VALUES ('u', 4, 40, 1, 'a.xpi');
    SELECT setval('version_id_seq', 100);
    UPDATE addon SET current_version_id = id * 10 WHERE id IN (4, 5);
    INSERT INTO addon_document (addon_id, body) SELECT addon_id, body FROM current_addon_document;
    INSERT INTO service_state (name, value) VALUES ('search', '{"lexer": 1}');`);
  const before = await client.query('SELECT max(row_version)::int AS last FROM addon_document');
  await cp(join(ALL, MIGRATION), join(directory, MIGRATION));
  await migrate(database.url, { directory });
  const { rows } = await client.query(`SELECT d.addon_id AS id, d.body -> 'currentVersion' ->> 'version' AS version,
      d.body -> 'currentVersion' -> 'compatibility' ->> 0 AS first, d.body ->> 'requiresSensitiveDataAccess' AS sensitive,
      row_version > ${before.rows[0].last} AS changed
    FROM addon_document d ORDER BY 1`);
  expect(rows).toEqual([
    { id: 1, version: '1.0', first: expect.stringContaining('desktop_browser'), sensitive: 'false', changed: true },
    { id: 2, version: '2.0', first: expect.stringContaining('mobile_browser'), sensitive: 'false', changed: true },
    { id: 3, version: null, first: null, sensitive: 'false', changed: false },
    { id: 4, version: '1.0', first: null, sensitive: 'true', changed: true },
    { id: 5, version: '1.0', first: null, sensitive: 'false', changed: false },
  ]);
  // The worker updates the search rows.
  expect((await client.query("SELECT FROM service_state WHERE name = 'search'")).rows).toEqual([]);
});
