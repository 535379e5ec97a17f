/*
 * Texts for people, in their languages. Each kind of texts has a table for each language, such as `mails.de.ts`, with entries
 * `key: text`. A text contains its parameters as `{name}`; a plural has the entries `key#one`, `key#other` and, in Hebrew, `key#two`.
 */
import type { Language } from './languages.ts';
import { type FilledText, TextTable, type TextValues, withoutMarkup } from './text-table.ts';
import type { German, Hebrew, LanguageTable, ParamsArgument, TextKey } from './text-types.ts';

/** The tables of a kind of texts. */
interface Tables<English> {
  en: English;
  de: German<English>;
  he: Hebrew<English>;
}

/** Incomplete tables of further languages, by language tag. */
type FurtherTables<English> = Readonly<Record<string, Partial<German<English>>>>;

/** A kind of texts in all its languages. */
export class Texts<English extends LanguageTable> {
  readonly #tables: ReadonlyMap<string, TextTable>;

  constructor(tables: Tables<English>, { more = {} }: { more?: FurtherTables<English> } = {}) {
    const all: readonly [string, LanguageTable][] = Object.entries({
      ...tables,
      ...(more as Record<string, LanguageTable>),
    });
    this.#tables = new Map(all.map(([language, texts]) => [language, new TextTable(texts, language)]));
  }

  /** The names of the parameters of a text, for keys that are made of data; null when there is no text with this key. */
  parameterNames(key: string): readonly string[] | null {
    return this.#tables.get('en')?.parameterNames(key) ?? null;
  }

  /**
   * The text with this key in the language closest to `locale`: itself, its primary subtag, else English; null when there is none.
   * Throws for a missing parameter.
   */
  find<Value>(locale: string, key: string, params: TextValues<Value> = {}): FilledText<Value> | null {
    for (const language of [locale, locale.split('-', 1)[0] ?? '', 'en']) {
      const text = this.#tables.get(language)?.find(key, params);
      if (text != null) return text;
    }
    return null;
  }
}

/** A value of a parameter. Numbers and dates are written in the language of the text. */
export type TextValue = string | number | Date;

/**
 * The text with this key in the language closest to `locale`, with its parameters. The compiler requires those that the English text
 * has.
 */
export function translate<English extends LanguageTable, Key extends TextKey<English>>(
  texts: Texts<English>,
  locale: Language | (string & {}),
  key: Key,
  ...params: ParamsArgument<English, Key, TextValue>
): string {
  const found = texts.find<string>(locale, key, (params as readonly TextValues<string>[])[0]);
  if (found === null) throw new Error(`There is no text "${key}".`);
  return withoutMarkup(found);
}
