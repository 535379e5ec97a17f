import { describe, expect, it } from 'vitest';
import { HeldResponses } from '../../../src/domain/updates/held-responses.ts';
import { joinedLookup } from '../../../src/infra/joined-lookup.ts';

const MEGABYTE = 2 ** 20;
const response = (size: number) => ({ size });

describe('responses in memory', () => {
  it('are bounded, and ids that clients make up leave those in use', () => {
    const held = new HeldResponses<{ size: number }>(MEGABYTE);
    const count = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => held.get(`guid-${from + index}`, 'app')).filter(Boolean).length;
    for (let index = 0; index < 5_000; index++) held.set(`guid-${index}`, 'app', response(600), performance.now());
    const kept = count(0, 5_000);
    expect(kept).toBeGreaterThan(500);
    expect(kept * 1_000).toBeLessThan(MEGABYTE);
    for (let index = 0; index < 100_000; index++) held.set(`unknown-${index}`, 'app', null, performance.now());
    expect(count(0, 5_000)).toBe(kept);
    expect([held.get('unknown-0', 'app'), held.get('unknown-99999', 'other')]).toEqual([undefined, null]);
  });

  it('are outdated after a change from after the look-up, of their add-on or of all', async () => {
    const held = new HeldResponses<{ size: number }>(MEGABYTE);
    const before = performance.now();
    for (const guid of ['one', 'two']) held.set(guid, 'app', response(1), before);
    held.set('unknown', 'app', null, before);
    held.change('one');
    held.change('unknown');
    expect([held.get('one', 'app'), held.get('two', 'app'), held.get('unknown', 'app')]).toEqual([
      undefined,
      response(1),
      undefined,
    ]);
    held.set('one', 'app', response(2), before);
    expect(held.get('one', 'app')).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 1));
    held.set('one', 'app', response(3), performance.now());
    expect(held.get('one', 'app')).toEqual(response(3));
    held.drop();
    expect([held.get('one', 'app'), held.get('two', 'app')]).toEqual([undefined, undefined]);
  });

  it('have a greatest age', () => {
    const held = new HeldResponses<{ size: number }>(MEGABYTE);
    held.set('one', 'app', response(1), performance.now() - 599_000);
    held.set('two', 'app', response(1), performance.now() - 601_000);
    expect([held.get('one', 'app'), held.get('two', 'app')]).toEqual([response(1), undefined]);
  });
});

describe('a joined look-up', () => {
  const limits = { keys: 10, running: 1, waiting: 25 };

  it('loads concurrent keys together, in bounded batches', async () => {
    const batches: number[] = [];
    const find = joinedLookup<number, number>(async (keys) => {
      batches.push(keys.length);
      return keys.map((key) => key + 100);
    }, limits);
    expect(await Promise.all(Array.from({ length: 25 }, (_, key) => find(key)))).toEqual(
      Array.from({ length: 25 }, (_, key) => key + 100),
    );
    expect(batches).toEqual([10, 10, 5]);
    expect(await find(7)).toBe(107);
  });

  it('rejects the keys of a failed batch, and those above the limit of waiting ones', async () => {
    const find = joinedLookup<number, number>(async (keys) => {
      if (keys.includes(3)) throw new Error('failed');
      return [...keys];
    }, limits);
    const settled = await Promise.allSettled(Array.from({ length: 30 }, (_, key) => find(key)));
    const outcomes = settled.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message));
    expect(outcomes.slice(0, 10)).toEqual(Array(10).fill('failed'));
    expect(outcomes.slice(10, 25)).toEqual(Array.from({ length: 15 }, (_, key) => key + 10));
    expect(settled.slice(25).map((each) => each.status === 'rejected' && each.reason.code)).toEqual(
      Array(5).fill('UNAVAILABLE'),
    );
  });
});
