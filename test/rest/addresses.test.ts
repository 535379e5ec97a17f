import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { type Client, exchange } from '../support/client.ts';
import { expectRefusal, signingRefusal } from '../support/expect-refusal.ts';
import { addon } from '../support/factories.ts';
import { xpi } from '../support/packages.ts';

const app = setUpApp();
let dev: Client;

beforeAll(async () => {
  dev = await app.developer();
});

const UNKNOWN = { error: 'Could not find add-on with guid "a@x".', detail: 'Could not find add-on with guid "a@x".' };

describe('addresses under /api/', () => {
  it.each([
    '/api/v4/addons/a@x/versions/1.0/',
    '/api/v4/addons/a@x/versions/1.0',
    '/api/v4/addons/a%40x/versions/1.0/',
    '/api/v3/addons/a@x/versions/1.0/',
    '/api/v4dev/addons/a@x/versions/1.0/',
    '/api/v4/addons/a@x/versions/1.0/uploads/0123456789abcdef0123456789abcdef/',
    '/api/v4/addons/a@x/versions/1.0/uploads/0123456789abcdef0123456789abcdef',
  ])('serves %s with and without the slash, encoded and raw', async (path) => {
    const reply = await dev.get(path);
    expect(reply.status).toBe(404);
    expect(reply.json).toEqual(UNKNOWN);
  });

  it('accepts raw and encoded braces in an id', async () => {
    const guid = '{12345678-1234-1234-1234-123456789012}';
    const detail = `Could not find add-on with guid "${guid}".`;
    for (const spelt of [guid, encodeURIComponent(guid)]) {
      expect((await dev.get(`/api/v4/addons/${spelt}/versions/1/`)).json).toEqual({ error: detail, detail });
    }
  });

  it.each([
    '/api',
    '/api/',
    '/api/v4',
    '/api/v2/addons/a@x/versions/1.0/',
    '/api/V4/addons/a@x/versions/1.0/',
    '/api/v4/Addons/a@x/versions/1.0/',
    '/api/v4/addons/a@x/versions/',
    '/api/v4/addons//versions/1.0/',
    '/api/v4//addons/a@x/versions/1.0/',
    '/api/v4/addons/a@x/versions/1.0//',
    '/api/v4/addons/a@x/versions/1.0/uploads/',
    '/api/v4/addons/%zz/versions/1.0/',
    '/api/v4/addons/%/versions/1.0/',
    '/api/v4/addons/%c3%28/versions/1.0/',
    '/api/v4/addons/a%00x/versions/1.0/',
    '/api/v4/file/1/',
    '/api/v4/file/1/../../etc',
  ])('returns 404 for %s', async (path) => {
    const reply = await dev.get(path);
    expectRefusal(reply, { status: 404, json: { detail: 'Not found.' } });
  });

  it('returns 405 with the allowed methods before authentication', async () => {
    const cases: [string, string, string][] = [
      ['DELETE', '/api/v4/addons/a@x/versions/1.0/', 'GET, PUT, HEAD, OPTIONS'],
      ['POST', '/api/v3/addons/a@x/versions/1.0', 'GET, PUT, HEAD, OPTIONS'],
      ['GET', '/api/v4/addons/', 'POST, OPTIONS'],
      ['HEAD', '/api/v4/addons/', 'POST, OPTIONS'],
      ['PATCH', '/api/v4/file/1/name.xpi', 'GET, HEAD, OPTIONS'],
      ['TRACE', '/api/v4/file/1/name.xpi', 'GET, HEAD, OPTIONS'],
    ];
    for (const [method, path, allow] of cases) {
      const reply = await app.anonymous.request(method, path);
      const json = method === 'HEAD' ? null : { detail: `Method "${method}" not allowed.` };
      expectRefusal(reply, { status: 405, json, headers: { allow } });
    }
  });

  it('authenticates before it looks up the add-on', async () => {
    const path = '/api/v4/addons/a@x/versions/1.0/';
    for (const method of ['GET', 'PUT']) {
      const reply = await app.anonymous.request(method, path);
      expectRefusal(reply, signingRefusal(401, 'Authentication credentials were not provided.'));
    }
  });

  it('responds to HEAD as to GET, without a body', async () => {
    await dev.put('/api/v4/addons/head@x/versions/1.0/', { upload: await xpi({ guid: 'head@x', version: '1.0' }) });
    const get = await dev.get('/api/v4/addons/head@x/versions/1.0/');
    const head = await dev.head('/api/v4/addons/head@x/versions/1.0/');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    expect(head.headers['content-type']).toBe('application/json');
    expect((await dev.head('/api/v4/addons/nobody@x/versions/1.0/')).status).toBe(404);
  });

  it('serves v4dev on staging and development only', async () => {
    const path = '/api/v4dev/addons/a@x/versions/1.0/';
    for (const [environment, body] of [
      ['production', { detail: 'Not found.' }],
      ['staging', UNKNOWN],
      ['development', UNKNOWN],
    ] as const) {
      app.config.ENVIRONMENT = environment;
      // The documents do not depend on the environment, so this response is not checked against them.
      expect((await exchange(app.url, 'GET', path, dev.authorization())).json).toEqual(body);
    }
  });
});

