/* State, browser binding, next path and outages of a sign-in, with a provider that a test controls. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import type { Reply } from '../../support/client.ts';
import { GARBAGE } from '../../support/garbage.ts';
import { HostileIssuer, rsaKey, signedToken } from '../../support/hostile-issuer.ts';

const START = '/api/v4/accounts/login/start/';
const RSA = rsaKey();

const app = setUpApp();
let issuer: HostileIssuer;

beforeAll(async () => {
  issuer = await HostileIssuer.start();
  issuer.keys.set('rsa', RSA);
  Object.assign(app.config, { OIDC_ISSUER: issuer.issuer, OIDC_CLIENT_ID: 'addons' });
});
afterAll(async () => {
  issuer.close();
});

interface Started {
  browser: Browser;
  state: string;
  nonce: string;
}

async function start(to?: string, browser = new Browser(app)): Promise<Started> {
  const reply = await browser.get(to === undefined ? START : `${START}?${new URLSearchParams({ to })}`);
  expect(reply.status).toBe(302);
  const { state = '', nonce = '' } = Object.fromEntries(new URL(String(reply.headers.location)).searchParams);
  return { browser, state, nonce };
}

/** Lets the provider vouch for a person with this nonce. */
function vouch(nonce: string): void {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer.issuer, aud: 'addons', sub: 'one', nonce, iat: now, exp: now + 60 };
  const profile = { email: 'one@example.org', email_verified: true };
  const token = signedToken({ alg: 'RS256', kid: 'rsa' }, { ...claims, ...profile }, RSA.privateKey);
  issuer.token = () => ({ body: { access_token: 'secret-of-provider', token_type: 'Bearer', id_token: token } });
}

function finish(
  { browser, nonce }: Started,
  query: Record<string, string>,
  accept = 'application/json',
): Promise<Reply> {
  vouch(nonce);
  const path = `/api/v4/accounts/authenticate/?${new URLSearchParams({ code: 'a-code', ...query })}`;
  return browser.get(path, { Accept: accept });
}

const problemOf = ({ status, json, headers }: Reply) => [
  status,
  (json as { error?: string } | null)?.error,
  headers['set-cookie'],
];
const MISMATCH = [400, 'state-mismatch', undefined];

describe('a state', () => {
  const changes: [string, (state: string) => string][] = [
    ['a changed character', (state) => (state.startsWith('a') ? 'b' : 'a') + state.slice(1)],
    ['another path', (state) => `${state.split(':')[0]}:${Buffer.from('/elsewhere/').toString('base64url')}`],
    ['a padded path', (state) => `${state}=`],
    ['no path', (state) => state.split(':')[0] ?? ''],
    ['the path only', (state) => state.split(':')[1] ?? ''],
    ['a NUL', (state) => `${state}\0`],
    ['nothing', () => ''],
  ];
  it.each(changes)('is refused with %s, and accepted unchanged afterwards', async (_name, change) => {
    const started = await start('/next/');
    expect(problemOf(await finish(started, { state: change(started.state) }))).toEqual(MISMATCH);
    expect(await finish(started, { state: started.state }, '*/*')).toMatchObject({
      status: 302,
      headers: { location: '/next/' },
    });
  });

  it('is refused when it is missing, used, expired or of another browser', async () => {
    const started = await start();
    const { state } = started;
    expect(problemOf(await finish(started, {}))).toEqual(MISMATCH);
    for (const browser of [new Browser(app), (await start()).browser]) {
      expect(problemOf(await finish({ ...started, browser }, { state }))).toEqual(MISMATCH);
    }
    await app.sql("UPDATE login_attempt SET expires = expires - interval '10 minutes'");
    expect(problemOf(await finish(started, { state }))).toEqual(MISMATCH);
    await app.sql("UPDATE login_attempt SET expires = expires + interval '10 minutes'");
    expect((await finish(started, { state })).status).toBe(200);
    expect(problemOf(await finish(started, { state }))).toEqual(MISMATCH);
    expect(await import('../../../src/auth/page-session.ts').then(({ purgeSignIns }) => purgeSignIns())).toBe(0);
  });

  it('is used once by simultaneous requests', async () => {
    const started = await start();
    vouch(started.nonce);
    const cookie = `addons_login=${started.browser.cookie('addons_login')}`;
    const path = `/api/v4/accounts/authenticate/?${new URLSearchParams({ code: 'c', state: started.state })}`;
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => app.anonymous.get(path, { Cookie: cookie })));
    expect(replies.map(({ status }) => status).sort()).toEqual([302, 400, 400, 400, 400]);
  });

  it('of the tab that ends its sign-in first is accepted, whichever started last', async () => {
    const browser = new Browser(app);
    const [first, second] = [await start('/first/', browser), await start('/second/', browser)];
    expect((await finish(first, { state: first.state }, '*/*')).headers.location).toBe('/first/');
    // The first sign-in has deleted the cookie.
    expect(problemOf(await finish(second, { state: second.state }))).toEqual(MISMATCH);
  });

  it('is stored as a hash, as is the cookie', async () => {
    const { state, browser } = await start('/stored/');
    const dump = JSON.stringify(await app.sql('SELECT a::text FROM login_attempt a'));
    expect(dump).not.toContain(state.split(':')[0]);
    expect(dump).not.toContain(browser.cookie('addons_login'));
  });
});

