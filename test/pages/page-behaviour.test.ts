import { beforeAll, describe, expect, it } from 'vitest';
import { pages } from '../../src/pages/table.ts';
import { setUpApp } from '../support/app.ts';
import { englishIn, textOf, Visitor, visitorOf } from '../support/pages.ts';

const app = setUpApp();
let anonymous: Visitor;
let developer: Visitor;

beforeAll(async () => {
  anonymous = new Visitor(app);
  developer = await visitorOf(app, await app.developer());
});

const signIns = () => app.sql<{ n: number }>('select count(*)::int as n from page_session');

describe('every page', () => {
  it('has a strict policy and neither inline scripts nor styles', async () => {
    const { status, headers, text } = await anonymous.get('/preferences/');
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
        "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types server-html; report-to csp",
    );
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(text).not.toMatch(/<style| style=| on\w+=|<script(?! type="module" src="\/assets\/)/);
  });

  it('is cached for anonymous visitors by its ETag, and never with a session', async () => {
    const first = await anonymous.get('/preferences/');
    expect([first.headers['cache-control'], first.headers.vary]).toEqual([
      'public, no-cache',
      'Accept-Language, Cookie, Accept-Encoding',
    ]);
    const again = await anonymous.get('/preferences/', { 'If-None-Match': String(first.headers.etag) });
    expect([again.status, again.text]).toEqual([304, '']);
    const german = await anonymous.get('/preferences/', {
      'If-None-Match': String(first.headers.etag),
      'Accept-Language': 'de',
    });
    expect(german.status).toBe(200);
    const own = await developer.get('/preferences/', { 'If-None-Match': String(first.headers.etag) });
    expect([own.status, own.headers['cache-control'], own.headers.etag]).toEqual([200, 'private, no-store', undefined]);
  });

  it.each([
    ['/preferences/', '', '', 'en', 'ltr'],
    ['/preferences/', '', 'fr, de;q=0.5, he;q=0.4', 'de', 'ltr'],
    ['/preferences/', '', 'de;Q=0.5, he', 'he', 'rtl'],
    ['/preferences/', 'addons_language=he', 'de', 'he', 'rtl'],
    ['/preferences/?lang=en-GB', 'addons_language=he', 'de', 'en', 'ltr'],
    ['/preferences/?lang=xx', '', 'iw', 'he', 'rtl'],
  ])('%s with cookie "%s" and languages "%s" is in %s', async (path, Cookie, languages, language, direction) => {
    const { text } = await anonymous.get(path, { ...(Cookie ? { Cookie } : {}), 'Accept-Language': languages });
    expect(text).toContain(`<html lang="${language}" dir="${direction}">`);
  });

  it('works with and without a trailing slash, and by HEAD', async () => {
    expect((await anonymous.get('/preferences')).status).toBe(200);
    const head = await anonymous.request('HEAD', '/preferences/');
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('is compressed, and its files are immutable', async () => {
    const { text } = await anonymous.get('/preferences/');
    const [style = ''] = /\/assets\/[0-9a-f]{16}\/style\.css/.exec(text) ?? [];
    const { headers } = await anonymous.get('/preferences/', { 'Accept-Encoding': 'br' });
    expect(headers['content-encoding']).toBe('br');
    expect((await anonymous.get(style)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await anonymous.get(style.replace('style', 'other'))).status).toBe(404);
  });
});

describe('an error', () => {
  it('is a page for browsers, with the request id', async () => {
    const page = await anonymous.get('/no/such/page/');
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(textOf(page)).toContain(`Request id: ${page.headers['x-request-id']}`);
    expect((await anonymous.get('/no/such/page/', { Accept: '*/*' })).json).toEqual({ detail: 'Not found.' });
    expect((await anonymous.get('/api/v4/nothing/')).json).toEqual({ detail: 'Not found.' });
  });

  it('is one for another method, and for a malformed address', async () => {
    const refused = await anonymous.request('DELETE', '/preferences/');
    expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
    expect((await anonymous.get('/preferences/%ff')).status).toBe(404);
  });
});

describe('a form', () => {
  it('sets the preferences and returns', async () => {
    const fields = { language: 'he', theme: 'dark', next: '/login/?lang=de&next=%2Fx' };
    const { status, headers } = await anonymous.submit('/preferences/', 'preferences', fields);
    expect([status, headers.location]).toEqual([303, '/login/?next=%2Fx']);
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^addons_language=he; Path=\/; HttpOnly; SameSite=Lax; Max-Age=31536000/),
      expect.stringMatching(/^addons_theme=dark; /),
    ]);
    const { text } = await anonymous.get('/login/', { Cookie: 'addons_theme=dark; addons_language=he' });
    expect(text).toContain('<html lang="he" dir="rtl" data-theme="dark">');
  });

  it.each(['//evil.example', 'https://evil.example/', '/\\evil.example', '/\n/evil', 'javascript:alert(1)'])(
    'does not lead to %s',
    async (next) => {
      const reply = await anonymous.submit('/preferences/', 'preferences', { language: 'en', theme: '', next });
      expect(reply.headers.location).toBe('/');
    },
  );

  it('is refused with invalid values, for another site, and without its name', async () => {
    expect(
      (await anonymous.submit('/preferences/', 'preferences', { language: 'xx', theme: '', next: '/' })).status,
    ).toBe(422);
    const foreign = await anonymous.submit('/preferences/', 'preferences', {}, { 'Sec-Fetch-Site': 'cross-site' });
    expect(foreign.status).toBe(403);
    expect((await anonymous.submit('/preferences/', 'other')).status).toBe(400);
    const old = { 'Sec-Fetch-Site': 'none', Origin: 'https://evil.example' };
    expect((await anonymous.submit('/preferences/', 'preferences', {}, old)).status).toBe(403);
  });

  it('moves the focus to its errors, which pages without errors need no script for', async () => {
    const script = /<script type="module" src="[^"]*\/focus-errors\.js">/;
    const refused = [
      await developer.submit('/account/', 'profile', { homepage: 'x' }),
      await developer.submit('/account/keys/', 'new-key', { label: 'x'.repeat(101), days: '30' }),
      await anonymous.submit('/report/', 'report', { addon: '', reason: 'spam', message: '' }),
      await developer.submit('/developers/themes/new/', 'hub-theme', { name: 'A' }),
    ];
    for (const { status, text } of refused) {
      expect([status, text.match(script)?.length]).toEqual([422, 1]);
      expect(text).toContain('class="error-summary');
    }
    for (const path of ['/account/', '/developers/themes/new/']) {
      expect((await developer.get(path)).text).not.toMatch(script);
    }
  });

  it('needs the token of the session, and shows what was typed without it', async () => {
    const fields = { language: 'de', theme: '', next: '/typed-before/', csrf: 'wrong' };
    const reply = await developer.submit('/preferences/', 'preferences', fields);
    expect([reply.status, reply.headers['cache-control']]).toEqual([403, 'no-store']);
    expect(reply.text).toContain('name="next" value="/typed-before/"');
    const other = await visitorOf(app, await app.developer());
    const stolen = await other.csrfToken();
    expect((await developer.submit('/preferences/', 'preferences', { ...fields, csrf: stolen })).status).toBe(403);
  });

  it('of an ended session is shown with a token after the sign-in, and sent once', async () => {
    const fields = { displayName: 'Typed before' };
    const ended = await anonymous.submit('/account/', 'profile', fields);
    expect([ended.status, ended.text.includes('name="check" value="true"')]).toEqual([401, true]);
    const shown = await developer.submit('/account/', 'profile', { ...fields, csrf: '', check: 'true' });
    expect([shown.status, textOf(shown).includes('You are signed in as')]).toEqual([200, true]);
    expect(shown.text).toMatch(/name="csrf" value="[\w-]+"/);
    expect(shown.text).toContain('name="displayName" value="Typed before"');
    expect(shown.text).not.toContain('name="check"');
    const names = await app.sql("SELECT FROM account WHERE display_name = 'Typed before'");
    expect(names).toEqual([]);
  });

  it('has another token in each response', async () => {
    expect(await developer.csrfToken()).not.toBe(await developer.csrfToken());
  });

  it('is read in linear time when it repeats a field', async () => {
    const fields = { language: 'en', theme: '', next: '/', x: Array<string>(500_000).fill('') };
    expect((await anonymous.submit('/preferences/', 'preferences', fields)).status).toBe(303);
  });

  it('refuses a body over its limit, and keeps running', async () => {
    const reply = await anonymous.submit('/preferences/', 'preferences', { next: 'x'.repeat(3_000_000) });
    expect(reply.status).toBe(413);
  });
});

