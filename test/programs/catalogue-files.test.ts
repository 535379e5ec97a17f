import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { blobFile } from '../support/blob-file.ts';
import type { Client } from '../support/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { addon } from '../support/factories.ts';
import { openSearch } from '../support/packages.ts';
import { jpeg, png } from '../support/pictures.ts';
import { addons, startService } from '../support/program.ts';
import { APPROVE, completeListing, upload, versionId } from '../support/signing-steps.ts';

const SIGNED = 'signed@files.example';
const ENGINE = 'engine@files.example';
const PERSONA = 'persona@files.example';

let elsewhere: TestDatabase;
let app: TestApp;
let folder: string;

beforeAll(async () => {
  elsewhere = await createTestDatabase();
  app = await startApp();
  folder = await mkdtemp(join(tmpdir(), 'catalogue-files-'));
  await makeSigned(await app.developer());
  await makePictures();
});
afterAll(async () => {
  await app.close();
  await elsewhere.drop();
  await rm(folder, { recursive: true });
});

/** An add-on with files that this service has signed: an unlisted one and the current public one. */
async function makeSigned(developer: Client): Promise<void> {
  await upload(developer, SIGNED);
  await app.runJobs();
  await completeListing(developer, SIGNED);
  await upload(developer, SIGNED, '2.0', { channel: 'listed' });
  await app.runJobs();
  const reviewer = await app.reviewer();
  await reviewer.graphql(APPROVE, { id: await versionId(developer, SIGNED, '2.0') });
  await app.runJobs();
}

/** A persona, and an add-on with pictures and an OpenSearch file, by an author with a picture. */
async function makePictures(): Promise<void> {
  const { db } = await import('../../src/infra/db.ts');
  const pictures = await import('../support/picture-columns.ts');
  const { blobs } = await import('../../src/infra/blob-store/blobs.ts');
  const { receiveFile } = await import('../../src/infra/staging/staging.ts');
  const { Readable } = await import('node:stream');
  const description = Buffer.from(openSearch());
  const staged = await receiveFile(Readable.from([description]));
  await blobs.put(staged);
  const { pictureSha256 } = await pictures.storeAccountPicture(await jpeg(300, 200));
  const author = await db.account.create({
    data: { username: 'painter', email: 'painter@files.example', pictureSha256 },
  });
  const image = await pictures.storePreview(await png(800, 600, '#336699'));
  await addon({
    guid: ENGINE,
    slug: 'engine',
    name: { 'en-US': 'Engine' },
    type: 'search',
    authors: [author.id],
    ...(await pictures.storeIcon(await jpeg(1000, 500))),
    // Equal pictures are stored as one file.
    previews: [
      { ...image, position: 0 },
      { ...image, position: 1 },
    ],
    versions: [
      {
        files: [
          {
            ...{ name: 'engine-1.0-db.xml', format: 'opensearch', isWebextension: false, isStored: true },
            ...{ sha256: staged.sha256, originalSha256: staged.sha256, size: BigInt(description.length) },
          },
        ],
      },
      // A version that no client can see.
      { channel: 'unlisted' },
    ],
  });
  await addon({
    guid: PERSONA,
    slug: 'persona',
    type: 'persona',
    authors: [author.id],
    persona: {
      accentColor: '336699',
      ...(await pictures.storePersonaHeader(await png(3000, 200))),
      ...(await pictures.storePersonaFooter(await png(3000, 100))),
    },
  });
}