describe('garbage', () => {
  const paths = [START, START.replace('login/start', 'authenticate')];
  const names = ['to', 'action', 'config', 'code', 'state', 'error', 'iss', 'format'];
  it.each(GARBAGE)('%s in any parameter is a redirect or a documented refusal', async (_what, value) => {
    for (const path of paths) {
      for (const name of names) {
        const { status } = await app.anonymous.get(`${path}?${name}=${value}`, { Cookie: `addons_login=${value}` });
        expect([302, 400, 422]).toContain(status);
      }
    }
  });
});

describe('a missing code', () => {
  it.each<Record<string, string>>([{ code: '' }, { code: '', error: 'access_denied' }, { error: 'access_denied' }])(
    'is reported before the state: %j',
    async (query) => {
      for (const state of ['', 'wrong', (await start()).state]) {
        expect(problemOf(await finish(await start(), { ...query, state }))).toEqual([422, 'no-code', undefined]);
      }
    },
  );
});

describe('a failure', () => {
  it('is a page for browsers, with the same status and a link to try again', async () => {
    const pages = [
      await finish(await start(), { code: '' }, 'text/html,application/xhtml+xml,*/*;q=0.8'),
      await finish(await start(), { state: 'wrong' }, '*/*'),
      await finish({ ...(await start()), nonce: 'wrong' }, {}, 'text/html, application/json'),
    ];
    expect(pages.map(({ status }) => status)).toEqual([422, 400, 400]);
    for (const { headers, text } of pages) {
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(text).toContain(`href="${START}">Try again</a>`);
      expect(text).toContain('href="/login/?next=%2F"');
      expect(headers['set-cookie']).toBeUndefined();
    }
  });
});

describe('the next path', () => {
  const KEPT: [string, string][] = [
    ['/', '/'],
    ['/a/b/?c=d&e#f', '/a/b/?c=d&e#f'],
    ['/ü x', '/%C3%BC%20x'],
    ['BASE/developers/', '/developers/'],
    ['BASE', '/'],
    ['/%2F/evil.example', '/%2F/evil.example'],
    ['/@evil.example', '/@evil.example'],
  ];
  const DROPPED = [
    ...[
      '//evil.example',
      '///evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
      '/\n/evil.example',
    ],
    ...['https://evil.example/', 'http:evil.example', 'HTTPS:/evil.example', 'javascript:alert(1)', 'data:text/html,x'],
    ...['BASE.evil.example/', 'BASE@evil.example/', 'BASE//evil.example', 'BASE\\evil.example', 'evil.example', ''],
    ...['?a', '#a', ' /a', './a', '../a', '/a//b', '/.//evil.example', '/\0', '/\u007f', `/${'x'.repeat(2000)}`],
  ];
  const target = (to: string) => to.replace('BASE', app.url);

  it.each(KEPT)('%j leads to %s', async (to, path) => {
    const started = await start(target(to));
    expect(started.state.split(':')[1]).toBe(Buffer.from(path).toString('base64url'));
    expect((await finish(started, { state: started.state }, '*/*')).headers.location).toBe(path);
  });

  it.each(DROPPED)('%j is dropped', async (to) => {
    const started = await start(target(to));
    expect(started.state).not.toContain(':');
    expect((await finish(started, { state: started.state }, '*/*')).headers.location).toBe('/');
  });

  it('is checked again on the way back', async () => {
    const started = await start('/safe/');
    await app.sql("UPDATE login_attempt SET next_path = '//evil.example' WHERE next_path = '/safe/'");
    expect((await finish(started, { state: started.state }, '*/*')).headers.location).toBe('/');
  });
});

