/* Messages of the service about refusals, in the language of the interface. */
import { html } from 'hono/html';
import type { Language } from '../texts/languages.ts';
import { PAGE_MESSAGES_EN } from '../texts/messages.en.ts';
import { type Message, type MessageOrText, messageTable } from '../texts/messages.ts';
import { type Template, TextTable, templateOf } from '../texts/text-table.ts';
import type { Html } from './html.ts';
import de from './texts/messages.de.json' with { type: 'json' };
import en from './texts/messages.en.json' with { type: 'json' };
import he from './texts/messages.he.json' with { type: 'json' };
import { textHtml } from './texts.ts';
import type { Ui } from './ui.ts';

/** Placeholders whose values are numbers, which are written in the language. Other values stay as they are. */
const NUMBERS: readonly string[] = ['count', 'height', 'length', 'width'];

/** An English message with placeholders that has no code; its text is the key of its translations. */
interface KeyedTemplate extends Template {
  key: string;
}

/** Translations of messages without a code, by their English texts. */
class Translations {
  readonly #table: TextTable;
  /** Those with more text of their own first. */
  readonly #templates: readonly KeyedTemplate[];

  constructor(texts: Readonly<Record<string, string>>, language: Language) {
    this.#table = new TextTable(texts, language);
    const keys = new Set(Object.keys(texts).map((key) => key.replace(/#(?:one|two|other)$/, '')));
    const lengthOf = ({ parts }: Template) => parts.join('').length;
    this.#templates = [...keys]
      .map((key) => ({ key, ...templateOf(key) }))
      .sort((one, other) => lengthOf(other) - lengthOf(one));
  }

  /** The translation of a message; undefined when there is none. */
  of(message: string): Html | undefined {
    for (const { key, parts, names } of this.#templates) {
      const found = valuesIn(message, parts);
      if (found === null) continue;
      const values = names.map((name, index) => [name, shown(name, found[index] ?? '')] as const);
      const text = this.#table.find<string | Html>(key, Object.fromEntries(values));
      return text === null ? undefined : textHtml(text);
    }
    return undefined;
  }
}

/** The values between the parts of a template; null for a message of another template. */
function valuesIn(message: string, [first = '', ...others]: readonly string[]): string[] | null {
  if (!message.startsWith(first)) return null;
  const values: string[] = [];
  let position = first.length;
  for (const [index, part] of others.entries()) {
    const isLast = index === others.length - 1;
    const end = isLast ? message.length - part.length : message.indexOf(part, position);
    if (end < position || !message.startsWith(part, end)) return null;
    values.push(message.slice(position, end));
    position = end + part.length;
  }
  return position === message.length ? values : null;
}

const shown = (name: string, value: string): number | Html =>
  NUMBERS.includes(name) && /^\d+$/.test(value) ? Number(value) : isolated(value);

/** A value in a text of another direction. */
const isolated = (value: string): Html => html`<bdi>${value}</bdi>`;

const TRANSLATIONS: Readonly<Partial<Record<Language, Translations>>> = {
  de: new Translations(de, 'de'),
  // Messages of the API with advice that does not fit pages.
  en: new Translations(en, 'en'),
  he: new Translations(he, 'he'),
};

/** Texts for pages in place of English messages with advice for programs. */
const PAGE_TABLE = new TextTable(PAGE_MESSAGES_EN, 'en');

/** A message with a code, in a language. A message of a later release, whose code this one does not have, is its code. */
function codedMessage(language: Language, { code, params }: Message): Html {
  const values = Object.entries(params).map(([name, value]) => {
    const isPlain = typeof value === 'number' || language === 'en';
    return [name, isPlain ? value : isolated(value)] as const;
  });
  const tables = language === 'en' ? [PAGE_TABLE, messageTable('en')] : [messageTable(language)];
  for (const table of tables) {
    const text = table.find<string | Html>(code, Object.fromEntries(values));
    if (text !== null) return textHtml(text);
  }
  return html`${code}`;
}

/** A message in a language; undefined for a text without a code that has no translation. */
export const translatedMessage = (language: Language, message: MessageOrText): Html | undefined =>
  typeof message === 'string' ? TRANSLATIONS[language]?.of(message) : codedMessage(language, message);

/** A message of the schema, which has the codes of this release as strings. */
export const codedMessageOf = (found: { code: string; params: unknown } | null): Message | null =>
  found as Message | null;

/** A message in the language of the interface; marked as English where there is no translation. */
export function messageHtml({ language }: Pick<Ui, 'language'>, message: MessageOrText): Html {
  const translated = translatedMessage(language, message);
  if (translated !== undefined) return translated;
  return language === 'en' ? html`${message}` : html`<span lang="en" dir="ltr">${message}</span>`;
}
