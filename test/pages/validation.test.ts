import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { brokenPackage, xpi } from '../support/packages.ts';
import { textOf } from '../support/pages.ts';

let app: TestApp;
let dev: Client;

beforeAll(async () => {
  app = await startApp();
  dev = await app.developer();
});
afterAll(() => app.close());

async function upload(guid: string, body: Buffer): Promise<string> {
  const { json } = await dev.put(`/api/v4/addons/${guid}/versions/1.0/`, { upload: body });
  return new URL((json as { validation_url: string }).validation_url).pathname;
}

/** The validator's results of an upload, replaced. */
async function setMessages(guid: string, messages: readonly object[]): Promise<void> {
  const validation = { errors: 0, warnings: messages.length, notices: 0, messages };
  await app.sql('update upload set validation = $1 where addon_id = (select id from addon where guid = $2)', [
    JSON.stringify(validation),
    guid,
  ]);
}

const MESSAGE = {
  id: ['manifest', 'x'],
  type: 'warning',
  message: '<script>alert(1)</script>',
  description: ['a', '<b>'],
  file: '"><img src=x onerror=y>',
  line: 1,
  column: null,
};

describe('the page at validation_url', () => {
  it('is public, follows events, and refreshes without scripts until the upload is complete', async () => {
    const path = await upload('moving@page.test', await xpi({ guid: 'moving@page.test', version: '1.0' }));
    const moving = await app.anonymous.get(`${path}/`);
    expect([moving.status, moving.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(moving.text).toContain('<noscript><meta http-equiv="refresh" content="3"></noscript>');
    expect(moving.text).toContain(`data-events="${path}/events"`);
    expect(moving.headers['cache-control']).toBe('no-store');
    expect(textOf(moving)).toContain('Received The package waits for validation.');
    const events = app.anonymous.get(`${path}/events`);
    await app.runJobs();
    const resting = await app.anonymous.get(path);
    expect(resting.text).not.toMatch(/http-equiv="refresh"|data-events/);
    expect(textOf(resting)).toMatch(
      /Signed The signed file can be downloaded\..* Received \(done\).* Being validated \(done\).* Signed \(done\)/,
    );
    const { headers, ...stream } = await events;
    // Without the comments that keep an idle stream open.
    const text = stream.text.replaceAll(':\n\n', '');
    expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(text).toMatch(/^(?:data: (?:RECEIVED|VALIDATING|VALID|SIGNING|SIGNED)\n\n)+event: end\ndata: \n\n$/);
    expect(text).toContain('data: SIGNED');
  });

  it('shows the messages with file, line and column, and the next step in the language of the page', async () => {
    const path = await upload('broken@page.test', await brokenPackage({ guid: 'broken@page.test', version: '1.0' }));
    await app.runJobs();
    const page = await app.anonymous.get(path);
    expect(textOf(page)).toMatch(/Not valid Validation found [1-9]\d* errors?\. Fix the errors/);
    expect(page.text).toMatch(/line \d+, column \d+/);
    const german = textOf(await app.anonymous.get(`${path}?lang=de`));
    expect(german).toMatch(/Nicht bestanden Die Prüfung hat \d+ Fehler gefunden\. Beheben Sie die Fehler/);
    expect(textOf(await app.anonymous.get(`${path}?lang=he`))).toContain('לא תקינה');
    // Texts of add-ons would be in French, the interface is not.
    expect(textOf(await app.anonymous.get(path, { 'Accept-Language': 'fr, de;q=0.5' }))).toContain(
      'Beheben Sie die Fehler',
    );
  });

  it('escapes texts of the package, and shows messages by page, severity, file and rule', async () => {
    const path = await upload('hostile@page.test', await xpi({ guid: 'hostile@page.test', version: '1.0' }));
    await app.runJobs();
    const other = { ...MESSAGE, type: 'notice', file: 'a.js', id: ['other'], message: 'Another one' };
    await setMessages('hostile@page.test', [...Array.from({ length: 201 }, () => MESSAGE), other]);
    const first = await app.anonymous.get(path);
    expect(first.text).not.toMatch(/<script>|<img|<b>/);
    expect(first.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    const shown = (text: string) => text.match(/class="message-title"/g)?.length ?? 0;
    expect(shown(first.text)).toBe(100);
    expect(shown((await app.anonymous.get(`${path}?page=3`)).text)).toBe(2);
    expect(shown((await app.anonymous.get(`${path}?page=99`)).text)).toBe(2);
    for (const filter of ['severity=notice', 'file=a.js', 'rule=other', 'severity=notice&file=a.js']) {
      const { text } = await app.anonymous.get(`${path}?${filter}`);
      expect([filter, shown(text), text.includes('Another one')]).toEqual([filter, 1, true]);
    }
    expect(first.text).toContain(`href="${path}/?severity=notice#messages"`);
    expect(textOf(await app.anonymous.get(`${path}?severity=error`))).toContain('No message matches these filters.');
    expect((await app.anonymous.get(`${path}?severity=worst`)).status).toBe(400);
  });

  it('is a 404 page for an unknown upload, as are its events', async () => {
    for (const pk of ['0'.repeat(32), 'x', encodeURIComponent('<script>')]) {
      for (const path of [`/validation/${pk}/`, `/validation/${pk}/events`]) {
        const reply = await app.anonymous.get(path);
        expect([path, reply.status, reply.headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8']);
        expect(reply.text).not.toContain('<script>');
      }
    }
    expect((await app.anonymous.get('/validation/%00/')).status).toBe(404);
  });
});

describe('GET /signing/root.pem', () => {
  it('returns the root certificate of the development CA', async () => {
    const reply = await app.anonymous.get('/signing/root.pem');
    expect(reply.status).toBe(200);
    expect(reply.text).toMatch(/^-----BEGIN CERTIFICATE-----\n[A-Za-z0-9+/=\n]+-----END CERTIFICATE-----\n$/);
  });
});
