import type { View } from './view.ts';

/** A translated field as operations read it: every text, or the one to show in the language that was asked for. */
export interface TextFields {
  /** {locale: text}; read where no language was asked for. */
  texts?: unknown;
  value?: string | null;
  /** The language of `value`. */
  locale?: string | null;
}

/** The variables of every operation that reads translated fields. */
export function textVariables({ lang }: View): { lang: string | null; one: boolean } {
  return { lang, one: lang !== null };
}

/**
 * A translated field as the documented JSON shows it (contract, Translated fields): all translations as an object; the
 * one text when `lang` was passed; on v4dev that one text as an object. Null when there is no text at all.
 */
export function translated(text: TextFields | null, view: View): string | Record<string, string> | null {
  if (text === null) return null;
  if (view.lang === null) return text.texts as Record<string, string>;
  const { value = null, locale = null } = text;
  return view.gates.flatTranslations || value === null || locale === null ? value : { [locale]: value };
}
