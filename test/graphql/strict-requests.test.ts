import { describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { exchange } from '../support/client.ts';
import { globalId } from '../support/global-ids.ts';
import { xpi } from '../support/packages.ts';

const app = setUpApp();

const QUERY = '{"query": "{ __typename }"}';
const CSRF = { 'X-GraphQL-Yoga-CSRF': '1' };
const codesOf = (json: unknown) =>
  (json as { errors?: { extensions?: { code?: string } }[] }).errors?.map(({ extensions }) => extensions?.code);

async function post(headers: Record<string, string>, body = QUERY) {
  const { status, json } = await exchange(app.url, 'POST', '/graphql', headers, body);
  return [status, codesOf(json)];
}

async function get(parameters: Record<string, string>) {
  const { status, headers, json } = await exchange(app.url, 'GET', `/graphql?${new URLSearchParams(parameters)}`, {});
  return [status, codesOf(json), headers.allow];
}

describe('content types', () => {
  it.each(['text/plain', 'application/graphql-response+json', 'application/xml', 'nonsense', ''])(
    '%j gets 415 with a code',
    async (type) => {
      expect(await post({ ...CSRF, 'Content-Type': type })).toEqual([415, ['UNSUPPORTED_MEDIA_TYPE']]);
    },
  );

  it.each(['application/json', 'Application/JSON', 'application/json ; charset=utf-8', 'application/graphql+json'])(
    '%s is read',
    async (type) => {
      expect(await post({ 'Content-Type': type })).toEqual([200, undefined]);
    },
  );
});

describe('accepted types', () => {
  const accepting = (Accept: string, body = QUERY) => post({ 'Content-Type': 'application/json', Accept }, body);

  it.each(['application/xml', 'text/css, image/*', ';;;q=,,,'])('%s gets 406 with a code', async (accept) => {
    expect(await accepting(accept)).toEqual([406, ['NOT_ACCEPTABLE']]);
  });

  it.each(['', '*/*', 'application/*;q=0.5', 'text/css, Application/JSON'])('%s gets a result', async (accept) => {
    expect(await accepting(accept)).toEqual([200, undefined]);
  });

  it('without events get 406 for a subscription', async () => {
    const upload = await xpi({ guid: 'accept@example' });
    const developer = await app.developer();
    const { pk } = (await developer.put('/api/v4/addons/accept@example/versions/1.0/', { upload })).json as {
      pk: string;
    };
    const query = JSON.stringify({
      query: `subscription { uploadChanged(id: "${globalId('Upload', pk)}") { stage } }`,
    });
    for (const Accept of ['application/json', 'multipart/mixed']) {
      const headers = { 'Content-Type': 'application/json', ...developer.authorization() };
      expect(await post({ ...headers, Accept }, query)).toEqual([406, ['NOT_ACCEPTABLE']]);
    }
  });
});

describe('parameters', () => {
  it.each(['variables', 'extensions'])('with malformed JSON in %s get 400', async (name) => {
    expect((await get({ query: '{ __typename }', [name]: '{bad' })).slice(0, 2)).toEqual([400, ['BAD_REQUEST']]);
    const form = { ...CSRF, 'Content-Type': 'application/x-www-form-urlencoded' };
    expect(await post(form, `query={__typename}&${name}={bad`)).toEqual([400, ['BAD_REQUEST']]);
  });

  it.each(['variables', 'extensions'])('have at most 64 levels in %s', async (name) => {
    const nested = (levels: number) =>
      `{"query": "{ __typename }", "${name}": {"a": ${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}}`;
    const json = { 'Content-Type': 'application/json' };
    expect(await post(json, nested(64))).toEqual([200, undefined]);
    expect(await post(json, nested(65))).toEqual([400, ['BAD_REQUEST']]);
    expect(await post(json, nested(100_000))).toEqual([400, ['BAD_REQUEST']]);
  });

  it('have no key __proto__', async () => {
    const body = '{"query": "{ __typename }", "variables": {"a": [{"__proto__": {"x": 1}}]}}';
    expect(await post({ 'Content-Type': 'application/json' }, body)).toEqual([400, ['BAD_REQUEST']]);
  });
});

describe('a mutation by GET', () => {
  it('gets 405 with Allow', async () => {
    const expected = [405, ['METHOD_NOT_ALLOWED'], 'POST'];
    expect(await get({ query: 'mutation { createApiKey(input: {}) { __typename } }' })).toEqual(expected);
    const both = 'query A { __typename } mutation B { createApiKey(input: {}) { __typename } }';
    expect(await get({ query: both, operationName: 'B' })).toEqual(expected);
    expect(await get({ query: both, operationName: 'A' })).toEqual([200, undefined, undefined]);
  });
});
