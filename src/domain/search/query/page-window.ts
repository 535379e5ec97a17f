import { config } from '../../../config.ts';

/** A page as offset and limit. */
export interface Slice {
  offset: number;
  limit: number;
}

/** The part of a slice that is in the search window; null without one. */
export function inWindow({ offset, limit }: Slice): Slice | null {
  const reachable = Math.min(limit, config.SEARCH_WINDOW - offset);
  return reachable > 0 ? { offset, limit: reachable } : null;
}

/** Number of reachable pages for `count` results; an empty result has one page (contract, Paginated list envelope). */
export function pagesOf(count: number, pageSize: number, window = config.SEARCH_WINDOW): number {
  return Math.max(1, Math.ceil(Math.min(count, window) / pageSize));
}
