import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { exchange } from '../support/client.ts';
import { addon } from '../support/factories.ts';

const app = setUpApp();
let persisted: ReadonlyMap<string, string>;
beforeAll(async () => {
  ({ PERSISTED: persisted } = await import('../../src/execution/yoga.ts'));
  await addon({ guid: 'kept@persisted', slug: 'kept' });
});

interface Result {
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions: { code: string } }[];
}
async function post(body: Record<string, unknown>) {
  const headers = { 'Content-Type': 'application/json' };
  const { status, json } = await exchange(app.url, 'POST', '/graphql', headers, JSON.stringify(body));
  const { data, errors = [] } = json as Result;
  return {
    status,
    data,
    codes: errors.map(({ extensions }) => extensions?.code),
    messages: errors.map((each) => each.message),
  };
}
const byHash = (sha256Hash: unknown) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
const hashOf = (operation: string) =>
  [...persisted].find(([, text]) => text.includes(`query ${operation}(`))?.[0] ?? operation;
const variables = { slug: 'kept' };

describe('persisted operations', () => {
  it('are the samples, keyed by the SHA-256 of their text', () => {
    for (const [hash, text] of persisted) expect(createHash('sha256').update(text).digest('hex')).toBe(hash);
    expect(persisted.size).toBeGreaterThan(10);
  });

  it('return the same by hash as by text, with POST and GET', async () => {
    const hash = hashOf('Policies');
    const whole = await post({ query: persisted.get(hash), variables });
    expect(whole.codes).toEqual([]);
    expect(await post({ ...byHash(hash), variables })).toEqual(whole);
    const query = new URLSearchParams({
      extensions: JSON.stringify(byHash(hash).extensions),
      variables: JSON.stringify(variables),
    });
    const got = await app.anonymous.get(`/graphql?${query}`, { Accept: 'application/json' });
    expect((got.json as Result).data).toEqual(whole.data);
  });

  it('are within the query limits', async () => {
    for (const hash of persisted.keys()) {
      const { messages } = await post(byHash(hash));
      expect(
        messages.filter(
          (message) => !/^Variable |^Subscription|^Authentication|^Not found|^Expected a global id/.test(message),
        ),
      ).toEqual([]);
    }
  });

  it.each([['0'.repeat(64)], ['__proto__'], [''], [7], [null], [{}]])('are not found by the hash %j', async (hash) => {
    const { status, data, codes } = await post(byHash(hash));
    expect([status, data ?? null, codes.length]).toEqual([400, null, 1]);
  });
});

describe('PERSISTED_ONLY', () => {
  beforeAll(() => void Object.assign(app.config, { PERSISTED_ONLY: true }));
  afterAll(() => void Object.assign(app.config, { PERSISTED_ONLY: false }));

  it('refuses other operations', async () => {
    expect(await post({ query: '{ __typename }' })).toMatchObject({ status: 400, codes: ['PERSISTED_QUERY_ONLY'] });
    expect((await post({})).status).toBe(400);
  });

  it('allows persisted operations, and does not apply to REST', async () => {
    expect((await post({ ...byHash(hashOf('Policies')), variables })).codes).toEqual([]);
    expect((await app.anonymous.get('/api/v4/addons/addon/kept@persisted/')).status).toBe(200);
  });
});
