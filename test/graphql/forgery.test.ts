import { describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { encodeForm, exchange } from '../support/client.ts';

const app = setUpApp();

const query = '{ viewer { username } }';
const json = JSON.stringify({ query });
const form = encodeForm({ operations: json, map: '{}' }, 'b');
const urlencoded = `query=${encodeURIComponent(query)}`;

const send = (type: string | null, body: string | Buffer, headers: Record<string, string> = {}) =>
  exchange(app.url, 'POST', '/graphql', { ...(type === null ? {} : { 'Content-Type': type }), ...headers }, body);

describe('a request that another site can make a browser send', () => {
  it.each([
    ['text', 'text/plain', json],
    ['text with a parameter', 'text/plain;charset=UTF-8', json],
    ['text in capitals', 'TEXT/Plain', json],
    ['text that mentions JSON', 'text/plain; application/json', json],
    ['a form', 'application/x-www-form-urlencoded', urlencoded],
    ['a form with parts', 'multipart/form-data; boundary=b', form],
    ['a form with parts, in another spelling', ' Multipart/Form-Data;boundary=b', form],
    ['no type', null, json],
    ['an empty type', '', json],
  ])('is refused with the media type of %s', async (_what, type, body) => {
    const developer = await app.developer();
    for (const headers of [{}, { Cookie: 'sessionid=1; frontend_auth_token=1' }, developer.authorization()]) {
      const reply = await send(type, body, headers);
      expect(reply.status).toBe(403);
      expect(reply.json).toMatchObject({ errors: [{ extensions: { code: 'CSRF_HEADER_REQUIRED' } }] });
    }
  });

  it.each([
    ['a form', 'application/x-www-form-urlencoded', urlencoded, 200],
    ['text', 'text/plain', json, 415],
  ])('passes the CSRF check as %s with the header', async (_what, type, body, status) => {
    expect((await send(type, body, { 'X-GraphQL-Yoga-CSRF': '1' })).status).toBe(status);
  });

  it('needs no CSRF header as JSON, because browsers send a preflight request first', async () => {
    expect((await send('application/json', json)).json).toEqual({ data: { viewer: null } });
    expect((await send('application/json; charset=utf-8', json)).status).toBe(200);
  });

  it('can read with GET, and cannot change anything', async () => {
    const get = (text: string) => exchange(app.url, 'GET', `/graphql?query=${encodeURIComponent(text)}`, {});
    expect((await get(query)).json).toEqual({ data: { viewer: null } });
    expect((await get('mutation { createApiKey(input: {}) { __typename } }')).status).toBe(405);
  });

  it('is not allowed to carry credentials', async () => {
    const reply = await exchange(app.url, 'OPTIONS', '/graphql', {
      Origin: 'https://elsewhere.example',
      'Access-Control-Request-Method': 'POST',
    });
    expect(reply.headers['access-control-allow-origin']).toBe('*');
    expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
  });
});

describe('credentials', () => {
  it('that are invalid are refused before the body is read', async () => {
    const announced = { Authorization: 'JWT not.a.token', 'Content-Length': '1000000' };
    const reply = await send('application/json', '{', announced);
    expect(reply.status).toBe(401);
    expect(reply.headers['www-authenticate']).toBe('bearer realm="api"');
    expect(reply.json).toEqual({
      errors: [
        {
          message: expect.stringMatching(/^Error decoding signature\. The header of the token/),
          extensions: {
            code: 'NOT_AUTHENTICATED',
            messageCode: 'token.unreadable_header',
            messageParams: {},
            details: { tokenProblem: 'ERROR_DECODING_SIGNATURE' },
          },
        },
      ],
    });
  });

  it('identify the viewer for one request only', async () => {
    const developer = await app.developer();
    const authorization = developer.authorization();
    const first = await send('application/json', '{"query":"{ viewer { databaseId } }"}', authorization);
    expect(first.json).toEqual({ data: { viewer: { databaseId: developer.accountId } } });
    expect(first.headers['cache-control']).toBe('private, no-store');
    const second = await send('application/json', json, authorization);
    expect(second.status).toBe(401);
    expect(second.text).toContain('JWT jti has already been used.');
  });
});
