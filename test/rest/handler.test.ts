import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { RouteReply } from '../../src/rest/route.ts';
import { setUpApp } from '../support/app.ts';
import { encodeForm, exchange } from '../support/client.ts';
import { beginningWith } from '../support/expect-refusal.ts';
import { addon } from '../support/factories.ts';

const BODY = z.strictObject({ name: z.string().max(5), size: z.int().optional() });

const app = setUpApp();
let server: Server;
let url: string;
/** The arguments of the last operation. */
let received: unknown;

beforeAll(async () => {
  await addon({ slug: 'named' });
  const { restHandler } = await import('../../src/rest/handler.ts');
  const { route } = await import('../../src/rest/route.ts');
  const { json, multipart } = await import('../../src/rest/body.ts');
  const { AddonRevisionDocument } = await import('../../src/generated/operations/graphql.ts');
  const common = { signIn: 'optional', params: {}, query: {}, document: AddonRevisionDocument, responses: {} } as const;
  const take = (body: unknown) => {
    received = body;
    return { by: { slug: 'named' } };
  };
  const empty = (): RouteReply => ({ kind: 'empty', cookies: [{ name: 'session', value: 'abc', maxAge: 60 }] });
  const routes = [
    route({
      ...common,
      method: 'POST',
      path: '/json/',
      summary: '',
      body: json(BODY),
      variables: (_, body) => take(body),
      reply: empty,
    }),
    route({
      ...common,
      method: 'POST',
      path: '/form/',
      summary: '',
      body: multipart({ fields: { name: { description: 'Any.' } } }),
      variables: (_, form) => take(Object.fromEntries(form.fields)),
      reply: empty,
    }),
    route({
      ...common,
      method: 'DELETE',
      path: '/none/',
      summary: '',
      variables: (_, body) => take(body),
      reply: empty,
    }),
  ];
  server = createServer(express().use(restHandler(routes)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
});

const JSON_TYPE = { 'Content-Type': 'application/json' };
const post = (path: string, body: string | Buffer, headers: Record<string, string>) =>
  exchange(url, 'POST', `/api/v4/${path}/`, headers, body);

describe('a route with a JSON body', () => {
  it('passes the parsed body to the operation', async () => {
    const reply = await post('json', '{"name": "one", "size": 3}', JSON_TYPE);
    expect([reply.status, reply.text, received]).toEqual([204, '', { name: 'one', size: 3 }]);
  });

  it.each([
    ['malformed JSON', '{"name": ', 400, { detail: beginningWith('The request body is not valid JSON.') }],
    ['a field that is too long', '{"name": "longer"}', 400, { name: [expect.stringContaining('5')] }],
    ['an absent field', '', 400, { name: [expect.any(String)] }],
    ['no object', '[[]]', 400, { non_field_errors: [expect.any(String)] }],
    ['deep nesting', '['.repeat(100_000), 400, { detail: beginningWith('The request body is not valid JSON.') }],
    [
      'more than 64 levels',
      `{"name": "one", "more": ${'['.repeat(64)}${']'.repeat(64)}}`,
      400,
      { detail: 'The JSON is nested deeper than 64 levels.' },
    ],
    [
      'a key __proto__',
      '{"name": "one", "more": [{"__proto__": {}}]}',
      400,
      { detail: 'The JSON has the key "__proto__".' },
    ],
    [
      'too many bytes',
      `"${'x'.repeat(300_000)}"`,
      400,
      { non_field_errors: ['The request body is larger than 256 KiB.'] },
    ],
  ])('refuses %s', async (_what, body, status, json) => {
    const reply = await post('json', body, JSON_TYPE);
    expect([reply.status, reply.json]).toEqual([status, json]);
  });

  it('refuses another media type', async () => {
    const reply = await post('json', 'name=one', { 'Content-Type': 'application/x-www-form-urlencoded' });
    const detail = 'Unsupported media type "application/x-www-form-urlencoded" in request.';
    expect([reply.status, reply.json]).toEqual([415, { detail }]);
  });
});

describe('a route with a form body', () => {
  it('reads the declared fields of a form without a file', async () => {
    const body = encodeForm({ name: 'one', other: 'two', file: Buffer.from('bytes') });
    const headers = { 'Content-Type': 'multipart/form-data; boundary=----a-boundary-of-the-tests' };
    expect((await post('form', body, headers)).status).toBe(204);
    expect(received).toEqual({ name: 'one' });
  });
});

describe('a reply without a body', () => {
  it('is a 204, and may set HttpOnly, SameSite cookies', async () => {
    const reply = await exchange(url, 'DELETE', '/api/v4/none/', {});
    expect([reply.status, reply.text, reply.headers['content-type'], received]).toEqual([
      204,
      '',
      undefined,
      undefined,
    ]);
    expect(reply.headers['set-cookie']).toEqual(['session=abc; Path=/; HttpOnly; SameSite=Lax; Max-Age=60']);
    app.config.BASE_URL = app.config.BASE_URL.replace('http:', 'https:');
    const secure = await exchange(url, 'DELETE', '/api/v4/none/', {});
    expect(secure.headers['set-cookie']?.[0]).toMatch(/; Secure$/);
    app.config.BASE_URL = app.config.BASE_URL.replace('https:', 'http:');
  });
});
