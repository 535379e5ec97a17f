import { describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../src/auth/viewer.ts';
import type { Context } from '../../src/graphql/context.ts';
import { forgetLoaded, perRequest } from '../../src/graphql/per-request.ts';
import { Batcher } from '../../src/infra/batcher.ts';

const request = (): Context => ({ viewer: ANONYMOUS, locale: 'en-US', ip: null, requestId: 'a-request' });

/** A loader on a batcher, and the keys of each batch. */
function recordingLoader() {
  const batches: (readonly number[])[] = [];
  const batcher = new Batcher<number, string>(async (keys) => {
    batches.push(keys);
    return keys.map((key) => (key < 0 ? new Error('unknown') : `value of batch ${batches.length}`));
  });
  const loader = perRequest<number, string>((keys) => batcher.loadMany(keys));
  return { loader, batches };
}

describe('a loader per request', () => {
  it('loads each key once per request', async () => {
    const { loader, batches } = recordingLoader();
    const one = request();
    expect(await Promise.all([loader(one).load(1), loader(one).load(1)])).toEqual([
      'value of batch 1',
      'value of batch 1',
    ]);
    expect(await loader(one).load(1)).toBe('value of batch 1');
    expect(await loader(request()).load(1)).toBe('value of batch 2');
    expect(batches).toEqual([[1], [1]]);
  });

  it('shares the batches of its batcher with other requests', async () => {
    const { loader, batches } = recordingLoader();
    await Promise.all([loader(request()).load(1), loader(request()).load(2)]);
    expect(batches).toEqual([[1, 2]]);
  });

  it('returns errors as values', async () => {
    const { loader } = recordingLoader();
    expect(await loader(request()).loadMany([1, -1])).toEqual(['value of batch 1', new Error('unknown')]);
  });

  it('uses primed values, and those that were loaded before', async () => {
    const { loader, batches } = recordingLoader();
    const one = request();
    loader(one).prime(1, 'primed');
    expect(await loader(one).load(1)).toBe('primed');
    expect(await loader(one).load(2)).toBe('value of batch 1');
    loader(one).prime(2, 'ignored');
    expect(await loader(one).load(2)).toBe('value of batch 1');
    expect(batches).toEqual([[2]]);
  });

  it('loads a key again after a mutation', async () => {
    const { loader, batches } = recordingLoader();
    const one = request();
    await loader(one).load(1);
    forgetLoaded(one);
    await loader(one).load(1);
    expect(batches).toEqual([[1], [1]]);
  });
});
