import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { beginningWith } from '../support/expect-refusal.ts';
import { addon, type MadeAddon } from '../support/factories.ts';
import { statementsDuring } from '../support/statements.ts';

const app = setUpApp();

type Json = Record<string, unknown>;
const sha = (digit: string) => digit.repeat(64);
const detail = (made: MadeAddon, query = '', api = 'v4') => `/api/${api}/addons/addon/${made.id}/${query}`;
const read = async (path: string, headers: Record<string, string> = {}) => {
  const reply = await app.anonymous.get(path, headers);
  expect([reply.status, path]).toEqual([200, path]);
  return reply.json as Json;
};

describe('a persona', () => {
  it('has theme_data and no weekly downloads', async () => {
    const artist = await app.developer();
    const persona = await addon({
      type: 'persona',
      slug: 'dusk',
      authors: [artist.accountId ?? 0],
      name: { 'en-US': 'Dusk', de: 'Dämmerung' },
      description: { 'en-US': 'Dark.' },
      averageDailyUsers: 99,
      weeklyDownloads: 5,
      categories: [{ app: 'desktop_browser', slug: 'nature', name: { 'en-US': 'Nature', de: 'Natur' } }],
      persona: { accentColor: '112233', textColor: '#ffffff', headerSha256: sha('1'), footerSha256: null },
    });
    const shown = await read(detail(persona, '?lang=de'));
    expect(Object.keys(shown)).not.toContain('weekly_downloads');
    expect(shown).toMatchObject({ type: 'persona', average_daily_users: 99, current_version: { files: [] } });
    const theme = shown.theme_data as Json;
    expect(Object.keys(theme).join(' ')).toBe(
      'id name accentcolor textcolor category author description header footer headerURL footerURL previewURL iconURL updateURL detailURL version',
    );
    const header = `${app.url}/media/personas/${persona.id}/header.png?modified=11111111`;
    expect(theme).toEqual({
      id: String(persona.id),
      name: 'Dämmerung',
      accentcolor: '#112233',
      textcolor: '#ffffff',
      category: 'Natur',
      author: expect.stringMatching(/^user-/),
      description: 'Dark.',
      header,
      footer: '',
      headerURL: header,
      footerURL: '',
      previewURL: `${app.url}/media/personas/${persona.id}/preview.png?modified=11111111`,
      iconURL: `${app.url}/media/personas/${persona.id}/icon.png?modified=11111111`,
      updateURL: `${app.url}/themes/update-check/${persona.id}`,
      detailURL: `${app.url}/addon/dusk/`,
      version: '1.0',
    });
    const german = (await read(detail(persona), { 'Accept-Language': 'de' })).theme_data;
    expect(german).toMatchObject({ name: 'Dämmerung', category: 'Natur' });
    expect((await read(detail(persona))).theme_data).toMatchObject({ name: 'Dusk', category: 'Nature' });
  });

  it('has no theme_data without persona data, and the default icon without an icon', async () => {
    const without = await addon({ type: 'persona' });
    expect(Object.keys(await read(detail(without)))).not.toContain('theme_data');
    const bare = await addon({ type: 'persona', name: {}, persona: {} });
    expect((await read(detail(bare))).theme_data).toMatchObject({
      name: null,
      accentcolor: null,
      textcolor: null,
      category: '',
      author: '',
      header: '',
      previewURL: '',
      iconURL: `${app.url}/static/img/addon-icon-32.png?modified=00000000`,
    });
  });
});

describe('a preview without pictures', () => {
  it('has the address of a placeholder', async () => {
    const made = await addon({ previews: [{ imageWidth: 700, imageHeight: 525 }] });
    const placeholder = `${app.url}/static/img/no-preview.png?modified=00000000`;
    expect((await read(detail(made))).previews).toMatchObject([
      { image_url: placeholder, thumbnail_url: placeholder, image_size: [700, 525] },
    ]);
    const picture = await app.anonymous.get(placeholder);
    expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/png']);
  });
});

