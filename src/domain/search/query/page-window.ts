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
