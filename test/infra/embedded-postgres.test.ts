import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canRun, copyBinaries, findBinaries } from '../../src/infra/embedded-postgres/binaries.ts';
import { startEmbeddedPostgres } from '../../src/infra/embedded-postgres/embedded-postgres.ts';

interface Connected {
  url: string;
  isNew: boolean;
  owner: boolean;
  uid: number;
}

const isRoot = process.getuid?.() === 0;
const program = join(import.meta.dirname, '../support/embedded-postgres-process.ts');
const silent = { info: () => {}, warn: () => {} };

// A user that every Unix has beside root. In a clone that only root can read there is nothing for it to run.
const user = 1;
const userReaches = isRoot && spawnSync(process.execPath, ['--check', program], { uid: user, gid: user }).status === 0;

let dataDir: string;
let children: ChildProcess[];

beforeEach(async () => {
  children = [];
  const folder = await mkdtemp(join(tmpdir(), 'addons-embedded-'));
  await chmod(folder, 0o755);
  dataDir = join(folder, 'var');
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  // Leaving as the last one ends whatever server a test left running.
  if (await exists(join(dataDir, 'postgres', 'cluster.json'))) {
    const { home } = await record();
    const server = await startEmbeddedPostgres({ dataDir, log: silent }).catch(() => null);
    await server?.stop();
    if (!home.startsWith(dataDir)) await rm(home, { recursive: true });
  }
  await rm(join(dataDir, '..'), { recursive: true });
});

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function record(): Promise<{ home: string; password: string; initialised: boolean }> {
  return JSON.parse(await readFile(join(dataDir, 'postgres', 'cluster.json'), 'utf8'));
}

