import { refusedField } from '../../errors.ts';
import type { NumberedPage } from '../../graphql/connections.ts';

/** One numbered page of a list, with the number of rows on all pages. */
export interface NumberedList<Row> extends NumberedPage {
  count: number;
  results: Row[];
}

/** Converts a numbered page to offset and limit. */
export function sliceOf({ page, pageSize }: NumberedPage): { offset: number; limit: number } {
  return { offset: (page - 1) * pageSize, limit: pageSize };
}

/** The number of pages of a list; an empty list has one (contract, Paginated list envelope). */
export function pageCountOf({ count, pageSize }: Pick<NumberedList<unknown>, 'count' | 'pageSize'>): number {
  return Math.max(1, Math.ceil(count / pageSize));
}

const MOST_NAMES = 500;

/**
 * Trims the names of a filter and removes empty ones; null if all are empty, as for an absent parameter. Names that Postgres
 * cannot store match nothing and are removed too.
 * @throws {InvalidInputError} on `argument` for more than 500 names.
 */
export function readNames(names: readonly string[] | null | undefined, argument: string): string[] | null {
  const texts = (names ?? []).map((name) => name.trim()).filter((name) => name !== '');
  if (texts.length > MOST_NAMES) {
    const message = `Invalid "${argument}" parameter.`;
    throw refusedField(argument, message);
  }
  if (texts.length === 0) return null;
  return [...new Set(texts.filter((text) => text.isWellFormed() && !text.includes('\0')))];
}
