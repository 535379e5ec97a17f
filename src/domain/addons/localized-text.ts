/*
 * Translated fields are read and written here only: one jsonb object {locale: text} for each field.
 */
import { refusedField } from '../../errors.ts';
import { canonicalLocale } from './locales.ts';

/** One text per language, keys in canonical case. */
export type Texts = Readonly<Record<string, string>>;

/** A translated field with what its fallback needs. */
export interface LocalizedText {
  texts: Texts;
  defaultLocale: string;
}

/** A change to one language of a field; null deletes it. */
export interface TranslationChange {
  locale: string;
  value?: string | null;
}

/** The texts in a jsonb column. */
export function texts(column: unknown): Texts {
  return (column ?? {}) as Texts;
}

/** A jsonb column as a translated field, or null when it has no text in any language. */
export function localized(column: unknown, defaultLocale: string): LocalizedText | null {
  const all = texts(column);
  return Object.keys(all).length === 0 ? null : { texts: all, defaultLocale };
}

/**
 * Which of the languages of a text answers a wish: the asked one, its base language, other regions of that base in
 * alphabetical order, the default language of the add-on, any. Null when there is no text.
 */
export function pickLocale({ texts: all, defaultLocale }: LocalizedText, lang: string | null): string | null {
  const locales = Object.keys(all).sort();
  const asked = lang === null ? null : (canonicalLocale(lang) ?? lang);
  const base = asked?.split('-')[0]?.toLowerCase();
  const candidates = [
    asked,
    locales.find((locale) => locale.toLowerCase() === base),
    locales.find((locale) => locale.toLowerCase().startsWith(`${base}-`)),
    defaultLocale,
    locales[0],
  ];
  return candidates.find((locale) => locale != null && Object.hasOwn(all, locale)) ?? null;
}

/** In characters, of any translated field in one language. */
export const LONGEST_TEXT = 100_000;

/**
 * The texts of a field after some changes. Languages that are not named stay; a null or empty text deletes one; texts
 * are trimmed (contract, Translated fields).
 * @throws {InvalidInputError} on `field` for a language that is not supported and a text that is too long.
 */
export function mergeTranslations(present: Texts, changes: readonly TranslationChange[], field: string): Texts {
  const merged: Record<string, string> = { ...present };
  for (const { locale, value } of changes) {
    const key = canonicalLocale(locale);
    if (key === null) throw refusedField(field, `The language code '${locale.slice(0, 32)}' is invalid.`);
    const text = (value ?? '').replaceAll('\0', '').trim();
    if (text.length > LONGEST_TEXT) throw refusedField(field, `Please use no more than ${LONGEST_TEXT} characters.`);
    if (text === '') delete merged[key];
    else merged[key] = text.toWellFormed();
  }
  return merged;
}
