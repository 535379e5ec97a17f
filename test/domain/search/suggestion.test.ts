import { beforeAll, describe, expect, it } from 'vitest';
import { correctQuery } from '../../../src/domain/search/query/correct-query.ts';
import { planQuery } from '../../../src/domain/search/query/query-plan.ts';
import { readSearchRequest } from '../../../src/domain/search/query/search-request.ts';
import { setUpApp } from '../../support/app.ts';
import { addon, CATALOGUE } from '../../support/search/catalogue.ts';
import { referenceSuggestion } from '../../support/search/reference-suggestion.ts';
import { statementsDuring } from '../../support/statements.ts';

const catalogue = [
  ...CATALOGUE,
  addon(101, 'Gost Lantern', 7),
  addon(102, 'Übersetzer für Tabellen', 900_000, '', { defaultLocale: 'de' }),
  addon(103, 'Ubersetzen fur Tabelen', 3),
  addon(104, '日本語変換', 80_000, '', { defaultLocale: 'ja', type: 'dictionary' }),
  addon(105, '日本語交換', 10, '', { defaultLocale: 'ja', type: 'dictionary' }),
  addon(106, 'Notepad', 60_000, '', { tags: ['notes'] }),
  addon(107, 'Notpad', 600),
  addon(108, 'Colour Picker Plus', 200_000),
  addon(109, 'Wether', 40, '', { platforms: ['linux'] }),
  addon(110, 'Weather Radar', 50_000, '', { platforms: ['mac'] }),
  addon(112, 'Dark Lantern', 0),
  addon(113, { 'en-US': 'Tab Orchard', he: 'פרדס לשוניות' }, 30),
  addon(111, { 'en-US': 'Sunrise', fr: 'Lever de soleil' }, 70_000),
];

/** Query, suggestion. */
const CASES: readonly [Parameters<typeof readSearchRequest>[0], string | null][] = [
  // A popular name, hidden by an obscure one.
  [{ q: 'gost lantern' }, 'Ghost Lantern'],
  [{ q: 'Gost-Lantern' }, 'Ghost Lantern'],
  [{ q: 'ubersetzen fur tabelen', lang: 'de' }, 'Übersetzer für Tabellen'],
  [{ q: '日本語交換', lang: 'ja' }, '日本語変換'],
  [{ q: 'notpad' }, 'Notepad'],
  // Words of a longer name.
  [{ q: 'color pickr' }, 'colour picker'],
  [{ q: 'the menu wizzard' }, 'the menu wizard'],
  [{ q: 'lantrn of gost' }, 'lantern of ghost'],
  // Nothing matches as written.
  [{ q: 'tabbbyllama' }, 'Tabby Llama'],
  [{ q: 'merge windws' }, 'Merge Windows'],
  [{ q: 'dakr lantern' }, 'Dark Lantern'],
  // Not 100 times the users.
  [{ q: 'startpage' }, null],
  [{ q: 'itch' }, null],
  // Filters.
  [{ q: 'notpad', tags: ['notes'] }, 'Notepad'],
  [{ q: 'gost lantern', types: 'dictionary' }, null],
  [{ q: 'wether', platform: 'linux' }, null],
  [{ q: 'wether' }, 'weather'],
  [{ q: 'gost lantern', excludeAddons: { ids: [12] } }, null],
  // Names in languages that the query does not search.
  [{ q: 'lever de solail' }, null],
  [{ q: 'lever de solail', lang: 'fr' }, 'Lever de soleil'],
  // Many matches, no words, no query, hidden add-ons.
  [{ q: 'tab' }, null],
  [{ q: '&&' }, null],
  [{}, null],
  [{ q: 'secrt beta tool' }, null],
];

