import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readDefinitions } from '../../../src/infra/migrations/definitions.ts';
import { migrate, pendingMigrations } from '../../../src/infra/migrations/migrate.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let directory: string;
let client: pg.Client;

const put = (name: string, sql: string): Promise<void> => writeFile(join(directory, name), sql);
const run = () => migrate(database.url, { directory });
const applied = async () => (await run()).applied;
const rows = async (sql: string): Promise<unknown[]> =>
  (await client.query({ text: sql, rowMode: 'array' })).rows.map(([value]) => value);

const GREETING = (text: string) =>
  `CREATE OR REPLACE FUNCTION greeting() RETURNS text LANGUAGE sql AS $$ SELECT '${text}' $$;`;
const ALL = ['definition greeting', 'definition a', 'definition b'];

beforeEach(async () => {
  database = await createEmptyDatabase();
  directory = await mkdtemp(join(tmpdir(), 'addons-definitions-'));
  await mkdir(join(directory, 'migrations'));
  await mkdir(join(directory, 'definitions'));
  await put('migrations/0001_word.sql', "CREATE TABLE word (id int, text text); INSERT INTO word VALUES (1, 'one');");
  await put('definitions/greeting.sql', GREETING('hello'));
  await put(
    'definitions/a.sql',
    '-- requires: greeting\nCREATE OR REPLACE VIEW a AS SELECT id, greeting() AS text FROM word;',
  );
  await put('definitions/b.sql', '-- requires: a\nCREATE OR REPLACE VIEW b AS SELECT text FROM a;');
  client = new pg.Client({ connectionString: database.url });
  client.on('error', () => {});
  await client.connect();
  await run();
});

afterEach(async () => {
  await client.end();
  await database.drop();
  await rm(directory, { recursive: true });
});

describe('a definition', () => {
  it('is applied once, after those that it requires', async () => {
    expect(await rows('SELECT text FROM b')).toEqual(['hello']);
    expect(await rows('SELECT name FROM schema_definition ORDER BY applied_at, name')).toEqual(['a', 'b', 'greeting']);
    expect(await pendingMigrations(database.url, { directory })).toEqual([]);
    expect(await applied()).toEqual([]);
  });

  it('is applied again when its text has changed, with those that require it', async () => {
    await put('definitions/a.sql', 'CREATE OR REPLACE VIEW a AS SELECT id, upper(word.text) AS text FROM word;');
    expect(await pendingMigrations(database.url, { directory })).toEqual(['definition a']);
    expect(await applied()).toEqual(['definition a', 'definition b']);
    expect(await rows('SELECT text FROM b')).toEqual(['ONE']);
    expect(await applied()).toEqual([]);
  });

  it('returns to an earlier text, which a process with that text does not wait for', async () => {
    await put('definitions/greeting.sql', GREETING('good morning'));
    expect(await applied()).toEqual(ALL);
    await put('definitions/greeting.sql', GREETING('hello'));
    expect(await pendingMigrations(database.url, { directory })).toEqual([]);
    expect(await rows('SELECT text FROM b')).toEqual(['good morning']);
    expect(await applied()).toEqual(ALL);
    expect(await rows('SELECT text FROM b')).toEqual(['hello']);
  });

  it('whose columns have changed is dropped and created, and keeps the rights of other roles', async () => {
    await client.query('GRANT SELECT ON b TO PUBLIC; GRANT SELECT ON a TO pg_monitor');
    await put('definitions/a.sql', 'CREATE OR REPLACE VIEW a AS SELECT text, id::text AS number FROM word;');
    expect(await applied()).toEqual(['definition a', 'definition b']);
    expect(await rows('SELECT text FROM b')).toEqual(['one']);
    const rights = `SELECT concat(relname, ' ', CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END)
      FROM pg_class, aclexplode(relacl) WHERE relname IN ('a', 'b') AND grantee <> relowner ORDER BY 1`;
    expect(await rows(rights)).toEqual(['a pg_monitor', 'b PUBLIC']);
  });

  it('of a function whose result has changed is dropped and created with its triggers', async () => {
    const trigger = (name: string, parameter: string) =>
      `
      CREATE OR REPLACE FUNCTION ${name}(${parameter}) RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT 1 $$;
      CREATE OR REPLACE FUNCTION on_word() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
      CREATE OR REPLACE TRIGGER on_word AFTER INSERT OR UPDATE OF id ON word FOR EACH ROW
        EXECUTE FUNCTION on_word();`.replace(/^ {6}/gm, '');
    await put('definitions/c.sql', trigger('c', 'x int'));
    expect(await applied()).toEqual(['definition c']);
    await put('definitions/c.sql', trigger('c', 'y int'));
    expect(await applied()).toEqual(['definition c']);
    expect(await rows("SELECT proargnames[1] FROM pg_proc WHERE proname = 'c'")).toEqual(['y']);
    expect(await rows("SELECT count(*)::int FROM pg_trigger WHERE tgname = 'on_word'")).toEqual([1]);
  });

  it('is applied again after a migration that drops its view, in the same transaction', async () => {
    await put('migrations/0002_text.sql', 'DROP VIEW a CASCADE; ALTER TABLE word ALTER id TYPE bigint;');
    expect(await applied()).toEqual(['migration 0002_text', 'definition a', 'definition b']);
    expect(await rows('SELECT text FROM b')).toEqual(['hello']);
  });

  it('undoes the migrations before it when it fails, and is named', async () => {
    await put('migrations/0002_more.sql', 'CREATE TABLE more ();');
    await put('definitions/a.sql', 'CREATE OR REPLACE VIEW a AS SELECT nothing FROM word;');
    await expect(run()).rejects.toThrow('Definition a: column "nothing" does not exist');
    expect(await rows("SELECT to_regclass('more')")).toEqual([null]);
    expect(await rows('SELECT text FROM b')).toEqual(['hello']);
  });

  it.each([
    ['a missing one', 'c', 'Definition greeting requires c, which does not exist.'],
    ['one that requires it', 'b', 'Definition a requires itself.'],
  ])('is refused when it requires %s', async (_title, required, message) => {
    await put('definitions/greeting.sql', `-- requires: ${required}\n${GREETING('hello')}`);
    await expect(run()).rejects.toThrow(message);
  });
});

