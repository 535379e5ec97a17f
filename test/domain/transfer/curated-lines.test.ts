import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportedLines, importLines, refusalsOf } from '../../support/catalogue/lines.ts';
import { createTestDatabase } from '../../support/database.ts';

const database = await createTestDatabase();
const { closeDatabase, db } = await import('../../../src/infra/db.ts');

const colors = { gradient_start: '#20123a', gradient_end: '#054096' };
const homepage = 'https://example.org/elsewhere';
const cta = { url: homepage, text: { 'en-US': 'Go' } };
const entry = (addon: string) => ({ addon, heading: null, description: { de: 'Gut' } });
const discovery = (...addons: string[]) => ({
  ...{ kind: 'discovery', edition: 'later', locale: null, entries: addons.map(entry) },
});
const external = { guid: '', homepage, name: 'Elsewhere', type: 'extension' };
const hero = {
  kind: 'hero',
  entries: [
    { addon: 'one@x', external: null, ...colors, featured_image: null, description: { de: 'Gut' } },
    { addon: null, external, ...colors, featured_image: `${homepage}.png`, description: null },
  ],
  secondary: {
    ...{ headline: { 'en-US': 'Headline' }, description: { de: 'Text' }, cta: null },
    modules: [1, 2, 3].map((number) => ({ icon: `${homepage}/${number}.svg`, description: { de: 'Teil' }, cta })),
  },
};

/** The exported lines of the lists. */
const exportedLists = async () =>
  (await exportedLines()).filter(({ kind }) => kind === 'discovery' || kind === 'hero' || kind === 'browser_mapping');

const ids = async () => [
  ...(await db.discoveryEntry.findMany({ select: { id: true }, orderBy: { id: 'asc' } })),
  ...(await db.heroEntry.findMany({ select: { id: true }, orderBy: { id: 'asc' } })),
];

beforeAll(() =>
  importLines(
    ['one', 'two'].map((name) => ({
      ...{ kind: 'addon', guid: `${name}@x`, slug: name, type: 'extension', status: 'public' },
    })),
  ),
);

afterAll(async () => {
  await closeDatabase();
  await database.drop();
});

describe('lists of curators in a catalogue file', () => {
  const mapping = { kind: 'browser_mapping', browser: 'chrome', extension_id: 'theirs', addon_guid: 'one@x' };

  it('are exported as they were imported', async () => {
    const lines = [discovery('two@x', 'one@x'), hero, mapping];
    await importLines(lines);
    expect(await exportedLists()).toEqual(lines);
    await importLines([{ ...mapping, addon_guid: 'TWO@x' }]);
    expect(await exportedLists()).toEqual([...lines.slice(0, 2), { ...mapping, addon_guid: 'TWO@x' }]);
  });

  it('replace those here as a whole, and keep entries that are the same', async () => {
    const before = await ids();
    expect(before).toHaveLength(4);
    const [first, ...others] = hero.entries;
    const capitals = { ...first, gradient_start: colors.gradient_start.toUpperCase() };
    await importLines([discovery('two@x', 'one@x'), { ...hero, entries: [capitals, ...others] }]);
    expect(await ids()).toEqual(before);
    await importLines([discovery('one@x'), { ...hero, entries: others, secondary: null }]);
    const [list, home] = await exportedLists();
    expect([list, home]).toEqual([discovery('one@x'), { ...hero, entries: others, secondary: null }]);
    await importLines([discovery(), { ...hero, entries: [], secondary: null }]);
    expect((await exportedLists()).map(({ kind }) => kind)).toEqual(['browser_mapping']);
  });

  it.each([
    ['discovery.entries[0].addon: there is no add-on "a@none"', { kind: 'discovery', entries: [{ addon: 'a@none' }] }],
    ['discovery.entries[1].addon: the same as', discovery('one@x', 'one@x')],
    ['discovery.locale: expected a supported language', { kind: 'discovery', locale: '!', entries: [] }],
    [
      'discovery.entries: expected at most 50 entries',
      { kind: 'discovery', entries: Array(51).fill({ addon: 'a@b' }) },
    ],
    ['hero.entries[0].gradient_start: expected a colour', { kind: 'hero', entries: [{ gradient_start: 'red' }] }],
    ['hero.entries[0]: ', { kind: 'hero', entries: [colors] }],
    ['hero.secondary.modules: ', { kind: 'hero', entries: [], secondary: { modules: [] } }],
    ['hero.secondary.cta.url: ', { ...hero, secondary: { ...hero.secondary, cta: { url: 'javascript:1' } } }],
    ['browser_mapping.browser: ', { kind: 'browser_mapping', browser: 'a b', extension_id: 'x' }],
  ])('are refused with "%s"', async (problem, line) => {
    const [refusal = '', ...more] = await refusalsOf([line]);
    expect(refusal.slice(0, `line 1: ${problem}`.length)).toBe(`line 1: ${problem}`);
    expect(more).toEqual([]);
  });

  it('are refused if an earlier line has the same list', async () => {
    expect(await refusalsOf([discovery(), hero, hero, discovery('one@x')])).toEqual([
      'line 3: hero: the same as on line 2',
      'line 4: discovery.edition: the same as on line 1',
    ]);
  });
});
