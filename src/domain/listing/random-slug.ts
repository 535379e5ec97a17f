import { randomBytes } from 'node:crypto';

/**
 * The slug of an add-on that nobody has named yet: 20 characters, the first of them a letter, as a slug of digits alone would
 * be taken for an id.
 */
export function randomSlug(): string {
  return `a${randomBytes(10).toString('hex').slice(1)}`;
}
