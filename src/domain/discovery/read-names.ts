import { refusedField } from '../../errors.ts';
import { message } from '../../texts/messages.ts';

const MAX_NAMES = 500;

/**
 * Trims the names of a filter and removes empty ones; null if all are empty, as for an absent parameter. Names that Postgres
 * cannot store match nothing and are removed too.
 * @throws {InvalidInputError} on `argument` for more than 500 names.
 */
export function readNames(names: readonly string[] | null | undefined, argument: string): string[] | null {
  const texts = (names ?? []).map((name) => name.trim()).filter((name) => name !== '');
  if (texts.length > MAX_NAMES) {
    const facts = { name: argument, found: texts.length, max: MAX_NAMES };
    throw refusedField(argument, message('parameter.too_many', facts));
  }
  if (texts.length === 0) return null;
  return [...new Set(texts.filter((text) => text.isWellFormed() && !text.includes('\0')))];
}
