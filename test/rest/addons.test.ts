import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon, type MadeAddon } from '../support/factories.ts';
import { FULL } from '../support/full-catalogue.ts';
import { statementsDuring } from '../support/statements.ts';

const app = setUpApp();
let author: Client;
let full: MadeAddon;
const sha = (digit: string) => digit.repeat(64);

beforeAll(async () => {
  author = await app.developer();
  full = await addon({
    ...FULL,
    guid: 'Full@Example',
    slug: 'Full-One',
    authors: [author.accountId ?? 0],
    versions: [
      {
        version: '1.0',
        releaseNotes: { 'en-US': 'The first.' },
        license: {
          name: { 'en-US': 'My own' },
          text: { 'en-US': 'Do as you like.' },
          url: 'https://clock.example/license',
        },
        compatibility: { desktop_browser: ['57.0', '*'], mobile_browser: ['58.0', '63.*'] },
        files: [{ sha256: sha('d'), permissions: ['storage', 'tabs'], created: new Date('2018-10-01T00:00:00Z') }],
      },
    ],
  });
});

const detail = (ref: string | number, query = '', api = 'v4') => `/api/${api}/addons/addon/${ref}/${query}`;

type Json = Record<string, unknown>;
const read = async (client: Client, path: string) => {
  const reply = await client.get(path);
  expect([reply.status, path]).toEqual([200, path]);
  return reply.json as Json;
};

describe('GET /api/v4/addons/addon/(int:id|string:slug|string:guid)/', () => {
  it('returns all fields, with the keys in the order of the contract', async () => {
    const shown = await read(app.anonymous, detail(full.id));
    expect(Object.keys(shown).join(' | ')).toBe(
      'id | authors | average_daily_users | categories | contributions_url | created | current_version | default_locale | ' +
        'description | developer comments | developer_comments | edit_url | guid | has_eula | has_privacy_policy | homepage | ' +
        'icon_url | icons | is_disabled | is_experimental | is_featured | is_source_public | name | last_updated | previews | ' +
        'public_stats | ratings | ratings_url | requires_payment | requires_sensitive_data_access | review_url | slug | status | ' +
        'summary | support_email | support_url | tags | type | url | weekly_downloads',
    );
    const site = app.url;
    const [fileId, versionId] = [full.versions[0]?.files[0]?.id, full.versions[0]?.id];
    expect(shown).toMatchObject({
      id: full.id,
      authors: [{ id: author.accountId, picture_url: '/static/img/anon_user.png' }],
      average_daily_users: 42,
      categories: { desktop_browser: ['tools', 'work'], mobile_browser: ['time'] },
      contributions_url: 'https://pay.example/clock',
      created: '2018-01-02T03:04:05Z',
      current_version: {
        id: versionId,
        channel: 'listed',
        compatibility: { desktop_browser: { min: '57.0', max: '*' }, mobile_browser: { min: '58.0', max: '63.*' } },
        edit_url: `${site}/developers/addon/Full-One/versions/${versionId}`,
        files: [
          {
            id: fileId,
            created: '2018-10-01T00:00:00Z',
            hash: `sha256:${sha('d')}`,
            is_webextension: true,
            permissions: ['storage', 'tabs'],
            platform: 'all',
            size: 1000,
            status: 4,
            url: `${site}/downloads/file/${fileId}/made_${full.id}-1.0.xpi?src=`,
          },
        ],
        license: { name: { 'en-US': 'My own' }, url: 'https://clock.example/license' },
        release_notes: { 'en-US': 'The first.' },
        reviewed: '2018-10-25T09:30:00Z',
        is_strict_compatibility_enabled: false,
        version: '1.0',
      },
      default_locale: 'en-US',
      'developer comments': { 'en-US': 'Thanks.' },
      developer_comments: { 'en-US': 'Thanks.' },
      guid: 'Full@Example',
      has_eula: true,
      has_privacy_policy: true,
      icon_url: `${site}/media/addons/${full.id}/icon-32.png?modified=aaaaaaaa`,
      icons: {
        32: `${site}/media/addons/${full.id}/icon-32.png?modified=aaaaaaaa`,
        64: `${site}/media/addons/${full.id}/icon-64.png?modified=aaaaaaaa`,
      },
      is_disabled: false,
      is_experimental: true,
      is_featured: true,
      is_source_public: false,
      name: { 'en-US': 'Clock', de: 'Uhr', 'pt-BR': 'Relógio' },
      last_updated: '2018-10-25T09:30:00Z',
      previews: [
        { caption: { 'en-US': 'At noon', de: 'Mittags' }, image_size: [640, 480], thumbnail_size: [200, 150] },
      ],
      ratings: { count: 3, text_count: 2, average: 4.5, bayesian_average: 4.25 },
      requires_payment: true,
      slug: 'Full-One',
      status: 'public',
      tags: ['clock', 'time'],
      type: 'extension',
      url: `${site}/addon/Full-One/`,
      weekly_downloads: 7,
    });
    const version = shown.current_version as { license: Json; files: Json[] };
    expect(Object.keys(version).join(' ')).toBe(
      'id channel compatibility edit_url files license release_notes reviewed is_strict_compatibility_enabled url version',
    );
    expect(Object.keys(version.license)).toEqual(['id', 'name', 'url']);
    expect(Object.keys(version.files[0] ?? {}).join(' ')).toBe(
      'id created hash is_vendor_signed_extension is_restart_required is_webextension permissions platform size status url',
    );
    expect(Object.keys((shown.authors as Json[])[0] ?? {})).toEqual(['id', 'name', 'url', 'username', 'picture_url']);
  });

  it('is found by id, slug and guid in any case', async () => {
    for (const ref of [full.id, 'full-one', 'FULL-ONE', 'full@example', 'FULL@EXAMPLE']) {
      expect((await read(app.anonymous, detail(ref))).id).toBe(full.id);
    }
    for (const ref of ['nobody', 'nobody@example', '999999', '99999999999999', '%7Bnot-a-guid%7D', '%F0%9F%92%A9']) {
      const reply = await app.anonymous.get(detail(ref));
      expect([reply.status, reply.json]).toEqual([404, { detail: 'Not found.' }]);
    }
  });

  it('is found by every shape of a guid', async () => {
    for (const guid of [
      '{0A1B2C3D-1234-abcd-EF01-234567890abc}',
      '@without-local-part.example',
      'a.b-c_d@host',
      '.@.',
    ]) {
      const { id } = await addon({ guid });
      for (const ref of [guid, guid.toLowerCase(), encodeURIComponent(guid.toUpperCase())]) {
        expect((await read(app.anonymous, detail(ref))).id).toBe(id);
      }
    }
  });

  it('returns null for absent texts, versions, licences and pictures', async () => {
    const { id } = await addon({ name: {}, versions: [{ version: '1', reviewed: null, files: [{}] }] });
    const bare = await read(app.anonymous, detail(id));
    expect(bare).toMatchObject({ name: null, summary: null, homepage: null, contributions_url: null, previews: [] });
    expect(bare.current_version).toMatchObject({ license: null, release_notes: null, reviewed: null });
    expect(bare.icon_url).toBe(`${app.url}/static/img/addon-icon-32.png?modified=00000000`);
    expect(bare.categories).toEqual({});
  });

  it('takes, by a slug, one statement for a cached document and two for others', async () => {
    const { slug } = await addon({ slug: 'counted' });
    await app.anonymous.get(detail('nobody'));
    expect(await statementsDuring(() => app.anonymous.get(detail(slug)))).toHaveLength(2);
    expect(await statementsDuring(() => app.anonymous.get(detail(slug)))).toHaveLength(1);
  });
});

