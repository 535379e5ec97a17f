import { type InvalidInputError, refusedField } from '../errors.ts';
import { MAX_INT4 } from '../infra/int4.ts';
import { message } from '../texts/messages.ts';
import { printable } from '../texts/printable.ts';

/** Parses a database id in digits. Returns 0, which no row has, for any other text. */
export function databaseId(text: string): number {
  const id = /^\d+$/.test(text) ? Number(text) : 0;
  return id <= MAX_INT4 ? id : 0;
}

/**
 * The database id inside a global id of the type.
 * @throws {InvalidInputError} on `field` for anything else: plain digits and ids of other types too.
 */
export function idOf(typename: string, id: string | number, field = 'id'): number {
  const text = String(id);
  const [type, key] = Buffer.from(text, 'base64').toString('utf8').split(':');
  const number = databaseId(key ?? '');
  if (type === typename && number > 0) return number;
  throw notAnId(typename, text, field);
}

const notAnId = (type: string, text: string, field: string): InvalidInputError =>
  refusedField(field, message('id.other_type', { type, value: printable(text.slice(0, 50)) }));

/**
 * The key inside a global id of the type, which need not be a number.
 * @throws {InvalidInputError} on `field` for any other text.
 */
export function textKeyOf(typename: string, id: string, field: string): string {
  const text = Buffer.from(id, 'base64').toString('utf8');
  if (text.startsWith(`${typename}:`)) return text.slice(typename.length + 1);
  throw notAnId(typename, id, field);
}

/** The global id of an object: base64 of the type and its key. */
export function globalId(typename: string, ...key: readonly (string | number)[]): string {
  return Buffer.from(`${typename}:${key.join(':')}`).toString('base64');
}