describe('the sign-in page', () => {
  it('leads to the identity provider by a link, and signed-in visitors on', async () => {
    const { status, text } = await anonymous.get('/login/?next=/developers/');
    expect(status).toBe(200);
    expect(text).toContain('href="/api/v4/accounts/login/start/?to=%2Fdevelopers%2F"');
    const known = await developer.get('/login/?next=/developers/');
    expect([known.status, known.headers.location]).toEqual([303, '/developers/']);
    expect((await developer.get('/login/?next=/developers/&again=1')).status).toBe(200);
    expect((await developer.get('/login/?next=//evil.example')).headers.location).toBe('/');
  });

  it('is not the sign-in of the API, and the API not that of pages', async () => {
    const { session } = developer;
    expect((await app.anonymous.get('/api/v4/accounts/profile/', { Cookie: `addons_session=${session}` })).status).toBe(
      401,
    );
    const bearer = await app.developer();
    const reply = await bearer.get('/preferences/', { Accept: 'text/html' });
    expect(reply.text).toContain('href="/login/');
  });

  it('ends a session everywhere', async () => {
    const visitor = await visitorOf(app, await app.developer());
    const [before] = await signIns();
    const reply = await visitor.submit('/logout/', 'logout');
    expect([reply.status, reply.headers.location]).toEqual([303, '/?done=logout']);
    expect(reply.headers['set-cookie']?.join()).toContain('addons_session=; ');
    const [after] = await signIns();
    expect(after?.n).toBe((before?.n ?? 0) - 1);
    expect((await visitor.get('/preferences/')).text).toContain('href="/login/');
    const again = await visitor.submit('/logout/', 'logout');
    expect([again.status, again.headers.location]).toEqual([303, '/?done=logout']);
    expect(again.headers['set-cookie']?.join()).toContain('addons_session=; ');
  });
});