describe('translated fields', () => {
  it.each([
    ['v4', '', { 'en-US': 'Clock', de: 'Uhr', 'pt-BR': 'Relógio' }],
    ['v3', '', { 'en-US': 'Clock', de: 'Uhr', 'pt-BR': 'Relógio' }],
    ['v4dev', '', { 'en-US': 'Clock', de: 'Uhr', 'pt-BR': 'Relógio' }],
    ['v4', '?lang=', { 'en-US': 'Clock', de: 'Uhr', 'pt-BR': 'Relógio' }],
    ['v4', '?lang=de', 'Uhr'],
    ['v3', '?lang=DE', 'Uhr'],
    ['v4', '?lang=de-AT', 'Uhr'],
    ['v4', '?lang=pt-PT', 'Relógio'],
    ['v4', '?lang=pt', 'Relógio'],
    ['v4', '?lang=fr', 'Clock'],
    ['v4', '?lang=nonsense', 'Clock'],
    ['v4', '?lang=%00', 'Clock'],
    ['v4dev', '?lang=de', { de: 'Uhr' }],
    ['v4dev', '?lang=pt-PT', { 'pt-BR': 'Relógio' }],
    ['v4dev', '?lang=fr', { 'en-US': 'Clock' }],
  ])('have all texts or one under %s with %s', async (api, query, name) => {
    const shown = await read(app.anonymous, detail(full.id, query, api));
    expect(shown.name).toEqual(name);
    expect(typeof (shown.current_version as Json).release_notes).toBe(
      query && api !== 'v4dev' && query !== '?lang=' ? 'string' : 'object',
    );
  });

  it('ignore Accept-Language, which selects the language of constant texts only', async () => {
    const reply = await app.anonymous.get(detail(full.id), { 'Accept-Language': 'de' });
    expect((reply.json as Json).name).toMatchObject({ de: 'Uhr' });
    expect(reply.headers.vary).toBe('Accept-Language, Authorization');
  });
});

describe('differences between the versions of the API', () => {
  it('leave out created on v3', async () => {
    const keys = async (api: string) => Object.keys(await read(app.anonymous, detail(full.id, '', api)));
    const v4 = await keys('v4');
    expect(await keys('v4dev')).toEqual(v4);
    expect(await keys('v3')).toEqual(v4.filter((key) => key !== 'created'));
  });

  it('hide static themes from every add-on path of v3', async () => {
    const theme = await addon({ type: 'statictheme' });
    const hidden = await addon({ type: 'statictheme', status: 'nominated' });
    for (const path of [
      '',
      'versions/',
      `versions/${theme.versions[0]?.id}/`,
      'feature_compatibility/',
      'eula_policy/',
    ]) {
      expect((await app.anonymous.get(detail(theme.id) + path)).status).toBe(200);
      for (const { id } of [theme, hidden]) {
        const reply = await app.anonymous.get(detail(id, '', 'v3') + path);
        expect([reply.status, reply.json]).toEqual([404, { detail: 'Not found.' }]);
      }
    }
  });
});
