import { describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { exportedLines, importLines } from '../../support/catalogue/lines.ts';
import { mutate } from '../../support/mutate.ts';

const app = setUpApp();

const persona = (slug: string, facts: object = {}) => ({
  ...{ kind: 'addon', guid: `${slug}@personas.example`, slug, type: 'persona', status: 'public' },
  ...{ name: { 'en-US': slug }, created: '2018-01-01T00:00:00Z', last_updated: '2018-10-25T09:30:00Z', ...facts },
});
const version = (number: string, facts: object = {}) => ({ version: number, channel: 'listed', ...facts });
const file = (facts: object) => ({ hash: `sha256:${'ab'.repeat(32)}`, size: 5, status: 4, ...facts });

interface Shown {
  guid: string;
  current_version: { id: number; version: string; compatibility: object; files: object[]; reviewed: string } | null;
}
const detail = async (slug: string) => (await app.anonymous.get(`/api/v4/addons/addon/${slug}/`)).json as Shown;
const found = async (query: string) => {
  const { json } = await app.anonymous.get(`/api/v4/addons/search/?type=persona&sort=created&${query}`);
  return (json as { results: Shown[] }).results.map(({ guid }) => guid.split('@')[0]).sort();
};

const EVERYWHERE = Object.fromEntries(
  ['desktop_browser', 'mobile_browser', 'suite_app', 'mail_client'].map((app) => [app, { min: '1.0', max: '*' }]),
);

describe('an imported persona', () => {
  it('gets a version if it is public and has no listed one in the file', async () => {
    const lines = [
      persona('bare'),
      persona('withdrawn', { is_disabled_by_developer: true }),
      persona('pending', { status: 'pending' }),
      persona('deleted', { status: 'deleted', slug: null }),
      persona('renumbered', { versions: [version('1.0', { deleted: true }), version('1.1', { channel: 'unlisted' })] }),
    ];
    await importLines(lines);
    expect((await detail('bare')).current_version).toMatchObject({
      version: '1.0',
      channel: 'listed',
      compatibility: EVERYWHERE,
      files: [],
      license: null,
      reviewed: '2018-10-25T09:30:00Z',
    });
    expect((await detail('renumbered')).current_version).toMatchObject({ version: '1.2' });
    const counts = await app.sql(`SELECT split_part(guid::text, '@', 1) AS name, count(v.id)::int AS versions
      FROM addon a LEFT JOIN version v ON v.addon_id = a.id GROUP BY a.id ORDER BY a.id`);
    expect(counts.map(({ name, versions }) => [name, versions])).toEqual([
      ['bare', 1],
      ['withdrawn', 1],
      ['pending', 0],
      ['deleted', 0],
      ['renumbered', 3],
    ]);
    const exported = await exportedLines();
    await importLines(lines);
    await importLines(exported);
    expect(await exportedLines()).toEqual(exported);
  });

  it('has the newest listed version of the file, and matches filters by its data', async () => {
    const compatibility = { desktop_browser: { min: '57.0', max: '60.*' } };
    await importLines([
      persona('desktop', {
        versions: [
          version('1.0', { created: '2018-01-01T00:00:00Z' }),
          version('2.0', { created: '2018-02-01T00:00:00Z', compatibility, files: [file({ platform: 'linux' })] }),
          version('3.0', { created: '2018-03-01T00:00:00Z', files: [file({ status: 5 })] }),
        ],
      }),
      persona('mobile', {
        versions: [version('0.1', { compatibility: { mobile_browser: { min: '48.0', max: '*' } } })],
      }),
    ]);
    expect((await detail('desktop')).current_version).toMatchObject({ version: '2.0', compatibility });
    expect((await detail('mobile')).current_version).toMatchObject({ version: '0.1', files: [] });
    expect(await found('app=desktop_browser')).toEqual(['bare', 'desktop', 'renumbered']);
    expect(await found('app=desktop_browser&appversion=56.0')).toEqual(['bare', 'renumbered']);
    expect(await found('app=mobile_browser')).toEqual(['bare', 'mobile', 'renumbered']);
    expect(await found('platform=linux')).toEqual(['bare', 'desktop', 'mobile', 'renumbered']);
    expect(await found('platform=mac')).toEqual(['bare', 'mobile', 'renumbered']);
  });

  it('has colours of six digits', async () => {
    await importLines([persona('coloured', { theme_data: { accentcolor: '#AbC', textcolor: '0c0c0d' } })]);
    expect(await detail('coloured')).toMatchObject({ theme_data: { accentcolor: '#aabbcc', textcolor: '#0c0c0d' } });
  });

  it.each([
    ['disabled', 'setAddonDisabled', { by: 'OPERATOR', isDisabled: false }],
    ['deleted', 'reviveAddon', {}],
  ])('waits for review after it is %s in the file and restored', async (status, restore, input) => {
    await importLines([persona(`was-${status}`, { status, ...(status === 'deleted' ? { slug: null } : {}) })]);
    const [row] = await app.sql<{ id: number }>('SELECT id FROM addon WHERE guid = $1', [
      `was-${status}@personas.example`,
    ]);
    const id = row?.id ?? 0;
    const admin = await app.admin();
    expect(await mutate(admin, restore, { id, reason: 'By mistake.', ...input })).not.toHaveProperty('code');
    expect(await mutate(admin, 'reviewPersona', { id, approve: true })).not.toHaveProperty('code');
    expect(await detail(String(id))).toMatchObject({ current_version: { version: '1.0' } });
  });

  it('has a version without files in the list of versions and by its id', async () => {
    const { current_version: current } = await detail('bare');
    const list = '/api/v4/addons/addon/bare/versions/';
    expect((await app.anonymous.get(list)).json).toMatchObject({ count: 1, results: [{ id: current?.id, files: [] }] });
    expect((await app.anonymous.get(`${list}${current?.id}/`)).json).toMatchObject({ version: '1.0' });
  });
});