async function serverPid(): Promise<number> {
  const { home } = await record();
  return Number((await readFile(join(home, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

/** Whether the server listens, told by its pid file: a server that ends removes it last. */
const isRunning = async (): Promise<boolean> => exists(join((await record()).home, 'data', 'postmaster.pid'));

/** Starts another process on the same database; `connected` is its first line, `leave` ends it in peace. */
function start(uid?: number): { child: ChildProcess; connected: Promise<Connected>; leave(): Promise<void> } {
  const ids = uid === undefined ? {} : { uid, gid: uid };
  const child = spawn(process.execPath, [program, dataDir], { cwd: '/', stdio: ['pipe', 'pipe', 'ignore'], ...ids });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? 'null');
  const connected = next();
  return {
    child,
    connected,
    leave: async () => {
      await connected;
      child.stdin.end();
      expect(await next()).toEqual({ stopped: true });
      await once(child, 'exit');
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('startEmbeddedPostgres', () => {
  it('creates a database, keeps it over a stop, and finds it again at the same address', async () => {
    const first = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(first).toMatchObject({ isNew: true, owner: true });
    await query(first.url, 'create table kept as select 42 as answer');
    await first.stop();
    expect(await isRunning()).toBe(false);

    const second = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(second).toMatchObject({ isNew: false, owner: true, url: first.url });
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await second.stop();
  });

  it('offers a safe server: loopback only, password, checksums, fsync, UTF-8, no superuser', async () => {
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

  it('is started by exactly one of several processes that begin at once', async () => {
    const starters = [start(), start(), start()];
    const connected = await Promise.all(starters.map((starter) => starter.connected));
    expect(connected.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(connected.filter(({ owner }) => owner)).toHaveLength(1);
    expect(new Set(connected.map(({ url }) => url)).size).toBe(1);
    await Promise.all(starters.map((starter) => starter.leave()));
    expect(await isRunning()).toBe(false);
  });

  it('is ended by the last process that leaves, not by the one that started it', async () => {
    const starter = start();
    await starter.connected;
    const guest = start();
    expect(await guest.connected).toMatchObject({ isNew: false, owner: false });
    await starter.leave();
    expect(await query((await guest.connected).url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await guest.leave();
    expect(await isRunning()).toBe(false);
  });

  it('is taken over after a kill -9 of the process that started it', async () => {
    const starter = start();
    const { url } = await starter.connected;
    const pid = await serverPid();
    await kill(starter.child);

    const next = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(next).toMatchObject({ isNew: false, owner: false, url });
    expect(await serverPid()).toBe(pid);
    await next.stop();
    expect(await isRunning()).toBe(false);
  });

  it('comes back at the same address, with its data, when the server is killed under running processes', async () => {
    const guest = start();
    await guest.connected;
    const { url, stop } = await startEmbeddedPostgres({ dataDir, log: silent });
    await query(url, 'create table kept as select 42 as answer');
    process.kill(await serverPid(), 'SIGKILL');
    // Both processes find their way back; which of them restarts the server is left to chance.
    const present = "select from pg_stat_activity where application_name = 'addons-presence'";
    await expect.poll(() => query(url, present).catch(() => []), { timeout: 10_000 }).toHaveLength(2);
    await guest.leave();
    expect(await query(url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await stop();
    expect(await isRunning()).toBe(false);
  });

  it('keeps its data when the server and all processes are killed', async () => {
    const starter = start();
    const { url } = await starter.connected;
    await query(url, 'create table kept as select 42 as answer');
    starter.child.kill('SIGKILL');
    process.kill(await serverPid(), 'SIGKILL');
    const next = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(next).toMatchObject({ isNew: false, owner: true });
    expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await next.stop();
  });

  it('begins again when its creation was killed at any moment', async () => {
    for (const delay of [150, 250, 350, 450, 550]) {
      const { child } = start();
      await sleep(delay);
      expect(child.exitCode).toBe(null);
      await kill(child);
    }
    const { url, stop } = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(await query(url, 'select current_database() as name')).toEqual([{ name: 'addons' }]);
    await stop();
  });

  it('starts beside a pid file whose number belongs to another program by now', async () => {
    const first = await startEmbeddedPostgres({ dataDir, log: silent });
    const file = join((await record()).home, 'data', 'postmaster.pid');
    const lines = (await readFile(file, 'utf8')).split('\n');
    await first.stop();
    await writeFile(file, [process.pid, ...lines.slice(1)].join('\n'));
    const second = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(second.owner).toBe(true);
    await second.stop();
  });

  it('refuses to begin anew when the database of the record is gone', async () => {
    await (await startEmbeddedPostgres({ dataDir, log: silent })).stop();
    await rm(join((await record()).home, 'data'), { recursive: true });
    await expect(startEmbeddedPostgres({ dataDir, log: silent })).rejects.toThrow(/is gone. Restore it, or remove/);
  });

  it('refuses a database of another major version', async () => {
    await (await startEmbeddedPostgres({ dataDir, log: silent })).stop();
    await writeFile(join((await record()).home, 'data', 'PG_VERSION'), '17\n');
    await expect(startEmbeddedPostgres({ dataDir, log: silent })).rejects.toThrow(/made by PostgreSQL 17/);
  });
});

describe.runIf(isRoot)('startEmbeddedPostgres for root', () => {
  it('runs the server as nobody, or as the owner of the data directory', async () => {
    const { stop } = await startEmbeddedPostgres({ dataDir, log: silent });
    const { uid } = await stat(`/proc/${await serverPid()}`);
    expect(uid).not.toBe(0);
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(0);
    expect((await stat(join(dataDir, 'postgres', 'data'))).uid).toBe(uid);
    await stop();
  });

  it('moves the database and the programs to a folder of their own when the account cannot reach them', async () => {
    await chmod(join(dataDir, '..'), 0o700);
    const first = await startEmbeddedPostgres({ dataDir, log: silent });
    const { home } = await record();
    expect(home).toMatch(/^\/var\/(lib|tmp)\/addons-[0-9a-f]{16}$/);
    await first.stop();
    const second = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(second).toMatchObject({ isNew: false, owner: true });
    await second.stop();

    await rm(dataDir, { recursive: true });
    const anew = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(anew.isNew).toBe(true);
    expect((await record()).home).toBe(home);
    await anew.stop();
  });

  it('copies the programs, once, for an account that cannot reach where npm put them', async () => {
    const home = join(dataDir, 'home');
    const nobody = { uid: 65534, gid: 65534 };
    await mkdir(home, { recursive: true });
    const programs = await copyBinaries(await findBinaries(), home);
    expect(await canRun(programs, nobody)).toBe(true);
    expect(await copyBinaries(await findBinaries(), home)).toBe(programs);
    await chmod(home, 0o700);
    expect(await canRun(programs, nobody)).toBe(false);
  });

  it('works in the data directory of a user, who goes on with it afterwards', async () => {
    await mkdir(dataDir);
    await chown(dataDir, user, user);
    const first = await startEmbeddedPostgres({ dataDir, log: silent });
    expect((await stat(`/proc/${await serverPid()}`)).uid).toBe(user);
    for (const name of ['', 'cluster.json', 'postgres.log', 'start.lock', 'data']) {
      expect((await stat(join(dataDir, 'postgres', name))).uid, name).toBe(user);
    }
    await first.stop();
  });
});

describe.runIf(userReaches)('startEmbeddedPostgres for an ordinary user', () => {
  it('shares one server with commands that root runs in the same data directory', async () => {
    await mkdir(dataDir);
    await chown(dataDir, user, user);
    const served = start(user);
    expect(await served.connected).toMatchObject({ isNew: true, owner: true, uid: user });
    const command = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(command).toMatchObject({ isNew: false, owner: false });
    await served.leave();
    await command.stop();
    expect(await isRunning()).toBe(false);

    const byRoot = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(byRoot).toMatchObject({ isNew: false, owner: true });
    await byRoot.stop();
    const again = start(user);
    expect(await again.connected).toMatchObject({ isNew: false, owner: true });
    await again.leave();
  });

  it('is told when the data directory is not its own', async () => {
    await (await startEmbeddedPostgres({ dataDir, log: silent })).stop();
    const script = spawnSync(process.execPath, [program, dataDir], { uid: user, gid: user, encoding: 'utf8' });
    expect(script.stderr).toMatch(/postgres belongs to another user: run as the user that made it, or set DATA_DIR/);
    expect(script.status).toBe(1);
  });
});
