import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client, Reply } from '../support/client.ts';
import { addon, type MadeAddon, type VersionFacts } from '../support/factories.ts';
import { withoutDatabase } from '../support/outage.ts';
import { jpeg, png } from '../support/pictures.ts';
import { statementsDuring } from '../support/statements.ts';

const app = setUpApp();
let author: Client;
const made: Record<string, MadeAddon> = {};

beforeAll(async () => {
  const pictures = await import('../support/picture-columns.ts');
  const { db } = await import('../../src/infra/db.ts');
  author = await app.developer();
  await db.account.update({
    where: { id: author.accountId ?? 0 },
    data: await pictures.storeAccountPicture(await jpeg(300, 300)),
  });
  const other = await app.developer();
  const common = {
    authors: [author.accountId ?? 0, other.accountId ?? 0],
    ...(await pictures.storeIcon(await jpeg(128, 128))),
    previews: [await pictures.storePreview(await png(1000, 750)), await pictures.storePreview(await jpeg(200, 100))],
    versions: [await storedVersion()],
  };
  const compatibility = { desktop_browser: ['61.0', '61.*'] as [string, string] };
  made.extension = await addon(common);
  made.statictheme = await addon({ ...common, type: 'statictheme', iconSha256: null });
  made.language = await addon({
    ...common,
    type: 'language',
    targetLocale: 'de',
    versions: [await storedVersion({ compatibility })],
  });
  made.persona = await addon({
    type: 'persona',
    name: { 'en-US': 'Dusk', de: 'Dämmerung' },
    summary: { 'en-US': 'Dark.', de: 'Dunkel.' },
    authors: [author.accountId ?? 0],
    persona: {
      accentColor: '112233',
      ...(await pictures.storePersonaHeader(await jpeg(3000, 200))),
      ...(await pictures.storePersonaFooter(await jpeg(3000, 100))),
    },
  });
  made.bare = await addon({ authors: [other.accountId ?? 0], versions: [await storedVersion()] });
});

let packages = 0;
async function storedVersion(facts: VersionFacts = {}): Promise<VersionFacts> {
  const { blobs } = await import('../../src/infra/blob-store/blobs.ts');
  const { receiveFile } = await import('../../src/infra/staging/staging.ts');
  const staged = await receiveFile(Readable.from([Buffer.from(`package ${packages++}`)]));
  await blobs.put(staged);
  return { ...facts, files: [{ sha256: staged.sha256, size: BigInt(staged.size), isStored: true }] };
}

/** Keys whose values are URLs of pages. */
const PAGES = new Set(['url', 'edit_url', 'review_url', 'ratings_url', 'detailURL']);

/** Every URL of this service in a response except those of pages, with its path in the response. */
function urlsIn(value: unknown, place: string[] = []): [string, string][] {
  if (typeof value === 'string') {
    const isFile = place.at(-3) === 'files';
    const isPage = PAGES.has(place.at(-1) ?? '') && !isFile;
    const isOurs = value.startsWith(app.url) || /^\/\w/.test(value);
    return isOurs && !isPage ? [[place.join('.'), value]] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => urlsIn(item, [...place, key]));
}

/** Width and height that the contract states for a URL; null if the size is free. */
function documentedSize(
  place: string,
  shown: { previews: Record<string, [number, number]>[] },
): [number, number] | null {
  const [, index, which] = /^previews\.(\d+)\.(image|thumbnail)_url$/.exec(place) ?? [];
  if (index !== undefined) return shown.previews[Number(index)]?.[`${which}_size`] ?? null;
  if (place === 'icons.64') return [64, 64];
  if (['icon_url', 'icons.32', 'theme_data.iconURL'].includes(place)) return [32, 32];
  if (/^theme_data\.header/.test(place)) return [3000, 200];
  if (/^theme_data\.footer/.test(place)) return [3000, 100];
  if (place === 'theme_data.previewURL') return [680, 100];
  if (/^authors\.\d+\.picture_url$/.test(place)) return [200, 200];
  throw new Error(`${place} is not the path of a picture`);
}

const VERSIONS = ['v3', 'v4', 'v4dev'];
const TYPES = ['extension', 'statictheme', 'language', 'persona', 'bare'];
const FORMS = VERSIONS.flatMap((version) => TYPES.map((type) => [version, type] as const)).filter(
  ([version, type]) => version !== 'v3' || type !== 'statictheme',
);

