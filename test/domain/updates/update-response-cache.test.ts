import { describe, expect, it } from 'vitest';
import { UpdateResponseCache } from '../../../src/domain/updates/respond.ts';

const MEGABYTE = 2 ** 20;
const response = (size: number) => ({ size });

describe('responses in memory', () => {
  it('are bounded, and ids that clients make up leave those in use', () => {
    const cache = new UpdateResponseCache<{ size: number }>(MEGABYTE);
    const count = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => cache.get(`guid-${from + index}`, 'app')).filter(Boolean).length;
    for (let index = 0; index < 5_000; index++) cache.set(`guid-${index}`, 'app', response(600), performance.now());
    const kept = count(0, 5_000);
    expect(kept).toBeGreaterThan(500);
    expect(kept * 1_000).toBeLessThan(MEGABYTE);
    for (let index = 0; index < 100_000; index++) cache.set(`unknown-${index}`, 'app', null, performance.now());
    expect(count(0, 5_000)).toBe(kept);
    expect([cache.get('unknown-0', 'app'), cache.get('unknown-99999', 'other')]).toEqual([undefined, null]);
  });

  it('are outdated after a change from after the look-up, of their add-on or of all', async () => {
    const cache = new UpdateResponseCache<{ size: number }>(MEGABYTE);
    const before = performance.now();
    for (const guid of ['one', 'two']) cache.set(guid, 'app', response(1), before);
    cache.set('unknown', 'app', null, before);
    cache.change('one');
    cache.change('unknown');
    expect([cache.get('one', 'app'), cache.get('two', 'app'), cache.get('unknown', 'app')]).toEqual([
      undefined,
      response(1),
      undefined,
    ]);
    cache.set('one', 'app', response(2), before);
    expect(cache.get('one', 'app')).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 1));
    cache.set('one', 'app', response(3), performance.now());
    expect(cache.get('one', 'app')).toEqual(response(3));
    cache.drop();
    expect([cache.get('one', 'app'), cache.get('two', 'app')]).toEqual([undefined, undefined]);
  });

  it('have a greatest age', () => {
    const cache = new UpdateResponseCache<{ size: number }>(MEGABYTE);
    cache.set('one', 'app', response(1), performance.now() - 599_000);
    cache.set('two', 'app', response(1), performance.now() - 601_000);
    expect([cache.get('one', 'app'), cache.get('two', 'app')]).toEqual([response(1), undefined]);
  });
});
