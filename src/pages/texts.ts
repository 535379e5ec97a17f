/* The texts of the interface. A text is looked up by its key, with values for its placeholders: `{name}`. */
import { html } from 'hono/html';
import type { Html } from './html.ts';
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import he from './texts/he.json' with { type: 'json' };

/** The languages of the interface. */
export const LANGUAGES = ['en', 'de', 'he'] as const;
export type Language = (typeof LANGUAGES)[number];

type WithoutPlural<Key> = Key extends `${infer Base}#${string}` ? Base : Key;

/** Keys of texts. A text with plural forms has one entry for each: `search.results#one`, `search.results#other`. */
export type TextKey = WithoutPlural<keyof typeof en>;

/** Values of placeholders. `count` also selects the plural form; numbers are written in the language. */
export type TextValues = Readonly<Record<string, string | number | Html>>;

export type Translate = (key: TextKey, values?: TextValues) => Html;

const TEXTS: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en, de, he };

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'he' ? 'rtl' : 'ltr');

/** Whether a text has this key; for keys that are made of data, such as names of permissions. */
export const isTextKey = (key: string): key is TextKey => Object.hasOwn(en, key) || Object.hasOwn(en, `${key}#other`);

/** A text as the arguments of a tagged template: its escaped literal parts, and the names of the placeholders between them. */
interface Compiled {
  strings: TemplateStringsArray;
  names: readonly string[];
}

function compile(text: string): Compiled {
  const parts = text.split(/\{(\w+)\}/);
  const strings = parts.filter((_, index) => index % 2 === 0).map((literal) => String(html`${literal}`));
  return { strings: Object.assign(strings, { raw: strings }), names: parts.filter((_, index) => index % 2 === 1) };
}

/** Looks up a text with the values of its placeholders. Undefined when there is no text with the key. */
type Lookup = (key: string, values?: TextValues) => Html | undefined;

/** The function that looks up texts of one file in a language. It throws for a missing value. */
export function lookup(texts: Readonly<Record<string, string>>, language: Language): Lookup {
  const compiled = new Map(Object.entries(texts).map(([key, text]) => [key, compile(text)]));
  const plurals = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return (key, values = {}) => {
    const { count } = values;
    const form = typeof count === 'number' ? compiled.get(`${key}#${plurals.select(count)}`) : undefined;
    const text = form ?? compiled.get(key);
    if (text === undefined) return undefined;
    const inserted = text.names.map((name) => {
      const value = values[name];
      if (value === undefined) throw new Error(`The text "${key}" needs a value for "${name}".`);
      return typeof value === 'number' ? numbers.format(value) : value;
    });
    return html(text.strings, ...inserted);
  };
}

/** The function that looks up texts of the interface in a language. It throws for a missing text or value. */
export function translator(language: Language): Translate {
  const find = lookup(TEXTS[language], language);
  return (key, values) => {
    const text = find(key, values);
    if (text === undefined) throw new Error(`There is no text "${key}" in ${language}.`);
    return text;
  };
}
