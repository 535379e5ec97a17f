import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { Browser } from '../support/browser.ts';

const START = '/api/v4/accounts/login/start/';
const FORM = '/demo/sign-in/';

const app = setUpApp({ settings: { DEMO: true } });

beforeAll(async () => {
  const { updateDemoState } = await import('../../src/demo/state.ts');
  const { ensureAccounts } = await import('../../src/demo/accounts.ts');
  await updateDemoState({ phase: 'filled' });
  await ensureAccounts();
});

/** The page is no response of the API, so it is read without the OpenAPI documents. */
async function show(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(app.url + path, { headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const submit = (
  fields: Record<string, string>,
  headers: Record<string, string> = { 'Sec-Fetch-Site': 'same-origin' },
) =>
  new Browser(app).request(
    'POST',
    FORM,
    { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    new URLSearchParams(fields).toString(),
  );

describe('the sign-in page of the demo', () => {
  it.each(['v3', 'v4', 'v4dev'])('offers the accounts of the demo in %s, without scripts', async (version) => {
    const page = await show(`/api/${version}/accounts/login/start/?to=/developers/?a="b"`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.* form-action 'self'/);
    expect(page.text).toContain('<form method="post" action="/demo/sign-in/">');
    expect(page.text).toContain('name="to" value="/developers/?a=%22b%22"');
    for (const name of ['demo-admin', 'demo-reviewer', 'demo-developer', 'demo-developer-2']) {
      expect(page.text).toContain(`name="username" value="${name}">`);
    }
    expect(page.text).not.toMatch(/<script(?! type="module" src=)| on\w+=| style=/);
    expect(page.text).not.toContain('You are signed in');
  });

  it('signs in with the cookies of a sign-in and leads to the next path', async () => {
    const reply = await submit({ username: 'demo-reviewer', to: '/reviewers/' });
    expect([reply.status, reply.headers.location, reply.headers['cache-control']]).toEqual([
      303,
      '/reviewers/',
      'no-store',
    ]);
    const [, token = ''] = /^frontend_auth_token=(\w+); /.exec(reply.headers['set-cookie']?.[0] ?? '') ?? [];
    const [, session = ''] =
      /^(addons_session=[\w-]{43}); Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/.exec(
        reply.headers['set-cookie']?.[1] ?? '',
      ) ?? [];
    expect(await app.client({ token }).graphql('{ viewer { username } }')).toEqual({
      viewer: { username: 'demo-reviewer' },
    });
    expect((await show(START, { Cookie: session })).text).toContain(
      'You are signed in as <strong><bdi>demo-reviewer</bdi></strong>',
    );
  });

  it('accepts an older browser by its Origin', async () => {
    expect((await submit({ username: 'demo-admin' }, { Origin: app.config.BASE_URL })).status).toBe(303);
  });

  it.each([
    {},
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site', Origin: 'BASE_URL' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'none' },
  ] as Record<string, string>[])('refuses a form with the headers %j', async (headers) => {
    if (headers['Origin'] === 'BASE_URL') headers['Origin'] = app.config.BASE_URL;
    const reply = await submit({ username: 'demo-admin' }, headers);
    expect([reply.status, reply.headers['set-cookie']]).toEqual([403, undefined]);
  });

  it('signs in as accounts of the demo only, and leads to this site only', async () => {
    const other = await app.developer();
    const [row] = await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', [other.accountId]);
    for (const username of [row?.username ?? '', 'nobody', '', 'constructor', 'DEMO-ADMIN']) {
      const reply = await submit({ username });
      expect([reply.status, reply.headers['set-cookie']]).toEqual([400, undefined]);
    }
    expect((await submit({})).status).toBe(400);
    for (const to of ['//evil.example/', 'https://evil.example/', '/\\evil.example']) {
      expect((await submit({ username: 'demo-admin', to })).headers.location).toBe('/');
    }
  });

  it('is refused in read-only mode', async () => {
    app.config.READ_ONLY = true;
    expect((await submit({ username: 'demo-admin' })).status).toBe(503);
    app.config.READ_ONLY = false;
  });

  it('is linked from the page before the sign-in', async () => {
    expect((await show('/login/')).text).toContain(`href="${START}?to=%2F"`);
    const developers = (await show('/login/?next=/developers/submit/')).text;
    expect(developers).toContain(`href="${START}?to=%2Fdevelopers%2Fsubmit%2F"`);
    expect(developers).toContain('<a href="/docs/first-addon/">');
  });

  it('does not exist with an identity provider, and outside of the demo', async () => {
    app.config.OIDC_ISSUER = 'http://127.0.0.1:1';
    app.config.OIDC_CLIENT_ID = 'addons';
    expect([(await app.anonymous.get(START)).status, (await submit({ username: 'demo-admin' })).status]).toEqual([
      503, 404,
    ]);
    app.config.OIDC_ISSUER = undefined;
    app.config.DEMO = false;
    expect([(await app.anonymous.get(START)).status, (await submit({ username: 'demo-admin' })).status]).toEqual([
      404, 404,
    ]);
    app.config.DEMO = true;
    expect((await app.anonymous.head(START)).status).toBe(405);
  });
});

describe('a newcomer to the demo', () => {
  it('creates an account in the browser, which can upload and has no rights', async () => {
    const page = await show(`/api/v4/accounts/login/start/?to=/developers/`);
    expect(page.text).toContain('name="newcomer"');
    const reply = await submit({ newcomer: ' new-here ', to: '/developers/' });
    expect([reply.status, reply.headers.location]).toEqual([303, '/developers/']);
    const [, token = ''] = /^frontend_auth_token=(\w+); /.exec(reply.headers['set-cookie']?.[0] ?? '') ?? [];
    const profile = await app.client({ token }).get('/api/v4/accounts/profile/');
    expect(profile.json).toMatchObject({ username: 'new-here', permissions: [] });
  });

  it.each([
    ['demo-admin', 'en', 'already'],
    ['no spaces', 'de', 'Verwenden Sie nur Buchstaben'],
    ['12', 'he', 'dir="rtl"'],
    ['', 'en', 'Enter a valid username'],
  ])('is told why the name "%s" cannot be used', async (newcomer, language, text) => {
    const reply = await submit(
      { newcomer, to: '/developers/' },
      { 'Sec-Fetch-Site': 'same-origin', 'Accept-Language': language },
    );
    expect(reply.status).toBe(422);
    expect(reply.text).toContain(text);
    expect(reply.text).toContain('id="newcomer-error"');
    expect(reply.headers['set-cookie']).toBeUndefined();
  });

  it('creates none in production', async () => {
    app.config.ENVIRONMENT = 'production';
    try {
      expect((await show('/api/v4/accounts/login/start/')).text).not.toContain('name="newcomer"');
      expect((await submit({ newcomer: 'in-production', to: '/' })).status).toBe(400);
    } finally {
      app.config.ENVIRONMENT = 'development';
    }
    expect(await app.sql("SELECT FROM account WHERE username = 'in-production'")).toEqual([]);
  });
});
