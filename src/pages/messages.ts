/* Messages of the service about refusals, in the language of the interface. */
import { html } from 'hono/html';
import type { Html } from './html.ts';
import de from './texts/messages.de.json' with { type: 'json' };
import en from './texts/messages.en.json' with { type: 'json' };
import he from './texts/messages.he.json' with { type: 'json' };
import { type Language, lookup } from './texts.ts';
import type { Ui } from './ui.ts';

/** Placeholders whose values are numbers, which are written in the language. Other values stay as they are. */
const NUMBERS: readonly string[] = ['count', 'height', 'length', 'width'];

/** A message that the service composes: its English text with placeholders, which is the key of its translations. */
interface Template {
  key: string;
  /** The texts around the values. */
  parts: readonly string[];
  names: readonly string[];
}

/** Translations from English, by message. Keys have placeholders and plural forms as those of the other texts. */
class Translations {
  readonly #find: ReturnType<typeof lookup>;
  /** Those with more text of their own first. */
  readonly #templates: readonly Template[];

  constructor(texts: Readonly<Record<string, string>>, language: Language) {
    this.#find = lookup(texts, language);
    const keys = new Set(Object.keys(texts).map((key) => key.replace(/#(?:one|two|other)$/, '')));
    const lengthOf = ({ parts }: Template) => parts.join('').length;
    this.#templates = [...keys].map(templateOf).sort((one, other) => lengthOf(other) - lengthOf(one));
  }

  /** The translation of a message; undefined when there is none. */
  of(message: string): Html | undefined {
    for (const { key, parts, names } of this.#templates) {
      const values = valuesIn(message, parts);
      if (values === null) continue;
      return this.#find(key, Object.fromEntries(names.map((name, index) => [name, shown(name, values[index] ?? '')])));
    }
    return undefined;
  }
}

function templateOf(key: string): Template {
  const pieces = key.split(/\{(\w+)\}/);
  return {
    key,
    parts: pieces.filter((_, index) => index % 2 === 0),
    names: pieces.filter((_, index) => index % 2 === 1),
  };
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
  NUMBERS.includes(name) && /^\d+$/.test(value) ? Number(value) : html`<bdi>${value}</bdi>`;

const TRANSLATIONS: Readonly<Partial<Record<Language, Translations>>> = {
  de: new Translations(de, 'de'),
  // Messages of the API with advice that does not fit pages.
  en: new Translations(en, 'en'),
  he: new Translations(he, 'he'),
};

/** A message in a language; undefined when there is no translation, and for most messages in English. */
export const translatedMessage = (language: Language, message: string): Html | undefined =>
  TRANSLATIONS[language]?.of(message);

/** A message in the language of the interface; marked as English where there is no translation. */
export function messageText({ language }: Pick<Ui, 'language'>, message: string): Html {
  const translated = translatedMessage(language, message);
  if (translated !== undefined) return translated;
  return language === 'en' ? html`${message}` : html`<span lang="en" dir="ltr">${message}</span>`;
}

/** Why an upload has its stage. Reviewers write in any language; other reasons are messages of the service. */
export function stageReason({ language }: Pick<Ui, 'language'>, stage: string, reason: string): Html {
  const translated = stage === 'REJECTED' ? undefined : translatedMessage(language, reason);
  return translated ?? html`${reason}`;
}