describe('GET /api/{version}/addons/addon/{id}/', () => {
  it.each(FORMS)('under %s returns picture URLs of a %s that resolve for all clients', async (version, type) => {
    const reply = await app.anonymous.get(`/api/${version}/addons/addon/${made[type]?.id}/`);
    expect(reply.status).toBe(200);
    const shown = reply.json as Parameters<typeof documentedSize>[1];
    const addresses = urlsIn(shown);
    const count = { extension: 10, statictheme: 10, language: 10, persona: 11, bare: 5 }[type];
    expect([type, addresses.map(([place]) => place), addresses.length]).toEqual([type, expect.anything(), count]);
    for (const [place, address] of addresses) {
      const reply = await app.anonymous.get(address);
      expect([place, reply.status]).toEqual([place, 200]);
      if (place.endsWith('.updateURL')) {
        expect(reply.headers['content-type']).toBe('application/json');
      } else if (/files\.\d+\.url$/.test(place)) {
        expect(reply.headers['content-type']).toBe('application/x-xpinstall');
      } else {
        await expectPicture(reply, place, documentedSize(place, shown));
      }
    }
  });

  it('returns URLs of unpublished pictures to developers, which resolve without credentials', async () => {
    const { db } = await import('../../src/infra/db.ts');
    const { publishAddons } = await import('../../src/domain/listing/publish-addons.ts');
    const { id = 0 } = made.extension ?? {};
    const setDisabled = (isDisabledByDeveloper: boolean) =>
      db.$transaction(async (tx) => {
        await tx.addon.update({ where: { id }, data: { isDisabledByDeveloper } });
        await publishAddons(tx, [id]);
      });
    await setDisabled(true);
    const shown = (await author.get(`/api/v4/addons/addon/${id}/`)).json as { icon_url: string };
    const [known, guessed, without] = await Promise.all([
      app.anonymous.get(shown.icon_url),
      app.anonymous.get(shown.icon_url.replace(/=.*/, '=00000000')),
      app.anonymous.get(shown.icon_url.replace(/\?.*/, '')),
    ]);
    await setDisabled(false);
    expect([known.status, guessed.status, without.status]).toEqual([200, 404, 404]);
    expect(known.headers['cache-control']).toBe('private, max-age=31536000, immutable');
  });
});

async function expectPicture(reply: Reply, place: string, size: [number, number] | null): Promise<void> {
  expect([place, reply.headers['content-type']]).toEqual([place, 'image/png']);
  expect(reply.headers['content-length']).toBe(String(reply.bytes.length));
  expect(reply.headers['x-content-type-options']).toBe('nosniff');
  expect(reply.headers['cache-control']).toMatch(/^public, max-age=(31536000, immutable|86400)$/);
  expect(reply.headers.etag).toBe(`"${createHash('sha256').update(reply.bytes).digest('hex')}"`);
  const { format, width, height } = await sharp(reply.bytes).metadata();
  expect([place, format, [width, height]]).toEqual([place, 'png', size ?? [width, height]]);
}

