import { config } from '../../../config.ts';
import type { NumberedPage } from '../../../graphql/connections.ts';

/** A page as offset and limit. */
export interface Slice {
  offset: number;
  limit: number;
}

/** Offset and limit of a page, cut at the search window; null for a page beyond the window. */
export function sliceOf({ page, pageSize }: NumberedPage): Slice | null {
  const offset = (page - 1) * pageSize;
  const limit = Math.min(pageSize, config.SEARCH_WINDOW - offset);
  return limit > 0 ? { offset, limit } : null;
}

/** Number of reachable pages for `count` results; an empty result has one page (contract, Paginated list envelope). */
export function pagesOf(count: number, pageSize: number, window = config.SEARCH_WINDOW): number {
  return Math.max(1, Math.ceil(Math.min(count, window) / pageSize));
}
