import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_QUERY_WORDS } from '../../../src/domain/search/analysis/lexemes.ts';
import { splitWords } from '../../../src/domain/search/analysis/words.ts';
import { popularityFactor } from '../../../src/domain/search/index/popularity.ts';
import type { SearchHit } from '../../../src/domain/search/query/engine.ts';
import { TIERS } from '../../../src/domain/search/query/tiers.ts';
import { addon, CATALOGUE, type CatalogueAddon } from '../../support/search/catalogue.ts';
import { runs } from '../../support/search/engine-properties.ts';
import { referenceSearch } from '../../support/search/reference-scorer.ts';
import { CHANGES, type Change } from '../../support/search/typed-changes.ts';
import {
  beginningsOf,
  NAMES_TO_TYPE,
  searchOf,
  TYPED_LANGUAGES,
  type TypedName,
} from '../../support/search/typed-queries.ts';

const ENGLISH = TYPED_LANGUAGES.find(({ locale }) => locale === 'en-US');
const SOME_ENGLISH = ENGLISH?.addons.filter(({ id }) => id % 3 === 0) ?? [];

/** The add-ons of each language with some in English: enough to compete, and fast. */
const COMPETING = new Map(
  TYPED_LANGUAGES.map(({ locale, addons }) => [locale, [...new Set([...SOME_ENGLISH, ...addons])]]),
);

describe('a name typed letter by letter', () => {
  const FIRST = 5;

  /** The steps at which the add-on leaves the first five although no more popular name takes its place. */
  function lossesOf(typed: TypedName, search: (text: string) => readonly SearchHit[]): string[] {
    const catalogue = COMPETING.get(typed.locale) ?? [];
    const { id, users } = typed.addon;
    const usersOf = (other: number) => catalogue.find((entry) => entry.id === other)?.users ?? 0;
    let ahead: readonly number[] | null = null;
    return beginningsOf(typed).flatMap((text) => {
      const ids = search(text).map((hit) => hit.id);
      const place = ids.indexOf(id);
      const first = ids.slice(0, FIRST);
      const isShown = place >= 0 && place < FIRST;
      const before = ahead;
      if (isShown) ahead = first.slice(0, place);
      if (isShown || before === null) return [];
      const inItsPlace = first.filter((each) => !before.includes(each));
      const isOvertaken = place >= 0 && inItsPlace.every((each) => usersOf(each) > users);
      return isOvertaken ? [] : [`${typed.locale} "${typed.name}" at "${text}": ${first.join(', ') || 'nothing'}`];
    });
  }

  it.each([
    ['suggestions', true],
    ['search results', false],
  ])('stays in the first five %s unless more popular names take its place', (_title, namesOnly) => {
    expect(NAMES_TO_TYPE).toHaveLength(200);
    const losses = NAMES_TO_TYPE.flatMap((typed) =>
      lossesOf(typed, (text) =>
        referenceSearch(COMPETING.get(typed.locale) ?? [], searchOf(text, typed.locale), { namesOnly }),
      ),
    );
    expect(losses).toEqual([]);
  });
});

describe('a name that is the first result', () => {
  const weightOf = new Map<string, number>(TIERS);
  const factorOf = ({ users, isExperimental, featured }: CatalogueAddon) =>
    popularityFactor({ averageDailyUsers: users, isExperimental, isFeatured: featured.length > 0 });

  const listed = TYPED_LANGUAGES.flatMap(({ locale, addons }) =>
    [...addons, ...(locale === 'en-US' ? CATALOGUE : [])].flatMap((entry) => {
      const name = entry.name[locale];
      return name === undefined || entry.hidden ? [] : [{ addon: entry, locale, name }];
    }),
  );
  const words = listed.flatMap(({ locale, name }) => name.split(' ').map((word) => ({ locale, word })));
  const syllables = fc.array(fc.constantFrom('ka', 'lo', 'mi', 'ren', 'tus', 'vel', 'ör', 'é', 'zan'), {
    minLength: 2,
    maxLength: 4,
  });
  const generated = fc
    .tuple(
      fc.constantFrom(...TYPED_LANGUAGES.map(({ locale }) => locale)),
      fc.array(fc.nat(), { maxLength: 3 }),
      syllables,
      fc.nat({ max: 500_000 }),
    )
    .map(([locale, chosen, invented, users]): TypedName => {
      const own = words.filter((word) => word.locale === locale);
      const before = chosen.map((word) => own[word % own.length]?.word);
      const name = [...before, invented.join('')].join(' ');
      return { addon: addon(99_000, { [locale]: name }, users, '', { defaultLocale: locale }), locale, name };
    });
  const anyName = fc.oneof({ arbitrary: fc.constantFrom(...listed), weight: 2 }, { arbitrary: generated, weight: 1 });
  const anyPicks = fc.array(fc.nat({ max: 9_999 }), { minLength: 12, maxLength: 12 });

  /** Picks from a list of numbers, over and over. */
  function pickFrom(numbers: readonly number[]) {
    let next = 0;
    return (limit: number) => (numbers[next++ % numbers.length] ?? 0) % Math.max(1, limit);
  }

  /**
   * The add-on still matches by its name, in the tier of the change or a better one. Only other matches by name precede it, each of
   * them more popular or a better match.
   */
  function expectKept(typed: TypedName, catalogue: readonly CatalogueAddon[], text: string, keeps: Change['keeps']) {
    const request = searchOf(text, typed.locale);
    const hits = referenceSearch(catalogue, request, { strictly: true });
    const score = hits.find(({ id }) => id === typed.addon.id)?.score ?? 0;
    const own = score / factorOf(typed.addon);
    const told = `${typed.locale} "${typed.name}" as "${text}"`;
    expect(own, told).toBeGreaterThanOrEqual(weightOf.get(keeps) ?? 0);
    for (const { id, score: other } of hits.slice(
      0,
      Math.max(
        0,
        hits.findIndex((hit) => hit.id === typed.addon.id),
      ),
    )) {
      const before = catalogue.find((entry) => entry.id === id) as CatalogueAddon;
      const lexical = other / factorOf(before);
      expect(lexical, told).toBeGreaterThanOrEqual(weightOf.get('prefix') ?? 0);
      expect(before.users > typed.addon.users || lexical >= own, told).toBe(true);
    }
  }

  it.each(Object.entries(CHANGES))('stays a match by name with %s', (_title, { change, keeps }) => {
    fc.assert(
      fc.property(anyName, anyPicks, (typed, picks) => {
        const own = TYPED_LANGUAGES.find(({ locale }) => locale === typed.locale)?.addons ?? [];
        const catalogue = [...new Set([...CATALOGUE, ...own, typed.addon])];
        const text = change(typed.name, pickFrom(picks), typed.locale);
        const [first] = referenceSearch(catalogue, searchOf(typed.name, typed.locale), { strictly: true });
        const isWhole = Array.from(text).length <= 100 && splitWords(text, 50).length <= MAX_QUERY_WORDS;
        if (first?.id === typed.addon.id && isWhole) expectKept(typed, catalogue, text, keeps);
      }),
      runs(60),
    );
  });
});
