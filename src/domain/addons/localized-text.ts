/* The only reader and writer of translated fields: jsonb columns of the form {locale: text}. */

import { InvalidInputError, refusedField } from '../../errors.ts';
import { baseLanguage, canonicalLocale } from '../../texts/locales.ts';
import { message } from '../../texts/messages.ts';
import { textDigest } from '../../texts/text-digest.ts';
import type { TextFormat } from './wrap-links.ts';

/** One text per language, keys in canonical case. */
export type TextsByLocale = Readonly<Record<string, string>>;

/** A translated field and its fallback language. */
export interface LocalizedText {
  texts: TextsByLocale;
  defaultLocale: string;
  /** Default: plain. */
  format?: TextFormat;
}

/** A change to one language of a field; null deletes it. */
export interface TranslationChange {
  locale: string;
  value?: string | null;
  /** The digest of the text that the client read; null for any text. */
  expectedDigest?: string | null;
}

const CHANGED_SINCE_READ = message('field.text_changed');

/** The texts of a jsonb column; none for NULL. */
export function storedTexts(column: unknown): TextsByLocale {
  return (column ?? {}) as TextsByLocale;
}

/** Converts a jsonb column to a translated field; null if it has no text in any language. */
export function localized(column: unknown, defaultLocale: string, format?: TextFormat): LocalizedText | null {
  const all = storedTexts(column);
  return Object.keys(all).length === 0 ? null : { texts: all, defaultLocale, format };
}

/**
 * Selects the language of a text. Order: the requested language, its base language, other regions of that base in
 * alphabetical order, the default language of the add-on, any other. Null if there is no text.
 */
export function pickLocale({ texts: all, defaultLocale }: LocalizedText, lang: string | null): string | null {
  const locales = Object.keys(all).sort();
  const requested = lang === null ? null : (canonicalLocale(lang) ?? lang);
  const base = requested === null ? null : baseLanguage(requested);
  const candidates = [
    requested,
    locales.find((locale) => locale.toLowerCase() === base),
    locales.find((locale) => locale.toLowerCase().startsWith(`${base}-`)),
    defaultLocale,
    locales[0],
  ];
  return candidates.find((locale) => locale != null && Object.hasOwn(all, locale)) ?? null;
}

/** The text in a language, or in the one that `pickLocale` selects for it; null without a text. */
export function textIn(text: LocalizedText | null, lang: string | null): string | null {
  const locale = text && pickLocale(text, lang);
  return locale === null ? null : (text?.texts[locale] ?? null);
}

/** The supported language with this code. @throws {InvalidInputError} on `field` for an unsupported one. */
export function requireLocale(field: string, code: string): string {
  const locale = canonicalLocale(code);
  if (locale === null) throw refusedField(field, message('field.unknown_language', { code: code.slice(0, 32) }));
  return locale;
}

/** Maximum length of a translated field in one language, in characters. */
export const MAX_TEXT_LENGTH = 100_000;

/**
 * Applies changes to the texts of a field. Absent languages stay; a null or empty text deletes its language; texts are
 * trimmed (contract, Translated fields).
 * @throws {InvalidInputError} on `field` for an unsupported language or a text that is too long; on each `field.locale` for changes
 * of other texts than the present ones.
 */
export function mergeTranslations(
  present: TextsByLocale,
  changes: readonly TranslationChange[],
  field: string,
): TextsByLocale {
  const merged: Record<string, string> = { ...present };
  const changed: string[] = [];
  for (const { locale, value, expectedDigest } of changes) {
    const key = requireLocale(field, locale);
    const now = textDigest(present[key] ?? '');
    if (expectedDigest != null && expectedDigest !== now && textDigest(value ?? '') !== now)
      changed.push(`${field}.${locale}`);
    const text = (value ?? '').replaceAll('\0', '').trim();
    if (text.length > MAX_TEXT_LENGTH)
      throw refusedField(field, message('field.text_too_long', { count: MAX_TEXT_LENGTH }));
    if (text === '') delete merged[key];
    else merged[key] = text.toWellFormed();
  }
  if (changed.length === 0) return merged;
  const messages = Object.fromEntries(changed.map((name) => [name, [CHANGED_SINCE_READ]]));
  throw new InvalidInputError(CHANGED_SINCE_READ, messages, changed);
}
