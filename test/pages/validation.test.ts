import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { brokenPackage, xpi } from '../support/packages.ts';

let app: TestApp;
let dev: Client;

beforeAll(async () => {
  app = await startApp();
  dev = await app.developer();
});
afterAll(() => app.close());

async function upload(guid: string, body: Buffer): Promise<string> {
  const { json } = await dev.put(`/api/v4/addons/${guid}/versions/1.0/`, { upload: body });
  return (json as { validation_url: string }).validation_url;
}

describe('the page at validation_url', () => {
  it('is public, and refreshes until the upload is complete', async () => {
    const url = await upload('moving@page.test', await xpi({ guid: 'moving@page.test', version: '1.0' }));
    const moving = await app.anonymous.get(url);
    expect([moving.status, moving.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(moving.text).toContain('<meta http-equiv="refresh" content="3">');
    expect(moving.text).toContain('<dd>Received</dd>');
    await app.runJobs();
    const resting = await app.anonymous.get(url);
    expect(resting.text).not.toContain('http-equiv="refresh"');
    expect(resting.text).toContain('<dd>Signed</dd>');
  });

  it('shows the messages with file, line and column, and the next step', async () => {
    const url = await upload('broken@page.test', await brokenPackage({ guid: 'broken@page.test', version: '1.0' }));
    await app.runJobs();
    const { text } = await app.anonymous.get(url);
    expect(text).toContain('<dd>Invalid</dd>');
    expect(text).toMatch(/<h2>[1-9]\d* errors?, \d+ warnings?, \d+ notices?<\/h2>/);
    expect(text).toMatch(/<p class="message place">[^<]+, line \d+, column \d+<\/p>/);
    expect(text).toContain('upload the same version number again');
  });

  it('escapes texts of the package, and shows at most 500 messages', async () => {
    const url = await upload('hostile@page.test', await xpi({ guid: 'hostile@page.test', version: '1.0' }));
    await app.runJobs();
    const message = {
      id: ['x'],
      type: 'warning',
      message: '<script>alert(1)</script>',
      description: ['a', '<b>'],
      file: '"><img src=x onerror=y>',
      line: 1,
      column: null,
    };
    const validation = { errors: 0, warnings: 501, notices: 0, messages: Array.from({ length: 501 }, () => message) };
    await app.sql(
      `update upload set validation = $1 where addon_id = (select id from addon where guid = 'hostile@page.test')`,
      [JSON.stringify(validation)],
    );
    const { text, headers } = await app.anonymous.get(url);
    expect(text).not.toMatch(/<script|<img|<b>/);
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text.match(/<li>/g)).toHaveLength(500);
    expect(text).toContain('1 more message not shown');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/,
    );
    expect(headers['cache-control']).toBe('no-store');
  });

  it('is a 404 page for an unknown upload', async () => {
    for (const pk of ['0'.repeat(32), 'x', '%00', encodeURIComponent('<script>')]) {
      const reply = await app.anonymous.get(`/validation/${pk}`);
      expect([pk, reply.status, reply.headers['content-type']]).toEqual([pk, 404, 'text/html; charset=utf-8']);
      expect(reply.text).not.toContain('<script>');
    }
  });
});

describe('GET /signing/root.pem', () => {
  it('returns the root certificate of the development CA', async () => {
    const reply = await app.anonymous.get('/signing/root.pem');
    expect(reply.status).toBe(200);
    expect(reply.text).toMatch(/^-----BEGIN CERTIFICATE-----\n[A-Za-z0-9+/=\n]+-----END CERTIFICATE-----\n$/);
  });
});