const here = () => ({ DATABASE_URL: app.config.DATABASE_URL ?? '', DATA_DIR: app.config.DATA_DIR });
const there = () => ({ DATABASE_URL: elsewhere.url, DATA_DIR: join(folder, 'data') });

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function filesBelow(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** The URLs of files and pictures in a response. */
function urlsIn(value: unknown): string[] {
  if (typeof value === 'string') return /^http.*\.(png|xpi|xml)/.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(urlsIn) : [];
}

/** The response for an add-on without the URL of the service, with status and hash of each file and picture by path. */
async function reading(base: string, site: string, guid: string) {
  const text = await (await fetch(`${base}/api/v4/addons/addon/${guid}/`)).text();
  const body = JSON.parse(text.replaceAll(site, '')) as Record<string, unknown>;
  const files: Record<string, string> = {};
  for (const address of urlsIn(JSON.parse(text))) {
    const path = address.slice(site.length);
    const reply = await fetch(base + path);
    files[path] = `${reply.status} ${hashOf(new Uint8Array(await reply.arrayBuffer()))}`;
  }
  return { body, files };
}

describe('addons export --files', () => {
  it('moves packages and pictures to another service, with equal responses and bytes', async () => {
    const file = join(folder, 'whole.jsonl.gz');
    const said = await addons(['export', file, '--files', 'whole-files', '--json'], here());
    expect(said).toMatchObject({ code: 0, stderr: '' });
    const stored = await filesBelow(join(folder, 'whole-files'));
    expect(JSON.parse(said.stdout)).toMatchObject({ files: stored.length, missing: [] });
    expect(stored.length).toBe(8);
    for (const path of stored) expect(path).toContain(hashOf(await readFile(path)));

    expect(await addons(['import', file, '--create-groups'], there())).toMatchObject({ code: 0, stderr: '' });
    const settings = { ...there(), PORT: '0', DEMO: '', RATE_LIMITS: '', LOG_LEVEL: 'silent' };
    const service = await startService(settings);
    try {
      for (const [guid, pictures, packages] of [
        [SIGNED, 0, 1],
        [ENGINE, 1, 1],
        [PERSONA, 2, 0],
      ] as const) {
        const [original, moved] = await Promise.all([
          reading(app.url, app.config.BASE_URL, guid),
          reading(service.url, service.url, guid),
        ]);
        expect(moved).toEqual(original);
        const paths = Object.keys(moved.files);
        expect(Object.values(moved.files).every((result) => result.startsWith('200 '))).toBe(true);
        expect(paths.filter((path) => path.includes('.png')).length).toBeGreaterThanOrEqual(pictures);
        expect(paths.filter((path) => !path.includes('.png'))).toHaveLength(packages);
      }
    } finally {
      await service.end('SIGTERM');
    }
    // The imported catalogue can be exported again.
    const again = join(folder, 'again.jsonl');
    expect(await addons(['export', again, '--files', 'again-files'], there())).toMatchObject({ code: 0, stderr: '' });
    const names = async (path: string) => (await filesBelow(path)).map((name) => name.slice(path.length)).sort();
    expect(await names(join(folder, 'again-files'))).toEqual(await names(join(folder, 'whole-files')));
  });

  it('copies missing files only, and reports files that the store has lost', async () => {
    const file = join(folder, 'some.jsonl');
    const run = () => addons(['export', file, '--files', 'some/files/'], here());
    expect((await run()).stdout).toMatch(/^Wrote \d+ lines and 8 files to /);
    const [kept = '', changed = ''] = (await filesBelow(join(folder, 'some/files'))).sort();
    const before = await stat(kept);
    await writeFile(changed, 'half of it');
    const [{ sha256 = '' } = {}] = await app.sql<{ sha256: string }>(
      'SELECT sha256 FROM file WHERE signed_sha256 IS NOT NULL LIMIT 1',
    );
    const blob = blobFile(app.config.DATA_DIR, sha256);
    const bytes = await readFile(blob);
    await rm(blob);
    const said = await run();
    await writeFile(blob, bytes);
    expect(said).toMatchObject({
      code: 2,
      stderr: `addons: 1 files of the store are lost or damaged, the first is ${sha256}\n`,
    });
    expect((await stat(kept)).mtimeMs).toBe(before.mtimeMs);
    if (!changed.includes(sha256)) expect(changed).toContain(hashOf(await readFile(changed)));
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    const paths = lines.flatMap((line) =>
      [...line.matchAll(/"path" : "(some\/files\/[^"]+)"/g)].map(([, path]) => path),
    );
    expect(paths.some((path) => path?.includes(sha256))).toBe(false);
    for (const path of paths) expect((await stat(join(dirname(file), path ?? ''))).isFile()).toBe(true);
  });

  it('refuses a folder outside the folder of the file', async () => {
    for (const given of ['../files', '/tmp/files', '.', 'a/../..', '']) {
      expect(await addons(['export', join(folder, 'no.jsonl'), `--files=${given}`], here())).toMatchObject({
        code: 1,
        stderr: `addons: --files: expected a folder below the folder of the file, not '${given}'\n`,
      });
    }
  });
});
