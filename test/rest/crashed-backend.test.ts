/*
 * A PostgreSQL backend killed with SIGKILL makes the server restart its other backends and replay the WAL. Transaction ids whose WAL
 * was not flushed are assigned again, so the text of a snapshot repeats with other rows. No response may depend on that text.
 */
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../../src/infra/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../src/infra/migrations/migrate.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { clusterRecord, newDataDir, query, removeDataDir, serverPid, silent } from '../support/embedded-postgres.ts';
import { addon } from '../support/factories.ts';

const PATH = '/api/v4/addons/addon/crashed/';

let dataDir: string;
let server: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
let app: TestApp;

beforeAll(async () => {
  dataDir = await newDataDir();
  server = await startEmbeddedPostgres({ dataDir, log: silent });
  await migrate(server.url, {});
  process.env.DATABASE_URL = server.url;
  app = await startApp({ database: { url: server.url, drop: async () => {} } });
});
afterAll(async () => {
  await app.close();
  await server.stop();
  await removeDataDir(dataDir);
});

/** Keeps the server from flushing the WAL that no commit waits for. */
async function delayWalWriter(): Promise<void> {
  const { home } = await clusterRecord(dataDir);
  await appendFile(join(home, 'data', 'postgresql.auto.conf'), "wal_writer_delay = '10s'\n");
  process.kill(await serverPid(dataDir), 'SIGHUP');
  await expect.poll(() => query(server.url, 'SHOW wal_writer_delay')).toEqual([{ wal_writer_delay: '10s' }]);
}

const snapshot = async () => (await query(server.url, 'SELECT pg_current_snapshot()::text AS text'))[0]?.text as string;
const nextId = async () => Number((await snapshot()).split(':')[1]);

/** Uses up transaction ids. A transaction that writes nothing does not flush its WAL when it commits. */
async function useTransactionIds(count: number): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  for (let used = 0; used < count; used++) await client.query('SELECT pg_current_xact_id()');
  await client.end();
}

async function killBackend(): Promise<void> {
  const victim = new pg.Client({ connectionString: server.url });
  victim.on('error', () => {});
  await victim.connect();
  const { rows } = await victim.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
  await expect
    .poll(() =>
      query(server.url, 'SELECT 1').then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
}

async function disable(id: number): Promise<void> {
  const { db } = await import('../../src/infra/db.ts');
  const { publishAddons } = await import('../../src/domain/listing/publish-addons.ts');
  await db.$transaction(async (tx) => {
    await tx.addon.update({ where: { id }, data: { isDisabledByDeveloper: true } });
    await publishAddons(tx, [id]);
  });
}

describe('an add-on disabled after a crash of a database backend', () => {
  it('is refused by REST detail, a conditional request and GraphQL', async () => {
    await delayWalWriter();
    const { id } = await addon({ slug: 'crashed' });
    const read = (tag?: string) => app.anonymous.get(PATH, tag === undefined ? {} : { 'if-none-match': tag });
    const readGraphql = () => app.anonymous.graphqlResult('{ addon(ref: "crashed") { slug } }');

    await useTransactionIds(200);
    const before = await snapshot();
    const { etag } = (await read()).headers;
    expect([(await read(etag)).status, (await read(etag)).status]).toEqual([304, 304]);
    expect((await readGraphql()).errors).toBeUndefined();

    await killBackend();
    await expect.poll(async () => (await read()).status).toBe(200);
    await disable(id);
    await useTransactionIds(Math.max(0, Number(before.split(':')[1]) - (await nextId())));
    expect(await snapshot()).toBe(before);

    expect((await read()).status).toBe(401);
    expect((await read(etag)).status).toBe(401);
    expect((await readGraphql()).errors?.[0]?.extensions?.code).toBe('NOT_AUTHENTICATED');
  });
});
