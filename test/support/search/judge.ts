import { expect } from 'vitest';
import type { Expectation } from './judgement-cases.ts';

/** Compares ids of a result, in order, with the expectation. */
export function judge(ids: readonly number[], expected: Expectation): void {
  if (expected.whole) expect(ids).toEqual(expected.whole);
  if (expected.first !== undefined) expect(ids[0]).toBe(expected.first);
  if (expected.order) expect(ids.filter((id) => expected.order?.includes(id))).toEqual(expected.order);
  if (expected.contains) expect(ids).toEqual(expect.arrayContaining([...expected.contains]));
  for (const id of expected.absent ?? []) expect(ids).not.toContain(id);
}
