/*
 * Views, functions and triggers: the files of `prisma/definitions`. Each is applied when it is new or has changed since it was applied,
 * when a file that it requires is applied, and when a migration has dropped one of its objects. Every checksum that was ever applied is
 * stored, so a process of the previous release recognises that the database has its definitions or later ones.
 */

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';

/** The program cannot migrate the database; the message has instructions for the operator. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

export interface SqlDefinition {
  /** File name without `.sql`. */
  name: string;
  sql: string;
  checksum: string;
  /** Names of the files that must be applied first: those of the line `-- requires: a, b`. */
  requires: string[];
  /** What the file creates, as in SQL: `VIEW a`, `FUNCTION b`, `TRIGGER c ON d`. */
  objects: string[];
}

/** Errors of `CREATE OR REPLACE` for a view or function whose columns or parameters have changed. */
const CANNOT_REPLACE = ['42P16', '42P13'];

const REQUIRES = /^-- requires: (.*)$/m;
const OBJECT = /^CREATE OR REPLACE (VIEW|FUNCTION|TRIGGER) (\w+)(?:[^;]*? ON (\w+))?/gm;

/**
 * The definitions of a folder, each after those that it requires.
 * @throws {MigrationError} when a file requires one that is missing or that requires it.
 */
export async function readDefinitions(directory: string): Promise<SqlDefinition[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort();
  const found = await Promise.all(
    files.map(async (file) => parseDefinition(file.slice(0, -4), await readFile(join(directory, file), 'utf8'))),
  );
  return inOrder(found);
}

function parseDefinition(name: string, sql: string): SqlDefinition {
  const requires = REQUIRES.exec(sql)?.[1]?.split(', ') ?? [];
  const objects = [...sql.matchAll(OBJECT)].map(([, kind, object, table]) =>
    kind === 'TRIGGER' ? `TRIGGER ${object} ON ${table}` : `${kind} ${object}`,
  );
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex'), requires, objects };
}

function inOrder(definitions: SqlDefinition[]): SqlDefinition[] {
  const ordered: SqlDefinition[] = [];
  const add = (definition: SqlDefinition, path: string[]): void => {
    if (ordered.includes(definition)) return;
    if (path.includes(definition.name)) throw new MigrationError(`Definition ${definition.name} requires itself.`);
    for (const name of definition.requires) {
      const required = definitions.find((other) => other.name === name);
      if (!required) throw new MigrationError(`Definition ${definition.name} requires ${name}, which does not exist.`);
      add(required, [...path, definition.name]);
    }
    ordered.push(definition);
  };
  for (const definition of definitions) add(definition, []);
  return ordered;
}

export const CREATE_DEFINITION_TABLE = `create table if not exists schema_definition (
  name text not null, checksum text not null, applied_at timestamptz not null default now(), primary key (name, checksum))`;

/** The definitions that the database never had. It may have later ones. */
export async function unknownDefinitions(client: pg.Client, definitions: SqlDefinition[]): Promise<SqlDefinition[]> {
  const { rows } = await client.query<{ found: boolean }>(
    "select to_regclass('schema_definition') is not null as found",
  );
  if (!rows[0]?.found) return definitions;
  const applied = await client.query<{ key: string }>("select name || ' ' || checksum as key from schema_definition");
  const known = new Set(applied.rows.map(({ key }) => key));
  return definitions.filter(({ name, checksum }) => !known.has(`${name} ${checksum}`));
}

/** Applies the definitions that need it, in the transaction of the caller. Returns them. */
export async function applyDefinitions(client: pg.Client, definitions: SqlDefinition[]): Promise<SqlDefinition[]> {
  const outdated = await outdatedDefinitions(client, definitions);
  const grants: string[] = [];
  for (const definition of outdated) {
    try {
      await client.query('savepoint definition');
      await client.query(definition.sql);
    } catch (error) {
      if (!CANNOT_REPLACE.includes((error as { code?: string }).code ?? '')) throw named(error, definition);
      await client.query('rollback to savepoint definition');
      grants.push(...(await drop(client, outdated, definition)));
      await client.query(definition.sql).catch((failure) => Promise.reject(named(failure, definition)));
    }
    await client.query(
      `insert into schema_definition (name, checksum) values ($1, $2)
       on conflict (name, checksum) do update set applied_at = excluded.applied_at`,
      [definition.name, definition.checksum],
    );
  }
  for (const grant of grants) await client.query(grant);
  return outdated;
}

async function outdatedDefinitions(client: pg.Client, definitions: SqlDefinition[]): Promise<SqlDefinition[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select distinct on (name) name, checksum from schema_definition order by name, applied_at desc',
  );
  const current = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const existing = await existingObjects(client);
  const outdated: SqlDefinition[] = [];
  for (const definition of definitions) {
    const isCurrent = current.get(definition.name) === definition.checksum;
    const isComplete = definition.objects.every((object) => existing.has(object));
    const isBuiltOnOutdated = outdated.some(({ name }) => definition.requires.includes(name));
    if (!isCurrent || !isComplete || isBuiltOnOutdated) outdated.push(definition);
  }
  return outdated;
}

async function existingObjects(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ object: string }>(`
    with own as (select oid, relname, relkind from pg_class where relnamespace = current_schema()::regnamespace)
    select 'VIEW ' || relname as object from own where relkind = 'v'
    union all select 'FUNCTION ' || proname from pg_proc where pronamespace = current_schema()::regnamespace
    union all select format('TRIGGER %s ON %s', tgname, relname) from pg_trigger join own on own.oid = tgrelid where not tgisinternal`);
  return new Set(rows.map(({ object }) => object));
}

/**
 * Drops the objects of a definition and of those that require it, which are applied after it. Returns the statements that give the
 * views their rights again. Fails when anything else depends on the objects.
 */
async function drop(client: pg.Client, ordered: SqlDefinition[], definition: SqlDefinition): Promise<string[]> {
  const dropped = [definition];
  for (const other of ordered) if (dropped.some(({ name }) => other.requires.includes(name))) dropped.push(other);
  const objects = dropped.flatMap((one) => one.objects).reverse();
  const { rows } = await client.query<{ statement: string }>(
    `select format('GRANT %s ON %I TO %s', privilege_type, relname, case grantee when 0 then 'PUBLIC' else grantee::regrole::text end) as statement
     from pg_class, aclexplode(relacl)
     where relnamespace = current_schema()::regnamespace and 'VIEW ' || relname = any ($1) and grantee <> relowner`,
    [objects],
  );
  for (const object of objects) {
    const [kind = '', ...name] = object.split(' ');
    await client.query(`DROP ${kind} IF EXISTS ${name.join(' ')}`);
  }
  return rows.map(({ statement }) => statement);
}

function named(error: unknown, { name }: SqlDefinition): unknown {
  if (error instanceof Error) error.message = `Definition ${name}: ${error.message}`;
  return error;
}
