import pg from 'pg';
import { startEmbeddedPostgres } from '../../../src/infra/embedded-postgres/embedded-postgres.ts';

/** The database of an installation, seen from outside: plain SQL, nothing of the service's own code between. */
export interface InstalledDatabase {
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** Connects to the embedded database in a data folder. It keeps running while this is open, whoever else is killed. */
export async function openInstalledDatabase(dataDir: string): Promise<InstalledDatabase> {
  const server = await startEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: () => {} } });
  const pool = new pg.Pool({ connectionString: server.url, max: 4 });
  pool.on('error', () => {});
  return {
    query: async (sql, values = []) => (await pool.query(sql, values)).rows,
    close: async () => {
      await pool.end();
      await server.stop();
    },
  };
}
