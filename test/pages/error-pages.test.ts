/* Errors as pages where the request or the service leaves little to work with. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { withoutDatabase } from '../support/outage.ts';
import { textOf, Visitor, visitorOf } from '../support/pages.ts';

const app = setUpApp();
let anonymous: Visitor;
let developer: Visitor;

beforeAll(async () => {
  anonymous = new Visitor(app);
  developer = await visitorOf(app, await app.developer());
});

describe('an address that looks like another host', () => {
  it.each(['//', '///', '//[', '/\\', '/\\evil.example/', '//evil.example:99999/x'])(
    '%s is a page not found',
    async (path) => {
      const page = await anonymous.get(path);
      expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(textOf(page)).toContain('Page not found');
      expect(page.text).toContain('href="/login/?next=%2F"');
      expect(page.text).not.toContain('evil.example');
    },
  );
});

describe('while the database is down', () => {
  it('visitors with and without a session get a page', async () => {
    await withoutDatabase(app, async () => {
      const pages = [await anonymous.get('/'), await developer.get('/'), await developer.get('/account/')];
      for (const page of pages) {
        expect([page.status, page.headers['content-type'], page.headers['cache-control']]).toEqual([
          ...[503, 'text/html; charset=utf-8', 'no-store'],
        ]);
        expect(textOf(page)).toContain('Temporarily unavailable');
      }
      const form = await developer.submit('/account/', 'profile', { displayName: 'Typed', csrf: 'unknown' });
      expect([form.status, textOf(form).includes('Temporarily unavailable')]).toEqual([503, true]);
    });
    expect((await developer.get('/account/')).status).toBe(200);
  });
});

describe('the notice of a form', () => {
  it('does not come back after a sign-in or a change of the preferences', async () => {
    const signedOut = await anonymous.get('/?done=logout&app=mobile_browser');
    expect(textOf(signedOut)).toContain('You are signed out.');
    expect(signedOut.text).toContain('href="/login/?next=%2F%3Fapp%3Dmobile_browser"');
    expect(signedOut.text).toContain('name="next" value="/?app=mobile_browser"');
    const ended = await anonymous.get('/account/keys/?done=revoke-key');
    expect([ended.status, ended.headers.location]).toEqual([303, '/login/?next=%2Faccount%2Fkeys%2F']);
  });
});
