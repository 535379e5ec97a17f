import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isConnectionLoss } from '../../../src/infra/database-errors.ts';
import { startEmbeddedPostgres } from '../../../src/infra/embedded-postgres/embedded-postgres.ts';

const OUTAGE_MS = 60_000;

/** Plain SQL access to the database of an installation, without the service's own queries. */
export interface InstalledDatabase {
  url: string;
  /** Retries while the connection to the server is lost, which scripts of this folder cause. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Resolves with the next notification that a version changed its stage. */
  nextStage(): Promise<unknown>;
  close(): Promise<void>;
}

/** Connects to the embedded database in a data folder and keeps it running until `close`. */
export async function openInstalledDatabase(dataDir: string): Promise<InstalledDatabase> {
  const server = await startEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: () => {} } });
  const pool = new pg.Pool({ connectionString: server.url, max: 4 });
  pool.on('error', () => {});
  let listener: Promise<pg.Client> | undefined;
  let announced: Promise<unknown> | undefined;
  const listen = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query('LISTEN version_stage');
    return client;
  };
  return {
    url: server.url,
    query: async (sql, values = []) => {
      const deadline = performance.now() + OUTAGE_MS;
      for (;;) {
        try {
          return (await pool.query(sql, values)).rows;
        } catch (error) {
          if (!isConnectionLoss(error) || performance.now() > deadline) throw error;
          await sleep(100);
        }
      }
    },
    nextStage: async () => {
      listener ??= listen();
      const client = await listener;
      announced ??= once(client, 'notification').finally(() => {
        announced = undefined;
      });
      return announced;
    },
    close: async () => {
      await (await listener)?.end();
      await pool.end();
      await server.stop();
    },
  };
}
