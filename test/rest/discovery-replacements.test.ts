import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { beginningWith } from '../support/expect-refusal.ts';
import { addon } from '../support/factories.ts';

const app = setUpApp();

const PATH = '/api/v4/addons/replacement-addon/';

interface Page {
  next: string | null;
  results: { guid: string; replacement: string[] }[];
}
const page = async (query = '', version = 'v4') => {
  const reply = await app.anonymous.get(`/api/${version}/addons/replacement-addon/${query}`);
  expect(reply.status).toBe(200);
  return reply.json as Page;
};
const replacements = async (version?: string) =>
  Object.fromEntries((await page('', version)).results.map(({ guid, replacement }) => [guid, replacement]));

beforeAll(async () => {
  const one = await addon({ guid: 'one@new', slug: 'First-One' });
  await addon({ guid: 'two@new', slug: 'zwei-ü' });
  await addon({ guid: 'static@new', type: 'statictheme' });
  await addon({ guid: 'hidden@new', slug: 'hidden', status: 'nominated' });
  await addon({ guid: 'disabled@new', slug: 'disabled', isDisabledByDeveloper: true });
  const { db } = await import('../../src/infra/db.ts');
  await db.collection.create({
    data: { path: 'editor/For-Tabs', guids: ['TWO@new', 'hidden@new', 'gone@new', 'static@new', 'one@new'] },
  });
  const stored: [string, string | null, string[]][] = [
    ['direct@old', null, ['one@new']],
    ['several@old', null, ['two@new', 'one@new', 'ONE@new']],
    ['slug@old', '/addon/first-one/', []],
    ['encoded@old', '/addon/zwei-%C3%BC', []],
    ['guid@old', '/addon/two@new/?src=x', []],
    ['id@old', `/addon/${one.id}/`, []],
    ['list@old', '/collections/editor/for-tabs/', []],
    ['hidden@old', '/addon/hidden/', []],
    ['disabled@old', '/addon/disabled/', []],
    ['nowhere@old', '/addon/nowhere/', []],
    ['no-list@old', '/collections/editor/none/', []],
    ['page@old', '/addon/first-one/reviews/', []],
    ['address@old', 'https://elsewhere.example/addon/first-one/', []],
    ['broken@old', '/addon/%E0%A4%A/', []],
    ['empty@old', '', []],
  ];
  for (const [guid, path, guids] of stored) await db.replacement.create({ data: { guid, path, guids } });
});

describe('replacement-addon', () => {
  it('returns public add-ons, by guid, by path and through lists', async () => {
    expect(await replacements()).toEqual({
      'direct@old': ['one@new'],
      'several@old': ['two@new', 'one@new'],
      'slug@old': ['one@new'],
      'encoded@old': ['two@new'],
      'guid@old': ['two@new'],
      'id@old': ['one@new'],
      'list@old': ['two@new', 'static@new', 'one@new'],
      'hidden@old': [],
      'disabled@old': [],
      'nowhere@old': [],
      'no-list@old': [],
      'page@old': [],
      'address@old': [],
      'broken@old': [],
      'empty@old': [],
    });
  });

  it('has no static themes in v3', async () => {
    expect((await replacements('v3'))['list@old']).toEqual(['two@new', 'one@new']);
    expect(await replacements('v4dev')).toEqual(await replacements());
  });

  it('is paginated with the documented keys', async () => {
    const second = await page('?page_size=10&page=2&other=1');
    const last = { guid: 'address@old', replacement: [] };
    expect(second.results[2]).toEqual(last);
    expect(JSON.stringify({ ...second, results: [] })).toBe(
      JSON.stringify({
        next: null,
        previous: `${app.url}${PATH}?page_size=10&other=1`,
        page_size: 10,
        page_count: 2,
        count: 15,
        results: [],
      }),
    );
    expect((await page('?page_size=10')).next).toBe(`${app.url}${PATH}?page_size=10&page=2`);
    const beyond = await app.anonymous.get(`${PATH}?page=3`);
    expect([beyond.status, beyond.json]).toEqual([404, { detail: beginningWith('Invalid page. ') }]);
  });

  it('returns the add-ons in GraphQL', async () => {
    const { replacements: shown } = await app.anonymous.graphql<{ replacements: { nodes: unknown[] } }>(
      '{ replacements(first: 2) { totalCount nodes { replacement addons { slug } } } }',
    );
    expect(shown).toEqual({
      totalCount: 15,
      nodes: [
        { replacement: ['one@new'], addons: [{ slug: 'First-One' }] },
        { replacement: ['two@new', 'one@new'], addons: [{ slug: 'zwei-ü' }, { slug: 'First-One' }] },
      ],
    });
  });
});
