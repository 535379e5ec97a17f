import { describe, expect, it } from 'vitest';
import { LARGEST_FACTOR, LEVELS, levelOf, popularityFactor } from '../../../src/domain/search/index/popularity.ts';
import { isNearly, wordsNeeded } from '../../../src/domain/search/query/loose-match.ts';
import { pagesOf, sliceOf } from '../../../src/domain/search/query/page-window.ts';
import { planQuery } from '../../../src/domain/search/query/query-plan.ts';
import { boundWithout, LEXICAL, TIERS, tierBit } from '../../../src/domain/search/query/tiers.ts';

const ordinary = { isExperimental: false, isFeatured: false };

describe('the table of tiers', () => {
  it('gives every set of tiers its worth', () => {
    expect(LEXICAL).toHaveLength(1_024);
    expect(LEXICAL[0]).toBe(0);
    for (const [tier, weight] of TIERS) expect(LEXICAL[tierBit(tier)]).toBe(weight);
    expect(LEXICAL[tierBit('all') | tierBit('prefix') | tierBit('summary')]).toBeCloseTo(32 + 0.05 * 34, 12);
  });

  it('keeps an exact name nobody uses above everything that merely starts with the query', () => {
    const start = boundWithout(new Set(['exact', 'whole']));
    expect(start?.tier).toBe('start');
    expect((start?.bound ?? 0) * LARGEST_FACTOR).toBeLessThan(110);
  });

  it('keeps every match in a name above every match in texts', () => {
    const texts = LEXICAL[tierBit('summary') | tierBit('tag') | tierBit('description') | tierBit('across')] ?? 0;
    expect(texts * LARGEST_FACTOR).toBeLessThan(24);
  });

  it('bounds what is left when some tiers are known', () => {
    expect(boundWithout(new Set(TIERS.map(([tier]) => tier)))).toBeNull();
    const others = new Set(TIERS.map(([tier]) => tier).filter((tier) => tier !== 'prefix' && tier !== 'across'));
    expect(boundWithout(others)).toEqual({ tier: 'prefix', bound: 24 + 0.05 * 3 });
  });
});

describe('popularity', () => {
  it.each([
    [0, ordinary, 1],
    [99, ordinary, 1.25],
    [999, { ...ordinary, isFeatured: true }, 1.625],
    [0, { ...ordinary, isExperimental: true }, 0.5],
    [1_000_000_000, { ...ordinary, isFeatured: true }, 2.125],
    [-5, ordinary, 1],
  ])('of %j users, %j, multiplies by %j', (averageDailyUsers, flags, factor) => {
    expect(popularityFactor({ averageDailyUsers, ...flags })).toBeCloseTo(factor, 12);
  });

  it('has levels that bound both the factor and the users below them', () => {
    for (let users = 0; users < 400; users++) {
      for (const isFeatured of [false, true]) {
        const factor = popularityFactor({ averageDailyUsers: users, isExperimental: false, isFeatured });
        const level = levelOf(factor, users);
        for (const step of LEVELS.filter((each) => each.level > level)) {
          expect(factor < step.factor && users < step.users).toBe(true);
        }
      }
    }
    expect([levelOf(1, 0), levelOf(1, 15), levelOf(1.15, 0), levelOf(1.3, 0), levelOf(0.8, 250)]).toEqual([
      0, 1, 1, 2, 2,
    ]);
  });
});

describe('misspelt words', () => {
  it.each([
    ['tabbbyllama', 'tabbyllama', true],
    ['tabbillama', 'tabbyllama', true],
    ['wizzard', 'wizard', true],
    ['wizadr', 'wizard', true],
    ['firebug', 'firebeetle', false],
    ['bat', 'tab', false],
    ['tba', 'tab', true],
    ['tab', 'tabby', false],
    ['ab', 'abc', false],
    ['ab', 'ab', true],
    ['crashbot', 'dashboard', false],
    ['wallet', 'walelt', true],
    ['abcdef', 'abfced', false],
    ['😀x', '😀x', true],
  ])('%s for %s: %s', (word, term, expected) => {
    expect(isNearly(word, term)).toBe(expected);
  });

  it('may be a part of the words', () => {
    expect([1, 2, 3, 4, 5, 8, 20].map(wordsNeeded)).toEqual([1, 2, 2, 3, 4, 6, 15]);
  });
});

describe('pages', () => {
  it('end at the window, the last one cut', () => {
    expect(pagesOf(100_000, 30)).toBe(834);
    expect(sliceOf({ page: 834, pageSize: 30 })).toEqual({ offset: 24_990, limit: 10 });
    expect(sliceOf({ page: 835, pageSize: 30 })).toBeNull();
    expect([pagesOf(0, 25), pagesOf(25, 25), pagesOf(26, 25), pagesOf(60, 25, 50)]).toEqual([1, 1, 2, 2]);
  });
});

describe('a query plan', () => {
  it('is none for a query without words', () => {
    expect(planQuery('&+,', 'en-US')).toBeNull();
  });

  it('asks for stems, parts and the half-typed last word', () => {
    const plan = planQuery('the OneTabs', 'ja');
    expect(JSON.stringify(plan?.names.all)).toContain('t*:onetab');
    expect(JSON.stringify(plan?.names.all)).not.toContain('t*:the');
    expect(JSON.stringify(plan?.names.prefix)).toContain('{"prefix":"t*:onetabs"}');
    expect(JSON.stringify(plan?.names.prefix)).toContain('{"prefix":"q*:theonetabs"}');
    expect(plan?.texts.map(({ tag }) => tag)).toEqual(['*', 'ja']);
  });

  it('insists on common words when there are no others', () => {
    expect(JSON.stringify(planQuery('to be', 'en-US')?.names.all)).toContain('t*:be');
  });

  it('never matches a word that is shorter than a prefix by its beginning', () => {
    expect(planQuery('x', 'en-US')?.names.prefix).toEqual({ any: [] });
  });

  it('reads twenty words', () => {
    const plan = planQuery(Array.from({ length: 30 }, (_, index) => `w${index}`).join(' '), 'en-US');
    expect(plan?.texts[0]?.words).toHaveLength(20);
  });
});
