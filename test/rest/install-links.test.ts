import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { type AddonFacts, addon, type VersionFacts } from '../support/factories.ts';
import { documentOf, textOf, Visitor } from '../support/pages.ts';
import { storedFiles } from '../support/stored-files.ts';

const INLINE = 'inline; filename=name.xpi';
const ATTACHMENT = 'attachment; filename=name.xpi';

const store = storedFiles('.xpi');
const app = setUpApp();
let author: Client;
const bytes = randomBytes(100);
const sha256 = createHash('sha256').update(bytes).digest('hex');
const SIGNED = { signedSha256: sha256, signedAt: new Date() };

beforeAll(async () => {
  author = await app.developer();
  const { blobs } = await import('../../src/infra/blob-store/blobs.ts');
  await blobs.put({ path: await store(bytes), sha256 });
});

type FileFacts = NonNullable<VersionFacts['files']>[number];

/** The id of a file of an add-on of the author. */
async function fileOf(file: FileFacts, version: VersionFacts = {}, facts: AddonFacts = {}): Promise<number> {
  const stored = { name: 'name.xpi', sha256, size: BigInt(bytes.length), isStored: true, ...file };
  const authors = [author.accountId ?? 0];
  const { versions } = await addon({ authors, versions: [{ ...version, files: [stored] }], ...facts });
  return versions[0]?.files[0]?.id ?? 0;
}

/** The disposition of a file for its author, at the catalogue's address and at that of the signing API. */
async function dispositions(id: number): Promise<unknown[]> {
  const replies = [await author.get(`/downloads/file/${id}/x.xpi`), await author.get(`/api/v4/file/${id}/x.xpi`)];
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  return replies.map(({ headers }) => headers['content-disposition']);
}

describe('a link to a package', () => {
  it('opens the install prompt for a signed public WebExtension', async () => {
    const id = await fileOf(SIGNED);
    expect(await dispositions(id)).toEqual([INLINE, ATTACHMENT]);
    for (const [method, headers, status] of [
      ['GET', {}, 200],
      ['HEAD', {}, 200],
      ['GET', { Range: 'bytes=0-9' }, 206],
    ] as const) {
      const reply = await app.anonymous.request(method, `/downloads/file/${id}/other.xpi?src=search`, { headers });
      expect([reply.status, reply.headers]).toMatchObject([
        status,
        {
          'content-disposition': INLINE,
          'content-type': 'application/x-xpinstall',
          'x-content-type-options': 'nosniff',
        },
      ]);
    }
  });

  it('saves it on request, as the page of an add-on for mail clients does', async () => {
    const id = await fileOf(SIGNED, { compatibility: { mail_client: ['60.0', '*'] } }, { slug: 'letters' });
    const page = await new Visitor(app).get('/addon/letters/');
    const links = [...documentOf(page)('[href*="/downloads/"]')].map(({ attribs }) => new URL(attribs.href ?? ''));
    expect(links.map(({ search }) => search)).toEqual(['?src=addondetail&download=1', '?src=addondetail&download=1']);
    for (const { pathname, search } of links) {
      const { status, headers } = await app.anonymous.get(pathname + search);
      expect([pathname, status, headers['content-disposition']]).toEqual([
        expect.stringContaining(`/${id}/`),
        200,
        ATTACHMENT,
      ]);
    }
    expect(textOf(page)).toMatch(/In a mail client, save the file ?\. Then choose “Install Add-on From File”/);
    expect(textOf(page)).toMatch(/For Mail client 60\.0 and later, not your browser/);
    expect(textOf(page)).not.toMatch(/root certificate/);
  });

  it('opens it for packages with the signature of the privileged class, and for themes', async () => {
    expect(await dispositions(await fileOf({ isVendorSignedExtension: true }))).toEqual([INLINE, ATTACHMENT]);
    expect(await dispositions(await fileOf(SIGNED, {}, { type: 'statictheme' }))).toEqual([INLINE, ATTACHMENT]);
  });

  it.each<[string, FileFacts, VersionFacts, AddonFacts]>([
    ['an unsigned file', {}, {}, {}],
    ['a legacy package', { ...SIGNED, format: 'install-rdf' }, {}, {}],
    ['a search engine', { format: 'opensearch' }, {}, {}],
    ['an unlisted version', SIGNED, { channel: 'unlisted' }, { status: 'incomplete' }],
    ['a version that waits for review', { status: 1 }, { stage: 'awaiting_review' }, { status: 'nominated' }],
    ['a disabled file', { ...SIGNED, status: 5 }, {}, { status: 'incomplete' }],
    ['an add-on that its developer disabled', SIGNED, {}, { isDisabledByDeveloper: true }],
    ['an add-on that the operator disabled', SIGNED, {}, { status: 'disabled' }],
  ])('saves %s to disk', async (_name, file, version, facts) => {
    expect(await dispositions(await fileOf(file, version, facts))).toEqual([ATTACHMENT, ATTACHMENT]);
  });

  it('redirects to the mirror without a disposition', async () => {
    const id = await fileOf(SIGNED);
    app.config.MIRROR_URL = 'https://mirror.example/files';
    const { status, headers } = await app.anonymous.get(`/downloads/file/${id}/x.xpi`);
    app.config.MIRROR_URL = undefined;
    expect([status, headers.location]).toEqual([302, `https://mirror.example/files/${sha256}/name.xpi`]);
    expect(headers['content-disposition']).toBeUndefined();
  });
});

