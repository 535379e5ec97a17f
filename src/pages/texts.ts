/* The texts of the interface. A text is looked up by its key, with values for its placeholders: `{name}`. */
import { html } from 'hono/html';
import type { Language } from '../texts/languages.ts';
import { type FilledText, type Template, TextTable } from '../texts/text-table.ts';
import type { TextKey as KeyOf } from '../texts/text-types.ts';
import type { Html } from './html.ts';
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import he from './texts/he.json' with { type: 'json' };

/** Keys of texts. A text with plural forms has one entry for each: `search.results#one`, `search.results#other`. */
export type TextKey = KeyOf<typeof en>;

/** Values of placeholders. `count` also selects the plural form; numbers are written in the language. */
export type TextValues = Readonly<Record<string, string | number | Html>>;

export type Translate = (key: TextKey, values?: TextValues) => Html;

const TEXTS: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en, de, he };

/** Whether a text has this key; for keys that are made of data, such as names of permissions. */
export const isTextKey = (key: string): key is TextKey => Object.hasOwn(en, key) || Object.hasOwn(en, `${key}#other`);

/** The literal parts of texts, escaped: the first argument of a tagged template. */
const escaped = new WeakMap<Template, TemplateStringsArray>();

function stringsOf(template: Template): TemplateStringsArray {
  const known = escaped.get(template);
  if (known !== undefined) return known;
  const strings = template.parts.map((literal) => String(html`${literal}`));
  const raw = Object.assign(strings, { raw: strings });
  escaped.set(template, raw);
  return raw;
}

/** A text with its values as HTML; values that are not HTML are escaped. */
export const textHtml = ({ template, values }: FilledText<string | Html>): Html => html(stringsOf(template), ...values);

/** The function that looks up texts of the interface in a language. It throws for a missing text or value. */
export function translator(language: Language): Translate {
  const table = new TextTable(TEXTS[language], language);
  return (key, values = {}) => {
    const text = table.find<string | Html>(key, values);
    if (text === null) throw new Error(`There is no text "${key}" in ${language}.`);
    return textHtml(text);
  };
}
