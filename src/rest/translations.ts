import type { View } from './view.ts';

/** A translated field as operations select it: all texts, or the one for the requested language. */
export interface TextFields {
  /** {locale: text}; selected without a requested language. */
  texts?: unknown;
  value?: string | null;
  /** The language of `value`. */
  locale?: string | null;
}

/** The variables of operations that select translated fields. */
export function textVariables({ lang }: View): { lang: string | null; one: boolean } {
  return { lang, one: lang !== null };
}

/**
 * Returns a translated field (contract, Translated fields): all translations as an object; with `lang` one text; with `lang` on v4dev
 * an object of that one text. Null without a text.
 */
export function translated(text: TextFields | null, view: View): string | Record<string, string> | null {
  if (text === null) return null;
  if (view.lang === null) return text.texts as Record<string, string>;
  const { value = null, locale = null } = text;
  return view.gates.flatTranslations || value === null || locale === null ? value : { [locale]: value };
}
