/* Writes the rows of all tables, in one snapshot. Tables themselves are those of the migrations, which a restore applies
 * (docs/decisions.md D134). */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createZstdCompress } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type BackupManifest, CHECKPOINT_NAME, FILE_LIST, type TableDump, writeHashed } from './manifest.ts';

/** Tables that `migrate` writes, and that of the objects in a bucket, which a restored installation does not have. */
const EXCLUDED = [
  'public.schema_migration',
  'public.schema_definition',
  'graphile_worker.migrations',
  'public.stored_object',
];
const SCHEMAS = "n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'";

/** Every table, partitioned ones instead of their partitions, with the columns that are stored. */
const TABLES = `
  SELECT n.nspname AS schema, c.relname AS name,
    array(SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
          ORDER BY attnum) AS columns
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE ${SCHEMAS} AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname || '.' || c.relname <> ALL ($1)
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
  ORDER BY 1, 2`;

const PARTITIONS = `
  SELECT n.nspname AS schema, c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound,
    json_build_object('schema', pn.nspname, 'name', p.relname) AS parent
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_inherits i ON i.inhrelid = c.oid
    JOIN pg_class p ON p.oid = i.inhparent JOIN pg_namespace pn ON pn.oid = p.relnamespace
  WHERE c.relispartition AND c.relkind = 'r' ORDER BY 1, 2`;

const SEQUENCES = `
  SELECT schemaname AS schema, sequencename AS name, last_value::text AS value FROM pg_sequences n
  WHERE last_value IS NOT NULL AND schemaname NOT LIKE 'pg\\_%' ORDER BY 1, 2`;

const FILES = 'SELECT sha256, bool_or(is_needed) FROM stored_file_use GROUP BY 1 ORDER BY 1';

/** Values are written and read as text in one form, whatever the server's settings. */
export const TEXT_FORMAT = "SET datestyle = 'ISO'; SET intervalstyle = 'postgres'; SET extra_float_digits = 1";

/** What a dump adds to the manifest. */
type Dump = Pick<BackupManifest, 'created' | 'migrations' | 'tables' | 'partitions' | 'sequences' | 'files'>;

type Named = Pick<TableDump, 'schema' | 'name'>;

/** The quoted name of a table. */
export const sqlName = ({ schema, name }: Named): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;

/** Writes the database of `session` into the folder of a backup, with the list of the stored files that its rows reference. */
export async function dumpDatabase(session: pg.Client, folder: string): Promise<Dump> {
  const { rows: tables } = await session.query<Named & { columns: string[] }>(TABLES, [EXCLUDED]);
  await mkdir(join(folder, 'database'), { recursive: true, mode: 0o700 });
  await session.query(TEXT_FORMAT);
  await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  // Before the snapshot: rows of a table that is emptied after it would be missing.
  await session.query(`LOCK TABLE ${tables.map(sqlName).join(', ')} IN ACCESS SHARE MODE`);
  const list = async <Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> =>
    (await session.query<Row>(sql)).rows;
  const [{ created = '' } = {}] = await list<{ created: string }>(
    `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created`,
  );
  const dumped: TableDump[] = [];
  for (const table of tables) dumped.push(await dumpTable(session, folder, table));
  await writeCheckpoint(session, folder);
  const dump = {
    created,
    migrations: await list<BackupManifest['migrations'][number]>(
      'SELECT name, checksum FROM schema_migration ORDER BY name',
    ),
    tables: dumped,
    partitions: await list<BackupManifest['partitions'][number]>(PARTITIONS),
    files: await listFiles(session, folder),
    // Last: a sequence may be ahead of the rows of the snapshot, but not behind.
    sequences: await list<BackupManifest['sequences'][number]>(SEQUENCES),
  };
  await session.query('COMMIT');
  return dump;
}

async function dumpTable(
  session: pg.Client,
  folder: string,
  { schema, name, columns }: Named & { columns: string[] },
): Promise<TableDump> {
  const file = `database/${schema}.${name}.copy.zst`;
  const selected = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  const rows = session.query(copyTo(`COPY (SELECT ${selected} FROM ${sqlName({ schema, name })}) TO STDOUT`));
  const written = await writeHashed(join(folder, file), rows, createZstdCompress());
  return { schema, name, columns, rows: rows.rowCount, file, ...written };
}

async function listFiles(session: pg.Client, folder: string): Promise<BackupManifest['files']> {
  const rows = session.query(copyTo(`COPY (${FILES}) TO STDOUT`));
  const written = await writeHashed(join(folder, FILE_LIST), rows);
  return { count: rows.rowCount, ...written };
}

/** Of the snapshot: a newer one would name entries that the dump does not have. */
async function writeCheckpoint(session: pg.Client, folder: string): Promise<void> {
  const { rows } = await session.query('SELECT note FROM log_checkpoint ORDER BY id DESC LIMIT 1');
  if (rows[0]) await writeFile(join(folder, CHECKPOINT_NAME), rows[0].note, { mode: 0o600, flush: true });
}