describe('app and appversion', () => {
  let pack: MadeAddon;
  let extension: MadeAddon;
  beforeAll(async () => {
    const versions = [
      { version: '60.0', compatibility: { desktop_browser: ['60.0', '60.*'] as [string, string] } },
      { version: '61.0', compatibility: { desktop_browser: ['61.0', '61.*'] as [string, string] } },
      {
        version: '61.1',
        compatibility: { desktop_browser: ['61.0', '61.*'] as [string, string] },
        files: [{ status: 5 }],
      },
      { version: '62.0', compatibility: { mobile_browser: ['62.0', '62.*'] as [string, string] } },
    ];
    pack = await addon({ type: 'language', versions });
    extension = await addon({ versions });
  });
  const current = async (made: MadeAddon, query: string, api = 'v4') =>
    ((await read(detail(made, query, api))).current_version as Json).version;

  it.each([
    ['?app=desktop_browser&appversion=60.0', '60.0'],
    ['?app=1&appversion=60.9.1', '60.0'],
    ['?app=desktop_browser&appversion=61.0a1', '62.0'],
    ['?app=desktop_browser&appversion=61.5', '61.0'],
    ['?app=mobile_browser&appversion=62.0', '62.0'],
    ['?app=mobile_browser&appversion=61.0', '62.0'],
    ['?app=mail_client&appversion=60.0', '62.0'],
    ['?app=desktop_browser', '62.0'],
    ['', '62.0'],
  ])('select the version of a language pack: %s', async (query, version) => {
    expect(await current(pack, query)).toBe(version);
    expect(await current(extension, query)).toBe('62.0');
  });

  const badApp = { app: [beginningWith('Invalid "app" parameter. ')] };
  const badVersion = { appversion: [beginningWith('Invalid "appversion" parameter. ')] };
  it.each([
    ['?appversion=60.0', badApp],
    ['?appversion=60.0&app=', badApp],
    ['?appversion=60.0&app=2', badApp],
    ['?appversion=60.0&app=DESKTOP_BROWSER', badApp],
    ['?appversion=60.0&app=%00', badApp],
    [`?appversion=60.0&app=${'x'.repeat(4096)}`, badApp],
    ['?app=desktop_browser&appversion=new', badVersion],
    ['?app=desktop_browser&appversion=60.*', badVersion],
    ['?app=desktop_browser&appversion=*', badVersion],
    ['?app=desktop_browser&appversion=9.0', badVersion],
    ['?app=desktop_browser&appversion=%00', badVersion],
    [`?app=desktop_browser&appversion=${'6'.repeat(4096)}`, badVersion],
  ])('refuse %s for a language pack; other add-ons and v3 ignore them', async (query, body) => {
    const reply = await app.anonymous.get(detail(pack, query));
    expect([reply.status, reply.json]).toEqual([400, body]);
    expect(await current(extension, query)).toBe('62.0');
    for (const made of [pack, extension]) expect(await current(made, query, 'v3')).toBe('62.0');
  });

  it.each(['?app=', '?app=browser', '?app=desktop_browser&appversion=', '?appversion='])(
    'without an application version have no effect: %s',
    async (query) => {
      for (const made of [pack, extension]) expect(await current(made, query)).toBe('62.0');
    },
  );

  it('select the newest version that supports any application version', async () => {
    const range = { compatibility: { desktop_browser: ['70.0', '70.*'] as [string, string] } };
    const made = await addon({ type: 'language', versions: [range, { version: 'any', compatibility: {} }, range] });
    expect(await current(made, '?app=desktop_browser&appversion=60.0')).toBe('any');
    expect(await current(made, '?app=desktop_browser&appversion=70.0')).toBe('3.0');
  });

  it('take one more statement', async () => {
    await app.anonymous.get(detail(pack));
    const statements = await statementsDuring(() =>
      app.anonymous.get(detail(pack, '?app=desktop_browser&appversion=60.0')),
    );
    expect(statements).toHaveLength(2);
  });
});

describe('GET …/feature_compatibility/ and …/eula_policy/', () => {
  it.each(['compatible', 'compatible-webextension', 'incompatible', 'unknown'])('return %s', async (e10s) => {
    expect(await read(`${detail(await addon({ e10s }))}feature_compatibility/`)).toEqual({ e10s });
  });

  it('return the texts in every form, and null without a text', async () => {
    const made = await addon({ eula: { 'en-US': 'Agree.', de: 'Stimme zu.' } });
    const path = `${detail(made)}eula_policy/`;
    expect(await read(path)).toEqual({ eula: { 'en-US': 'Agree.', de: 'Stimme zu.' }, privacy_policy: null });
    expect(await read(`${path}?lang=de`)).toEqual({ eula: 'Stimme zu.', privacy_policy: null });
    expect(await read(`${path.replace('v4', 'v4dev')}?lang=de`)).toEqual({
      eula: { de: 'Stimme zu.' },
      privacy_policy: null,
    });
    expect(Object.keys(await read(path))).toEqual(['eula', 'privacy_policy']);
    await read(path);
    expect((await statementsDuring(() => app.anonymous.get(path))).length).toBeLessThanOrEqual(2);
  });
});