describe('a malformed parameter', () => {
  it.each(['/signing/log/?after=x', '/signing/log/?after=R1BDOk46OTk5', '/addon/%00/'])(
    'of %s is refused',
    async (path) => {
      expect([400, 404]).toContain((await anonymous.get(path)).status);
    },
  );
});

describe('in other languages', () => {
  it('pages have no English words', async () => {
    // The tests of the help and of the hub look at theirs.
    const addresses = pages
      .map(({ path }) => path)
      .filter((path) => /^\/(?!docs\/|developers\/)([^:]*\/)?$/.test(path));
    expect(addresses).toContain('/account/keys/');
    for (const path of addresses) {
      const { headers, text } = await developer.get(path, { Cookie: 'addons_language=he' });
      if (!String(headers['content-type']).startsWith('text/html')) continue;
      expect([path, ...englishIn(text)]).toEqual([path]);
    }
  });

  it.each(['de', 'he'])('refusals are written in %s', async (language) => {
    const headers = { Cookie: `addons_language=${language}` };
    const label = 'x'.repeat(101);
    const replies = [
      await anonymous.get('/nothing/', headers),
      await anonymous.get(`/search/?q=${label}`, headers),
      await anonymous.get('/signing/log/?after=x', headers),
      await anonymous.get('/account/', headers),
      await anonymous.request('PUT', '/preferences/', headers),
      await anonymous.submit('/preferences/', 'preferences', { language: 'xx' }, headers),
      await anonymous.submit('/preferences/', 'other', {}, headers),
      await anonymous.submit('/preferences/', 'preferences', {}, { ...headers, 'Sec-Fetch-Site': 'cross-site' }),
      await developer.submit('/preferences/', 'preferences', { csrf: 'wrong' }, headers),
      await developer.submit(
        '/account/',
        'profile',
        { homepage: 'x', biography: 'https://a.example', username: '1' },
        headers,
      ),
      await developer.submit('/account/keys/', 'new-key', { label, days: '30' }, headers),
      await developer.submit('/report/', 'report', { addon: '', reason: 'spam', message: '' }, headers),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 400, 400, 303, 405, 422, 400, 403, 403, 422, 422, 422]);
    for (const { text } of replies.filter(({ status }) => status !== 303)) {
      expect(text).toContain(`<html lang="${language}"`);
      expect(text).not.toMatch(/<(?!option)[^>]* lang="en"/);
      if (language === 'he') expect(englishIn(text)).toEqual([]);
    }
  });
});
