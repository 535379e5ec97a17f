import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { readSamples } from '../../src/execution/graphiql-page.ts';
import { setUpApp } from '../support/app.ts';
import { exchange } from '../support/client.ts';
import { documentOf } from '../support/pages.ts';

const app = setUpApp();
let path: string;
beforeAll(async () => {
  const start = await app.anonymous.get('/graphql', { Accept: 'text/html' });
  expect([start.status, start.headers['cache-control']]).toEqual([302, 'no-cache']);
  path = String(start.headers.location);
});

const page = (headers: Record<string, string> = {}) => app.anonymous.get(path, { Accept: 'text/html', ...headers });

describe('the editor', () => {
  it('contains everything that it loads', async () => {
    const reply = await page();
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const html = reply.text;
    // What the page itself loads. The policy below restricts the connections of its scripts.
    expect(documentOf(reply)('[src], [href]:not([href^="data:"])')).toHaveLength(0);
    expect(html).not.toMatch(/@import\s+(?:url\()?["']?https?:|url\(["']?https?:/);
    const policy = String(reply.headers['content-security-policy']).split('; ');
    expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "connect-src 'self'", 'worker-src blob:']));
    expect(policy.join(' ')).not.toMatch(/https?:|\*/);
  });

  it('offers the samples', async () => {
    const { text } = await page();
    for (const { text: sample } of await readSamples()) expect(text).toContain(JSON.stringify(sample).slice(1, 40));
  });

  it('keeps its tabs in place when they are pressed', async () => {
    const { text } = await page();
    // The style follows that of the editor, which moves a pressed tab.
    expect(text.slice(0, text.indexOf('<body'))).toMatch(
      /\.graphiql-tab \{ transform: none !important; \}<\/style><\/head>/,
    );
  });

  it('has an immutable address, with a variant for each compression', async () => {
    const plain = await page();
    const [brotli, gzip] = [await page({ 'Accept-Encoding': 'gzip, br' }), await page({ 'Accept-Encoding': 'gzip' })];
    expect([brotli, gzip, plain].map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip', undefined]);
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
    for (const { headers, status } of [brotli, gzip, plain]) {
      expect(status).toBe(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers.vary).toContain('Accept-Encoding');
    }
  });

  it('redirects from the address of another page', async () => {
    const reply = await app.anonymous.get('/graphql/editor/old', { Accept: 'text/html' });
    expect([reply.status, reply.headers.location]).toEqual([302, path]);
  });

  it('takes GET and HEAD only, and leaves the credentials of other requests unused', async () => {
    const developer = await app.developer();
    const headers = { ...developer.authorization(), 'Content-Type': 'application/json' };
    const body = JSON.stringify({ query: '{ viewer { username } }' });
    const refused = await exchange(app.url, 'POST', path, headers, body);
    expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(refused.json).toMatchObject({ errors: [{ extensions: { code: 'METHOD_NOT_ALLOWED' } }] });
    const reply = await exchange(app.url, 'POST', '/graphql', headers, body);
    expect(reply.json).toMatchObject({ data: { viewer: { username: expect.any(String) } } });
    const head = await app.anonymous.head(path);
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      (await page()).headers['content-length'],
    ]);
  });

  it('is for browsers: other clients get results', async () => {
    const reply = await app.anonymous.get('/graphql?query=%7B__typename%7D', { Accept: 'application/json' });
    expect(reply.json).toEqual({ data: { __typename: 'Query' } });
  });
});
