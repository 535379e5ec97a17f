import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canRun, copyBinaries, findBinaries } from '../../src/infra/embedded-postgres/cluster-location.ts';
import { startEmbeddedPostgres } from '../../src/infra/embedded-postgres/embedded-postgres.ts';
import {
  clusterRecord,
  isRunning,
  newDataDir,
  program,
  removeDataDir,
  serverPid,
  silent,
  startProcess,
} from '../support/embedded-postgres.ts';

const isRoot = process.getuid?.() === 0;
// A user id that exists on every Unix. It can run nothing in a clone that only root can read.
const user = 1;
const userReaches = isRoot && spawnSync(process.execPath, ['--check', program], { uid: user, gid: user }).status === 0;

let dataDir: string;
beforeEach(async () => {
  dataDir = await newDataDir();
});
afterEach(() => removeDataDir(dataDir));

describe.runIf(isRoot)('startEmbeddedPostgres for root (skipped: no root)', () => {
  it('runs the server as nobody, or as the owner of the data directory', async () => {
    const { stop } = await startEmbeddedPostgres({ dataDir, log: silent });
    const { uid } = await stat(`/proc/${await serverPid(dataDir)}`);
    expect(uid).not.toBe(0);
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(0);
    expect((await stat(join(dataDir, 'postgres', 'data'))).uid).toBe(uid);
    await stop();
  });

  it('uses another folder for database and programs if the account cannot reach them', async () => {
    await chmod(join(dataDir, '..'), 0o700);
    const first = await startEmbeddedPostgres({ dataDir, log: silent });
    const { home } = await clusterRecord(dataDir);
    expect(home).toMatch(/^\/var\/(lib|tmp)\/addons-[0-9a-f]{16}$/);
    await first.stop();
    const second = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(second).toMatchObject({ isNew: false, owner: true });
    await second.stop();

    await rm(dataDir, { recursive: true });
    const recreated = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(recreated.isNew).toBe(true);
    expect((await clusterRecord(dataDir)).home).toBe(home);
    await recreated.stop();
  });

  it('copies the programs once for an account that cannot reach the installed ones', async () => {
    const home = join(dataDir, 'home');
    const nobody = { uid: 65534, gid: 65534 };
    await mkdir(home, { recursive: true });
    const programs = await copyBinaries(await findBinaries(), home);
    expect(await canRun(programs, nobody)).toBe(true);
    expect(await copyBinaries(await findBinaries(), home)).toBe(programs);
    await chmod(home, 0o700);
    expect(await canRun(programs, nobody)).toBe(false);
  });

  it('runs as the owner of the data directory', async () => {
    await mkdir(dataDir);
    await chown(dataDir, user, user);
    const first = await startEmbeddedPostgres({ dataDir, log: silent });
    expect((await stat(`/proc/${await serverPid(dataDir)}`)).uid).toBe(user);
    for (const name of ['', 'cluster.json', 'postgres.log', 'start.lock', 'data']) {
      expect((await stat(join(dataDir, 'postgres', name))).uid, name).toBe(user);
    }
    await first.stop();
  });
});

describe.runIf(userReaches)('startEmbeddedPostgres for an ordinary user (skipped: no root, or a private clone)', () => {
  it('shares one server with commands that root runs in the same data directory', async () => {
    await mkdir(dataDir);
    await chown(dataDir, user, user);
    const served = startProcess(dataDir, user);
    expect(await served.connected).toMatchObject({ isNew: true, owner: true, uid: user });
    const command = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(command).toMatchObject({ isNew: false, owner: false });
    await served.leave();
    await command.stop();
    expect(await isRunning(dataDir)).toBe(false);

    const byRoot = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(byRoot).toMatchObject({ isNew: false, owner: true });
    await byRoot.stop();
    const again = startProcess(dataDir, user);
    expect(await again.connected).toMatchObject({ isNew: false, owner: true });
    await again.leave();
  });

  it('throws for a data directory of another user', async () => {
    await (await startEmbeddedPostgres({ dataDir, log: silent })).stop();
    const script = spawnSync(process.execPath, [program, dataDir], { uid: user, gid: user, encoding: 'utf8' });
    expect(script.stderr).toMatch(/postgres belongs to another user: run as the user that made it, or set DATA_DIR/);
    expect(script.status).toBe(1);
  });
});
