/*
 * The JSON of manifests: strict JSON plus a byte order mark and `//` comments, as browsers accept them. Two parsers must never
 * disagree about a manifest, so repeated keys and `__proto__` are refused. Nesting is limited, so the parser may recurse.
 */

export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** An object without a prototype. */
export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

export interface JsonRules {
  /** Treatment of repeated keys. In browsers the last one wins. */
  duplicateKeys: 'refused' | 'last-wins';
}

/** The text is not valid. `line` and `column` count from 1. */
export class JsonSyntaxError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(reason: string, line: number, column: number) {
    super(`${reason} at line ${line}, column ${column}`);
    this.name = 'JsonSyntaxError';
    this.line = line;
    this.column = column;
  }
}

const MAX_DEPTH = 64;
const STRICT: JsonRules = { duplicateKeys: 'refused' };

/** Sticky patterns without nested quantifiers, so matching is linear. */
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const PLAIN_CHARACTERS = /[ !#-[\]-\uffff]*/y;
const WORDS: ReadonlyArray<[string, boolean | null]> = [
  ['true', true],
  ['false', false],
  ['null', null],
];
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/**
 * Parses one JSON value (RFC 8259) with a leading byte order mark and `//` comments allowed.
 *
 * @throws JsonSyntaxError with the position of the first fault
 */
export function parseJson(text: string, rules: JsonRules = STRICT): JsonValue {
  const parser = new Parser(text, rules);
  return parser.parse();
}

/** Whether a parsed value is an object, not an array or null. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

class Parser {
  readonly #text: string;
  readonly #rules: JsonRules;
  #at: number;

  constructor(text: string, rules: JsonRules) {
    this.#text = text;
    this.#rules = rules;
    this.#at = text.startsWith('\uFEFF') ? 1 : 0;
  }

  parse(): JsonValue {
    const value = this.#value(0);
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#fault('Unexpected text after the end');
    return value;
  }

  #value(depth: number): JsonValue {
    this.#skipSpace();
    const character = this.#text[this.#at];
    if (character === '{') return this.#object(depth + 1);
    if (character === '[') return this.#array(depth + 1);
    if (character === '"') return this.#string();
    for (const [word, value] of WORDS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return this.#number();
  }

  #object(depth: number): JsonObject {
    this.#enter(depth);
    const object: JsonObject = Object.create(null);
    if (this.#skipIf('}')) return object;
    do {
      this.#skipSpace();
      const start = this.#at;
      const key = this.#string();
      if (key === '__proto__') throw this.#fault('The key "__proto__" is not allowed', start);
      if (this.#rules.duplicateKeys === 'refused' && key in object) throw this.#fault('Duplicate key', start);
      if (!this.#skipIf(':')) throw this.#fault('Expected a colon');
      object[key] = this.#value(depth);
    } while (this.#skipIf(','));
    if (!this.#skipIf('}')) throw this.#fault('Expected a comma or a closing brace');
    return object;
  }

  #array(depth: number): JsonValue[] {
    this.#enter(depth);
    const array: JsonValue[] = [];
    if (this.#skipIf(']')) return array;
    do array.push(this.#value(depth));
    while (this.#skipIf(','));
    if (!this.#skipIf(']')) throw this.#fault('Expected a comma or a closing bracket');
    return array;
  }

  #enter(depth: number): void {
    if (depth > MAX_DEPTH) throw this.#fault(`More than ${MAX_DEPTH} levels`);
    this.#at++;
  }

  #string(): string {
    const start = this.#at;
    if (this.#text[start] !== '"') throw this.#fault('Expected a string');
    this.#at++;
    let value = this.#match(PLAIN_CHARACTERS);
    while (this.#text[this.#at] === '\\') value += this.#escape() + this.#match(PLAIN_CHARACTERS);
    if (this.#text[this.#at] !== '"') throw this.#fault('Unterminated string', start);
    this.#at++;
    return value;
  }

  #escape(): string {
    const letter = this.#text[this.#at + 1] ?? '';
    const simple = ESCAPES[letter];
    if (simple !== undefined) {
      this.#at += 2;
      return simple;
    }
    const hex = this.#text.slice(this.#at + 2, this.#at + 6);
    if (letter !== 'u' || !/^[0-9a-fA-F]{4}$/.test(hex)) throw this.#fault('Invalid escape');
    this.#at += 6;
    return String.fromCharCode(Number.parseInt(hex, 16));
  }

  #number(): number {
    const digits = this.#match(NUMBER);
    if (digits === '') throw this.#fault('Expected a value');
    return Number(digits);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #skipIf(character: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #skipSpace(): void {
    for (;;) {
      const character = this.#text[this.#at];
      if (character === ' ' || character === '\n' || character === '\r' || character === '\t') this.#at++;
      else if (character === '/' && this.#text[this.#at + 1] === '/') this.#skipLine();
      else return;
    }
  }

  #skipLine(): void {
    while (this.#at < this.#text.length && this.#text[this.#at] !== '\n' && this.#text[this.#at] !== '\r') this.#at++;
  }

  #fault(reason: string, at = this.#at): JsonSyntaxError {
    const before = this.#text.slice(0, at).split('\n');
    return new JsonSyntaxError(reason, before.length, (before.at(-1) ?? '').length + 1);
  }
}
