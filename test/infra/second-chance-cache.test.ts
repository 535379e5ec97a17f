import { describe, expect, it } from 'vitest';
import { SecondChanceCache } from '../../src/infra/second-chance-cache.ts';

describe('a second-chance cache', () => {
  it('evicts the oldest entry that was not read', () => {
    const cache = new SecondChanceCache<string, number>(10);
    cache.set('one', 1, 4);
    cache.set('two', 2, 4);
    expect(cache.get('one')).toBe(1);
    cache.set('three', 3, 4);
    expect([cache.peek('one'), cache.peek('two'), cache.peek('three')]).toEqual([1, undefined, 3]);
  });

  it('keeps an entry once per read', () => {
    const cache = new SecondChanceCache<string, number>(2);
    cache.set('one', 1, 1);
    cache.set('two', 2, 1);
    cache.get('one');
    cache.set('three', 3, 1);
    cache.set('four', 4, 1);
    expect([cache.peek('one'), cache.peek('two'), cache.peek('three'), cache.peek('four')]).toEqual([
      1,
      undefined,
      undefined,
      4,
    ]);
    cache.set('five', 5, 1);
    expect([cache.peek('one'), cache.peek('four'), cache.peek('five')]).toEqual([undefined, 4, 5]);
  });

  it('keeps entries in use while many others pass through', () => {
    const cache = new SecondChanceCache<number, string>(10);
    for (let key = 1; key <= 5; key++) cache.set(key, 'wanted', 1);
    for (let passing = 100; passing < 200; passing++) {
      for (let key = 1; key <= 5; key++) expect(cache.get(key)).toBe('wanted');
      cache.set(passing, 'passing by', 1);
    }
  });

  it('does not count a peek as a read', () => {
    const cache = new SecondChanceCache<string, number>(10);
    cache.set('one', 1, 5);
    cache.set('two', 2, 5);
    expect(cache.peek('one')).toBe(1);
    cache.set('three', 3, 5);
    expect([cache.get('one'), cache.get('two'), cache.get('three')]).toEqual([undefined, 2, 3]);
  });

  it('counts a replaced entry once and keeps its read mark', () => {
    const cache = new SecondChanceCache<string, number>(10);
    for (let size = 1; size <= 6; size++) cache.set('one', size, size);
    cache.get('one');
    cache.set('one', 7, 6);
    cache.set('two', 2, 4);
    cache.set('three', 3, 4);
    expect([cache.peek('one'), cache.peek('two'), cache.peek('three')]).toEqual([7, undefined, 3]);
  });

  it('does not store a value larger than the cache', () => {
    const cache = new SecondChanceCache<string, number>(10);
    cache.set('one', 1, 5);
    cache.get('one');
    cache.set('two', 2, 5);
    cache.set('too much', 3, 11);
    expect([cache.peek('one'), cache.peek('two'), cache.peek('too much')]).toEqual([1, undefined, undefined]);
    cache.set('three', 3, 5);
    expect([cache.peek('one'), cache.peek('three')]).toEqual([1, 3]);
  });
});
