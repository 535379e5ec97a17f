import { randomBytes } from 'node:crypto';

/**
 * The slug of an add-on without a name: 20 characters. The first one is a letter, because a slug of digits alone would be
 * read as an id.
 */
export function randomSlug(): string {
  return `a${randomBytes(10).toString('hex').slice(1)}`;
}
