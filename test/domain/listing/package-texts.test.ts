import { describe, expect, it } from 'vitest';
import { homepageFromPackage, localizedFromPackage, packageLocale } from '../../../src/domain/listing/package-texts.ts';

const homepageOf = (homepage: Record<string, string>) => homepageFromPackage({ homepage, defaultLocale: 'en-US' });

describe('packageLocale', () => {
  it.each([
    ['en', 'en-US'],
    ['en-GB', 'en-GB'],
    ['pt', 'pt-PT'],
    ['es-419', 'es'],
    ['zh-Hant', 'zh-TW'],
    ['xx', 'en-US'],
    [null, 'en-US'],
  ])('of the default locale %j is %j', (defaultLocale, locale) => {
    expect(packageLocale({ defaultLocale })).toBe(locale);
  });
});

describe('localizedFromPackage', () => {
  it.each([
    [
      'a language without a region in its closest one',
      'en',
      { en: 'Clock', de: 'Uhr' },
      { 'en-US': 'Clock', de: 'Uhr' },
    ],
    ['the exact locale before a similar one', 'de', { de: 'Uhr', en: 'a', 'en-US': 'b' }, { de: 'Uhr', 'en-US': 'b' }],
    ['one text of similar locales', 'de', { de: 'Uhr', 'es-MX': 'a', 'es-419': 'b' }, { de: 'Uhr', es: 'a' }],
    ['the default text of an unsupported language', 'xx', { xx: 'Clock', de: 'Uhr' }, { 'en-US': 'Clock', de: 'Uhr' }],
    ['no other text of an unsupported language', 'de', { de: 'Uhr', xx: 'Clock' }, { de: 'Uhr' }],
    ['a text without a language', null, { default: 'Clock', de: 'Uhr' }, { 'en-US': 'Clock', de: 'Uhr' }],
    ['a translation before a text without a language', null, { default: 'a', 'en-US': 'b' }, { 'en-US': 'b' }],
  ])('keeps %s', (_what, defaultLocale, texts, kept) => {
    expect(localizedFromPackage(texts as unknown as Record<string, string>, { defaultLocale })).toEqual(kept);
  });
});

describe('homepageFromPackage', () => {
  it('returns the supported languages', () => {
    const german = 'http://clock.example/de?a=1';
    expect(homepageOf({ en_US: 'https://clock.example/', de: german, xx: german })).toEqual({
      'en-US': 'https://clock.example/',
      de: german,
    });
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'clock.example',
    '/clock',
    'https://',
    'ftp://clock.example/',
    'https://me@clock.example/',
  ])('omits %j', (address) => {
    expect(homepageOf({ 'en-US': address, de: 'https://clock.example/' })).toEqual({ de: 'https://clock.example/' });
  });
});
