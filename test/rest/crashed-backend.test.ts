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
import { Client } from '../support/client.ts';
import { databaseSettings } from '../support/database.ts';
import { clusterRecord, newDataDir, query, removeDataDir, serverPid, silent } from '../support/embedded-postgres.ts';
import { addon } from '../support/factories.ts';
import { hasPooler } from '../support/has-pooler.ts';
import { checkReply } from '../support/openapi-check.ts';
import { startPgbouncer } from '../support/pgbouncer.ts';
import { PROGRAM, type RunningProgram, startProgram } from '../support/program.ts';

const PATH = '/api/v4/addons/addon/crashed/';

let dataDir: string;
let server: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
let app: TestApp;
let second: RunningProgram;
/** Anonymous clients of two web processes: that of this test, which also disables the add-on, and another one. */
let readers: Client[];

beforeAll(async () => {
  dataDir = await newDataDir();
  server = await startEmbeddedPostgres({ dataDir, log: silent });
  await migrate(server.url, {});
  const pooler = hasPooler ? await startPgbouncer(server.url) : null;
  const database = {
    url: server.url,
    serviceUrl: pooler?.through(server.url) ?? server.url,
    drop: async () => pooler?.stop(),
  };
  Object.assign(process.env, databaseSettings(database));
  app = await startApp({ database });
  // The watch of the disk would report its state, which takes a transaction id, at any time after the start.
  const settings = { ...databaseSettings(database), LOG_LEVEL: 'info', LOW_DISK_MB: '0' };
  second = startProgram(settings, { args: [PROGRAM, 'serve'] });
  const [, url = ''] = await second.printed(/"url":"(http[^"]+)".*The web process serves/);
  readers = [app.anonymous, new Client(url, checkReply)];
});
afterAll(async () => {
  await second.end('SIGKILL');
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
  const client = await connect();
  for (let used = 0; used < count; used++) await client.query('SELECT pg_current_xact_id()');
  await client.end();
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Kills a backend, and waits until the server has ended the others and recovered. */
async function killBackend(): Promise<void> {
  const [victim, other] = [await connect(), await connect()];
  const othersEnded = new Promise((resolve) => other.once('end', resolve));
  const { rows } = await victim.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
  await othersEnded;
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

const get = (reader: Client, etag?: string) => reader.get(PATH, etag === undefined ? {} : { 'if-none-match': etag });
const getByGraphql = (reader: Client) => reader.graphqlResult('{ addon(by: { slug: "crashed" }) { slug } }');

/** Reads the public add-on until every cache has it. Returns its ETag. */
async function readPublic(reader: Client): Promise<string | undefined> {
  const { etag } = (await get(reader)).headers;
  expect([(await get(reader, etag)).status, (await get(reader, etag)).status]).toEqual([304, 304]);
  expect((await getByGraphql(reader)).errors).toBeUndefined();
  return etag;
}

describe('an add-on disabled after a crash of a database backend', () => {
  it('is refused by both web processes: REST detail, conditional request and GraphQL', async () => {
    await delayWalWriter();
    const { id } = await addon({ slug: 'crashed' });
    await useTransactionIds(200);
    const before = await snapshot();
    const etags = await Promise.all(readers.map(readPublic));

    await killBackend();
    for (const reader of readers) await expect.poll(async () => (await get(reader)).status).toBe(200);
    await disable(id);
    await useTransactionIds(Math.max(0, Number(before.split(':')[1]) - (await nextId())));
    expect(await snapshot()).toBe(before);

    for (const [index, reader] of readers.entries()) {
      expect((await get(reader)).status).toBe(401);
      expect((await get(reader, etags[index])).status).toBe(401);
      expect((await getByGraphql(reader)).errors?.[0]?.extensions?.code).toBe('NOT_AUTHENTICATED');
    }
  });
});
