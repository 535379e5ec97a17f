import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { exchange } from '../support/client.ts';
import { addon } from '../support/factories.ts';

const app = setUpApp();

const JSON_TYPE = { 'Content-Type': 'application/json' };
const send = (body: unknown, headers: Record<string, string> = {}) =>
  exchange(app.url, 'POST', '/graphql', { ...JSON_TYPE, ...headers }, JSON.stringify(body));
const codesOf = (json: unknown) =>
  (json as { errors?: { extensions?: { code?: string } }[] }).errors?.map(({ extensions }) => extensions?.code);

describe('methods', () => {
  it.each(['PUT', 'DELETE', 'PATCH'])('%s returns 405 with Allow', async (method) => {
    const reply = await exchange(app.url, method, '/graphql?query=%7B__typename%7D', JSON_TYPE, '{}');
    expect([reply.status, reply.headers.allow, codesOf(reply.json)]).toEqual([
      405,
      'GET, POST, OPTIONS',
      ['METHOD_NOT_ALLOWED'],
    ]);
  });

  it('HEAD returns 405 with Allow and no body', async () => {
    const reply = await exchange(app.url, 'HEAD', '/graphql?query=%7B__typename%7D', {});
    expect([reply.status, reply.headers.allow, reply.text]).toEqual([405, 'GET, POST, OPTIONS', '']);
  });
});

describe('every error has a code', () => {
  const types = ['application/json', 'application/graphql-response+json'];
  const field = (argument: string) => `{ addons(${argument}) { totalCount } }`;
  it.each([
    ['no query', {}, 'BAD_REQUEST'],
    ['a query that is a number', { query: 7 }, 'BAD_REQUEST'],
    ['variables that are a list', { query: '{ __typename }', variables: [] }, 'BAD_REQUEST'],
    ['an unknown parameter', { query: '{ __typename }', more: 1 }, 'BAD_REQUEST'],
    ['an unknown operation', { query: 'query A { __typename }', operationName: 'B' }, 'OPERATION_RESOLUTION_FAILURE'],
    ['a syntax error', { query: '{' }, 'GRAPHQL_PARSE_FAILED'],
    ['too many tokens', { query: `{ ${'__typename '.repeat(2_001)} }` }, 'GRAPHQL_PARSE_FAILED'],
    ['an unknown field', { query: '{ nothing }' }, 'GRAPHQL_VALIDATION_FAILED'],
    ['a literal of another type', { query: field('first: "x"') }, 'GRAPHQL_VALIDATION_FAILED'],
    ['a missing variable', { query: 'query($id: ID!) { node(id: $id) { id } }' }, 'BAD_USER_INPUT'],
    [
      'a variable of another type',
      { query: 'query($n: Int) { addons(first: $n) { totalCount } }', variables: { n: 'x' } },
      'BAD_USER_INPUT',
    ],
    ['a page size of 0', { query: field('first: 0') }, 'BAD_USER_INPUT'],
    ['a negative page size', { query: field('first: -1') }, 'BAD_USER_INPUT'],
    ['a page size above the maximum', { query: field('first: 101') }, 'BAD_USER_INPUT'],
    ['an invalid cursor', { query: field('after: "x"') }, 'BAD_USER_INPUT'],
    ['two directions', { query: field('first: 1, last: 1') }, 'BAD_USER_INPUT'],
    ['a page by position of size 0', { query: '{ replacements(first: 0) { totalCount } }' }, 'BAD_USER_INPUT'],
    ['a page by position of size 101', { query: '{ replacements(last: 101) { totalCount } }' }, 'BAD_USER_INPUT'],
    ['a numbered page', { query: '{ replacements(page: 1) { totalCount } }' }, 'GRAPHQL_VALIDATION_FAILED'],
    ['no upload of this id', { query: '{ upload(by: { id: "VXBsb2FkOng=" }) { id } }' }, 'NOT_FOUND'],
    ['an invalid id', { query: '{ node(id: "x") { id } }' }, 'BAD_USER_INPUT'],
    ['a missing add-on', { query: '{ addon(by: { slug: "none" }) { id } }' }, 'NOT_FOUND'],
    ['a huge page size', { query: field('first: 100000') }, 'BAD_USER_INPUT'],
    [
      'a costly query',
      {
        query: '{ addons(first: 100) { nodes { versions(first: 100) { nodes { id version url channel created } } } } }',
      },
      'QUERY_TOO_COMPLEX',
    ],
  ])('%s', async (_what, body, code) => {
    for (const accept of types) {
      // The second response comes from the caches.
      for (const _time of [1, 2]) {
        const reply = await send(body, { Accept: accept });
        expect([accept, reply.status < 500, new Set(codesOf(reply.json))]).toEqual([accept, true, new Set([code])]);
      }
    }
  });

  it('a body that is not JSON', async () => {
    const reply = await exchange(app.url, 'POST', '/graphql', JSON_TYPE, '{');
    expect([reply.status, codesOf(reply.json)]).toEqual([400, ['BAD_REQUEST']]);
  });

  it('a request without a query returns 400 for both media types', async () => {
    for (const accept of types) expect((await send({}, { Accept: accept })).status).toBe(400);
    expect((await app.anonymous.get('/graphql', { Accept: 'application/json' })).status).toBe(400);
  });

  it('suggests names for unknown fields', async () => {
    const { text } = await send({ query: '{ viewr { id } }' });
    expect(text).toContain('Did you mean \\"viewer\\"');
  });
});

