/* Downloads of files that are not public, with the session of pages. */
import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { type AddonFacts, addon, type MadeAddon, type VersionFacts } from '../../support/factories.ts';
import { documentOf, Visitor, visitorOf } from '../../support/pages.ts';
import { storedFiles } from '../../support/stored-files.ts';

const store = storedFiles('.xpi');
const bytes = randomBytes(3_000);
const sha256 = createHash('sha256').update(bytes).digest('hex');
const SIGNED = { signedSha256: sha256, signedAt: new Date() };

const app = setUpApp();
let author: Client;
let visitors: Record<'anonymous' | 'stranger' | 'author' | 'reviewer' | 'unlistedReviewer' | 'editor', Visitor>;

beforeAll(async () => {
  author = await app.developer();
  const { blobs } = await import('../../../src/infra/blob-store/blobs.ts');
  await blobs.put({ path: await store(bytes), sha256 });
  visitors = {
    anonymous: new Visitor(app),
    stranger: await visitorOf(app, await app.developer()),
    author: await visitorOf(app, author),
    reviewer: await visitorOf(app, await app.memberWith('Addons:Review')),
    unlistedReviewer: await visitorOf(app, await app.memberWith('Addons:ReviewUnlisted')),
    editor: await visitorOf(app, await app.memberWith('Addons:Edit')),
  };
});

type FileFacts = NonNullable<VersionFacts['files']>[number];
type Made = MadeAddon & { fileId: number; path: string };

async function make(version: VersionFacts, file: FileFacts = {}, facts: AddonFacts = {}): Promise<Made> {
  const stored = { name: 'Notes & more-1.0.xpi', sha256, size: BigInt(bytes.length), isStored: true, ...file };
  const authors = [author.accountId ?? 0];
  const made = await addon({ authors, versions: [{ ...version, files: [stored] }], ...facts });
  const fileId = made.versions[0]?.files[0]?.id ?? 0;
  return { ...made, fileId, path: `/developers/file/${fileId}/${encodeURIComponent(stored.name)}` };
}

const KINDS = {
  unlisted: () => make({ channel: 'unlisted' }, SIGNED),
  waiting: () => make({ stage: 'awaiting_review', reviewed: null }, { status: 1 }, { status: 'nominated' }),
  disabledByDevelopers: () => make({}, SIGNED, { isDisabledByDeveloper: true }),
} as const;

/** Downloads of a file by the label of their source. */
async function countsOf(fileId: number): Promise<Record<string, number>> {
  const { flushDownloadCounts } = await import('../../../src/domain/versions/download-counts.ts');
  await flushDownloadCounts();
  const rows = await app.sql<{ source: string; count: number }>(
    'SELECT source, count::int FROM download_count WHERE file_id = $1',
    [fileId],
  );
  return Object.fromEntries(rows.map(({ source, count }) => [source, count]));
}

