import { describe, expect, it } from 'vitest';
import { lookUpsIn } from '../../../src/domain/search/elasticsearch/conditions.ts';
import { strictTiers } from '../../../src/domain/search/elasticsearch/elasticsearch-engine.ts';
import { inWindow } from '../../../src/domain/search/find-addons.ts';
import {
  LARGEST_FACTOR,
  levelOf,
  POPULARITY_LEVELS,
  popularityFactor,
} from '../../../src/domain/search/index/popularity.ts';
import { isNearly, wordsNeeded } from '../../../src/domain/search/query/partial-match.ts';
import { planQuery } from '../../../src/domain/search/query/query-plan.ts';
import { boundWithout, LEXICAL_SCORES, TIERS, tierBit } from '../../../src/domain/search/query/tiers.ts';

const ordinary = { isExperimental: false, isFeatured: false };

describe('the table of tiers', () => {
  it('contains the score of every set of tiers', () => {
    expect(LEXICAL_SCORES).toHaveLength(2_048);
    expect(LEXICAL_SCORES[0]).toBe(0);
    for (const [tier, weight] of TIERS) expect(LEXICAL_SCORES[tierBit(tier)]).toBe(weight);
    expect(LEXICAL_SCORES[tierBit('all') | tierBit('prefix') | tierBit('summary')]).toBeCloseTo(32 + 0.05 * 34, 12);
  });

  it('ranks an exact name without users above every name that starts with the query', () => {
    const start = boundWithout(new Set(['exact', 'whole']));
    expect(start?.tier).toBe('start');
    expect((start?.bound ?? 0) * LARGEST_FACTOR).toBeLessThan(110);
  });

  it('ranks every match in a name above every match in texts', () => {
    const texts = LEXICAL_SCORES[tierBit('summary') | tierBit('tag') | tierBit('description') | tierBit('across')] ?? 0;
    expect(texts * LARGEST_FACTOR).toBeLessThan(24);
  });

  it('bounds the score of the remaining tiers', () => {
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
        for (const step of POPULARITY_LEVELS.filter((each) => each.level > level)) {
          expect(factor < step.factor && users < step.users).toBe(true);
        }
      }
    }
    expect([levelOf(1, 0), levelOf(1, 15), levelOf(1.15, 0), levelOf(1.3, 0), levelOf(0.8, 250)]).toEqual([
      0, 1, 1, 2, 2,
    ]);
  });
});

describe('isNearly', () => {
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
    // The first two letters exchanged, which is one of the edits.
    ['adrk', 'dark', true],
    ['adrek', 'dark', false],
    ['owrdlist', 'wordlists', true],
    ['owrdlits', 'wordlists', true],
    ['owrdilts', 'wordlists', false],
    ['ba', 'ab', false],
    ['aab', 'ab', true],
    ['😀x', '😀x', true],
  ])('of %s and %s is %s', (word, term, expected) => {
    expect(isNearly(word, term)).toBe(expected);
  });
});

describe('wordsNeeded', () => {
  it('is all of two words, two of three, and 75 % of more', () => {
    expect([1, 2, 3, 4, 5, 8, 20].map(wordsNeeded)).toEqual([1, 2, 2, 3, 4, 6, 15]);
  });
});

describe('slices', () => {
  it('end at the result window, which can cut the last one', () => {
    expect(inWindow({ offset: 24_990, limit: 30 })).toEqual({ offset: 24_990, limit: 10 });
    expect(inWindow({ offset: 25_020, limit: 30 })).toBeNull();
  });
});

describe('a query plan', () => {
  it('is null for a query without words', () => {
    expect(planQuery('&+,', 'en-US')).toBeNull();
  });

  it('contains stems, word parts and the last word as a prefix, without stop words', () => {
    const plan = planQuery('the OneTabs', 'ja');
    expect(JSON.stringify(plan?.names.all)).toContain('t*:onetab');
    expect(JSON.stringify(plan?.names.all)).not.toContain('"t*:the"');
    expect(JSON.stringify(plan?.names.prefix)).toContain('{"prefix":"t*:onetabs"}');
    expect(JSON.stringify(plan?.names.prefix)).toContain('{"prefix":"q*:theonetabs"}');
    expect(plan?.texts.map(({ tag }) => tag)).toEqual(['*', 'ja']);
  });

  it('contains stop words when there are no other words', () => {
    expect(JSON.stringify(planQuery('to be', 'en-US')?.names.all)).toContain('t*:be');
  });

  it('has no prefix for a single character', () => {
    expect(planQuery('x', 'en-US')?.names.prefix).toEqual({ any: [] });
  });

  it('combines a last letter with the other words', () => {
    expect(JSON.stringify(planQuery('calendar w', 'en-US')?.names.prefix)).toContain('{"prefix":"t*:w"}');
    expect(JSON.stringify(planQuery('calendar w', 'en-US')?.names.begun)).toContain('{"prefix":"l*:calendar w"}');
    expect(JSON.stringify(planQuery('calendar s', 'en-US')?.names.all)).not.toContain('calendars');
    const afterStopWord = JSON.stringify(planQuery('the w', 'en-US')?.names.prefix);
    expect(afterStopWord).toContain('{"prefix":"b*:the w"}');
    expect(afterStopWord).not.toContain('{"prefix":"t*:w"}');
  });

  it('contains neighbours as one word, and the query without category words', () => {
    const plan = planQuery('color picker extension', 'en-US');
    expect(JSON.stringify(plan?.names.all)).toContain('t*:colorpicker');
    expect(JSON.stringify(plan?.names.whole)).toContain('q*:colorpicker"');
    expect(plan?.texts[0]?.words).toEqual([[[['color', 'colorpick']]], [[['picker', 'colorpick']]]]);
  });

  it('has few conditions for the longest queries', () => {
    const queries: [string, string][] = [
      ['ab cd ef gh ij kl mn op qr st uv wx yz ab1 cd1 ef1 gh1 ij1 kl1 mn1', 'en-US'],
      ['über größe mögen hören schön für müde süß öl ähre ölung tür', 'de'],
      ['日本語辞書管理翻訳検索動画保存新聞広告遮断', 'ja'],
      ['الإضافات الترجمة المترجم البحث الصفحات الصور المفضلة كلمات السر', 'ar'],
    ];
    for (const [q, locale] of queries) {
      const plan = planQuery(q, locale);
      expect(plan === null ? 0 : lookUpsIn(strictTiers(plan))).toBeLessThan(600);
    }
  });

  it('contains at most twenty words', () => {
    const plan = planQuery(Array.from({ length: 30 }, (_, index) => `w${index}`).join(' '), 'en-US');
    expect(plan?.texts[0]?.words).toHaveLength(20);
  });
});
