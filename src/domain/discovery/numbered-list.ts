import { refusedField } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import type { NumberedPage as PageRequest } from '../../graphql/connections.ts';
import { message } from '../../texts/messages.ts';

/** One numbered page of a list, with the number of rows on all pages. */
export interface NumberedList<Row> extends PageRequest {
  count: number;
  results: Row[];
}

/** Converts a numbered page to offset and limit. */
export function sliceOf({ page, pageSize }: PageRequest): { offset: number; limit: number } {
  return { offset: (page - 1) * pageSize, limit: pageSize };
}

/** The fields that all numbered pages share; each type adds `results`. */
export const NumberedPage = builder.interfaceRef<NumberedList<unknown>>('NumberedPage').implement({
  description: 'One page of a list with numbered pages.',
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'Number of items on all pages.' }),
    page: t.exposeInt('page', { description: 'Number of this page, from 1.' }),
    pageSize: t.exposeInt('pageSize', { description: 'Maximum number of items per page.' }),
    pageCount: t.int({
      description: 'Number of pages; an empty list has one.',
      resolve: ({ count, pageSize }) => Math.max(1, Math.ceil(count / pageSize)),
    }),
  }),
});

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
