/* What belongs to the site as a whole: its address, its operator, and what programs read of its pages. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { exchange } from '../support/client.ts';
import { addon } from '../support/factories.ts';
import { documentOf, textOf, Visitor, visitorOf } from '../support/pages.ts';

const app = setUpApp();
let anonymous: Visitor;

beforeAll(async () => {
  anonymous = new Visitor(app);
  await addon({
    slug: 'lamp',
    name: { 'en-US': 'Lamp </script><b>' },
    summary: { 'en-US': 'Lights "pages".' },
    ratingCount: 3,
    ratingAverage: 4.5,
    versions: [{ files: [{ isStored: true }] }],
  });
});

describe('a page under another host name', () => {
  const open = (path: string, headers: Record<string, string>, method = 'GET') =>
    exchange(app.url, method, path, headers);

  it.each(['/', '/addon/lamp/?x=1', '/search/?q=a%20b', '/docs/install/', '/account/'])(
    '%s leads to BASE_URL',
    async (path) => {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await open(path, { Host: 'localhost:3000' }, method);
        expect([status, headers.location, headers['cache-control']]).toEqual([
          ...[302, app.config.BASE_URL + path, 'no-store'],
        ]);
      }
    },
  );

  it('is redirected through a proxy that names the host, and never by the host of an upstream', async () => {
    const own = new URL(app.config.BASE_URL).host;
    const statusWith = async (headers: Record<string, string>) => (await open('/docs/', headers)).status;
    expect(await statusWith({ Host: 'upstream:3000', 'X-Forwarded-Host': 'www.addons.example' })).toBe(302);
    expect(await statusWith({ Host: 'upstream:3000', 'X-Forwarded-Host': own })).toBe(200);
    expect(await statusWith({ Host: 'upstream:3000', 'X-Forwarded-For': '192.0.2.1' })).toBe(200);
    expect(await statusWith({ Host: 'upstream:3000', Via: '1.1 proxy' })).toBe(200);
    expect(await statusWith({ Host: '[' })).toBe(200);
  });

  it('is redirected once, so that no proxy makes it an endless loop', async () => {
    const first = await open('/docs/', { Host: 'upstream:3000' });
    const [cookie = ''] = first.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^addons_redirected=1;.* Max-Age=10/);
    const again = await open('/docs/', { Host: 'upstream:3000', Cookie: cookie.split(';')[0] ?? '' });
    expect([again.status, again.headers['content-security-policy']]).toEqual([
      200,
      expect.stringContaining(`img-src 'self' ${new URL(app.config.BASE_URL).origin};`),
    ]);
  });

  it('does not matter to the API, files, update checks, health and forms', async () => {
    const elsewhere = { Host: 'localhost:3000' };
    for (const path of [
      '/api/v4/addons/addon/lamp/',
      '/healthz',
      '/docs/openapi-v4.json',
      '/favicon.ico',
      '/static/img/no-preview.png',
    ])
      expect((await open(path, elsewhere)).status, path).toBe(200);
    expect((await open('/update/?id=x', elsewhere)).status).toBe(400);
    expect((await open('/preferences/', elsewhere, 'POST')).status).not.toBe(302);
  });
});

describe('the operator', () => {
  const OPERATOR = {
    OPERATOR_NAME: 'Verein <Licht>',
    OPERATOR_CONTACT: 'help@operator.example',
    SECURITY_CONTACT: 'https://operator.example/security',
    IMPRINT_URL: 'https://operator.example/imprint',
    PRIVACY_URL: 'https://operator.example/privacy',
  };
  const NONE = Object.fromEntries(Object.keys(OPERATOR).map((name) => [name, undefined]));

  it('is named on a page in three languages, with contact, imprint and privacy', async () => {
    Object.assign(app.config, OPERATOR);
    for (const lang of ['en', 'de', 'he']) {
      const page = await anonymous.get(`/about/?lang=${lang}`);
      expect(page.status).toBe(200);
      expect(textOf(page)).toContain('Verein <Licht>');
      for (const shown of [
        'href="mailto:help@operator.example"',
        'operator.example%2Fimprint',
        'operator.example%2Fprivacy',
      ])
        expect(page.text).toContain(shown);
    }
    Object.assign(app.config, NONE);
    const without = await anonymous.get('/about/');
    expect(textOf(without)).toContain('The operator has not set a contact.');
  });

  it('states how long data is kept, by the settings', async () => {
    Object.assign(app.config, { MAIL_RETENTION_DAYS: 2, TOKEN_RETENTION_DAYS: 1, REPORT_RETENTION_DAYS: 1_234 });
    const texts = {
      en: ['2 days', '1 day', '1,234 days'],
      de: ['2 Tage', '1 Tag', '1.234 Tage'],
      he: ['יומיים', 'יום אחד'],
    };
    for (const [lang, periods] of Object.entries(texts)) {
      const shown = textOf(await anonymous.get(`/about/?lang=${lang}`));
      for (const period of periods) expect(shown).toContain(period);
    }
    Object.assign(app.config, { MAIL_RETENTION_DAYS: 90, TOKEN_RETENTION_DAYS: 90, REPORT_RETENTION_DAYS: 1_095 });
  });

  it('is reached from every page, and from pages that refuse something', async () => {
    Object.assign(app.config, OPERATOR);
    expect((await anonymous.get('/')).text).toContain('href="/about/"');
    const unlisted = await new Visitor(app).get('/docs/accessibility/');
    expect(unlisted.text).toContain('href="mailto:help@operator.example"');
    const developer = await visitorOf(app, await app.developer());
    const refused = await developer.get('/developers/addon/lamp/');
    expect([refused.status, refused.text.includes('href="mailto:help@operator.example"')]).toEqual([403, true]);
    Object.assign(app.config, NONE);
  });

  it('is named with the reason where an add-on is disabled', async () => {
    Object.assign(app.config, OPERATOR);
    const owner = await app.developer();
    const made = await addon({ slug: 'gone', name: { 'en-US': 'Gone' }, authors: [Number(owner.accountId)] });
    const admin = await app.admin();
    const { setAddonDisabled } = await import('../../src/domain/listing/disable-addon.ts');
    const viewer = { kind: 'account', accountId: Number(admin.accountId), rules: ['*:*'] };
    await setAddonDisabled(viewer as unknown as Parameters<typeof setAddonDisabled>[0], made.id, {
      ...{ by: 'operator', disabled: true, reason: 'It copies <passwords>.' },
    });
    const author = await visitorOf(app, owner);
    for (const path of ['/addon/gone/', '/developers/addon/gone/']) {
      const page = await author.get(path);
      expect(textOf(page)).toMatch(/It copies <passwords>\. ?\s*Contact the operator: help@operator\.example/);
    }
    Object.assign(app.config, NONE);
  });

  it('has a file for reports of security problems (RFC 9116), only with a contact', async () => {
    expect((await anonymous.get('/.well-known/security.txt')).status).toBe(404);
    Object.assign(app.config, OPERATOR);
    const { status, headers, text } = await anonymous.get('/.well-known/security.txt');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text).toContain('Contact: https://operator.example/security\n');
    expect(text).toContain(`Canonical: ${app.config.BASE_URL}/.well-known/security.txt\n`);
    const expires = Date.parse(/^Expires: (.*)$/m.exec(text)?.[1] ?? '');
    expect(expires - Date.now()).toBeGreaterThan(170 * 86_400_000);
    Object.assign(app.config, NONE, { OPERATOR_CONTACT: OPERATOR.OPERATOR_CONTACT });
    expect((await anonymous.get('/.well-known/security.txt')).text).toContain(
      'Contact: mailto:help@operator.example\n',
    );
    Object.assign(app.config, NONE);
  });
});

describe('the head of public pages', () => {
  const PUBLIC = ['/', '/addon/lamp/', '/addon/lamp/versions/', '/categories/', '/about/', '/docs/install/'];

  it.each(PUBLIC)('%s names its languages and what a link to it shows', async (path) => {
    const { text } = await anonymous.get(path);
    const address = app.config.BASE_URL + path;
    for (const lang of ['en', 'de', 'he'])
      expect(text).toContain(`<link rel="alternate" hreflang="${lang}" href="${address}?lang=${lang}">`);
    expect(text).toContain(`<link rel="alternate" hreflang="x-default" href="${address}">`);
    expect(text).toContain(`<meta property="og:url" content="${address}">`);
    for (const name of ['site_name', 'title', 'image', 'locale'])
      expect(text).toMatch(new RegExp(`"og:${name}" content="[^"]+"`));
  });

  it('has icons that browsers and phones fetch', async () => {
    for (const [path, type] of [
      ['/favicon.ico', 'image/x-icon'],
      ['/apple-touch-icon.png', 'image/png'],
      ['/favicon.svg', 'image/svg+xml'],
    ] as const) {
      const icon = await anonymous.get(path);
      expect([icon.status, icon.headers['content-type']]).toEqual([200, type]);
      expect((await anonymous.get('/')).text).toContain(`href="${path}"`);
    }
  });

  it('describes an add-on as a SoftwareApplication, and no text of it ends the element', async () => {
    const { text } = await anonymous.get('/addon/lamp/');
    expect(JSON.parse(documentOf({ text })('script[type="application/ld+json"]').text())).toMatchObject({
      ...{ '@context': 'https://schema.org', '@type': 'SoftwareApplication', name: 'Lamp </script><b>' },
      ...{ url: `${app.config.BASE_URL}/addon/lamp/`, description: 'Lights "pages".', softwareVersion: '1.0' },
      aggregateRating: { ratingValue: 4.5, ratingCount: 3 },
    });
  });
});

describe('a page after the last one of a list', () => {
  it.each([
    ['/search/?type=extension&page=999', 200, '/search/?type=extension'],
    ['/addon/lamp/versions/?page=999', 404, '/addon/lamp/versions/'],
  ])('%s says so and leads back', async (path, status, back) => {
    const page = await anonymous.get(path);
    expect(page.status).toBe(status);
    expect(textOf(page)).toMatch(/There is no page 999 The list has one page\. Go to the last page/);
    expect(page.text).toContain(`<a href="${back}">Go to the last page</a>`);
  });
});
