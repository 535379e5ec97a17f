/* Errors of operations name fields by the paths of GraphQL; bodies of the submission API name them as the request does. */

/** Where errors of an operation go in a body with the error style `fields`. Request keys have dots between levels. */
export interface ErrorKeys {
  /** Request keys by the fields that errors of the operation name. */
  fields: Readonly<Record<string, string>>;
  /** Request key of a refused package. */
  package?: string;
}

/** The key of errors that belong to no field (contract, 400 body). */
const NO_FIELD = 'non_field_errors';

/** Messages by key, nested like the request. */
interface NestedMessages {
  [key: string]: string[] | NestedMessages;
}

/** The same keys below `parent`, for a request that nests one object in another. */
export function keysBelow(parent: string, keys: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(keys).map(([field, key]) => [field, `${parent}.${key}`]));
}

/** Messages of an error under the request's keys. Without `keys`, fields have the same names in the request. */
export function messagesByKey(
  message: string,
  fields: Readonly<Record<string, string[]>> | undefined,
  keys: ErrorKeys | null,
): NestedMessages {
  if (fields === undefined) return { [NO_FIELD]: [message] };
  const nested: NestedMessages = {};
  const unkeyed = Object.entries(fields).filter(([field]) => keyOf(field, keys) === NO_FIELD);
  for (const [field, messages] of Object.entries(fields)) {
    if (keyOf(field, keys) !== NO_FIELD) add(nested, keyOf(field, keys), messages);
  }
  if (unkeyed.length > 0) add(nested, NO_FIELD, unkeyedMessages(unkeyed));
  return nested;
}

/** Messages on fields that the request has no keys for, each once, and then the names of the fields. */
function unkeyedMessages(unkeyed: readonly (readonly [string, string[]])[]): string[] {
  const names = unkeyed.map(([field]) => field).filter((field) => field !== NO_FIELD);
  const messages = [...new Set(unkeyed.flatMap(([, each]) => each))];
  return names.length === 0 ? messages : [...messages, `Fields: ${names.join(', ')}.`];
}

function keyOf(field: string, keys: ErrorKeys | null): string {
  if (keys === null) return field;
  return Object.hasOwn(keys.fields, field) ? (keys.fields[field] ?? NO_FIELD) : NO_FIELD;
}

/** Messages of a refused package. */
export function packageMessages(message: string, keys: ErrorKeys | null): NestedMessages {
  const nested: NestedMessages = {};
  add(nested, keys?.package ?? 'upload', [message]);
  return nested;
}

function add(nested: NestedMessages, path: string, messages: readonly string[]): void {
  const [key = NO_FIELD, ...rest] = path.split('.');
  const present = Object.hasOwn(nested, key) ? nested[key] : undefined;
  if (rest.length === 0) {
    nested[key] = [...(Array.isArray(present) ? present : []), ...messages];
    return;
  }
  const below = present === undefined || Array.isArray(present) ? {} : present;
  nested[key] = below;
  add(below, rest.join('.'), messages);
}
