/* Searches of pages: the same on every engine. */
import { expect, it } from 'vitest';
import type { SearchEngine } from '../../../src/domain/search/query/engine.ts';
import {
  readSearchRequest,
  type SearchRequest,
  type SearchValues,
} from '../../../src/domain/search/query/search-request.ts';
import { addon, CATALOGUE, type CatalogueAddon } from './catalogue.ts';
import { referenceSearch } from './reference-scorer.ts';

const carol = { id: 33, username: 'carol kite' };

/** The catalogue of the judgement cases, and add-ons that visitors cannot install or look for in another way. */
export const VISITOR_CATALOGUE: readonly CatalogueAddon[] = [
  ...CATALOGUE,
  addon(201, 'Dark Theme', 900_000, '', { type: 'persona' }),
  addon(202, 'Dark Theme Deluxe', 5_000_000, '', { isInstallable: false }),
  addon(203, 'Dark Theme Small', 3, '', { type: 'statictheme' }),
  addon(204, 'Very Dark Theme', 800, '', { type: 'statictheme' }),
  addon(205, 'Carol Kite Helper', 10, '', { authors: [carol] }),
  addon(206, 'Unrelated', 20, '', { authors: [carol] }),
  addon(207, 'Old Unrelated', 9_000, '', { authors: [carol], isInstallable: false }),
  addon(208, 'Schriftrolle', 50, '', {
    defaultLocale: 'de',
    name: { de: 'Schriftrolle', 'en-US': 'Parchment Reader' },
  }),
  addon(209, 'Reader for addon-203', 700_000),
  addon(210, 'The Zebra Crossing', 4_000_000),
  addon(211, 'Zebra', 2),
  addon(212, 'מנהל סימניות', 60, '', { defaultLocale: 'he' }),
  addon(213, { 'en-US': 'Orchard Two', he: 'מטע סימניות' }, 600),
];

const requestOf = (values: SearchValues, alsoIn: readonly string[] = []): SearchRequest => ({
  ...readSearchRequest(values, { locale: values.lang ?? 'en-US', except: [] }),
  alsoIn,
});

/** Declares the tests of an engine with this catalogue. */
export function testVisitorSearches(engine: SearchEngine): void {
  const search = async (values: SearchValues, slice = { offset: 0, limit: 50 }, alsoIn: readonly string[] = []) => {
    const { searchForVisitors } = await import('../../../src/domain/search/search-for-visitors.ts');
    const { count, hits } = await searchForVisitors(engine, requestOf(values, alsoIn), slice);
    return { count, ids: hits.map(({ id }) => id) };
  };
  const suggest = async (values: SearchValues) => {
    const { suggestForVisitors } = await import('../../../src/domain/search/search-for-visitors.ts');
    return (await suggestForVisitors(engine, requestOf(values))).map(({ id }) => id);
  };

  it('puts add-ons that can be installed before all others, each in the order of the model', async () => {
    for (const values of [{ q: 'dark theme' }, { q: 'theme' }, { sort: 'users' }, { q: 'dark', sort: 'users' }]) {
      const request = requestOf(values);
      const [first, rest] = [true, false].map((isInstallable) =>
        referenceSearch(VISITOR_CATALOGUE, { ...request, filters: { ...request.filters, isInstallable } }),
      );
      const expected = [...(first ?? []), ...(rest ?? [])].map(({ id }) => id);
      const all = await search(values, { offset: 0, limit: 200 });
      expect([all.count, all.ids]).toEqual([expected.length, expected]);
      // Pages of the sequence are those of one list.
      for (let offset = 0; offset < expected.length + 3; offset += 3) {
        const page = await search(values, { offset, limit: 3 });
        expect([page.count, page.ids]).toEqual([expected.length, expected.slice(offset, offset + 3)]);
      }
    }
    expect((await search({ q: 'dark theme' })).ids.slice(-2).sort()).toEqual([201, 202]);
  });

  it('finds an add-on by id, guid and slug first', async () => {
    for (const q of ['203', 'addon-203', 'ADDON203@catalogue.example']) {
      const { ids } = await search({ q });
      expect(ids[0], q).toBe(203);
      expect(new Set(ids).size, q).toBe(ids.length);
    }
    expect((await search({ q: 'addon-203' })).ids).toContain(209);
    // Hidden add-ons and those that a filter excludes are not found.
    expect((await search({ q: 'addon-46' })).ids).not.toContain(46);
    expect((await search({ q: 'addon-203', types: 'extension' })).ids).not.toContain(203);
  });

  it('finds add-ons by the name of an author last, and each only once', async () => {
    expect(await search({ q: 'carol kite' })).toEqual({ count: 3, ids: [205, 206, 207] });
    expect(await search({ q: 'Carol  Kite' }, { offset: 1, limit: 1 })).toEqual({ count: 3, ids: [206] });
  });

  it('searches names in the most common language too', async () => {
    expect((await search({ q: 'parchment', lang: 'he' })).ids).toEqual([]);
    expect((await search({ q: 'parchment', lang: 'he' }, undefined, ['en'])).ids).toEqual([208]);
    expect((await search({ q: 'schriftrolle', lang: 'he' }, undefined, ['en'])).ids).toEqual([208]);
  });

  it('finds Hebrew names, also from a page in another language', async () => {
    for (const lang of ['he', 'en-US', 'de']) {
      expect((await search({ q: 'סימניות', lang }, undefined, ['he'])).ids, lang).toEqual([213, 212]);
      expect((await search({ q: 'מנהל', lang }, undefined, ['he'])).ids, lang).toEqual([212]);
      expect((await search({ q: 'מנהל סימניות', lang })).ids, lang).toContain(212);
    }
    expect((await search({ q: 'סימינות', lang: 'he' })).ids).toEqual([213, 212]);
  });

  it('shows misspelt names only if nothing matches in any way', async () => {
    expect((await search({ q: 'dakr theme' })).ids.slice(0, 2).sort()).toEqual([203, 204]);
    expect((await search({ q: 'adrk theme' })).ids.slice(0, 2).sort()).toEqual([203, 204]);
    expect((await search({ q: 'carol kit' })).ids).toEqual([205]);
  });

  it('suggests names that begin with the words before all others', async () => {
    expect((await suggest({ q: 'zebra' })).slice(0, 2)).toEqual([211, 210]);
    expect((await suggest({ q: 'zeb' })).slice(0, 2)).toEqual([211, 210]);
    expect(await suggest({ q: 'dark th' })).toEqual([203, 204, 202, 201]);
    expect((await suggest({ q: 'zebar' })).length).toBeGreaterThan(0);
  });
}
