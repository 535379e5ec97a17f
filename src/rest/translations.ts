import type { View } from './view.ts';

/** A translated field as operations read it: every text, and the one to show in the language that was asked for. */
export interface LocalizedFields {
  value: string | null;
  locale: string | null;
  all: { locale: string; value: string }[];
}

/**
 * A translated field as the documented JSON shows it (contract, Translated fields): all translations as an object; the
 * one text when `lang` was passed; on v4dev that one text as an object. Null when there is no text at all.
 */
export function translated(text: LocalizedFields | null, view: View): string | Record<string, string> | null {
  if (text === null || text.all.length === 0) return null;
  if (view.lang === null) return Object.fromEntries(text.all.map(({ locale, value }) => [locale, value]));
  if (view.gates.flatTranslations || text.value === null || text.locale === null) return text.value;
  return { [text.locale]: text.value };
}
