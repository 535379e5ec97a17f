import { config } from '../../config.ts';

/**
 * The URL of a stored picture. `path` is below `/media/`, without the ending. The start of the hash is in the query, so that
 * a changed picture has another URL (contract: cache-busting query string).
 */
export const pictureAddress = (path: string, sha256: string): string =>
  `${config.BASE_URL}/media/${path}.png?modified=${sha256.slice(0, 8)}`;
