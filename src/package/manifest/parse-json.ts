/*
 * The JSON of manifests: strict JSON plus a byte order mark and `//` comments, as browsers accept them. Two parsers must never
 * disagree about a manifest, so repeated keys and `__proto__` are refused.
 */

export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** An object without a prototype. */
export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

interface JsonRules {
  /** Treatment of repeated keys. In browsers the last one wins. */
  duplicateKeys: 'refused' | 'last-wins';
}

/** A fault of a text and its place, which count from 1. */
type JsonFault =
  | { kind: 'syntax'; problem: string }
  | { kind: 'repeated-key' | 'forbidden-key'; key: string }
  | { kind: 'too-deep'; max: number };

/** The text is not valid. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly fault: JsonFault;
  readonly line: number;
  readonly column: number;

  /** `offset` is that of the fault in `text`. */
  constructor(fault: JsonFault, text: string, offset: number) {
    super(fault.kind);
    const before = text.slice(0, offset).split(/\r\n|\r|\n/);
    this.fault = fault;
    this.line = before.length;
    this.column = (before.at(-1) ?? '').length + 1;
  }
}

const MAX_DEPTH = 64;

/** A string, to the end of the text if it is unterminated; a comment; structure. No match fails halfway: matching is linear. */
const TOKEN = /"(?:[^"\\]+|\\.)*\\?"?|\/\/[^\r\n]*|[{}[\]:]/gs;

/** Parses one JSON value (RFC 8259), with a byte order mark and `//` comments allowed. @throws JsonSyntaxError */
export function parseJson(text: string, { duplicateKeys }: JsonRules = { duplicateKeys: 'refused' }): JsonValue {
  const json = withoutComments(text.replace(/^\uFEFF/, ''), duplicateKeys === 'refused');
  try {
    return JSON.parse(json, (_key, value) => (isJsonObject(value) ? Object.assign(Object.create(null), value) : value));
  } catch (error) {
    throw error instanceof SyntaxError ? syntaxError(error.message, json) : error;
  }
}

/** The fault that `JSON.parse` found. Its message has the position, except at the end of the text and for short texts. */
function syntaxError(found: string, text: string): JsonSyntaxError {
  const [place, position] = / in JSON at position (\d+)/.exec(found) ?? [];
  const problem = (place === undefined ? found : found.slice(0, found.indexOf(place))).replace(/, "[\s\S]*$/, '');
  const offset = position === undefined ? firstUnexpected(found, text) : Number(position);
  return new JsonSyntaxError({ kind: 'syntax', problem }, text, offset);
}

/** Where a message without a position points to: the character that it quotes, or the end. */
function firstUnexpected(found: string, text: string): number {
  const quoted = /^Unexpected token '([\s\S]+?)'/.exec(found)?.[1];
  const at = quoted === undefined ? -1 : text.indexOf(quoted);
  return at < 0 ? text.trimEnd().length : at;
}

/** Whether a parsed value is an object, not an array or null. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON type of a value, for messages. */
export function jsonTypeOf(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Removes comments and checks nesting and keys. Other faults are left to `JSON.parse`. */
function withoutComments(text: string, areKeysUnique: boolean): string {
  const keysOfOpen: Set<string>[] = [];
  let last = { token: '', offset: 0 };
  return text.replace(TOKEN, (token, offset: number) => {
    // Blanks keep the positions of what follows.
    if (token.startsWith('//')) return ' '.repeat(token.length);
    if (token === ':') addKey(keysOfOpen.at(-1), { ...last, text }, areKeysUnique);
    else if (token === '{' || token === '[') keysOfOpen.push(new Set());
    else if (token === '}' || token === ']') keysOfOpen.pop();
    if (keysOfOpen.length > MAX_DEPTH) {
      throw new JsonSyntaxError({ kind: 'too-deep', max: MAX_DEPTH }, text, offset);
    }
    last = { token, offset };
    return token;
  });
}

interface WrittenKey {
  token: string;
  offset: number;
  text: string;
}

function addKey(keys: Set<string> | undefined, { token, offset, text }: WrittenKey, isUnique: boolean): void {
  const key = keyIn(token, offset, text);
  if (key === '__proto__') throw new JsonSyntaxError({ kind: 'forbidden-key', key }, text, offset);
  if (isUnique && keys?.has(key)) throw new JsonSyntaxError({ kind: 'repeated-key', key }, text, offset);
  keys?.add(key);
}

/** The key before a colon. @throws JsonSyntaxError for anything but a string */
function keyIn(token: string, offset: number, text: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    throw new JsonSyntaxError({ kind: 'syntax', problem: 'Expected a key in double quotes before ":"' }, text, offset);
  }
}
