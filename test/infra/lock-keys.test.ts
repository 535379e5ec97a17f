import { expect, it } from 'vitest';
import { LOCK_KEYS } from '../../src/infra/lock-keys.ts';

it('no two advisory locks have the same key', () => {
  const keys = Object.values(LOCK_KEYS);
  expect(new Set(keys).size).toBe(keys.length);
});
