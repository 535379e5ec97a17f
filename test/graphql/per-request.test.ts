import { describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../src/auth/viewer.ts';
import type { Context } from '../../src/graphql/context.ts';
import { acrossRequests, cachedPerRequest } from '../../src/graphql/per-request.ts';

function recordingLoader() {
  const batches: (readonly number[])[] = [];
  const loader = acrossRequests<number, string>(async (keys) => {
    batches.push(keys);
    return new Map(keys.filter((key) => key > 0).map((key) => [key, `value ${key} of batch ${batches.length}`]));
  });
  return { loader, batches };
}

describe('acrossRequests', () => {
  it('loads the keys of one turn in one batch, each key once', async () => {
    const { loader, batches } = recordingLoader();
    const values = await Promise.all([loader.load(1), loader.load(2), loader.load(1), loader.load(-3)]);
    expect(values).toEqual(['value 1 of batch 1', 'value 2 of batch 1', 'value 1 of batch 1', undefined]);
    expect(batches).toEqual([[1, 2, -3]]);
  });

  it('caches nothing after the batch', async () => {
    const { loader } = recordingLoader();
    expect(await loader.load(1)).toBe('value 1 of batch 1');
    expect(await loader.load(1)).toBe('value 1 of batch 2');
  });

  it('rejects every load of a failed batch, and loads again afterwards', async () => {
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

describe('cachedPerRequest', () => {
  const request = (): Context => ({ viewer: ANONYMOUS, locale: 'en-US', ip: null, requestId: 'a-request' });

  function recordingCache() {
    const loaded: number[] = [];
    const cache = cachedPerRequest<number, string>(async (key) => {
      loaded.push(key);
      if (key < 0) throw new Error('unknown');
      return `value ${loaded.length}`;
    });
    return { cache, loaded };
  }

  it('loads each key once per request', async () => {
    const { cache, loaded } = recordingCache();
    const one = request();
    expect(await Promise.all([cache(one).load(1), cache(one).load(1)])).toEqual(['value 1', 'value 1']);
    expect(await cache(request()).load(1)).toBe('value 2');
    expect(loaded).toEqual([1, 1]);
  });

  it('returns errors as values', async () => {
    const { cache } = recordingCache();
    expect(await cache(request()).loadMany([1, -1])).toEqual(['value 1', new Error('unknown')]);
  });

  it('uses primed values, and those that were loaded before', async () => {
    const { cache, loaded } = recordingCache();
    const one = request();
    cache(one).prime(1, 'primed');
    expect(await cache(one).load(1)).toBe('primed');
    expect(await cache(one).load(2)).toBe('value 1');
    cache(one).prime(2, 'ignored');
    expect(await cache(one).load(2)).toBe('value 1');
    expect(loaded).toEqual([2]);
  });
});
