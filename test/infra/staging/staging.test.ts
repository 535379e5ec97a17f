import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { config as Config } from '../../../src/config.ts';
import { UnavailableError } from '../../../src/errors.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const HELLO = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

let database: TestDatabase;
let config: typeof Config;
let staging: typeof import('../../../src/infra/staging/staging.ts');
const folder = () => join(config.DATA_DIR, 'blobs/staging');

beforeAll(async () => {
  database = await createTestDatabase();
  ({ config } = await import('../../../src/config.ts'));
  staging = await import('../../../src/infra/staging/staging.ts');
});
afterAll(async () => {
  const { closeDatabase } = await import('../../../src/infra/db.ts');
  await closeDatabase();
  await database.drop();
});
beforeEach(() => mkdir(folder(), { recursive: true }));

describe('receiveFile', () => {
  it('stores the bytes with size and hash, readable by this user only', async () => {
    const file = await staging.receiveFile(Readable.from([Buffer.from('hel'), Buffer.from('lo')]));
    expect(file).toMatchObject({ size: 5, sha256: HELLO });
    expect(await readFile(file.path, 'utf8')).toBe('hello');
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);
    await file.discard();
    expect(await readdir(folder())).toEqual([]);
  });

  it('refuses one byte more than the limit and leaves no file', async () => {
    const bytes = () => Readable.from([Buffer.alloc(1024 * 1024), Buffer.alloc(1)]);
    await expect(staging.receiveFile(bytes(), { limitBytes: 1024 * 1024 })).rejects.toThrow(
      'File exceeds the upload limit of 1 MB.',
    );
    await (await staging.receiveFile(bytes(), { limitBytes: 1024 * 1024 + 1 })).discard();
    expect(await readdir(folder())).toEqual([]);
  });

  it('leaves no file if the client disconnects', async () => {
    const source = new Readable({ read: () => {} });
    source.push(Buffer.alloc(1000));
    setTimeout(() => source.destroy(new Error('aborted')), 20);
    await expect(staging.receiveFile(source)).rejects.toThrow('aborted');
    expect(await readdir(folder())).toEqual([]);
  });

  it('leaves no file if the client disconnects before the first read', async () => {
    const source = new Readable({ read: () => {} });
    const received = staging.receiveFile(source);
    source.destroy(new Error('aborted'));
    await expect(received).rejects.toThrow('aborted');
    const unread = new Readable({ read: () => {} });
    const { LOW_DISK_MB } = config;
    config.LOW_DISK_MB = 1_000_000_000;
    await expect(staging.receiveFile(unread)).rejects.toThrow(UnavailableError);
    config.LOW_DISK_MB = LOW_DISK_MB;
    expect(unread.destroyed).toBe(true);
    expect(await readdir(folder())).toEqual([]);
  });

  it('throws UnavailableError if the disk is low or the quota is used up', async () => {
    const { LOW_DISK_MB, STAGING_QUOTA_MB } = config;
    config.LOW_DISK_MB = 1_000_000_000;
    await expect(staging.receiveFile(Readable.from([Buffer.from('x')]))).rejects.toThrow(UnavailableError);
    config.LOW_DISK_MB = LOW_DISK_MB;
    config.STAGING_QUOTA_MB = 1;
    await expect(staging.receiveFile(Readable.from([Buffer.alloc(2_000_000)]))).rejects.toThrow(UnavailableError);
    config.STAGING_QUOTA_MB = STAGING_QUOTA_MB;
    expect(await readdir(folder())).toEqual([]);
  });
});

describe('sweepStaging', () => {
  it('removes only files that are old or have no owner', async () => {
    const mine = await staging.stagingPath();
    await writeFile(mine, 'in use');
    await writeFile(join(folder(), 'unowned'), 'left');
    const old = await staging.stagingPath();
    await writeFile(old, 'old');
    await utimes(old, 1_000_000, 1_000_000);
    expect(await staging.sweepStaging()).toBe(1);
    expect(await staging.sweepStaging({ ownerGoneMs: 0 })).toBe(1);
    expect(await readdir(folder())).toHaveLength(1);
    expect(await readFile(mine, 'utf8')).toBe('in use');
  });
});
