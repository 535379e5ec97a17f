import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AuthorList,
  checkAuthors,
  inOrder,
  withAuthor,
  withChangedAuthor,
  withoutAuthor,
} from '../../../src/domain/listing/author-list.ts';

const accountId = fc.integer({ min: 1, max: 8 });
const role = fc.constantFrom<'owner' | 'developer'>('owner', 'developer');
const author = fc.record({ accountId, role, listed: fc.boolean() });
const authors = fc.uniqueArray(author, { selector: (each) => each.accountId, maxLength: 6 });
const change = fc.record(
  { role, listed: fc.boolean(), position: fc.integer({ min: -3, max: 9 }) },
  { requiredKeys: [] },
);
const ids = (list: AuthorList) => list.map((each) => each.accountId);
const isRefused = (work: () => unknown) => {
  try {
    work();
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: 'INVALID_INPUT' });
    return true;
  }
};

describe('a list of authors', () => {
  it('inserts a new author at the requested position, and refuses an existing one', () => {
    fc.assert(
      fc.property(authors, author, fc.option(fc.nat(9), { nil: undefined }), (list, added, position) => {
        if (ids(list).includes(added.accountId)) {
          expect(isRefused(() => withAuthor(list, added, position))).toBe(true);
          return;
        }
        const after = withAuthor(list, added, position);
        expect(after.indexOf(added)).toBe(Math.min(position ?? list.length, list.length));
        expect(withoutAuthor(after, added.accountId)).toEqual(list);
      }),
    );
  });

  it('keeps all authors and the order of the others when one changes', () => {
    fc.assert(
      fc.property(authors, accountId, change, (list, id, changes) => {
        const before = list.find((each) => each.accountId === id);
        if (before === undefined) {
          expect(isRefused(() => withChangedAuthor(list, id, changes))).toBe(true);
          return;
        }
        const after = withChangedAuthor(list, id, changes);
        const { role: newRole = before.role, listed = before.listed } = changes;
        expect(after.find((each) => each.accountId === id)).toEqual({ accountId: id, role: newRole, listed });
        expect(withoutAuthor(after, id)).toEqual(withoutAuthor(list, id));
        if (changes.position === undefined) expect(ids(after)).toEqual(ids(list));
      }),
    );
  });

  it('accepts only permutations of all authors as a new order', () => {
    fc.assert(
      fc.property(authors, fc.array(accountId, { maxLength: 7 }), (list, order) => {
        const isOrder = new Set(order).size === order.length && [...order].sort().join() === ids(list).sort().join();
        expect(isRefused(() => inOrder(list, order))).toBe(!isOrder);
        if (isOrder) expect(ids(inOrder(list, order))).toEqual(order);
      }),
    );
    const list = [1, 2, 3].map((id) => ({ accountId: id, role: 'owner' as const, listed: true }));
    expect(ids(inOrder(list, [3, 1, 2]))).toEqual([3, 1, 2]);
  });

  it('has at least one owner and one listed author', () => {
    fc.assert(
      fc.property(authors, (list) => {
        const isValid = list.some((each) => each.role === 'owner') && list.some(({ listed }) => listed);
        expect(isRefused(() => checkAuthors(list))).toBe(!isValid);
      }),
    );
  });
});
