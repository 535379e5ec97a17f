import { config } from '../../../config.ts';
import { NotFoundError } from '../../../errors.ts';
import type { NumberedPage } from '../../../graphql/connections.ts';

/** The slice of the results that a page is. */
export interface Slice {
  offset: number;
  limit: number;
}

/** The refusal of a page that does not exist (contract, Limits). */
export const invalidPage = () => new NotFoundError('Invalid page.');

/** What to fetch for a page, cut at the window; null for a page that lies beyond it whatever the number of results. */
export function sliceOf({ page, pageSize }: NumberedPage, window = config.SEARCH_WINDOW): Slice | null {
  const offset = (page - 1) * pageSize;
  const limit = Math.min(pageSize, window - offset);
  return limit > 0 ? { offset, limit } : null;
}

/** How many pages can be reached of `count` results; an empty result has one page (contract, Paginated list envelope). */
export function pagesOf(count: number, pageSize: number, window = config.SEARCH_WINDOW): number {
  return Math.max(1, Math.ceil(Math.min(count, window) / pageSize));
}
