import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalLocale } from '../../../src/package/manifest/locale-code.ts';
import { cleanText, localizedText, parseMessages } from '../../../src/package/manifest/localized-text.ts';

function catalog(locales: Record<string, Record<string, string>>) {
  return new Map(
    Object.entries(locales).map(([locale, messages]) => {
      const entries = Object.entries(messages).map(([key, message]) => [key, { message }]);
      const keys = new Set(Object.keys(messages).map((key) => key.toUpperCase()));
      return [locale, parseMessages(JSON.stringify(Object.fromEntries(entries)), keys)];
    }),
  );
}

describe('canonicalLocale', () => {
  it.each([
    ['en', 'en'],
    ['en_US', 'en-US'],
    ['EN-us', 'en-US'],
    ['pt_BR', 'pt-BR'],
    ['es_419', 'es-419'],
    ['zh_hant_tw', 'zh-Hant-TW'],
    ['sr-Latn', 'sr-Latn'],
    ['ja-JP-mac', 'ja-JP-mac'],
    ['ca-valencia', 'ca-valencia'],
    ['hsb', 'hsb'],
  ])('writes %s as %s', (code, canonical) => {
    expect(canonicalLocale(code)).toBe(canonical);
    expect(canonicalLocale(canonical)).toBe(canonical);
  });

  it.each(['', 'e', 'english', 'en-', '_US', 'en--US', 'en US', 'en/../de', 'en-US\n', '__proto__', 'default', 'dé'])(
    'refuses %j',
    (code) => {
      expect(canonicalLocale(code)).toBeNull();
    },
  );

  it.each(['a'.repeat(100_000), 'en-'.repeat(33_000), 'en_US_'.repeat(16_000)])('refuses 100 kB of %.6s', (code) => {
    expect(canonicalLocale(code)).toBeNull();
  });
});

describe('localizedText', () => {
  const LOCALES = catalog({
    'en-US': { name: 'Clock', suffix: 'tool' },
    de: { NAME: 'Uhr' },
    fr: { other: 'Autre' },
    he: { name: '' },
  });

  it('resolves a message in every locale that has it, with keys in any case', () => {
    expect(localizedText('__MSG_name__', LOCALES, 'en-US')).toEqual({ 'en-US': 'Clock', de: 'Uhr' });
    expect(localizedText('__MSG_Name__', LOCALES, 'en-US')).toEqual({ 'en-US': 'Clock', de: 'Uhr' });
  });

  it('uses the default locale if a locale lacks a message', () => {
    expect(localizedText('__MSG_name__ (__MSG_suffix__)', LOCALES, 'en-US')).toEqual({
      'en-US': 'Clock (tool)',
      de: 'Uhr (tool)',
    });
  });

  it('keeps an unresolved reference', () => {
    expect(localizedText('__MSG_gone__', LOCALES, 'en-US')).toEqual({ 'en-US': '__MSG_gone__' });
    expect(localizedText('__MSG_name__', LOCALES, 'ru')).toEqual({ ru: '__MSG_name__', 'en-US': 'Clock', de: 'Uhr' });
    expect(localizedText('__MSG_name__', LOCALES, null)).toEqual({
      default: '__MSG_name__',
      'en-US': 'Clock',
      de: 'Uhr',
    });
  });

  it('keeps placeholders', () => {
    const messages = catalog({ en: { name: '$COUNT$ clocks $1 $$' } });
    expect(localizedText('__MSG_name__', messages, 'en')).toEqual({ en: '$COUNT$ clocks $1 $$' });
  });

  it('returns a text without references for the default locale', () => {
    expect(localizedText(' Clock ', LOCALES, 'de')).toEqual({ de: 'Clock' });
    expect(localizedText('Clock', new Map(), null)).toEqual({ default: 'Clock' });
  });

  it.each([undefined, null, 5, true, '', '   ', '\u0000', ['Clock'], { en: 'Clock' }])(
    'has no text for %j',
    (value) => {
      expect(localizedText(value, LOCALES, 'en-US')).toEqual({});
    },
  );

  it('limits the length of a text with many references', () => {
    const messages = catalog({ en: { a: 'x'.repeat(5000) } });
    const texts = localizedText('__MSG_a__'.repeat(10_000), messages, 'en');
    expect(texts.en).toHaveLength(1000);
  });

  it.each([
    '__MSG_'.repeat(17_000),
    `__MSG_${'a'.repeat(100_000)}`,
    `__MSG_${'_a'.repeat(50_000)}`,
    '__MSG_a__'.repeat(11_000),
  ])('handles 100 kB of %.12s', (text) => {
    expect(localizedText(text, LOCALES, 'en-US')['en-US']?.length).toBeLessThanOrEqual(1000);
  });
});

describe('parseMessages', () => {
  const keys = new Set(['A', 'B', 'C', 'D']);

  it('keeps only the requested messages', () => {
    const messages = parseMessages(
      '{"a": "text", "b": {"message": 5}, "c": null, "d": {"message": "D"}, "D": {"message": "E"}, "other": {"message": "F"}}',
      keys,
    );
    expect([...messages]).toEqual([['D', 'E']]);
    expect([...parseMessages('[]', keys)]).toEqual([]);
  });
});

describe('cleanText', () => {
  it.each([
    ['a\u0000b', 'a b'],
    ['a\r\n\tb', 'a b'],
    ['\u001b[31mred', '[31mred'],
    ['a\ud800', 'a\ufffd'],
    ['  a  ', 'a'],
    ['<b>&amp;</b>', '<b>&amp;</b>'],
    ['時計 🕰', '時計 🕰'],
  ])('turns %j into %j', (text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  it('returns text that PostgreSQL can store, and clean text unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2500 }), (text) => {
        const clean = cleanText(text);
        expect(clean.isWellFormed()).toBe(true);
        expect(clean).not.toMatch(/\p{Cc}/u);
        expect(clean.length).toBeLessThanOrEqual(1000);
        expect(cleanText(clean)).toBe(clean);
      }),
    );
  });
});