describe('addresses of pictures', () => {
  const icon = () => `/media/addons/${made.extension?.id}/icon-64.png`;
  const current = async (): Promise<string> =>
    ((await app.anonymous.get(`/api/v4/addons/addon/${made.extension?.id}/`)).json as { icons: Record<64, string> })
      .icons[64];

  it('are cached for ever only with their modified parameter; other URLs return the current picture', async () => {
    expect((await app.anonymous.get(await current())).headers['cache-control']).toContain('immutable');
    for (const address of [icon(), `${icon()}?modified=deadbeef`]) {
      const reply = await app.anonymous.get(address);
      expect([reply.status, reply.headers['cache-control']]).toEqual([200, 'public, no-cache']);
    }
  });

  it('respond to HEAD, and with 304 to a matching ETag', async () => {
    for (const address of [await current(), '/static/img/anon_user.png']) {
      const [head, get] = [await app.anonymous.head(address), await app.anonymous.get(address)];
      expect([head.status, head.bytes.length]).toEqual([200, 0]);
      expect(head.headers['content-length']).toBe(String(get.bytes.length));
      const known = { 'If-None-Match': `"other", W/${get.headers.etag}` };
      const again = await app.anonymous.get(address, known);
      expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, get.headers.etag]);
    }
  });

  it('cost one statement, static pictures none', async () => {
    const address = await current();
    expect(await statementsDuring(() => app.anonymous.get(address))).toHaveLength(1);
    expect(await statementsDuring(() => app.anonymous.get('/static/img/addon-icon-32.png'))).toEqual([]);
  });

  it('that are unknown get 404 in every spelling', async () => {
    const id = made.extension?.id;
    const paths = [
      ...[
        `/media/addons/${id}/icon-128.png`,
        `/media/addons/${id}/icon-32.jpg`,
        `/media/addons/${id}/`,
        '/media/',
        '/static/',
      ],
      ...['/media/addons/0/icon-32.png', '/media/addons/9999999999/icon-32.png', '/media/addons/-1/icon-32.png'],
      ...[
        `/media/addons/${made.bare?.id}/icon-32.png`,
        `/media/personas/${id}/header.png`,
        '/media/previews/0/image.png',
      ],
      ...[
        '/static/img/../../package.json',
        '/static/img/%2e%2e/%2e%2e/package.json',
        '/static/../pages/img/anon_user.png',
      ],
      ...[
        '/static/img/..%2f..%2fpackage.json',
        '/static/img/anon_user.svg',
        '/static/img/anon_user.png/',
        '/static/%zz',
      ],
      ...[
        `/media/addons/${id}/icon-32.png%00`,
        `/media/addons/${id}/../${id}/icon-32.png`,
        '/media/addons/１/icon-32.png',
      ],
      ...['/media/accounts/0/picture.png', '/static/img/__proto__', '/media/constructor'],
    ].map((path) => encodeURI(path).replaceAll('%25', '%'));
    for (const path of paths) {
      const reply = await app.anonymous.get(path);
      expect([path, reply.status, reply.json]).toEqual([path, 404, { detail: 'Not found.' }]);
    }
  });

  it('accept only GET and HEAD', async () => {
    const address = await current();
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      expect([method, (await app.anonymous.request(method, address)).status]).toEqual([method, 404]);
    }
  });

  it('of a private account are visible to viewers of the account', async () => {
    const pictures = await import('../support/picture-columns.ts');
    const { accountId: id } = await app.developer();
    const { pictureSha256 } = await pictures.storeAccountPicture(await png(50, 50, '#123456'));
    await app.sql('update account set picture_sha256 = $1 where id = $2', [pictureSha256, id]);
    const path = `/media/accounts/${id}/picture.png`;
    const anybody = async () => (await app.anonymous.get(path)).status;
    expect(await anybody()).toBe(404);
    expect((await app.anonymous.get(`${path}?modified=${pictureSha256.slice(0, 8)}`)).status).toBe(200);
    const only = await addon({ authors: [id ?? 0] });
    expect(await anybody()).toBe(200);
    await app.sql('update addon set is_disabled_by_developer = true where id = $1', [only.id]);
    expect(await anybody()).toBe(404);
    await app.sql('update addon set is_disabled_by_developer = false where id = $1', [only.id]);
    await app.sql('update account set deleted_at = now() where id = $1', [id]);
    const { publishAddonsOf } = await import('../../src/domain/listing/publish-addons.ts');
    const { db } = await import('../../src/infra/db.ts');
    await db.$transaction((tx) => publishAddonsOf(tx, id ?? 0));
    expect((await app.anonymous.get(`${path}?modified=${pictureSha256.slice(0, 8)}`)).status).toBe(404);
  });

  it('without a stored file get 404', async () => {
    const sha256 = 'f'.repeat(64);
    const { id } = await addon({ persona: { headerSha256: sha256 } });
    expect((await app.anonymous.get(`/media/personas/${id}/header.png?modified=ffffffff`)).status).toBe(404);
  });

  it('get 503 without a database, except static pictures', async () => {
    const address = await current();
    await withoutDatabase(app, async () => {
      expect((await app.anonymous.get(address)).status).toBe(503);
      expect((await app.anonymous.get('/static/img/anon_user.png')).status).toBe(200);
    });
  });
});

describe('GET /themes/update-check/{id}', () => {
  it('returns the current state of a persona in the language of the request, cacheable for a day', async () => {
    const id = made.persona?.id ?? 0;
    const reply = await app.anonymous.get(`/themes/update-check/${id}`, { 'Accept-Language': 'de' });
    expect([reply.status, reply.headers['cache-control']]).toEqual([200, 'max-age=86400']);
    const detail = (await app.anonymous.get(`/api/v4/addons/addon/${id}/?lang=de`)).json as { theme_data: object };
    const { header: _, footer: __, category: ___, ...shown } = detail.theme_data as Record<string, unknown>;
    const { username, ...update } = reply.json as Record<string, unknown>;
    expect(update).toEqual({ ...shown, description: 'Dunkel.' });
    expect([username, update.name]).toEqual([update.author, 'Dämmerung']);
    expect(Object.keys(reply.json as object).join(' ')).toBe(
      'id name description author username headerURL footerURL detailURL previewURL iconURL accentcolor textcolor updateURL version',
    );
    const tag = { 'Accept-Language': 'de', 'If-None-Match': reply.headers.etag ?? '' };
    expect((await app.anonymous.get(`/themes/update-check/${id}`, tag)).status).toBe(304);
    expect((await app.anonymous.get(`/themes/update-check/${id}?src=gp`)).status).toBe(200);
  });

  it('returns 404 for anything but a public persona', async () => {
    const hidden = await addon({ type: 'persona', status: 'pending', persona: {}, authors: [author.accountId ?? 0] });
    const broken = await addon({ type: 'persona' });
    for (const id of [hidden.id, broken.id, made.extension?.id, 0, '9'.repeat(30)]) {
      for (const client of [app.anonymous, author]) {
        const reply = await client.get(`/themes/update-check/${id}`);
        expect([id, reply.status, reply.json]).toEqual([id, 404, { detail: 'Not found.' }]);
      }
    }
    expect((await app.anonymous.get('/themes/')).status).toBe(404);
  });
});