describe('a file that is not public', () => {
  it.each(Object.keys(KINDS) as (keyof typeof KINDS)[])('is sent to authors and reviewers: %s', async (kind) => {
    const { path } = await KINDS[kind]();
    const statuses = await Promise.all(
      Object.entries(visitors).map(async ([role, visitor]) => [role, (await visitor.get(path)).status]),
    );
    const isUnlisted = kind === 'unlisted';
    expect(Object.fromEntries(statuses)).toEqual({
      ...{ anonymous: 303, stranger: 404, author: 200, editor: 200 },
      ...{ reviewer: isUnlisted ? 404 : 200, unlistedReviewer: isUnlisted ? 200 : 404 },
    });
  });

  it('is saved, and never kept or shown', async () => {
    const { path } = await KINDS.unlisted();
    const reply = await visitors.author.get(path, { 'Accept-Encoding': 'br' });
    expect(reply.bytes.equals(bytes)).toBe(true);
    expect(reply.headers).toMatchObject({
      'cache-control': 'private, no-store, no-transform',
      'content-type': 'application/x-xpinstall',
      'content-disposition': 'attachment; filename="Notes & more-1.0.xpi"',
      'content-length': '3000',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(reply.headers).not.toHaveProperty('content-encoding');
    expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
    const part = await visitors.author.get(path, { Range: 'bytes=10-19' });
    expect([part.status, part.bytes.equals(bytes.subarray(10, 20))]).toEqual([206, true]);
    const beyond = await visitors.author.get(path, { Range: 'bytes=9000-' });
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, 'bytes */3000']);
    expect((await visitors.author.request('HEAD', path)).status).toBe(200);
    expect((await visitors.author.request('POST', path)).status).toBe(405);
  });

  it('counts once for a complete download, and not for others', async () => {
    const { path, fileId } = await KINDS.unlisted();
    await visitors.author.get(path);
    await visitors.author.get(path, { Range: 'bytes=10-19' });
    await visitors.author.request('HEAD', path);
    await visitors.stranger.get(path);
    await expect.poll(() => countsOf(fileId)).toEqual({ developers: 1 });
  });

  it('needs the session of pages: the API and the catalogue take no cookie, the page no token', async () => {
    const { path, fileId } = await KINDS.unlisted();
    for (const prefix of ['/downloads/file', '/api/v4/file', '/api/v5/file']) {
      expect([401, 404]).toContain((await visitors.author.get(`${prefix}/${fileId}/x.xpi`)).status);
    }
    const { status, headers } = await author.get(path);
    expect([status, headers.location]).toEqual([303, `/login/?next=${encodeURIComponent(path)}`]);
  });

  it('is 404 under an unknown id, and when the store has lost it', async () => {
    expect((await visitors.author.get('/developers/file/999999/x.xpi')).status).toBe(404);
    expect((await visitors.author.get('/developers/file/zero/x.xpi')).status).toBe(404);
    const lost = await make({ channel: 'unlisted' }, { sha256: '0'.repeat(64) });
    expect((await visitors.author.get(lost.path)).status).toBe(404);
    const missing = await make({ channel: 'unlisted' }, { isStored: false });
    expect((await visitors.author.get(missing.path)).status).toBe(404);
  });
});

describe('pages', () => {
  /** The addresses of files that a page links to. */
  const fileLinks = async (visitor: Visitor, path: string) => [
    ...new Set([...documentOf(await visitor.get(path))('[href*="/file/"]')].map(({ attribs }) => attribs.href)),
  ];

  it('of the hub and the catalogue link to it, each link works, and public files keep their address', async () => {
    const [hidden, unlisted, open] = [
      await KINDS.disabledByDevelopers(),
      await KINDS.unlisted(),
      await make({}, SIGNED),
    ];
    const pagesOf = ({ slug, versions }: Made) => [
      `/developers/addon/${slug}/versions/${versions[0]?.id}/`,
      `/addon/${slug}/versions/1.0/`,
    ];
    const addresses = [...pagesOf(hidden), `/addon/${hidden.slug}/`, ...pagesOf(unlisted)];
    for (const [index, page] of addresses.entries()) {
      const { path } = index < 3 ? hidden : unlisted;
      expect([page, await fileLinks(visitors.author, page)]).toEqual([page, [path]]);
    }
    const latest = await visitors.author.get(`/addon/${hidden.slug}/latest/`);
    expect([latest.status, latest.headers.location]).toEqual([302, hidden.path]);
    expect(await fileLinks(visitors.reviewer, `/addon/${hidden.slug}/`)).toEqual([hidden.path]);
    const [inHub, inCatalogue] = await Promise.all(pagesOf(open).map((page) => fileLinks(visitors.author, page)));
    expect(inHub).toEqual([open.path]);
    expect(inCatalogue?.every((href) => href?.includes('/downloads/file/'))).toBe(true);
    const { status, headers } = await visitors.author.get(open.path);
    expect([status, headers['content-disposition']?.startsWith('attachment')]).toEqual([200, true]);
  });
});
