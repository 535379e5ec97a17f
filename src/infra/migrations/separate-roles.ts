import pg from 'pg';
import { withMigrationClient } from './migrate.ts';
import { inLockedTransaction } from './wait-for-locks.ts';

/** Tables to which the serving role may only append. */
const LOGS = ['activity', 'audit_entry', 'signing_certificate', 'log_checkpoint'];
/** Tables that only triggers and migrations write. */
const READ_ONLY = ['log_head', 'schema_migration', 'schema_definition'];

const SCHEMAS = "nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'";

/**
 * Separates the role that serves from the one that migrates, which runs this and must be a member of the serving role: the logs and
 * all functions belong to the migrating role, everything else to the serving role, which maintains it. So the serving role can append
 * to the logs but not change them or their triggers. Can be repeated.
 */
export async function separateRoles(migratingUrl: string, servingUrl: string): Promise<void> {
  const serving = await roleOf(servingUrl);
  await withMigrationClient(migratingUrl, async (client) => {
    const { rows } = await client.query('SELECT current_user AS role, pg_has_role($1, $2) AS "isMember"', [
      serving,
      'MEMBER',
    ]);
    if (rows[0].role === serving) return;
    if (!rows[0].isMember) {
      throw new Error(
        `The role of MIGRATE_DATABASE_URL must be a member of that of DATABASE_URL. Run as a superuser: ` +
          `GRANT ${pg.escapeIdentifier(serving)} TO ${pg.escapeIdentifier(rows[0].role)}`,
      );
    }
    await inLockedTransaction(client, async () => {
      for (const statement of await statements(client, serving)) await client.query(statement);
    });
  });
}

const roleOf = (url: string): Promise<string> =>
  withMigrationClient(url, async (client) => (await client.query('SELECT current_user AS role')).rows[0].role);

/** What changes owners and rights in favour of the serving role. */
async function statements(client: pg.Client, role: string): Promise<string[]> {
  const serving = pg.escapeIdentifier(role);
  const list = async (sql: string, ...values: unknown[]): Promise<string[]> =>
    (await client.query({ text: sql, values, rowMode: 'array' })).rows.map(([statement]) => statement);
  const kept = [...LOGS, ...READ_ONLY];
  const relations = `FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${SCHEMAS} AND c.relkind IN ('r', 'p')`;
  const isKept = "(nspname = 'public' AND relname = ANY ($1))";
  return [
    ...(await list(
      `SELECT format('GRANT USAGE, CREATE ON SCHEMA %I TO ${serving}', nspname) FROM pg_namespace WHERE ${SCHEMAS}`,
    )),
    // Sequences of columns follow their tables.
    ...(await list(
      `SELECT format('ALTER TABLE %I.%I OWNER TO ${serving}', nspname, relname) ${relations} AND NOT ${isKept} AND c.relowner <> to_regrole(${pg.escapeLiteral(serving)})`,
      kept,
    )),
    ...(await list(
      `SELECT format('ALTER TABLE %I.%I OWNER TO CURRENT_USER', nspname, relname) ${relations} AND ${isKept} AND c.relowner <> current_user::regrole`,
      kept,
    )),
    ...(await list(`SELECT format('ALTER ROUTINE %s OWNER TO CURRENT_USER', p.oid::regprocedure) FROM pg_proc p
       JOIN pg_namespace n ON n.oid = p.pronamespace WHERE ${SCHEMAS} AND p.proowner <> current_user::regrole
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`)),
    ...(await list(`SELECT format('GRANT SELECT ON %I.%I TO ${serving}', nspname, relname) FROM pg_class c
       JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${SCHEMAS} AND c.relkind IN ('v', 'm')`)),
    `REVOKE ALL ON ${kept.join(', ')} FROM ${serving}, PUBLIC`,
    `GRANT SELECT ON ${kept.join(', ')} TO ${serving}`,
    `GRANT INSERT ON ${LOGS.join(', ')} TO ${serving}`,
    ...LOGS.map((table) => `GRANT USAGE ON SEQUENCE ${table}_id_seq TO ${serving}`),
  ];
}

/** Why the role that runs `query` could change the logs in spite of their triggers; null if it could not. */
export async function rightsOverLogs(
  query: (sql: string, values: unknown[]) => Promise<{ role: string; right: string }[]>,
): Promise<string | null> {
  const [found] = await query(
    `SELECT current_user AS role, CASE
       WHEN (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN 'is a superuser'
       WHEN bool_or(pg_has_role(c.relowner, 'MEMBER')) THEN 'owns ' || min(c.relname) FILTER (WHERE pg_has_role(c.relowner, 'MEMBER'))
       WHEN bool_or(pg_has_role(n.nspowner, 'MEMBER')) THEN 'owns the schema of the logs'
       WHEN EXISTS (SELECT FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
                    WHERE t.tgrelid = ANY (array_agg(c.oid)) AND NOT t.tgisinternal AND pg_has_role(p.proowner, 'MEMBER'))
         THEN 'owns a function of their triggers'
       END AS right
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND c.relname = ANY ($1)`,
    [[...LOGS, 'log_head']],
  );
  return found === undefined || found.right === null ? null : `the role ${found.role} ${found.right}`;
}
