import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../../src/infra/embedded-postgres/embedded-postgres.ts';
import {
  clusterRecord,
  copyDatabase,
  isRunning,
  kill,
  newDataDir,
  pidFile,
  query,
  removeDataDir,
  serverPid,
  silent,
  startProcess,
} from '../support/embedded-postgres.ts';

let dataDir: string;
let made: string;
beforeAll(async () => {
  made = await newDataDir();
  await (await startEmbeddedPostgres({ dataDir: made, log: silent })).stop();
});
afterAll(() => removeDataDir(made));
beforeEach(async () => {
  dataDir = await newDataDir();
});
afterEach(() => removeDataDir(dataDir));

describe('startEmbeddedPostgres', () => {
  it('creates a database, keeps it after a stop, and starts it again with the same URL', async () => {
    const first = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(first).toMatchObject({ isNew: true, owner: true });
    await query(first.url, 'create table kept as select 42 as value');
    await first.stop();
    expect(await isRunning(dataDir)).toBe(false);

    const second = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(second).toMatchObject({ isNew: false, owner: true, url: first.url });
    expect(await query(second.url, 'select value from kept')).toEqual([{ value: 42 }]);
    await second.stop();
  });

  it('runs a copied data directory as a separate database', async () => {
    const first = await startEmbeddedPostgres({ dataDir, log: silent });
    await query(first.url, "create table place as select 'here' as name");
    await first.stop();
    const copy = join(dataDir, '../copy');
    await copyDatabase(dataDir, copy);

    const there = await startEmbeddedPostgres({ dataDir: copy, log: silent });
    expect(there.isNew).toBe(false);
    await query(there.url, "update place set name = 'there'");
    const here = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(await query(here.url, 'select name from place')).toEqual([{ name: 'here' }]);
    expect(await query(there.url, 'select name from place')).toEqual([{ name: 'there' }]);
    await Promise.all([here.stop(), there.stop()]);
    expect(await clusterRecord(copy)).toMatchObject({ home: join(copy, 'postgres') });
  });

  it('offers a secure server: loopback only, password, checksums, fsync, UTF-8, no superuser', async () => {
    const { url, stop } = await startEmbeddedPostgres({ dataDir, log: silent });
    const names = ['listen_addresses', 'fsync', 'data_checksums', 'server_encoding', 'lc_messages', 'max_connections'];
    const [values] = await query(url, `select ${names.map((name) => `current_setting('${name}') as ${name}`).join()}`);
    expect(values).toEqual({
      listen_addresses: '127.0.0.1',
      fsync: 'on',
      data_checksums: 'on',
      server_encoding: 'UTF8',
      lc_messages: 'C',
      max_connections: '100',
    });
    const [role] = await query(
      url,
      "select rolsuper, lower('ÄÖ') as folded from pg_roles where rolname = current_user",
    );
    expect(role).toEqual({ rolsuper: false, folded: 'äö' });
    await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toMatchObject({ code: '28P01' });
    await expect(query(url.replace('//addons:', '//postgres:'), 'select 1')).rejects.toMatchObject({ code: '28000' });
    expect((await stat(join(dataDir, 'postgres', 'cluster.json'))).mode & 0o777).toBe(0o600);
    await stop();
  });

  it('is started by exactly one of several concurrent processes', async () => {
    const starters = [startProcess(dataDir), startProcess(dataDir), startProcess(dataDir)];
    const connected = await Promise.all(starters.map((starter) => starter.connected));
    expect(connected.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(connected.filter(({ owner }) => owner)).toHaveLength(1);
    expect(new Set(connected.map(({ url }) => url)).size).toBe(1);
    await Promise.all(starters.map((starter) => starter.leave()));
    expect(await isRunning(dataDir)).toBe(false);
  });

  it('is stopped by the last process that leaves, not by the one that started it', async () => {
    await copyDatabase(made, dataDir);
    const starter = startProcess(dataDir);
    await starter.connected;
    const guest = startProcess(dataDir);
    expect(await guest.connected).toMatchObject({ isNew: false, owner: false });
    await starter.leave();
    expect(await query((await guest.connected).url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await guest.leave();
    expect(await isRunning(dataDir)).toBe(false);
  });

  it('survives a kill -9 of the process that started it', async () => {
    await copyDatabase(made, dataDir);
    const starter = startProcess(dataDir);
    const { url } = await starter.connected;
    const pid = await serverPid(dataDir);
    await kill(starter.child);

    const next = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(next).toMatchObject({ isNew: false, owner: false, url });
    expect(await serverPid(dataDir)).toBe(pid);
    // The server takes a moment to notice that the process is dead.
    const sessions = `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
    for (let tries = 0; tries < 100 && (await query(url, sessions)).length > 1; tries++) await sleep(100);
    await next.stop();
    expect(await isRunning(dataDir)).toBe(false);
  });

  it('restarts with the same URL and data when the server is killed under running processes', async () => {
    await copyDatabase(made, dataDir);
    const guest = startProcess(dataDir);
    await guest.connected;
    const { url, stop } = await startEmbeddedPostgres({ dataDir, log: silent });
    await query(url, 'create table kept as select 42 as value');
    process.kill(await serverPid(dataDir), 'SIGKILL');
    // Both processes reconnect; either of them may restart the server.
    const present = "select from pg_stat_activity where application_name = 'addons-presence'";
    await expect.poll(() => query(url, present).catch(() => []), { timeout: 10_000 }).toHaveLength(2);
    await guest.leave();
    expect(await query(url, 'select value from kept')).toEqual([{ value: 42 }]);
    await stop();
    expect(await isRunning(dataDir)).toBe(false);
  });

  it('keeps its data when the server and all processes are killed', async () => {
    await copyDatabase(made, dataDir);
    const starter = startProcess(dataDir);
    const { url } = await starter.connected;
    await query(url, 'create table kept as select 42 as value');
    starter.child.kill('SIGKILL');
    process.kill(await serverPid(dataDir), 'SIGKILL');
    const next = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(next).toMatchObject({ isNew: false, owner: true });
    expect(await query(next.url, 'select value from kept')).toEqual([{ value: 42 }]);
    await next.stop();
  });

  it('starts again after its creation was killed at any moment', async () => {
    for (const delay of [150, 250, 350, 450, 550]) {
      const { child } = startProcess(dataDir);
      await sleep(delay);
      expect(child.exitCode).toBe(null);
      await kill(child);
    }
    const { url, stop } = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(await query(url, 'select current_database() as name')).toEqual([{ name: 'addons' }]);
    await stop();
  });

  it('starts in spite of a pid file whose process id belongs to another program', async () => {
    await copyDatabase(made, dataDir);
    const first = await startEmbeddedPostgres({ dataDir, log: silent });
    const file = await pidFile(dataDir);
    const lines = (await readFile(file, 'utf8')).split('\n');
    await first.stop();
    await writeFile(file, [process.pid, ...lines.slice(1)].join('\n'));
    const second = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(second.owner).toBe(true);
    await second.stop();
  });

  it('refuses to create a database in place of a recorded one that is missing', async () => {
    await copyDatabase(made, dataDir);
    await (await startEmbeddedPostgres({ dataDir, log: silent })).stop();
    await rm(join((await clusterRecord(dataDir)).home, 'data'), { recursive: true });
    await expect(startEmbeddedPostgres({ dataDir, log: silent })).rejects.toThrow(/is missing. Restore it, or remove/);
  });

  it('refuses a database of another major version', async () => {
    await copyDatabase(made, dataDir);
    await (await startEmbeddedPostgres({ dataDir, log: silent })).stop();
    await writeFile(join((await clusterRecord(dataDir)).home, 'data', 'PG_VERSION'), '17\n');
    await expect(startEmbeddedPostgres({ dataDir, log: silent })).rejects.toThrow(/made by PostgreSQL 17/);
  });
});
