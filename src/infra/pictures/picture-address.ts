import { config } from '../../config.ts';

/** The URL of a stored picture: `path` is below `/media/`, the start of the hash busts caches. */
export const pictureUrl = (path: string, sha256: string): string =>
  `${config.BASE_URL}/media/${path}.png?modified=${sha256.slice(0, 8)}`;
