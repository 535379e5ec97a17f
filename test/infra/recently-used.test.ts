import { describe, expect, it } from 'vitest';
import { RecentlyUsed } from '../../src/infra/recently-used.ts';

describe('what was used recently', () => {
  it('stays while there is room; then the oldest goes that nobody has used', () => {
    const memory = new RecentlyUsed<string, number>(10);
    memory.set('one', 1, 4);
    memory.set('two', 2, 4);
    expect(memory.get('one')).toBe(1);
    memory.set('three', 3, 4);
    expect([memory.peek('one'), memory.peek('two'), memory.peek('three')]).toEqual([1, undefined, 3]);
  });

  it('is spared once for each time', () => {
    const memory = new RecentlyUsed<string, number>(2);
    memory.set('one', 1, 1);
    memory.set('two', 2, 1);
    memory.get('one');
    memory.set('three', 3, 1);
    memory.set('four', 4, 1);
    expect([memory.peek('one'), memory.peek('two'), memory.peek('three'), memory.peek('four')]).toEqual([
      1,
      undefined,
      undefined,
      4,
    ]);
    memory.set('five', 5, 1);
    expect([memory.peek('one'), memory.peek('four'), memory.peek('five')]).toEqual([undefined, 4, 5]);
  });

  it('is not driven out by many that are not used', () => {
    const memory = new RecentlyUsed<number, string>(10);
    for (let key = 1; key <= 5; key++) memory.set(key, 'wanted', 1);
    for (let passing = 100; passing < 200; passing++) {
      for (let key = 1; key <= 5; key++) expect(memory.get(key)).toBe('wanted');
      memory.set(passing, 'passing by', 1);
    }
  });

  it('is not used by a mere look', () => {
    const memory = new RecentlyUsed<string, number>(10);
    memory.set('one', 1, 5);
    memory.set('two', 2, 5);
    expect(memory.peek('one')).toBe(1);
    memory.set('three', 3, 5);
    expect([memory.get('one'), memory.get('two'), memory.get('three')]).toEqual([undefined, 2, 3]);
  });

  it('counts what takes the place of something once, and keeps that it was used', () => {
    const memory = new RecentlyUsed<string, number>(10);
    for (let size = 1; size <= 6; size++) memory.set('one', size, size);
    memory.get('one');
    memory.set('one', 7, 6);
    memory.set('two', 2, 4);
    memory.set('three', 3, 4);
    expect([memory.peek('one'), memory.peek('two'), memory.peek('three')]).toEqual([7, undefined, 3]);
  });

  it('leaves out what does not fit', () => {
    const memory = new RecentlyUsed<string, number>(10);
    memory.set('one', 1, 5);
    memory.get('one');
    memory.set('two', 2, 5);
    memory.set('too much', 3, 11);
    expect([memory.peek('one'), memory.peek('two'), memory.peek('too much')]).toEqual([1, undefined, undefined]);
    memory.set('three', 3, 5);
    expect([memory.peek('one'), memory.peek('three')]).toEqual([1, 3]);
  });
});
