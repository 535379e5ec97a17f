import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { addon } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';

const app = setUpApp();
let authorId: number;
let addonIds: number[];
/** Category ids by application and slug. */
let categories: Map<string, number>;

beforeAll(async () => {
  const author = await app.developer();
  authorId = author.accountId ?? 0;
  const tools = { app: 'desktop_browser', slug: 'tools' };
  const made = [
    await addon({ slug: 'written', authors: [authorId] }),
    await addon({ slug: 'tool', categories: [tools] }),
    await addon({ slug: 'mobile', categories: [{ app: 'mobile_browser', slug: 'tools' }] }),
    await addon({ slug: 'theme', type: 'statictheme', categories: [tools] }),
  ];
  addonIds = made.map(({ id }) => id);
  const rows = await app.sql<{ id: number; key: string }>(`SELECT id, app || ' ' || type AS key FROM category`);
  categories = new Map(rows.map(({ id, key }) => [key, id]));
});

const QUERIES = {
  search: 'query($filter: SearchFilter) { search(filter: $filter) { nodes { slug } } }',
  addons: 'query($filter: AddonFilter) { addons(filter: $filter) { nodes { slug } } }',
};

async function found(name: keyof typeof QUERIES, filter: Record<string, unknown>): Promise<string> {
  interface Data {
    search?: { nodes: { slug: string }[] };
    addons?: { nodes: { slug: string }[] };
  }
  const { search, addons } = await app.anonymous.graphql<Data>(QUERIES[name], { filter });
  const shown = (search ?? addons)?.nodes ?? [];
  return shown
    .map(({ slug }) => slug)
    .sort()
    .join(' ');
}

const category = (key: string) => globalId('Category', categories.get(key));

describe.each(['search', 'addons'] as const)('the filter of %s', (name) => {
  it('takes authors and excluded add-ons by global id', async () => {
    expect(await found(name, { authors: [globalId('Account', authorId)] })).toBe('written');
    const excludeAddons = addonIds.slice(0, 2).map((id) => globalId('Addon', id));
    expect(await found(name, { excludeAddons })).toBe('mobile theme');
  });

  it('takes categories by global id, any of them', async () => {
    const [desktop, mobile] = [category('desktop_browser extension'), category('mobile_browser extension')];
    expect(await found(name, { categories: [desktop] })).toBe('tool');
    expect(await found(name, { categories: [desktop, mobile] })).toBe('mobile tool');
    expect(await found(name, { categories: [category('desktop_browser statictheme')], app: 'DESKTOP_BROWSER' })).toBe(
      'theme',
    );
    expect(await found(name, { categories: [globalId('Category', 2_000_000_000)] })).toBe('');
    expect(await found(name, { categories: [] })).toBe('mobile theme tool written');
  });

  it.each([
    ['authors', ['1']],
    ['authors', [globalId('Addon', 1)]],
    ['authors', ['ada']],
    ['excludeAddons', ['a-slug']],
    ['categories', [globalId('Account', 1)]],
    ['categories', Array.from({ length: 501 }, () => globalId('Category', 1))],
    ['excludeAddons', Array.from({ length: 501 }, () => globalId('Addon', 1))],
  ])('refuses %s that are not global ids of its type, and too many', async (field, ids) => {
    const { errors } = await app.anonymous.graphqlResult(QUERIES[name], { filter: { [field]: ids } });
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { fields: { [field]: [expect.any(String)] } },
    });
  });
});

describe('a category of featured add-ons', () => {
  it('is a global id of a category of the application and types', async () => {
    const query = `query($category: ID, $types: [AddonType!]) {
      featuredAddons(app: DESKTOP_BROWSER, category: $category, types: $types) { slug } }`;
    const desktop = { category: category('desktop_browser extension') };
    for (const variables of [desktop, { ...desktop, types: ['EXTENSION'] }]) {
      expect(await app.anonymous.graphql(query, variables)).toEqual({ featuredAddons: [] });
    }
    for (const variables of [
      { category: category('mobile_browser extension') },
      { ...desktop, types: ['DICTIONARY'] },
      { category: globalId('Category', 2_000_000_000) },
      { category: 'tools' },
    ]) {
      const { errors } = await app.anonymous.graphqlResult(query, variables);
      expect(errors).toMatchObject([
        { extensions: { code: 'BAD_USER_INPUT', details: { fields: { category: [expect.any(String)] } } } },
      ]);
    }
  });
});
