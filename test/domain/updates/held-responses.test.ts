import { describe, expect, it } from 'vitest';
import { HeldResponses } from '../../../src/domain/updates/held-responses.ts';

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