/** Misspelt names: query, name. */
const MISSPELT: readonly [string, string][] = [
  // Two letters exchanged, everywhere in a word.
  ['adrk lantern', 'Dark Lantern'],
  ['dakr lantern', 'Dark Lantern'],
  ['dark alntern', 'Dark Lantern'],
  ['adrk alntern', 'Dark Lantern'],
  ['darklantenr', 'Dark Lantern'],
  ['emnu wizard', 'Menu Wizard'],
  ['menu wizadr', 'Menu Wizard'],
  ['erdux inspector', 'Redux Inspector'],
  // Doubled.
  ['tabbby llama', 'Tabby Llama'],
  ['menu wizzard', 'Menu Wizard'],
  ['mmerge windows', 'Merge Windows'],
  ['redux inspectorr', 'Redux Inspector'],
  // Missing.
  ['galery yummy', 'Gallery Yummy'],
  ['merge windos', 'Merge Windows'],
  ['simple webscket client', 'Simple WebSocket Client'],
  ['redux inspctor', 'Redux Inspector'],
  // Replaced.
  ['galkery yummy', 'Gallery Yummy'],
  ['merge windiws', 'Merge Windows'],
  ['dyslexoa reader', 'Dyslexia Reader'],
  ['contezt menu manager', 'Context Menu Manager'],
  // In Hebrew.
  ['פרסד לשוניות', 'פרדס לשוניות'],
  ['רפדס לשוניות', 'פרדס לשוניות'],
  ['פרדס לשוניוות', 'פרדס לשוניות'],
];

const app = setUpApp();
beforeAll(async () => {
  const { loadCatalogue } = await import('../../support/search/load-catalogue.ts');
  await loadCatalogue(catalogue);
});

const requestOf = (values: Parameters<typeof readSearchRequest>[0]) =>
  readSearchRequest(values, { locale: values.lang ?? 'en-US', except: [] });

describe('a suggestion', () => {
  it.each(MISSPELT)('corrects %j to %j', async (q, name) => {
    const { databaseEngine } = await import('../../../src/domain/search/postgres/postgres-engine.ts');
    const request = requestOf({ q, lang: /[א-ת]/.test(q) ? 'he' : 'en-US' });
    const { count } = await databaseEngine.search(request, null);
    const suggestion = await databaseEngine.suggestQuery(request, count);
    expect(suggestion?.q.toLowerCase()).toBe(name.toLowerCase());
  });

  it.each(CASES)('for %j is %j', async (values, expected) => {
    const { databaseEngine } = await import('../../../src/domain/search/postgres/postgres-engine.ts');
    const request = requestOf(values);
    const { count } = await databaseEngine.search(request, null);
    const suggestion = await databaseEngine.suggestQuery(request, count);
    expect(suggestion?.q ?? null).toBe(expected);
    expect(suggestion).toEqual(referenceSuggestion(catalogue, request));
    if (suggestion === null) return;
    expect((await databaseEngine.search({ ...request, query: suggestion.q }, null)).count).toBe(suggestion.count);
  });

  it('is a field of results that costs four statements', async () => {
    const search = (fields: string) => async () => {
      const found = await app.anonymous.graphql<{ search: object }>(
        `{ search(q: "gost lantern", first: 1) { totalCount ${fields} } }`,
      );
      return found.search;
    };
    expect(await search('suggestion { q count }')()).toEqual({
      totalCount: 1,
      suggestion: { q: 'Ghost Lantern', count: 1 },
    });
    const [without, suggested] = [
      await statementsDuring(search('')),
      await statementsDuring(search('suggestion { q count }')),
    ];
    expect(suggested.length - without.length).toBe(4);
    const many = await statementsDuring(() =>
      app.anonymous.graphql(`{ search(q: "tab") { totalCount suggestion { q } } }`),
    );
    expect(many.length - without.length).toBe(1);
  });

  it('keeps the spelling of all other words', () => {
    const correct = (q: string, name: string) => {
      const plan = planQuery(q, 'en-US');
      if (plan === null) throw new Error('a query without words');
      return correctQuery(q, plan.loose, { name: { 'en-US': name }, defaultLocale: 'en-US' });
    };
    expect(correct('Qick  Notes (beta)', 'Very Quick Notes Beta')).toBe('quick  Notes (beta)');
    expect(correct('Quick Notes', 'Quick Notes')).toBe(null);
    expect(correct('quick nots', 'Quick Pens')).toBe(null);
    expect(correct('x'.repeat(99), `${'x'.repeat(99)} !!`)).toBe(null);
    expect(correct('runing man', 'Running  Man!')).toBe('Running Man!');
  });
});
