import pg from 'pg';

// Every object of the schema $1: kind, name, definition. Excludes objects of extensions, the tables of migrations, and NOT
// NULL constraints, which are part of the definition of a column.
const OBJECTS = `
  with own as (select oid, relname, relkind, reloptions from pg_class c
    where relnamespace = $1::regnamespace and relname !~ '^schema_(migration|definition)'
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e'))
  select 'table' as kind, relname::text as name, concat_ws(' ', relkind, reloptions) as definition from own where relkind in ('r', 'p', 'v', 'm')
  union all
  select 'column', relname || '.' || attname, concat_ws(' ', format_type(atttypid, atttypmod), case when attnotnull then 'not null' end,
      'default ' || pg_get_expr(adbin, adrelid), nullif(attgenerated, '')::text, nullif(attidentity, '')::text, 'storage ' || attstorage::text)
    from own join pg_attribute on attrelid = own.oid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relkind in ('r', 'p') and attnum > 0 and not attisdropped
  union all
  select 'index', relname, pg_get_indexdef(oid) from own where relkind in ('i', 'I')
  union all
  select 'sequence', relname, format_type(seqtypid, null) || ' ' || seqincrement from own join pg_sequence on seqrelid = oid
  union all
  select case contype when 'c' then 'check' else 'constraint' end, relname || '.' || conname, pg_get_constraintdef(c.oid)
    from pg_constraint c join own on conrelid = own.oid where contype <> 'n'
  union all
  select 'trigger', relname || '.' || tgname, pg_get_triggerdef(t.oid) from pg_trigger t join own on tgrelid = own.oid where not tgisinternal
  union all
  select 'function', proname, pg_get_function_identity_arguments(p.oid) from pg_proc p
    where pronamespace = $1::regnamespace and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  union all
  select 'enum', typname, string_agg(enumlabel, ',' order by enumsortorder) from pg_type t join pg_enum e on enumtypid = t.oid
    where typnamespace = $1::regnamespace group by typname`;

/** The objects of a database's schema: `kind name` → definition as PostgreSQL prints it. */
export async function readCatalog(url: string, schema = 'public'): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ kind: string; name: string; definition: string }>(OBJECTS, [schema]);
    return new Map(rows.map(({ kind, name, definition }) => [`${kind} ${name}`, definition]));
  } finally {
    await client.end();
  }
}
