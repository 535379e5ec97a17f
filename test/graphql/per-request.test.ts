import { describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../src/auth/viewer.ts';
import type { Context } from '../../src/graphql/context.ts';
import { acrossRequests, rememberedPerRequest } from '../../src/graphql/per-request.ts';

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

describe('what a request remembers', () => {
  const request = (): Context => ({ viewer: ANONYMOUS, locale: 'en-US', ip: null, requestId: 'a-request' });

  function counted() {
    const asked: number[] = [];
    const memory = rememberedPerRequest<number, string>(async (key) => {
      asked.push(key);
      if (key < 0) throw new Error('unknown');
      return `answer ${asked.length}`;
    });
    return { memory, asked };
  }

  it('is asked for once for each key, and anew by the next request', async () => {
    const { memory, asked } = counted();
    const one = request();
    expect(await Promise.all([memory(one).load(1), memory(one).load(1)])).toEqual(['answer 1', 'answer 1']);
    expect(await memory(request()).load(1)).toBe('answer 2');
    expect(asked).toEqual([1, 1]);
  });

  it('has errors in the places of what is refused', async () => {
    const { memory } = counted();
    expect(await memory(request()).loadMany([1, -1])).toEqual(['answer 1', new Error('unknown')]);
  });

  it('is asked for again when it has been cleared, and not when it was told', async () => {
    const { memory, asked } = counted();
    const one = request();
    memory(one).prime(1, 'told');
    expect(await memory(one).load(1)).toBe('told');
    memory(one).clear(1);
    expect(await memory(one).load(1)).toBe('answer 1');
    memory(one).prime(1, 'too late');
    expect(await memory(one).load(1)).toBe('answer 1');
    memory(one).clearAll();
    expect(await memory(one).load(1)).toBe('answer 2');
    expect(asked).toEqual([1, 1]);
  });
});