const PRISMA = join(import.meta.dirname, '../../../prisma');

describe('prisma/definitions', () => {
  it('publish the documents again that a change of their view changes', async () => {
    const own = await createTestDatabase();
    const session = new pg.Client({ connectionString: own.url });
    await session.connect();
    await session.query(`
      INSERT INTO addon (id, guid, slug, type, default_locale, homepage) VALUES
        (1, 'changed@x', 'changed', 'extension', 'en-US', '{"en-US": "https://changed.example/"}'),
        (2, 'equal@x', 'equal', 'extension', 'en-US', '{}'), (3, 'unpublished@x', 'unpublished', 'extension', 'en-US', '{}');
      INSERT INTO addon_document (addon_id, body) SELECT addon_id, body FROM current_addon_document WHERE addon_id < 3`);
    const before = await session.query('SELECT max(row_version) AS last FROM addon_document');
    const copy = join(directory, 'prisma');
    await cp(PRISMA, copy, { recursive: true });
    const file = join(copy, 'definitions/addon-document.sql');
    const homepage = `nullif(a.homepage, '{}') AS "homepage"`;
    const sql = await readFile(file, 'utf8');
    expect(sql).toContain(homepage);
    await writeFile(file, sql.replace(homepage, homepage.replace('a.homepage', "a.homepage - 'en-US'")));
    expect(await migrate(own.url, { directory: copy })).toEqual({ applied: ['definition addon-document'] });
    const { rows: documents } = await session.query(
      `SELECT addon_id AS id, body -> 'homepage' AS homepage, row_version > $1 AS "isNew" FROM addon_document ORDER BY 1`,
      [before.rows[0].last],
    );
    expect(documents).toEqual([
      { id: 1, homepage: null, isNew: true },
      { id: 2, homepage: null, isNew: false },
    ]);
    await session.end();
    await own.drop();
  });

  it('replace their objects when they are applied a second time', async () => {
    const own = await createEmptyDatabase();
    await migrate(own.url);
    const session = new pg.Client({ connectionString: own.url });
    await session.connect();
    for (const { sql, objects } of await readDefinitions(join(PRISMA, 'definitions'))) {
      await session.query(sql);
      expect(objects).toHaveLength(sql.match(/^CREATE /gm)?.length ?? 0);
    }
    await session.end();
    await own.drop();
  });
});
