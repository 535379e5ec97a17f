import { describe, expect, it } from 'vitest';
import { acrossRequests } from '../../src/graphql/per-request.ts';

function counted() {
  const batches: (readonly number[])[] = [];
  const loader = acrossRequests<number, string>(async (keys) => {
    batches.push(keys);
    return new Map(keys.filter((key) => key > 0).map((key) => [key, `value ${key} of batch ${batches.length}`]));
  });
  return { loader, batches };
}

describe('a loader for all requests', () => {
  it('loads together what is asked for in one turn, each key once', async () => {
    const { loader, batches } = counted();
    const answers = await Promise.all([loader.load(1), loader.load(2), loader.load(1), loader.load(-3)]);
    expect(answers).toEqual(['value 1 of batch 1', 'value 2 of batch 1', 'value 1 of batch 1', undefined]);
    expect(batches).toEqual([[1, 2, -3]]);
  });

  it('keeps nothing: whoever asks later gets the state of later', async () => {
    const { loader } = counted();
    expect(await loader.load(1)).toBe('value 1 of batch 1');
    expect(await loader.load(1)).toBe('value 1 of batch 2');
  });

  it('tells everybody of a batch when it fails, and is of use again afterwards', async () => {
    let isBroken = true;
    const loader = acrossRequests<number, number>(async (keys) => {
      if (isBroken) throw new Error('gone');
      return new Map(keys.map((key) => [key, key]));
    });
    const outcomes = await Promise.allSettled([loader.load(1), loader.load(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    expect(await loader.load(1)).toBe(1);
  });
});