describe('while the provider is down', () => {
  const down = [503, { error: 'unavailable', detail: 'The identity provider is not available.' }];

  it('the way back returns 503, and the next sign-in works', async () => {
    // A failure at the token endpoint makes the service read the keys again, too.
    for (const [path, accept] of [
      ['/token', 'application/json'],
      ['/jwks', 'application/json'],
      ['/jwks', 'text/html'],
    ] as const) {
      const started = await start();
      issuer.broken = new Set([path]);
      const reply = await finish(started, { state: started.state }, accept);
      issuer.broken.clear();
      if (accept === 'text/html') expect([reply.status, reply.text.includes('Try again')]).toEqual([503, true]);
      else expect([reply.status, reply.json]).toEqual(down);
      expect(reply.headers['set-cookie']).toBeUndefined();
    }
    const again = await start();
    expect((await finish(again, { state: again.state })).status).toBe(200);
  });

  it.each<[string, () => void]>([
    ['discovery fails', () => issuer.broken.add('/.well-known/openid-configuration')],
    ['discovery names another issuer', () => Object.assign(issuer.metadata, { issuer: 'https://other.example' })],
    ['discovery has no endpoints', () => Object.assign(issuer.metadata, { issuer: 5 })],
  ])('because %s, the start returns 503 and everything else works', async (_name, break_) => {
    const started = await start();
    issuer.broken.add('/token');
    await finish(started, { state: started.state });
    break_();
    const reply = await app.anonymous.get(START);
    const detail = 'The identity provider is not available.';
    expect([reply.status, reply.json, reply.headers['set-cookie']]).toEqual([
      503,
      { error: detail, detail },
      undefined,
    ]);
    expect((await app.anonymous.get('/api/v4/addons/search/')).status).toBe(200);
    issuer.broken.clear();
    issuer.metadata = {};
    expect((await start()).state).not.toBe('');
  });

  it('read-only mode refuses both steps', async () => {
    const started = await start();
    app.config.READ_ONLY = true;
    expect((await app.anonymous.get(START)).status).toBe(503);
    expect((await finish(started, { state: started.state })).status).toBe(503);
    app.config.READ_ONLY = false;
    expect((await finish(started, { state: started.state })).status).toBe(200);
  });
});

describe('the log', () => {
  it('contains no code, state, cookie, token or address', async () => {
    const { log } = await import('../../../src/infra/log.ts');
    const { symbols } = await import('pino');
    const stream = (log as unknown as Record<symbol, { write(line: string): unknown }>)[symbols.streamSym];
    if (stream === undefined) throw new Error('the logger has no stream');
    const lines: string[] = [];
    const { write } = stream;
    stream.write = (line) => lines.push(line);
    log.level = 'trace';
    const started = await start('/logged-path/');
    const good = await finish(started, { state: started.state, code: 'logged-code' });
    const bad = await start();
    const failed = await finish({ ...bad, nonce: 'wrong' }, { state: bad.state, code: 'logged-code' });
    await new Promise((resolve) => setImmediate(resolve));
    log.level = 'silent';
    stream.write = write;
    expect([good.status, failed.status]).toEqual([200, 401]);
    const text = lines.join('');
    expect(text).toContain('/api/v4/accounts/authenticate/');
    const secrets = [
      started.state,
      started.nonce,
      bad.state,
      bad.nonce,
      'logged-code',
      'secret-of-provider',
      'one@example.org',
    ];
    const cookies = (good.headers['set-cookie'] ?? []).map((cookie) => cookie.split(/[=;]/)[1] ?? '').filter(Boolean);
    for (const secret of [...secrets, ...cookies]) expect(text).not.toContain(secret);
  });
});
