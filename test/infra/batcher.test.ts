import { describe, expect, it } from 'vitest';
import { Batcher, type BatcherLimits } from '../../src/infra/batcher.ts';

/** A batcher that records its batches. A key below 0 is missing; `fails` makes a batch reject. */
function recording(limits: Partial<BatcherLimits> = {}, fails: (keys: readonly number[]) => boolean = () => false) {
  const batches: (readonly number[])[] = [];
  const batcher = new Batcher<number, string>(async (keys) => {
    batches.push(keys);
    const batch = batches.length;
    if (fails(keys)) throw new Error('failed');
    return keys.map((key) => (key < 0 ? new Error('missing') : `value ${key} of batch ${batch}`));
  }, limits);
  return { batcher, batches };
}

const keysTo = (end: number): number[] => Array.from({ length: end }, (_, key) => key);

describe('a batcher', () => {
  it('loads the keys of one turn in one batch, each key once', async () => {
    const { batcher, batches } = recording();
    const values = await Promise.all([batcher.load(1), batcher.load(2), batcher.load(1)]);
    expect(values).toEqual(['value 1 of batch 1', 'value 2 of batch 1', 'value 1 of batch 1']);
    expect(batches).toEqual([[1, 2]]);
  });

  it('caches nothing after the batch', async () => {
    const { batcher } = recording();
    expect(await batcher.load(1)).toBe('value 1 of batch 1');
    expect(await batcher.load(1)).toBe('value 1 of batch 2');
  });

  it('rejects the keys without a value', async () => {
    const { batcher } = recording();
    expect(await batcher.loadMany([1, -3])).toEqual(['value 1 of batch 1', new Error('missing')]);
  });

  it('loads concurrent keys in bounded batches, of which a limited number runs at the same time', async () => {
    const sizes: number[] = [];
    let [running, most] = [0, 0];
    const batcher = new Batcher<number, number>(
      async (keys) => {
        sizes.push(keys.length);
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 1));
        running -= 1;
        return keys;
      },
      { maxKeys: 10, running: 2 },
    );
    expect(await batcher.loadMany(keysTo(45))).toEqual(keysTo(45));
    expect([sizes, most]).toEqual([[10, 10, 10, 10, 5], 2]);
  });

  it('loads the keys requested while a batch runs in the next one', async () => {
    const first = Promise.withResolvers<void>();
    const batches: (readonly number[])[] = [];
    const batcher = new Batcher<number, number>(
      async (keys) => {
        batches.push(keys);
        if (batches.length === 1) await first.promise;
        return keys;
      },
      { running: 1 },
    );
    const started = batcher.load(0);
    await expect.poll(() => batches.length).toBe(1);
    const later = [batcher.load(1)];
    await new Promise((resolve) => setTimeout(resolve, 5));
    later.push(batcher.load(2));
    first.resolve();
    expect(await Promise.all([started, ...later])).toEqual([0, 1, 2]);
    expect(batches).toEqual([[0], [1, 2]]);
  });

  it('rejects the keys of a failed batch, and loads them afterwards', async () => {
    let isBroken = true;
    const { batcher } = recording({}, () => isBroken);
    const outcomes = await Promise.allSettled([batcher.load(1), batcher.load(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    expect(await batcher.load(1)).toBe('value 1 of batch 2');
  });

  it('rejects the keys above the limit of waiting ones, and none once those have their values', async () => {
    const { batcher } = recording({ maxKeys: 10, running: 1, waiting: 25 }, (keys) => keys.includes(3));
    const settled = await Promise.allSettled(keysTo(30).map((key) => batcher.load(key)));
    const outcomes = settled.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message));
    expect(outcomes.slice(0, 10)).toEqual(Array(10).fill('failed'));
    expect(outcomes.slice(10, 25)).toEqual(
      keysTo(25)
        .slice(10)
        .map((key) => `value ${key} of batch ${key < 20 ? 2 : 3}`),
    );
    expect(settled.slice(25).map((each) => each.status === 'rejected' && each.reason.code)).toEqual(
      Array(5).fill('UNAVAILABLE'),
    );
    expect(await batcher.load(29)).toBe('value 29 of batch 4');
  });
});
