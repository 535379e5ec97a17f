import { refusedField } from '../errors.ts';

/**
 * The database id inside an id argument: a global id of the type, or the database id itself.
 * @throws {InvalidInputError} on `field` for anything else, an id of another type among it.
 */
export function idOf(typename: string, id: string | number, field = 'id'): number {
  const text = String(id);
  const [type, key] = /^\d+$/.test(text) ? [typename, text] : Buffer.from(text, 'base64').toString('utf8').split(':');
  const number = Number(key);
  if (type !== typename || !Number.isSafeInteger(number) || number < 1 || number > 2_147_483_647) {
    throw refusedField(field, `Not an id of a ${typename}.`);
  }
  return number;
}
