import { describe, expect, it } from 'vitest';
import { localized, mergeTranslations, pickLocale } from '../../../src/domain/addons/localized-text.ts';
import { InvalidInputError } from '../../../src/errors.ts';
import { message } from '../../../src/texts/messages.ts';

describe('pickLocale', () => {
  const texts = { 'en-US': 'Hello', 'en-GB': 'Hullo', de: 'Hallo', 'pt-PT': 'Olá', 'zh-TW': '你好' };

  it.each([
    ['the requested language', 'de', 'de'],
    ['the requested language in another case and notation', 'EN_us', 'en-US'],
    ['the base language', 'de-AT', 'de'],
    ['the base language in another notation', 'de_AT', 'de'],
    ['the first other region', 'en-CA', 'en-GB'],
    ['the only other region', 'pt-BR', 'pt-PT'],
    ['a region for a bare language', 'zh', 'zh-TW'],
    ['the default for an unknown language', 'fr', 'en-US'],
    ['the default for invalid values', '%%', 'en-US'],
    ['the default for the name of a property', 'toString', 'en-US'],
    ['the default without a requested language', null, 'en-US'],
  ])('returns %s', (_title, lang, expected) => {
    expect(pickLocale({ texts, defaultLocale: 'en-US' }, lang)).toBe(expected);
  });

  it('returns another language if the default has no text', () => {
    expect(pickLocale({ texts: { fr: 'Bonjour', de: 'Hallo' }, defaultLocale: 'en-US' }, 'ja')).toBe('de');
  });

  it('returns null without texts', () => {
    expect(pickLocale({ texts: {}, defaultLocale: 'en-US' }, 'de')).toBeNull();
  });
});

describe('localized', () => {
  it('is null for a column without texts', () => {
    expect([localized(null, 'de'), localized({}, 'de')]).toEqual([null, null]);
  });
});

describe('mergeTranslations', () => {
  const present = { 'en-US': 'Hello', de: 'Hallo' };

  it('sets, trims, deletes and keeps translations', () => {
    const changes = [
      { locale: 'fr', value: '  Bonjour ' },
      { locale: 'DE', value: null },
    ];
    expect(mergeTranslations(present, changes, 'name')).toEqual({ 'en-US': 'Hello', fr: 'Bonjour' });
  });

  it('deletes a text that contains only whitespace', () => {
    expect(mergeTranslations(present, [{ locale: 'de', value: ' \n' }], 'name')).toEqual({ 'en-US': 'Hello' });
  });

  it('removes characters that PostgreSQL cannot store', () => {
    expect(mergeTranslations({}, [{ locale: 'de', value: 'a\0b\ud800' }], 'name')).toEqual({ de: 'ab\ufffd' });
  });

  it('refuses an unknown language with the documented message', () => {
    const merge = () => mergeTranslations(present, [{ locale: 'xx', value: 'text' }], 'name');
    const unknown = message('field.unknown_language', { code: 'xx' });
    expect(merge).toThrow(new InvalidInputError(unknown, { name: [unknown] }));
    expect(merge).toThrow("The language code 'xx' is invalid.");
  });

  it('refuses a text longer than 100,000 characters', () => {
    const merge = () => mergeTranslations(present, [{ locale: 'de', value: 'x'.repeat(100_001) }], 'summary');
    expect(merge).toThrow('Please use no more than 100000 characters.');
  });

  it('does not change its arguments', () => {
    mergeTranslations(present, [{ locale: 'de', value: null }], 'name');
    expect(present).toEqual({ 'en-US': 'Hello', de: 'Hallo' });
  });
});
