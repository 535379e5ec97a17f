/* Fills the tables of an empty database from a backup, in the transaction that has just made them. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { sqlName, TEXT_FORMAT } from './dump-database.ts';
import { BackupError, type BackupManifest, type TableDump } from './manifest.ts';
import { beginRestoration } from './restoration.ts';

/** Foreign keys: rows are loaded table by table, and some tables reference each other. */
const FOREIGN_KEYS = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS create
  FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 AND conrelid::regclass::text = ANY ($1)`;

/** Indexes are made faster from all rows than row by row. */
const INDEXES = `
  SELECT format('DROP INDEX %s', i.indexrelid::regclass) AS drop, pg_get_indexdef(i.indexrelid) AS create
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE i.indrelid::regclass::text = ANY ($1) AND NOT c.relispartition
    AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)`;

/** Memory for one index, within this transaction. */
const INDEX_MEMORY = '256MB';

/**
 * Loads the rows and the sequences of a backup. Rows that migrations inserted are replaced.
 * @throws {BackupError} when a table or column of the backup does not exist, or a number of rows differs.
 */
export async function loadDatabase(client: pg.Client, folder: string, manifest: BackupManifest): Promise<void> {
  const { tables, partitions, sequences } = manifest;
  await requireTables(client, tables);
  await client.query(TEXT_FORMAT);
  await client.query(
    `SET LOCAL maintenance_work_mem = '${INDEX_MEMORY}'; SET LOCAL statement_timeout = 0; SET LOCAL addons.bulk_load = 'on'`,
  );
  for (const { parent, bound, ...partition } of partitions) {
    await client.query(`CREATE TABLE IF NOT EXISTS ${sqlName(partition)} PARTITION OF ${sqlName(parent)} ${bound}`);
  }
  const { rows: named } = await client.query<{ name: string }>('SELECT unnest($1::text[])::regclass::text AS name', [
    tables.map(sqlName),
  ]);
  const names = [named.map(({ name }) => name)];
  const keys = (await client.query<{ drop: string; create: string }>(FOREIGN_KEYS, names)).rows;
  for (const { drop } of keys) await client.query(drop);
  const indexes = (await client.query<{ drop: string; create: string }>(INDEXES, names)).rows;
  for (const { drop } of indexes) await client.query(drop);
  for (const table of tables) {
    await empty(client, table);
    await loadTable(client, folder, table);
  }
  for (const { value, ...sequence } of sequences) {
    await client.query('SELECT setval($1::text::regclass, $2::bigint)', [sqlName(sequence), value]);
  }
  for (const { create } of [...indexes, ...keys]) await client.query(create);
  await beginRestoration(client, manifest.created);
}

async function requireTables(client: pg.Client, tables: readonly TableDump[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT n.nspname || '.' || c.relname || '.' || a.attname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped`,
  );
  const existing = new Set(rows.map(({ name }) => name));
  for (const { schema, name, columns } of tables) {
    const unknown = columns.find((column) => !existing.has(`${schema}.${name}.${column}`));
    if (unknown === undefined) continue;
    throw new BackupError(
      `The backup has the column ${schema}.${name}.${unknown}, which its migrations do not make. Restore it with the release that made it.`,
    );
  }
}

/** Removes what migrations inserted. No role has the right to empty a log; those are empty after migrations. */
async function empty(client: pg.Client, table: TableDump): Promise<void> {
  const { rows } = await client.query(`SELECT EXISTS (SELECT FROM ${sqlName(table)}) AS "hasRows"`);
  if (rows[0].hasRows) await client.query(`TRUNCATE ${sqlName(table)}`);
}

async function loadTable(client: pg.Client, folder: string, table: TableDump): Promise<void> {
  const columns = table.columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  const target = client.query(copyFrom(`COPY ${sqlName(table)} (${columns}) FROM STDIN`));
  await pipeline(createReadStream(join(folder, table.file)), createZstdDecompress(), target);
  if (target.rowCount === table.rows) return;
  throw new BackupError(`${table.file} has ${target.rowCount} rows instead of ${table.rows}.`);
}
