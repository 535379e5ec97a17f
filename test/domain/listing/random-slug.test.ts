import { expect, it } from 'vitest';
import { randomSlug } from '../../../src/domain/listing/check-listing.ts';

it('returns unique slugs that cannot be confused with ids', () => {
  const slugs = Array.from({ length: 1_000 }, randomSlug);
  for (const slug of slugs) expect(slug).toMatch(/^[a-f][0-9a-f]{19}$/);
  expect(new Set(slugs).size).toBe(slugs.length);
});
