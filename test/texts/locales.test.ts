import { describe, expect, it } from 'vitest';
import { acceptedLanguages } from '../../src/http/accepts.ts';
import { baseLanguage, canonicalLocale, negotiateLocale, SUPPORTED_LOCALES } from '../../src/texts/locales.ts';

describe('canonicalLocale', () => {
  it.each([
    ['en-US', 'en-US'],
    ['EN_us', 'en-US'],
    ['pt-br', 'pt-BR'],
    ['de', 'de'],
    ['pt', null],
    ['xx', null],
    ['', null],
    ['constructor', null],
  ])('%j is %j', (code, expected) => {
    expect(canonicalLocale(code)).toBe(expected);
  });

  it('has no duplicates in SUPPORTED_LOCALES', () => {
    expect(new Set(SUPPORTED_LOCALES).size).toBe(SUPPORTED_LOCALES.length);
  });
});

describe('negotiateLocale', () => {
  it.each([
    ['the parameter rather than the header', 'fr', 'de', 'fr'],
    ['the header without a parameter', null, 'de-AT,de;q=0.9,en;q=0.5', 'de'],
    ['the header if the parameter is unknown', 'xx', 'he', 'he'],
    ['the language of the highest weight', null, 'fr;q=0.2, ja;q=0.8', 'ja'],
    ['the default region of a language', 'zh', undefined, 'zh-CN'],
    ['the default region of English', 'en', undefined, 'en-US'],
    ['the language of an unknown region', 'es-MX', undefined, 'es'],
    ['the only region', 'sv', undefined, 'sv-SE'],
    ['a region for a script', 'zh-Hant', undefined, 'zh-TW'],
    ['the default for a refused language', null, 'de;q=0', 'en-US'],
    ['the default for any language', null, '*', 'en-US'],
    ['the default for invalid values', '%00', ';;;,,q=1,;q=x', 'en-US'],
    ['the default for empty values', '', '', 'en-US'],
  ])('takes %s', (_title, lang, header, expected) => {
    expect(negotiateLocale(lang, acceptedLanguages(header), 'en-US')).toBe(expected);
  });

  it('reads only the beginning of a long header', () => {
    expect(negotiateLocale(null, acceptedLanguages(`${'xx,'.repeat(100_000)}de`), 'en-US')).toBe('en-US');
  });
});

describe('baseLanguage', () => {
  it('is in lower case, whatever the separator', () => {
    expect(['de', 'DE_at', 'zh-Hant-TW', '-'].map(baseLanguage)).toEqual(['de', 'de', 'zh', '']);
  });

  it('ignores what is too long for the code of a language', () => {
    expect(baseLanguage('x'.repeat(100_000))).toBe('x'.repeat(36));
  });
});
