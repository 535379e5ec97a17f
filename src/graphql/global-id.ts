import { refusedField } from '../errors.ts';
import { MAX_INT4 } from '../infra/int4.ts';

/** Parses a database id in digits. Returns 0, which no row has, for any other text. */
export function databaseId(text: string): number {
  const id = /^\d+$/.test(text) ? Number(text) : 0;
  return id <= MAX_INT4 ? id : 0;
}

/**
 * Returns the database id of an id argument, which is a global id of the type or a database id.
 * @throws {InvalidInputError} on `field` for anything else, including ids of other types.
 */
export function idOf(typename: string, id: string | number, field = 'id'): number {
  const text = String(id);
  const [type, key] = /^\d+$/.test(text) ? [typename, text] : Buffer.from(text, 'base64').toString('utf8').split(':');
  const number = databaseId(key ?? '');
  if (type !== typename || number === 0) {
    throw refusedField(field, `Not an id of a ${typename}.`);
  }
  return number;
}

/** The global id of an object: base64 of the type and its key. */
export function globalId(typename: string, ...key: readonly (string | number)[]): string {
  return Buffer.from(`${typename}:${key.join(':')}`).toString('base64');
}