describe('GET /downloads/latest/{addon}/{name}', () => {
  it('leads to the newest public file, by slug, id and guid', async () => {
    const named = { slug: 'lasting', guid: 'lasting@example', authors: [author.accountId ?? 0] };
    const file = { name: 'name.xpi', sha256, size: BigInt(bytes.length), isStored: true, ...SIGNED };
    const made = await addon({
      ...named,
      versions: [
        { version: '1.0', files: [file] },
        { version: '2.0', files: [{ ...file, name: 'newest.xpi' }] },
        { version: '3.0', stage: 'awaiting_review', files: [{ ...file, status: 1 }] },
        { version: '4.0', channel: 'unlisted', files: [file] },
      ],
    });
    const expected = `${app.url}/downloads/file/${made.versions[1]?.files[0]?.id}/newest.xpi?src=`;
    for (const ref of ['lasting', 'LASTING', made.id, 'lasting@example']) {
      for (const method of ['GET', 'HEAD']) {
        const reply = await app.anonymous.request(method, `/downloads/latest/${ref}/any-name.xpi`);
        expect([ref, reply.status, reply.headers.location]).toEqual([ref, 302, expected]);
      }
    }
    const labelled = await app.anonymous.get('/downloads/latest/lasting/x.xpi?src=external-policy&app=desktop_browser');
    expect(labelled.headers.location).toBe(`${expected}external-policy`);
    const { pathname, search } = new URL(labelled.headers.location ?? '');
    const followed = await app.anonymous.get(pathname + search);
    expect([followed.status, followed.bytes.equals(bytes)]).toEqual([200, true]);
  });

  it('has a documented response without such a file, and for anything else', async () => {
    const file = { name: 'name.xpi', sha256, size: BigInt(bytes.length), isStored: true, ...SIGNED };
    const hidden = { slug: 'hidden-lasting', status: 'disabled' } as const;
    await addon({ ...hidden, versions: [{ files: [file] }] });
    await addon({ slug: 'metadata-lasting', versions: [{ files: [{ ...file, isStored: false }] }] });
    await addon({ slug: 'mail-lasting', versions: [{ files: [file], compatibility: { mail_client: ['60.0', '*'] } }] });
    const paths: [string, number][] = [
      ['unknown-lasting/x.xpi', 404],
      ['hidden-lasting/x.xpi', 401],
      ['metadata-lasting/x.xpi', 404],
      ['mail-lasting/x.xpi?app=desktop_browser', 404],
      ['mail-lasting/x.xpi?app=mail_client', 302],
      ['mail-lasting/x.xpi?app=toaster', 400],
      ['mail-lasting/x.xpi?platform=toaster', 400],
      ['mail-lasting/', 404],
      ['%00/x.xpi', 404],
      ['mail-lasting/..%2Fx', 302],
    ];
    for (const [path, status] of paths) {
      expect([path, (await app.anonymous.get(`/downloads/latest/${path}`)).status]).toEqual([path, status]);
    }
    expect((await app.anonymous.request('POST', '/downloads/latest/mail-lasting/x.xpi')).status).toBe(405);
  });
});
