import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SUPPORTED_LOCALES } from '../../../src/domain/addons/locales.ts';
import { mergeTranslations, pickLocale, type Texts } from '../../../src/domain/addons/localized-text.ts';
import { readWrittenText, type WriteForm } from '../../../src/domain/listing/write-forms.ts';

const read = (written: unknown, form: WriteForm = 'string-or-object', locale = 'de') =>
  readWrittenText(written, { form, locale, field: 'name' });
const write = (present: Texts, written: unknown, form?: WriteForm) =>
  mergeTranslations(present, read(written, form), 'name');
const NOT_AN_OBJECT = 'You must provide an object of {lang-code:value}.';

describe('a written text', () => {
  const present = { 'en-US': 'Clock', de: 'Uhr' };

  it.each<[string, unknown, Texts]>([
    ['as a string sets the language of the request', 'Wecker', { 'en-US': 'Clock', de: 'Wecker' }],
    ['as an object leaves other languages alone', { fr: 'Horloge' }, { ...present, fr: 'Horloge' }],
    ['is trimmed', { de: '  Wecker\n' }, { 'en-US': 'Clock', de: 'Wecker' }],
    ['of null deletes a language', { de: null }, { 'en-US': 'Clock' }],
    ['that is empty deletes a language', { de: '' }, { 'en-US': 'Clock' }],
    ['of null deletes nothing where nothing is', { fr: null }, present],
    ['may spell a language otherwise', { PT_br: 'Relógio' }, { ...present, 'pt-BR': 'Relógio' }],
    ['of no languages changes nothing', {}, present],
  ])('%s', (_what, written, expected) => {
    expect(write(present, written)).toEqual(expected);
  });

  it.each([
    ['an unknown language', { xx: 'text' }, "The language code 'xx' is invalid."],
    ['an unknown language to delete', { xx: null }, "The language code 'xx' is invalid."],
    ['the name of a property', { constructor: 'text' }, "The language code 'constructor' is invalid."],
    ['no language', { '': 'text' }, "The language code '' is invalid."],
    ['a list', ['text'], NOT_AN_OBJECT],
    ['a number', 1, NOT_AN_OBJECT],
    ['a switch', true, NOT_AN_OBJECT],
    ['nothing', null, NOT_AN_OBJECT],
    ['a number for a text', { de: 1 }, 'Not a valid string.'],
    ['an object for a text', { de: { value: 'text' } }, 'Not a valid string.'],
  ])('is refused with %s', (_what, written, message) => {
    expect(() => write(present, written)).toThrow(
      expect.objectContaining({ message, details: { fields: { name: [message] } } }),
    );
  });

  it('is an object only where strings are not taken', () => {
    expect(() => write(present, 'Wecker', 'object')).toThrow(NOT_AN_OBJECT);
    expect(write(present, { de: 'Wecker' }, 'object')).toEqual({ 'en-US': 'Clock', de: 'Wecker' });
  });
});

describe('written texts, whatever they are', () => {
  const locale = fc.constantFrom(...SUPPORTED_LOCALES);
  const text = fc.string({ minLength: 1 }).map((part) => `x${part}x`.replaceAll('\0', '').toWellFormed());
  const present = fc.dictionary(locale, text, { maxKeys: 6 });
  const written = fc.dictionary(locale, fc.option(text), { maxKeys: 6 });

  it('are read as they were written, and nothing else changes', () => {
    fc.assert(
      fc.property(present, written, (before, changes) => {
        const after = write(before, changes);
        for (const each of SUPPORTED_LOCALES) {
          const expected = each in changes ? (changes[each] ?? undefined) : before[each];
          expect(after[each]).toBe(expected);
        }
      }),
    );
  });

  it('change nothing when they are written a second time, in any order', () => {
    fc.assert(
      fc.property(present, written, (before, changes) => {
        const after = write(before, changes);
        const reversed = Object.fromEntries(Object.entries(changes).reverse());
        expect(write(after, changes)).toEqual(after);
        expect(write(before, reversed)).toEqual(after);
      }),
    );
  });

  it('are what the language of the request shows after a plain string', () => {
    fc.assert(
      fc.property(present, locale, text, (before, asked, value) => {
        const after = mergeTranslations(before, read(value, 'string-or-object', asked), 'name');
        expect(pickLocale({ texts: after, defaultLocale: 'en-US' }, asked)).toBe(asked);
        expect(after[asked]).toBe(value.trim());
      }),
    );
  });

  it('are taken, or refused as an input of the caller', () => {
    fc.assert(
      fc.property(present, fc.jsonValue(), (before, garbage) => {
        try {
          write(before, garbage);
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_INPUT', details: { fields: { name: [expect.any(String)] } } });
        }
      }),
    );
  });
});
