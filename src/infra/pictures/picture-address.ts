import { config } from '../../config.ts';

/**
 * The URL of a stored picture. `path` is below `/media/`, without extension. The query holds the start of the hash (contract:
 * cache-busting query string).
 */
export const pictureAddress = (path: string, sha256: string): string =>
  `${config.BASE_URL}/media/${path}.png?modified=${sha256.slice(0, 8)}`;
