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

/** The text is not valid. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

const MAX_DEPTH = 64;

/** A string, to the end of the text if it is unterminated; a comment; structure. No match fails halfway: matching is linear. */
const TOKEN = /"(?:[^"\\]+|\\.)*\\?"?|\/\/[^\r\n]*|[{}[\]:]/gs;

/** Parses one JSON value (RFC 8259), with a byte order mark and `//` comments allowed. @throws JsonSyntaxError */
export function parseJson(text: string, { duplicateKeys }: JsonRules = { duplicateKeys: 'refused' }): JsonValue {
  try {
    const json = withoutComments(text.replace(/^\uFEFF/, ''), duplicateKeys === 'refused');
    return JSON.parse(json, (_key, value) => (isJsonObject(value) ? Object.assign(Object.create(null), value) : value));
  } catch (error) {
    throw error instanceof SyntaxError ? new JsonSyntaxError(error.message) : error;
  }
}

/** Whether a parsed value is an object, not an array or null. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Removes comments and checks nesting and keys. Other faults are left to `JSON.parse`. */
function withoutComments(text: string, areKeysUnique: boolean): string {
  const keysOfOpen: Set<string>[] = [];
  let last = '';
  return text.replace(TOKEN, (token) => {
    if (token.startsWith('//')) return '';
    if (token === ':') addKey(keysOfOpen.at(-1), last, areKeysUnique);
    else if (token === '{' || token === '[') keysOfOpen.push(new Set());
    else if (token === '}' || token === ']') keysOfOpen.pop();
    if (keysOfOpen.length > MAX_DEPTH) throw new JsonSyntaxError(`More than ${MAX_DEPTH} levels`);
    last = token;
    return token;
  });
}

function addKey(keys: Set<string> | undefined, written: string, isUnique: boolean): void {
  const key: string = JSON.parse(written);
  if (key === '__proto__') throw new JsonSyntaxError('The key "__proto__" is not allowed');
  if (isUnique && keys?.has(key)) throw new JsonSyntaxError(`Duplicate key "${key}"`);
  keys?.add(key);
}
