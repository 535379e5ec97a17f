import { describe, expect, it } from 'vitest';
import { RecentlyUsed } from '../../src/infra/recently-used.ts';

describe('what was used recently', () => {
  it('stays while there is room, and goes in the order of its last use', () => {
    const memory = new RecentlyUsed<string, number>(10);
    memory.set('one', 1, 4);
    memory.set('two', 2, 4);
    expect(memory.get('one')).toBe(1);
    memory.set('three', 3, 4);
    expect([memory.peek('one'), memory.peek('two'), memory.peek('three')]).toEqual([1, undefined, 3]);
  });

  it('is not used by a mere look', () => {
    const memory = new RecentlyUsed<string, number>(10);
    memory.set('one', 1, 5);
    memory.set('two', 2, 5);
    expect(memory.peek('one')).toBe(1);
    memory.set('three', 3, 5);
    expect([memory.get('one'), memory.get('two'), memory.get('three')]).toEqual([undefined, 2, 3]);
  });

  it('counts what takes the place of something once', () => {
    const memory = new RecentlyUsed<string, number>(10);
    for (let size = 1; size <= 6; size++) memory.set('one', size, size);
    memory.set('two', 2, 4);
    expect([memory.peek('one'), memory.peek('two')]).toEqual([6, 2]);
  });

  it('makes way even for what does not fit', () => {
    const memory = new RecentlyUsed<string, number>(10);
    memory.set('one', 1, 5);
    memory.set('too much', 2, 11);
    expect([memory.peek('one'), memory.peek('too much')]).toEqual([undefined, undefined]);
    memory.set('one', 1, 10);
    expect(memory.peek('one')).toBe(1);
  });
});
