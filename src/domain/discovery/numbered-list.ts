import { refusedField } from '../../errors.ts';
import type { NumberedPage } from '../../graphql/connections.ts';

/** One numbered page of a list, with the number of records on all of its pages. */
export interface NumberedList<Row> extends NumberedPage {
  count: number;
  results: Row[];
}

/** Where the rows of a numbered page start, and how many it has at most. */
export function sliceOf({ page, pageSize }: NumberedPage): { offset: number; limit: number } {
  return { offset: (page - 1) * pageSize, limit: pageSize };
}

/** How many pages a list has; an empty one has one (contract, Paginated list envelope). */
export function pageCountOf({ count, pageSize }: Pick<NumberedList<unknown>, 'count' | 'pageSize'>): number {
  return Math.max(1, Math.ceil(count / pageSize));
}

const MOST_NAMES = 500;

/**
 * Names that a list is filtered by, trimmed; null when there are only empty ones, which is as if the parameter were absent.
 * What no column can hold is left out: it names nothing.
 * @throws {InvalidInputError} on `argument` for more than 500.
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