describe('a request target in absolute form', () => {
  it.each([
    '/api/v4/addons/search/?page_size=1',
    '/graphql?query={__typename}',
    '/static/img/anon_user.png',
    '/readyz',
  ])('is served as its path: %s', async (path) => {
    const [whole, alone] = await Promise.all([
      exchange(app.url, 'GET', `${app.url.replace('http', 'HTTP')}${path}`, {}),
      exchange(app.url, 'GET', path, {}),
    ]);
    expect([whole.status, whole.text]).toEqual([200, alone.text]);
  });

  it('is served by its path, or by the start page without one', async () => {
    const start = await exchange(app.url, 'GET', `${app.url}?page=2`, {});
    expect([start.status, start.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const other = await exchange(app.url, 'GET', 'ftp://elsewhere/api/v4/addons/search/', {});
    expect([other.status, other.json]).toEqual([404, { detail: 'Not found.' }]);
  });
});

describe('the host that a request names', () => {
  it.each([
    ['a b', 200],
    ['[', 200],
    ['x:99999', 200],
    ['ex%ample', 200],
    // The start of a URL with the host "a".
    ['a/b', 302],
  ])('does not matter, but a page may lead to BASE_URL: %s', async (Host, page) => {
    for (const path of ['/api/v4/addons/search/', '/graphql?query={__typename}']) {
      expect([path, (await exchange(app.url, 'GET', path, { Host })).status]).toEqual([path, 200]);
    }
    const start = await exchange(app.url, 'GET', '/', { Host });
    expect([start.status, start.headers.location]).toEqual([
      page,
      page === 302 ? `${app.config.BASE_URL}/` : undefined,
    ]);
    const headers = { Host, 'Content-Type': 'application/json' };
    const reply = await exchange(app.url, 'POST', '/graphql', headers, '{"query":"{ __typename @skip(if: false) }"}');
    expect(reply.json).toEqual({ data: { __typename: 'Query' } });
  });
});

describe('paths below /graphql', () => {
  it.each(['/graphql/x', '/graphql/%zz', '/graphql//'])('return 404: %s', async (path) => {
    expectRefusal(await app.anonymous.get(path), { status: 404, json: { detail: 'Not found.' } });
  });
});

describe('an add-on whose slug is a word of a route', () => {
  it.each(['versions', 'addon', 'feature_compatibility', 'search', 'uploads'])('is found: %s', async (slug) => {
    const made = await addon({ slug });
    for (const below of [
      '',
      'versions/',
      `versions/${made.versions[0]?.id}/`,
      'feature_compatibility/',
      'eula_policy/',
    ]) {
      const path = `/api/v4/addons/addon/${slug}/${below}`;
      expect([path, (await app.anonymous.get(path)).status]).toEqual([path, 200]);
    }
  });
});

describe('headers', () => {
  it('include the read-only mode in every API response, readable for scripts of other sites', async () => {
    for (const path of ['/api/v4/addons/a@x/versions/1.0/', '/api/v4/none/', '/graphql?query={__typename}']) {
      const { headers } = await dev.get(path, { Origin: 'https://elsewhere.example' });
      expect(headers['x-svc-read-only']).toBe('false');
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-expose-headers']).toBe(
        'X-SVC-Read-Only, X-Target-Digest, Retry-After, ETag, Content-Range, X-Request-Id',
      );
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  it('allow preflight requests, for the API, GraphQL and downloads', async () => {
    for (const path of ['/api/v4/addons/', '/graphql', '/downloads/file/1/name.xpi']) {
      const reply = await app.anonymous.request('OPTIONS', path, {
        headers: { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'PUT' },
      });
      expect([reply.status, reply.text]).toEqual([204, '']);
      expect(reply.headers['access-control-allow-origin']).toBe('*');
      expect(reply.headers['access-control-allow-methods']).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
      expect(reply.headers['access-control-allow-headers']).toMatch(
        /^Authorization, Content-Type, If-None-Match, Range, /,
      );
      expect(reply.headers['access-control-max-age']).toBe('600');
      expect(reply.headers['x-svc-read-only']).toBe('false');
    }
  });

  it('contain the request id, which a client may set', async () => {
    const first = await app.anonymous.get('/healthz');
    const second = await app.anonymous.get('/healthz', { 'X-Request-Id': 'from-a-proxy-0001' });
    const third = await app.anonymous.get('/healthz', { 'X-Request-Id': 'no name { }' });
    expect(first.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(second.headers['x-request-id']).toBe('from-a-proxy-0001');
    expect(third.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('forbid content sniffing, framing and shared caching', async () => {
    const { headers } = await dev.get('/api/v4/addons/head@x/versions/1.0/');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers['cache-control']).toBe('private, no-store');
    expect(headers['x-powered-by']).toBeUndefined();
  });
});

describe('addresses outside the API', () => {
  it('include health and readiness', async () => {
    expect((await app.anonymous.get('/healthz')).status).toBe(200);
    const ready = await app.anonymous.get('/readyz');
    expect([ready.status, ready.text]).toEqual([200, 'ready\n']);
  });

  it('that are unknown get a 404 as JSON', async () => {
    for (const path of ['/nowhere', '/apiary', '/validation/%zz', '/%', '//evil.example/', '/..%2f..%2fetc/passwd']) {
      const reply = await app.anonymous.get(path);
      expect([path, reply.status, reply.headers['content-type']]).toEqual([path, 404, 'application/json']);
      expect(reply.json).toEqual({ detail: 'Not found.' });
    }
  });

  it('include the OpenAPI documents', async () => {
    for (const version of ['v3', 'v4']) {
      const { json } = await app.anonymous.get(`/docs/openapi-${version}.json`);
      expect(json).toMatchObject({ openapi: '3.1.0', info: { version } });
    }
  });
});
