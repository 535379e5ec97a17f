import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { exchange } from '../support/client.ts';
import { addon } from '../support/factories.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await addon({ guid: 'known@example', slug: 'known', tags: ['a', 'b'] });
});
afterAll(() => app.close());

type Body = Record<string, unknown>;
async function post(body: Body, headers: Record<string, string> = {}) {
  const sent = { 'Content-Type': 'application/json', 'X-Request-Id': 'the-same-id', ...headers };
  const reply = await exchange(app.url, 'POST', '/graphql', sent, JSON.stringify(body));
  const { date: _date, ...shown } = reply.headers;
  return { status: reply.status, headers: shown, text: reply.text };
}

/** What is answered to a text that is new, and to the same when it is known. A comment makes a text a new one. */
let texts = 0;
async function twice(body: Body, headers?: Record<string, string>) {
  const fresh = { ...body, query: `# ${texts++}\n${body.query}` };
  return [await post(fresh, headers), await post(fresh, headers)] as const;
}

const byRef =
  'query Page($ref: String!) { addon(ref: $ref) { guid tags name { value } versions(first: 2) { totalCount } } }';
const several = 'query($there: Boolean!) { viewer { id } addon(ref: "known") @include(if: $there) { guid } }';

describe('a query whose text is known', () => {
  it.each<[string, Body, number]>([
    ['a whole answer', { query: byRef, variables: { ref: 'known' } }, 200],
    ['the name of its operation', { query: byRef, variables: { ref: 'known' }, operationName: 'Page' }, 200],
    ['no variables', { query: '{ __typename viewer { id } }', variables: null, operationName: null }, 200],
    ['a directive', { query: several, variables: { there: false } }, 200],
    ['an add-on that is not there', { query: byRef, variables: { ref: 'nowhere' } }, 200],
    ['half of what was asked for', { query: '{ viewer { id } node(id: "x") { id } }' }, 200],
    ['a variable of another type', { query: byRef, variables: { ref: 7 } }, 400],
    ['a variable that is missing', { query: byRef }, 400],
    ['variables that are none', { query: byRef, variables: ['known'] }, 400],
    ['an operation that is not there', { query: byRef, variables: { ref: 'known' }, operationName: 'Other' }, 400],
    ['an unknown parameter', { query: byRef, variables: { ref: 'known' }, more: 1 }, 400],
    ['extensions', { query: byRef, variables: { ref: 'known' }, extensions: { a: 1 } }, 200],
    ['two operations', { query: `${byRef} query B { __typename }`, operationName: 'B' }, 200],
    ['a mutation', { query: 'mutation { createApiKey(input: {}) { __typename } }' }, 200],
    ['a text that is not valid', { query: '{ nothing }' }, 200],
  ])('is answered as when it was new: %s', async (_what, body, status) => {
    const [fresh, known] = await twice(body);
    expect(known).toEqual(fresh);
    expect(known.status).toBe(status);
  });

  it.each([
    [byRef, true],
    ['{ viewer { id } }', true],
    ['{ nothing }', false],
    [`${byRef} query B { __typename }`, false],
    ['mutation { createApiKey(input: {}) { __typename } }', false],
    [`{ viewer { id } } # ${'x'.repeat(20_000)}`, false],
  ])('is kept, if it is one query that is valid and not too long: %.60s', async (query, isKept) => {
    const { knownQuery } = await import('../../src/graphql/known-queries.ts');
    await post({ query, operationName: query.includes('query B') ? 'B' : null });
    expect(knownQuery(query) !== undefined).toBe(isKept);
  });

  it.each([
    'application/json',
    'application/graphql-response+json',
    'application/graphql-response+json, application/json;q=0.9',
    'application/json, */*',
    'application/graphql-response+json, */*;q=0.1',
    'application/json; charset=utf-8',
    'application/json; charset=latin1',
    'text/event-stream, application/json',
    'text/event-stream',
    'text/html',
    'application/*',
    '',
  ])('is answered in the same form to Accept: %s', async (accept) => {
    for (const variables of [{ ref: 'known' }, { ref: 'nowhere' }, {}]) {
      const [fresh, known] = await twice({ query: byRef, variables }, { Accept: accept });
      expect(known).toEqual(fresh);
    }
  });

  it('is counted again with variables that make it cost more', async () => {
    const query = 'query Log($n: Int) { signatureLog(first: $n) { edges { node { id serial hash } } } }';
    const codes = async (n: number | null | undefined) =>
      (await post({ query, variables: { n } })).text.match(/[A-Z_]{9,}/g);
    for (const n of [5, 5, 100, undefined, null]) expect(await codes(n)).toBeNull();
    for (const n of [10_000, 10_000]) expect(await codes(n)).toEqual(['QUERY_TOO_COMPLEX']);
    expect(await codes(5)).toBeNull();
  });

  it('is counted again with variables that ask for more of it', async () => {
    const log = 'signatureLog(first: 10000) { edges { node { id serial hash } } }';
    const query = `query More($more: Boolean!) { viewer { id } ... @include(if: $more) { ${log} } }`;
    // What is left out counts as well: the answer is the same each time.
    for (const more of [false, false, true, true]) {
      expect((await post({ query, variables: { more } })).text).toContain('QUERY_TOO_COMPLEX');
    }
    const only = `query Only($more: Boolean!) { __typename ... @include(if: $more) { ${log} } }`;
    expect((await post({ query: only, variables: { more: false } })).text).toBe('{"data":{"__typename":"Query"}}');
    for (const more of [false, true]) {
      const { text } = await post({ query: only, variables: { more } });
      expect(text.includes('QUERY_TOO_COMPLEX')).toBe(more);
    }
  });

  it('is refused when only persisted operations are answered', async () => {
    const body = { query: byRef, variables: { ref: 'known' } };
    expect((await twice(body)).map(({ status }) => status)).toEqual([200, 200]);
    await post(body);
    Object.assign(app.config, { PERSISTED_ONLY: true });
    try {
      expect(await post(body)).toMatchObject({ status: 400 });
    } finally {
      Object.assign(app.config, { PERSISTED_ONLY: false });
    }
  });

  it('is answered to each as what he may see', async () => {
    const developer = await app.developer();
    const query = '{ viewer { username } }';
    for (const _time of [1, 2]) {
      expect((await post({ query })).text).toBe('{"data":{"viewer":null}}');
      const reply = await developer.request('POST', '/graphql', {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      expect(reply.json).toMatchObject({ data: { viewer: { username: expect.any(String) } } });
      expect(reply.headers['cache-control']).toBe('private, no-store');
    }
  });
});

describe('a query by its hash', () => {
  const variables = { ref: 'known', guid: ['known@example'], page: 1, pageSize: 5, one: false, app: 'DESKTOP_BROWSER' };

  it.each([variables, { ...variables, ref: 'nowhere' }, { ...variables, one: 'maybe' }, {}])(
    'is answered by POST as by GET, which takes the long way: %j',
    async (given) => {
      const { PERSISTED } = await import('../../src/graphql/persisted-operations.ts');
      for (const [sha256Hash, text] of PERSISTED) {
        if (text.includes('mutation ')) continue;
        const extensions = { persistedQuery: { version: 1, sha256Hash } };
        const { status, text: short } = await post({ extensions, variables: given });
        const asked = new URLSearchParams({ extensions: JSON.stringify(extensions), variables: JSON.stringify(given) });
        const long = await exchange(app.url, 'GET', `/graphql?${asked}`, { 'X-Request-Id': 'the-same-id' });
        expect([status, short]).toEqual([long.status, long.text]);
      }
    },
  );

  it.each([{}, null, 7, { persistedQuery: null }, { persistedQuery: 1 }, { persistedQuery: { version: 1 } }])(
    'needs one: %j',
    async (extensions) => {
      expect((await post({ extensions })).status).toBe(400);
    },
  );
});
