import { describe, expect, expectTypeOf, it } from 'vitest';
import { chooseLanguage, directionOf } from '../../src/texts/languages.ts';
import type { ParameterNames, ParamsArgument, TextKey, TextParams } from '../../src/texts/text-types.ts';
import { Texts, type TextValue, translate } from '../../src/texts/translate.ts';

const ENGLISH = {
  'cart.empty': 'The cart is empty.',
  'cart.ends': 'The offer for {name} ends on {date}.',
  'cart.items#one': '{count} item of {total}',
  'cart.items#other': '{count} items of {total}',
} as const;

const TEXTS = new Texts(
  {
    en: ENGLISH,
    de: {
      'cart.empty': 'Der Korb ist leer.',
      'cart.ends': 'Das Angebot für {name} endet am {date}.',
      'cart.items#one': '{count} Artikel von {total}',
      'cart.items#other': '{count} Artikel von {total}',
    },
    he: {
      'cart.empty': 'הסל ריק.',
      'cart.ends': 'ההצעה של {name} מסתיימת ב-{date}.',
      'cart.items#one': 'פריט אחד מתוך {total}',
      'cart.items#other': '{count} פריטים מתוך {total}',
      'cart.items#two': 'שני פריטים מתוך {total}',
    },
  },
  { more: { fr: { 'cart.empty': 'Le panier est vide.' }, 'zh-TW': { 'cart.empty': '購物車是空的。' } } },
);

describe('a text', () => {
  it('has the plural form of its language, and numbers as the language writes them', () => {
    const items = (locale: string, count: number) => translate(TEXTS, locale, 'cart.items', { count, total: 12_000 });
    expect([items('en', 1), items('en', 2), items('de', 1200)]).toEqual([
      '1 item of 12,000',
      '2 items of 12,000',
      '1.200 Artikel von 12.000',
    ]);
    expect([items('he', 1), items('he', 2), items('he', 3)]).toEqual([
      'פריט אחד מתוך 12,000',
      'שני פריטים מתוך 12,000',
      '3 פריטים מתוך 12,000',
    ]);
  });

  it('has dates as its language writes them, in UTC', () => {
    const ends = (locale: string) =>
      translate(TEXTS, locale, 'cart.ends', { name: '{date}', date: new Date('2026-12-10T23:59:00Z') });
    // A value that looks like a parameter stays as it is.
    expect(ends('en')).toBe('The offer for {date} ends on December 10, 2026.');
    expect(ends('de')).toBe('Das Angebot für {date} endet am 10. Dezember 2026.');
  });

  it('is in the closest language that has it, else in English', () => {
    const empty = (locale: string) => translate(TEXTS, locale, 'cart.empty');
    expect([empty('de-AT'), empty('fr-CA'), empty('zh-TW'), empty('zh-CN'), empty('ja')]).toEqual([
      'Der Korb ist leer.',
      'Le panier est vide.',
      '購物車是空的。',
      'The cart is empty.',
      'The cart is empty.',
    ]);
    const items = translate(TEXTS, 'fr', 'cart.items', { count: 1, total: 2 });
    expect(items).toBe('1 item of 2');
  });

  it('needs its parameters, which the compiler requires', () => {
    expectTypeOf<TextKey<typeof ENGLISH>>().toEqualTypeOf<'cart.empty' | 'cart.ends' | 'cart.items'>();
    expectTypeOf<ParameterNames<typeof ENGLISH, 'cart.ends'>>().toEqualTypeOf<'name' | 'date'>();
    expectTypeOf<ParamsArgument<typeof ENGLISH, 'cart.empty', TextValue>>().toEqualTypeOf<[]>();
    expectTypeOf<TextParams<typeof ENGLISH, 'cart.items', TextValue>['count']>().toEqualTypeOf<number>();
    expect(() => TEXTS.find('en', 'cart.ends', { name: 'x' })).toThrow('needs a value for "date"');
    expect(TEXTS.find('en', 'cart.full')).toBeNull();
    const names = ['cart.items', 'cart.empty', 'cart.full'].map((key) => TEXTS.parameterNames(key));
    expect(names).toEqual([['count', 'total'], [], null]);
  });
});

describe('a reader', () => {
  it('gets texts in the first of their languages that has some, else in English', () => {
    expect(chooseLanguage(['fr', null, 'de_AT', 'he'])).toBe('de');
    expect(chooseLanguage(['iw-IL'])).toBe('he');
    expect(chooseLanguage(['fr', ''])).toBe('en');
    expect(chooseLanguage([])).toBe('en');
  });

  it('sees texts in the direction of their script', () => {
    expect(['he', 'ar-EG', 'fa', 'en-US', 'zh-TW'].map(directionOf)).toEqual(['rtl', 'rtl', 'rtl', 'ltr', 'ltr']);
  });
});
