import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../../../src/infra/migrations/migrate.ts';
import { createEmptyDatabase, type TestDatabase } from '../../support/database.ts';

const ALL = join(import.meta.dirname, '../../../prisma/migrations');
const MIGRATION = '0043_reason_messages.sql';

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
  await client?.end();
  await database?.drop();
  if (directory) await rm(directory, { recursive: true });
});

const message = (code: string, params: Record<string, unknown> = {}) => ({ reason: null, message: { code, params } });

const CASES = [
  ['invalid', 'Validation found 1 error.', message('validation.errors_found', { count: 1 })],
  ['invalid', 'Validation found 12 errors.', message('validation.errors_found', { count: 12 })],
  [
    'error',
    'The validator broke down (timeout). It was tried 3 times.',
    message('validation.broke_down', { problem: 'timeout', attempts: 3 }),
  ],
  [
    'error',
    'Invalid archive. The names of its files are too many and too long to be signed.',
    message('package.names_too_long_to_sign'),
  ],
  ['error', 'Words of another program', { reason: 'Words of another program', message: null }],
  // A reviewer wrote these words.
  ['rejected', 'Validation found 2 errors.', { reason: 'Validation found 2 errors.', message: null }],
  ['signed', null, { reason: null, message: null }],
] as const;

it('turns stored English reasons of the service into messages, and keeps the words of reviewers', async () => {
  await client.query(`INSERT INTO addon (id, guid, slug, type, default_locale, name, summary, status)
    VALUES (1, 'a@example', 'a', 'extension', 'en-US', '{}', '{}', 'incomplete')`);
  for (const [index, [stage, reason]] of CASES.entries()) {
    await client.query('INSERT INTO version (addon_id, version, channel, stage, reason) VALUES (1, $1, $2, $3, $4)', [
      `${index}.0`,
      'listed',
      stage,
      reason,
    ]);
  }
  await client.query(`INSERT INTO account (id, username, email) VALUES (7, 'one', 'one@example.com')`);
  await client.query(`INSERT INTO upload (pk, account_id, file_name, channel, stage, reason, sha256, size, manifest, expires)
    VALUES ('${'a'.repeat(32)}', 7, 'a.xpi', 'listed', 'invalid', 'Validation found 4 errors.', '${'0'.repeat(64)}', 1, '{}', now())`);
  await cp(join(ALL, MIGRATION), join(directory, MIGRATION));
  await migrate(database.url, { directory });
  const versions = await client.query('SELECT reason, reason_message AS message FROM version ORDER BY id');
  expect(versions.rows).toEqual(CASES.map(([, , expected]) => expected));
  const uploads = await client.query('SELECT reason, reason_message AS message FROM upload');
  expect(uploads.rows).toEqual([message('validation.errors_found', { count: 4 })]);
});
