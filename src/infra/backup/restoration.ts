/*
 * A database has its rows before the store has its files. Until then a row of `service_state` names the backup, so that the same command
 * continues, and no process serves or collects files.
 */
import type pg from 'pg';

/** The name of that row; its value is the time of the backup. */
const RESTORING = 'restoring';

/** A database whose files are still to be restored. */
export class UnfinishedRestorationError extends Error {
  override readonly name = 'UnfinishedRestorationError';

  constructor(created: string) {
    super(`The database lacks files of the backup of ${created}. Run again: npx addons restore FOLDER`);
  }
}

type Connection = Pick<pg.Client, 'query'> | Pick<pg.Pool, 'query'>;

/** Notes, in the transaction that loads the rows, that the files are missing. */
export async function beginRestoration(client: pg.Client, created: string): Promise<void> {
  await client.query('INSERT INTO service_state (name, value) VALUES ($1, to_jsonb($2::text))', [RESTORING, created]);
}

/** The time of the backup whose rows a database has, while its files are missing; null for any other database. */
export async function interruptedRestoration(connection: Connection): Promise<string | null> {
  const { rows: tables } = await connection.query("SELECT to_regclass('public.service_state') IS NOT NULL AS found");
  if (!tables[0].found) return null;
  const { rows } = await connection.query("SELECT value #>> '{}' AS created FROM service_state WHERE name = $1", [
    RESTORING,
  ]);
  return rows[0]?.created ?? null;
}

/** @throws {UnfinishedRestorationError} when files of the database are still to be restored. */
export async function requireFinishedRestoration(connection: Connection): Promise<void> {
  const created = await interruptedRestoration(connection);
  if (created !== null) throw new UnfinishedRestorationError(created);
}

/** Notes that the files are there. */
export async function endRestoration(client: pg.Client): Promise<void> {
  await client.query('DELETE FROM service_state WHERE name = $1', [RESTORING]);
}
