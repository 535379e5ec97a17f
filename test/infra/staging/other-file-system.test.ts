/* The store on a file system other than that of DATA_DIR: a symbolic link has the effect of a mount without its rights. */
import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { flags, status, upload } from '../../support/signing-steps.ts';

const deviceOf = async (path: string): Promise<number | null> => (await stat(path).catch(() => null))?.dev ?? null;

/** A folder of another file system than the data folders of tests; null when this machine has none. */
async function otherFileSystem(): Promise<string | null> {
  const own = await deviceOf(join(process.env.DATA_DIR ?? '', '..'));
  for (const folder of ['/dev/shm', tmpdir(), '/var/tmp']) {
    const device = await deviceOf(folder);
    if (device !== null && device !== own) return folder;
  }
  return null;
}

const elsewhere = await otherFileSystem();
if (elsewhere === null) console.log('skipped: this machine has no second file system');

describe.runIf(elsewhere !== null)('a store on a file system of its own', () => {
  let app: TestApp;
  let store: string;
  let blobs: string;
  beforeAll(async () => {
    app = await startApp();
    store = await mkdtemp(join(elsewhere ?? '', 'addons-store-'));
    blobs = join(app.config.DATA_DIR, 'blobs');
    await mkdir(app.config.DATA_DIR, { recursive: true });
    await symlink(store, blobs);
  });
  afterAll(async () => {
    await app.close();
    await rm(store, { recursive: true });
  });

  it('takes uploads and signed files, and is ready', async () => {
    const developer = await app.developer();
    expect((await upload(developer, 'elsewhere@store.test')).status).toBe(201);
    await app.runJobs();
    const signed = await status(developer, 'elsewhere@store.test');
    expect(flags(signed)).toMatchObject({ valid: true, active: true });
    expect((await developer.get(signed.files[0]?.download_url ?? '')).status).toBe(200);
    expect((await app.anonymous.get('/readyz')).status).toBe(200);
    expect(await readdir(join(store, 'staging'))).toEqual([]);
    expect((await readdir(store)).filter((name) => name.startsWith('probe'))).toEqual([]);
  });

  it('is not ready while files cannot be renamed from the staging area into it', async () => {
    const { storeProblem } = await import('../../../src/infra/staging/probe-store.ts');
    await rename(join(store, 'staging'), join(store, 'staging.aside'));
    const folder = await mkdtemp(`${app.config.DATA_DIR}-staging-`);
    await symlink(folder, join(store, 'staging'));
    await expect.poll(storeProblem).toBe('the data folder cannot be written to (EXDEV)');
    const reply = await app.anonymous.get('/readyz');
    expect([reply.status, reply.text]).toEqual([503, 'the data folder cannot be written to (EXDEV)\n']);
    await rm(join(store, 'staging'));
    await rename(join(store, 'staging.aside'), join(store, 'staging'));
    await expect.poll(storeProblem).toBeNull();
    await writeFile(join(store, 'staging', 'probe.left'), '');
    const { sweepStaging } = await import('../../../src/infra/staging/staging.ts');
    expect(await sweepStaging({ ownerGoneMs: 0 })).toBe(1);
  });
});