describe('hashes of persisted queries', () => {
  const withHash = (sha256Hash: string, query?: string) => ({
    query,
    extensions: { persistedQuery: { version: 1, sha256Hash } },
  });
  const query = '{ __typename }';
  const hash = createHash('sha256').update(query).digest('hex');

  it('return PERSISTED_QUERY_NOT_SUPPORTED if unknown, so that clients stop sending them', async () => {
    const reply = await send(withHash(hash));
    expect(reply.json).toMatchObject({
      errors: [{ message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }],
    });
  });

  it('are refused if they do not match the query', async () => {
    expect((await send(withHash(hash, query))).json).toEqual({ data: { __typename: 'Query' } });
    const reply = await send(withHash(hash, '{ viewer { id } }'));
    expect([reply.status, codesOf(reply.json)]).toEqual([400, ['PERSISTED_QUERY_HASH_MISMATCH']]);
  });
});

describe('responses', () => {
  it('to GET have Vary and Cache-Control', async () => {
    const path = '/graphql?query=%7B__typename%7D';
    const anonymous = await app.anonymous.get(path, { Accept: 'application/json' });
    expect([anonymous.headers['cache-control'], anonymous.headers.vary]).toEqual([
      'no-cache',
      'Accept, Accept-Language, Authorization',
    ]);
    const signedIn = await (await app.developer()).get(path, { Accept: 'application/json' });
    expect([signedIn.headers['cache-control'], signedIn.headers.vary]).toEqual([
      'private, no-store',
      'Accept, Accept-Language, Authorization',
    ]);
  });

  it('that refuse a GET have Vary and Cache-Control too', async () => {
    const path = '/graphql?query=%7B__typename%7D';
    const refusals = [
      await exchange(app.url, 'GET', path, { Authorization: 'Bearer wrong', Accept: 'application/json' }),
      await exchange(app.url, 'GET', path, { Accept: 'image/png' }),
      await exchange(app.url, 'HEAD', path, {}),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([401, 406, 405]);
    for (const { headers } of refusals) {
      expect([headers['cache-control'], headers.vary]).toEqual(['no-cache', 'Accept, Accept-Language, Authorization']);
    }
  });

  it('above 5 MB are replaced by an error', async () => {
    const description = { 'en-US': 'x'.repeat(100_000) };
    for (let index = 0; index < 5; index++) await addon({ guid: `large-${index}@size`, description });
    const aliases = Array.from({ length: 12 }, (_, index) => `a${index}: description { value }`).join(' ');
    const reply = await send({ query: `{ addons(first: 5) { edges { node { ${aliases} } } } }` });
    expect(reply.json).toEqual({
      errors: [{ message: expect.stringContaining('5 MB'), extensions: { code: 'RESPONSE_TOO_LARGE' } }],
    });
    const smaller = await send({ query: '{ addons(first: 5) { edges { node { description { value } } } } }' });
    expect(smaller.bytes.length).toBeGreaterThan(500_000);
  });
});
