import { NotFoundError } from '../../errors.ts';

/** Most results of one search that pages reach. */
export const DEFAULT_WINDOW = 25_000;

const DEFAULT_PAGE_SIZE = 25;
const LARGEST_PAGE_SIZE = 50;

/** A page as it is asked for; both numbers count from 1. */
export interface PageRequest {
  page: number;
  pageSize: number;
}

/** The slice of the results that a page is. */
export interface Slice {
  offset: number;
  limit: number;
}

/** The refusal of a page that does not exist (contract, Limits). */
export const invalidPage = () => new NotFoundError('Invalid page.');

/**
 * Reads the number and size of a page; a size that cannot be used is corrected (contract, Limits).
 * @throws {NotFoundError} for a page number that is not a whole one from 1.
 */
export function readPage(page: number | null | undefined, pageSize: number | null | undefined): PageRequest {
  const number = page ?? 1;
  if (!Number.isSafeInteger(number) || number < 1) throw invalidPage();
  const size = pageSize ?? DEFAULT_PAGE_SIZE;
  const usable = Number.isSafeInteger(size) && size >= 1;
  return { page: number, pageSize: usable ? Math.min(size, LARGEST_PAGE_SIZE) : DEFAULT_PAGE_SIZE };
}

/** What to fetch for a page, cut at the window; null for a page that lies beyond it whatever the number of results. */
export function sliceOf({ page, pageSize }: PageRequest, window = DEFAULT_WINDOW): Slice | null {
  const offset = (page - 1) * pageSize;
  const limit = Math.min(pageSize, window - offset);
  return limit > 0 ? { offset, limit } : null;
}

/** How many pages can be reached of `count` results; an empty result has one page (contract, Paginated list envelope). */
export function pagesOf(count: number, pageSize: number, window = DEFAULT_WINDOW): number {
  return Math.max(1, Math.ceil(Math.min(count, window) / pageSize));
}
