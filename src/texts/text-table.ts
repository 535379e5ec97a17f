/* Tables of texts by key, with placeholders (`{name}`) and plural forms (`key#one`, `key#other`). */

/** The languages that the service writes texts in. */
export const LANGUAGES = ['en', 'de', 'he'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The key of a text without its plural form. */
export type WithoutPlural<Key> = Key extends `${infer Base}#${string}` ? Base : Key;

/** A text: its literal parts, and the names of the placeholders between them. */
export interface Template {
  parts: readonly string[];
  names: readonly string[];
}

/** A text with its values. There is one value fewer than parts. */
export interface FilledText<Value> {
  template: Template;
  values: readonly (Value | string)[];
}

/** Values of placeholders. `count` also selects the plural form; numbers are written in the language. */
type Values<Value> = Readonly<Record<string, Value | number>>;

/** The texts of one language. */
export class TextTable {
  readonly #language: Language;
  readonly #templates: ReadonlyMap<string, Template>;
  readonly #plurals: Intl.PluralRules;
  readonly #numbers: (value: number) => string;

  /** `numbers` writes the numbers; by default as in the language. */
  constructor(
    texts: Readonly<Record<string, string>>,
    language: Language,
    numbers: (value: number) => string = new Intl.NumberFormat(language).format,
  ) {
    this.#language = language;
    this.#templates = new Map(Object.entries(texts).map(([key, text]) => [key, templateOf(text)]));
    this.#plurals = new Intl.PluralRules(language);
    this.#numbers = numbers;
  }

  /** The text with this key and its values in their order; null when there is none. Throws for a missing value. */
  find<Value>(key: string, values: Values<Value>): FilledText<Value> | null {
    const template = this.#templateFor(key, values.count);
    if (template === undefined) return null;
    return { template, values: template.names.map((name) => this.#shown(key, name, values[name])) };
  }

  #templateFor(key: string, count: unknown): Template | undefined {
    const form = typeof count === 'number' ? this.#templates.get(`${key}#${this.#plurals.select(count)}`) : undefined;
    return form ?? this.#templates.get(key) ?? this.#templates.get(`${key}#other`);
  }

  #shown<Value>(key: string, name: string, value: Value | number | undefined): Value | string {
    if (value === undefined) throw new Error(`The text "${key}" in ${this.#language} needs a value for "${name}".`);
    return typeof value === 'number' ? this.#numbers(value) : value;
  }
}

/** Splits a text at its placeholders. */
export function templateOf(text: string): Template {
  const pieces = text.split(/\{(\w+)\}/);
  return {
    parts: pieces.filter((_, index) => index % 2 === 0),
    names: pieces.filter((_, index) => index % 2 === 1),
  };
}

/** A text without markup. */
export const plainText = ({ template: { parts }, values }: FilledText<string>): string =>
  parts.map((part, index) => part + (values[index] ?? '')).join('');
