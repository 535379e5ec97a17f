import { refusedField } from '../../errors.ts';
import type { TranslationChange } from '../addons/localized-text.ts';

/** Which forms of a translated field a caller may write: v4dev takes objects only (contract, Translated fields). */
export type WriteForm = 'string-or-object' | 'object';

/**
 * Reads a translated field in the forms that the contract lets clients write it in: an object {language: text}, where null
 * deletes a language and those that are not named stay, or a plain string for the language of the request. What it returns
 * is for `mergeTranslations`, which knows the languages.
 * @throws {InvalidInputError} on `field` for another form, and for a string where only objects are taken.
 */
export function readWrittenText(
  written: unknown,
  { form, locale, field }: { form: WriteForm; locale: string; field: string },
): TranslationChange[] {
  if (typeof written === 'string' && form === 'string-or-object') return [{ locale, value: written }];
  if (typeof written !== 'object' || written === null || Array.isArray(written)) {
    throw refusedField(field, 'You must provide an object of {lang-code:value}.');
  }
  return Object.entries(written).map(([code, value]: [string, unknown]) => {
    if (typeof value !== 'string' && value !== null) throw refusedField(field, 'Not a valid string.');
    return { locale: code, value };
  });
}
