import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalLocaleCode,
  cleanText,
  localizedText,
  parseMessages,
  unresolvedReferences,
} from '../../../src/package/manifest/localized-text.ts';

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
    expect(canonicalLocaleCode(code)).toBe(canonical);
    expect(canonicalLocaleCode(canonical)).toBe(canonical);
  });

  it.each(['', 'e', 'english', 'en-', '_US', 'en--US', 'en US', 'en/../de', 'en-US\n', '__proto__', 'default', 'dé'])(
    'refuses %j',
    (code) => {
      expect(canonicalLocaleCode(code)).toBeNull();
    },
  );

  it.each(['a'.repeat(100_000), 'en-'.repeat(33_000), 'en_US_'.repeat(16_000)])('refuses 100 kB of %.6s', (code) => {
    expect(canonicalLocaleCode(code)).toBeNull();
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

  it('has no text where a reference is unresolved', () => {
    expect(localizedText('__MSG_gone__', LOCALES, 'en-US')).toEqual({});
    expect(localizedText('__MSG_gone__ by __MSG_name__', LOCALES, 'en-US')).toEqual({});
    expect(localizedText('__MSG_name__', LOCALES, 'ru')).toEqual({ 'en-US': 'Clock', de: 'Uhr' });
    expect(localizedText('__MSG_name__', LOCALES, null)).toEqual({ 'en-US': 'Clock', de: 'Uhr' });
  });

  it('lists the references that the default locale cannot resolve', () => {
    expect(unresolvedReferences('__MSG_gone__ by __MSG_name__', LOCALES, 'en-US')).toEqual(['__MSG_gone__']);
    expect(unresolvedReferences('__MSG_name__', LOCALES, null)).toEqual(['__MSG_name__']);
    expect(unresolvedReferences('__MSG_@@extension_id__', LOCALES, 'de')).toEqual(['__MSG_@@extension_id__']);
    expect(unresolvedReferences('Clock', LOCALES, 'en-US')).toEqual([]);
    expect(unresolvedReferences(5, LOCALES, 'en-US')).toEqual([]);
  });

  it('falls back from a variant to its language, then to the default locale', () => {
    const messages = catalog({
      en: { name: 'Clock', suffix: 'tool' },
      'de-AT': { name: 'Uhr' },
      de: { suffix: 'Werkzeug' },
    });
    expect(localizedText('__MSG_name__ (__MSG_suffix__)', messages, 'en-US')).toEqual({
      'en-US': 'Clock (tool)',
      en: 'Clock (tool)',
      'de-AT': 'Uhr (Werkzeug)',
      de: 'Clock (Werkzeug)',
    });
  });

  it('resolves predefined messages', () => {
    const messages = catalog({ en: { name: 'Clock' }, he_IL: { name: 'שעון' } });
    const written = '__MSG_name__ __MSG_@@ui_locale__ __MSG_@@BIDI_dir__ __MSG_@@bidi_reversed_dir__';
    expect(localizedText(written, messages, 'en')).toMatchObject({ en: 'Clock en ltr rtl' });
    expect(localizedText('__MSG_@@bidi_start_edge__ __MSG_@@bidi_end_edge__', messages, 'he')).toEqual({
      he: 'right left',
    });
  });

  it.each([
    ['$COUNT$ clocks', { count: { content: '12' } }, '12 clocks'],
    ['$count$ clocks', { COUNT: { content: '12', example: '5' } }, '12 clocks'],
    ['$missing$Clock', {}, 'Clock'],
    ['$broken$Clock', { broken: { content: 5 } }, 'Clock'],
    ['Clock of $WHO$', { who: { content: '$1!' } }, 'Clock of !'],
    ['Clock $1', undefined, 'Clock'],
    ['5 $$ clock, $$$ gold', undefined, '5 $ clock, $$ gold'],
    ['1$ clock', undefined, '1$ clock'],
  ])('fills the placeholders of %j', (text, placeholders, expected) => {
    const entry = { name: { message: text, placeholders } };
    const messages = new Map([['en', parseMessages(JSON.stringify(entry), new Set(['NAME']))]]);
    expect(localizedText('__MSG_name__', messages, 'en')).toEqual({ en: expected });
  });

  it('limits the length of a message with many placeholders', () => {
    const entry = { name: { message: '$a$'.repeat(300_000), placeholders: { a: { content: 'x'.repeat(300_000) } } } };
    const messages = parseMessages(JSON.stringify(entry), new Set(['NAME']));
    expect(messages.get('NAME')).toHaveLength(1000);
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
    expect(localizedText(text, LOCALES, 'en-US')['en-US']?.length ?? 0).toBeLessThanOrEqual(1000);
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
