/* The texts of one kind in one language: placeholders and plural forms. */
import { formatOf } from './format.ts';
import type { LanguageTable } from './text-types.ts';

/** A text: its literal parts, and the names of the placeholders between them. */
export interface TextTemplate {
  parts: readonly string[];
  names: readonly string[];
}

/** A text with its values. There is one value fewer than parts. */
export interface FilledText<Value> {
  template: TextTemplate;
  values: readonly (Value | string)[];
}

/** Values of placeholders. `count` also selects the plural form; numbers and dates are written in the language. */
export type TextValues<Value> = Readonly<Record<string, Value | number | Date>>;

/** The texts of one language. */
export class TextTable {
  readonly #language: string;
  readonly #texts: LanguageTable;
  /** The templates of the texts that were used: a process uses few of them. */
  readonly #templates = new Map<string, TextTemplate>();
  readonly #numbers: (value: number) => string;

  /** `numbers` writes the numbers; by default as in the language. */
  constructor(texts: LanguageTable, language: string, numbers = (value: number) => formatOf(language).number(value)) {
    this.#language = language;
    this.#texts = texts;
    this.#numbers = numbers;
  }

  /** The names of the parameters of a text; null when there is no text with this key. */
  parameterNames(key: string): readonly string[] | null {
    return this.#templateFor(key, null)?.names ?? null;
  }

  /** The text with this key and its values in their order; null when there is none. Throws for a missing value. */
  find<Value>(key: string, values: TextValues<Value>): FilledText<Value> | null {
    const template = this.#templateFor(key, values.count);
    if (template === undefined) return null;
    return { template, values: template.names.map((name) => this.#shown(key, name, values[name])) };
  }

  #templateFor(key: string, count: unknown): TextTemplate | undefined {
    const form = typeof count === 'number' ? formatOf(this.#language).pluralForm(count) : 'other';
    return this.#template(`${key}#${form}`) ?? this.#template(key) ?? this.#template(`${key}#other`);
  }

  #template(entry: string): TextTemplate | undefined {
    const known = this.#templates.get(entry);
    if (known !== undefined || !Object.hasOwn(this.#texts, entry)) return known;
    const made = templateOf(this.#texts[entry] ?? '');
    this.#templates.set(entry, made);
    return made;
  }

  #shown<Value>(key: string, name: string, value: Value | number | Date | undefined): Value | string {
    if (value === undefined) throw new Error(`The text "${key}" in ${this.#language} needs a value for "${name}".`);
    if (value instanceof Date) return formatOf(this.#language).longDate(value);
    return typeof value === 'number' ? this.#numbers(value) : value;
  }
}

/** Splits a text at its placeholders. */
function templateOf(text: string): TextTemplate {
  const pieces = text.split(/\{(\w+)\}/);
  return {
    parts: pieces.filter((_, index) => index % 2 === 0),
    names: pieces.filter((_, index) => index % 2 === 1),
  };
}

/** A text without markup. */
export const withoutMarkup = ({ template: { parts }, values }: FilledText<string>): string =>
  parts.map((part, index) => part + (values[index] ?? '')).join('');
