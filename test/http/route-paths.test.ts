import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { exchange } from '../support/client.ts';
import { addon } from '../support/factories.ts';

const app = setUpApp();

beforeAll(async () => {
  await addon({ slug: 'named' });
});

/** The status, and the kind of the body: HTML is a page, and the address is in the page table. */
async function summaryOf(path: string): Promise<[number, string | undefined]> {
  const { status, headers } = await exchange(app.url, 'GET', path, {});
  return [status, /html|json/.exec(headers['content-type'] ?? '')?.[0]];
}

describe('the path of a page', () => {
  it.each([
    ['/about', 200, 'html'],
    ['/%61bout/', 200, 'html'],
    ['/addon/%6eamed/', 200, 'html'],
    ['/addon/named%2F/', 404, 'html'],
    ['/addon/named%252F', 404, 'html'],
    ['/addon/named#part/', 404, 'html'],
    ['/addon/constructor/', 404, 'html'],
    ['/About/', 404, 'json'],
    ['/about//', 404, 'json'],
    ['/about%2F', 404, 'json'],
    ['/about%00', 404, 'json'],
    ['/about%zz', 404, 'json'],
    ['/about#part', 404, 'json'],
    ['//about/', 404, 'json'],
    ['//', 404, 'json'],
    ['/__proto__/', 404, 'json'],
    ['/health%7A', 404, 'json'],
  ])('matches by decoded segments: %s', async (path, status, type) => {
    expect(await summaryOf(path)).toEqual([status, type]);
  });

  it('of the first page in the table decides which methods are allowed', async () => {
    for (const method of ['PUT', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      for (const [path, allow] of [
        ['/about/', 'GET, HEAD'],
        ['/preferences/', 'GET, HEAD, POST'],
        ['/addon/named/versions/1/', 'GET, HEAD'],
      ] as const) {
        const { status, headers } = await exchange(app.url, method, path, {});
        expect([method, path, status, headers.allow]).toEqual([method, path, 405, allow]);
      }
    }
  });
});

describe('the path of an endpoint', () => {
  it.each([
    ['/api/%764/addons/addon/named/', 200],
    ['/api/v4/%61ddons/addon/named', 200],
    ['/api/v4/addons/addon/named%2F/', 404],
    ['/api/v4/addons/addon/named%00/', 404],
    ['/api/v4/addons/addon/named#part/', 404],
    ['/api/v4/addons/addon/__proto__/', 404],
    ['/api//v4/addons/addon/named/', 404],
    ['/%61pi/v4/addons/addon/named/', 404],
  ])('matches by decoded segments: %s', async (path, status) => {
    expect(await summaryOf(path)).toEqual([status, 'json']);
  });

  it('keeps the query of the links to other pages of a list as it was sent', async () => {
    const { json } = await exchange(app.url, 'GET', '/api/v4/%61ddons/search/?page_size=1&q=%6eone&page=1', {});
    expect(json).toMatchObject({ count: 0, next: null });
    await addon({ slug: 'other' });
    const first = await exchange(app.url, 'GET', '/api/v4/%61ddons/search/?page_size=1', {});
    expect((first.json as { next: string }).next).toMatch('/api/v4/%61ddons/search/?page_size=1&page=2');
  });

  it.each([
    ['DELETE', '/api/v4/addons/addon/named/', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/api/v5/addons/addon/named/', 'GET, PUT, PATCH, HEAD, OPTIONS'],
    ['POST', '/api/v5/addons/addon/named/versions/1/', 'GET, PATCH, HEAD, OPTIONS'],
    ['GET', '/api/v4/accounts/account/1/picture', 'DELETE, OPTIONS'],
    ['HEAD', '/api/v4/accounts/authenticate/', 'GET, OPTIONS'],
    ['OPTIONS', '/themes/update-check/1', 'GET, HEAD, OPTIONS'],
  ])('allows the methods of all routes with it: %s %s', async (method, path, allow) => {
    const reply = await exchange(app.url, method, path, {});
    expect([reply.status, reply.headers.allow]).toEqual([405, allow]);
  });
});
