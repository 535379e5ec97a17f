/* Sign-in with a standard OpenID provider, through the front door. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { Browser } from '../support/browser.ts';
import type { Reply } from '../support/client.ts';
import { CLIENT, connectProvider, type RealProvider } from '../support/real-provider.ts';

const START = '/api/v4/accounts/login/start/';

const app = setUpApp();
let provider: RealProvider;

beforeAll(async () => {
  provider = await connectProvider(app);
});
afterAll(() => provider.close());

let people = 0;
const newPerson = (facts: { email_verified?: boolean; email?: string } = {}) => {
  const sub = `person-${++people}`;
  provider.person = { sub, email: `${sub}@example.org`, email_verified: true, ...facts };
  return provider.person;
};

/** Signs in and returns the response of the service. */
async function signIn(browser = new Browser(app), headers: Record<string, string> = {}): Promise<Reply> {
  return browser.get(await browser.signInAtProvider(), headers);
}

const asJson = { Accept: 'application/json' };
const tokenOf = async (browser?: Browser) => ((await signIn(browser, asJson)).json as { token: string }).token;
const profile = (token: string) =>
  app.client({ token }).graphql('{ viewer { databaseId username name private { email isVerified lastLogin } } }');
const accountsWith = (email: string) => app.sql('SELECT * FROM account WHERE email = $1', [email]);

describe('GET accounts/login/start/', () => {
  it.each(['v3', 'v4', 'v4dev'])('redirects to the provider in %s', async (version) => {
    const reply = await app.anonymous.get(
      `/api/${version}/accounts/login/start/?to=/developers/&action=signup&config=x`,
    );
    expect(reply.status).toBe(302);
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const url = new URL(String(reply.headers.location));
    expect(url.origin).toBe(provider.issuer);
    const { state = '', nonce, code_challenge, ...others } = Object.fromEntries(url.searchParams);
    expect(others).toEqual({
      client_id: CLIENT.id,
      redirect_uri: `${app.url}/api/v4/accounts/authenticate/`,
      response_type: 'code',
      scope: 'openid profile email',
      code_challenge_method: 'S256',
    });
    expect(state).toMatch(/^[\w-]{43}:L2RldmVsb3BlcnMv$/);
    expect([nonce, code_challenge]).toEqual([
      expect.stringMatching(/^[\w-]{43}$/),
      expect.stringMatching(/^[\w-]{43}$/),
    ]);
    expect(reply.headers['set-cookie']).toEqual([
      expect.stringMatching(/^addons_login=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/),
    ]);
  });

  it.each(['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])('refuses %s', async (method) => {
    for (const path of [START, '/api/v4/accounts/authenticate/']) {
      const reply = await app.anonymous.request(method, path);
      expect([reply.status, reply.headers.allow, reply.headers['set-cookie']]).toEqual([
        405,
        'GET, OPTIONS',
        undefined,
      ]);
    }
  });

  it('is unknown without a provider, as is the way back', async () => {
    app.config.OIDC_ISSUER = undefined;
    const replies = [
      await app.anonymous.get(START),
      await app.anonymous.get('/api/v4/accounts/authenticate/?code=a', asJson),
    ];
    app.config.OIDC_ISSUER = provider.issuer;
    expect(replies.map(({ status, json }) => [status, json])).toEqual([
      [404, { detail: 'Not found.' }],
      [404, { error: 'not-found', detail: 'Not found.' }],
    ]);
  });

  it('is limited per address, as are failed returns', async () => {
    app.config.RATE_LIMITS = true;
    const statuses = async (path: string) => {
      const replies: number[] = [];
      for (let count = 0; count < 31; count++) replies.push((await app.anonymous.get(path)).status);
      return replies;
    };
    const [started, failed] = [await statuses(START), await statuses('/api/v4/accounts/authenticate/')];
    app.config.RATE_LIMITS = false;
    expect([started.slice(29), failed.slice(29)]).toEqual([
      [302, 429],
      [422, 429],
    ]);
  });
});

describe('GET accounts/authenticate/', () => {
  it('signs a new person in and redirects to the next path', async () => {
    const person = newPerson();
    const browser = new Browser(app);
    const back = await browser.signInAtProvider(`${START}?to=/addon/%C3%A9/?a=1%23top`);
    const reply = await browser.get(back, { 'Accept-Language': 'he, en;q=0.5' });
    expect([reply.status, reply.headers.location, reply.text]).toEqual([302, '/addon/%C3%A9/?a=1#top', '']);
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const rest = '; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000';
    const [token = '', session = '', used] = reply.headers['set-cookie'] ?? [];
    expect(token).toMatch(new RegExp(`^frontend_auth_token=addons_token_[0-9a-f]{72}${rest}$`));
    expect(session).toMatch(new RegExp(`^addons_session=[\\w-]{43}${rest}$`));
    expect(used).toBe('addons_login=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
    const { viewer } = (await profile(browser.cookie('frontend_auth_token') ?? '')) as { viewer: { username: string } };
    expect(viewer).toMatchObject({ private: { email: person.email, isVerified: true, lastLogin: expect.any(String) } });
    expect(viewer.username).toMatch(/^anonymous-[0-9a-f]{32}$/);
    expect(await app.sql('SELECT locale FROM account WHERE email = $1', [person.email])).toEqual([{ locale: 'he' }]);
  });

  it('returns the token as JSON to clients that prefer it, and to format=json', async () => {
    const person = newPerson();
    for (const [query, headers] of [
      ['', asJson],
      ['', { Accept: 'application/json, text/plain, */*' }],
      ['&format=json', { Accept: 'text/html' }],
    ] as const) {
      const browser = new Browser(app);
      const reply = await browser.get((await browser.signInAtProvider()) + query, headers);
      expect([reply.status, reply.headers.etag, reply.headers['cache-control']]).toEqual([200, undefined, 'no-store']);
      expect(Object.keys(reply.json as object)).toEqual(['email', 'token']);
      expect(reply.json).toEqual({ email: person.email, token: browser.cookie('frontend_auth_token') });
      expect(await profile((reply.json as { token: string }).token)).toMatchObject({
        viewer: { private: { email: person.email } },
      });
    }
    expect(await accountsWith(person.email ?? '')).toHaveLength(1);
  });

  it('serves the way back in every API version', async () => {
    for (const version of ['v3', 'v4dev']) {
      newPerson();
      const browser = new Browser(app);
      const path = (await browser.signInAtProvider()).replace('/v4/', `/${version}/`);
      expect((await browser.get(path)).status).toBe(302);
    }
  });

  it('is refused with a code that was used before, and with the code of another sign-in', async () => {
    newPerson();
    const [browser, other] = [new Browser(app), new Browser(app)];
    const used = await browser.signInAtProvider();
    expect((await browser.get(used)).status).toBe(302);
    const [mine, theirs] = [await browser.signInAtProvider(), await other.signInAtProvider()];
    for (const path of [used, theirs]) {
      const code = new URLSearchParams(path.split('?')[1]).get('code') ?? '';
      const reply = await browser.get(mine.replace(/code=[^&]*/, `code=${code}`), asJson);
      // The first attempt uses the state up.
      const expected = path === used ? [401, 'no-profile'] : [400, 'state-mismatch'];
      expect([reply.status, (reply.json as { error: string }).error]).toEqual(expected);
    }
    const again = await browser.signInAtProvider();
    const code = new URLSearchParams(theirs.split('?')[1]).get('code') ?? '';
    expect((await browser.get(again.replace(/code=[^&]*/, `code=${code}`), asJson)).status).toBe(401);
  });

  it('finds an account by identity, and changes its address to a verified one only', async () => {
    const person = newPerson();
    const first = await profile(await tokenOf());
    provider.person = { ...person, email: 'moved@example.org', email_verified: false };
    const known = { ...(first as { viewer: object }).viewer };
    const kept = { email: person.email, isVerified: true };
    expect(await profile(await tokenOf())).toMatchObject({ viewer: { ...known, private: kept } });
    provider.person = { ...person, email: 'moved@example.org' };
    const moved = { email: 'moved@example.org', isVerified: true };
    expect(await profile(await tokenOf())).toMatchObject({ viewer: { ...known, private: moved } });
  });

  it('keeps the address when another account has the new one', async () => {
    const other = newPerson();
    await signIn();
    const person = newPerson();
    await signIn();
    provider.person = { ...person, email: other.email };
    expect((await signIn(undefined, asJson)).json).toMatchObject({ email: person.email });
  });

  it('finds an account by a verified address, regardless of case', async () => {
    const { createAccount } = await import('../../src/domain/accounts/administration.ts');
    const { id } = await createAccount({ username: 'old-hand', email: 'Old-Hand@example.org' });
    newPerson({ email: 'old-hand@EXAMPLE.org' });
    expect(await profile(await tokenOf())).toMatchObject({ viewer: { databaseId: id, username: 'old-hand' } });
  });

  it('refuses an unverified address that an account has, unless the provider is trusted', async () => {
    const { createAccount } = await import('../../src/domain/accounts/administration.ts');
    await createAccount({ username: 'victim', email: 'victim@example.org' });
    for (const email_verified of [false, undefined]) {
      newPerson({ email: 'victim@example.org', ...(email_verified === undefined ? {} : { email_verified }) });
      if (email_verified === undefined) delete provider.person.email_verified;
      const reply = await signIn(undefined, asJson);
      expect([reply.status, reply.json, reply.headers['set-cookie']]).toEqual([
        401,
        { error: 'no-profile', detail: expect.any(String) },
        undefined,
      ]);
    }
    app.config.OIDC_TRUST_EMAIL = true;
    expect(await profile(await tokenOf())).toMatchObject({ viewer: { username: 'victim' } });
    app.config.OIDC_TRUST_EMAIL = false;
  });

  it('gives an address to its owner when another identity only claimed it', async () => {
    newPerson({ email: 'claimed@example.org', email_verified: false });
    const claimant = (await profile(await tokenOf())) as { viewer: { databaseId: number } };
    newPerson({ email: 'claimed@example.org' });
    const owner = (await profile(await tokenOf())) as { viewer: { databaseId: number } };
    expect(owner).toMatchObject({ viewer: { private: { email: 'claimed@example.org', isVerified: true } } });
    expect(owner.viewer.databaseId).not.toBe(claimant.viewer.databaseId);
  });

  it('refuses a person without an e-mail address', async () => {
    newPerson();
    delete provider.person.email;
    expect(await signIn(undefined, asJson)).toMatchObject({ status: 401, json: { error: 'no-profile' } });
  });

  it('refuses a disabled account with 403 and opens no session', async () => {
    const person = newPerson();
    const token = await tokenOf();
    const { viewer } = (await profile(token)) as { viewer: { username: string; databaseId: number } };
    const { disableAccountByName } = await import('../../src/domain/profiles/disable-account.ts');
    await disableAccountByName(viewer.username);
    const json = { error: 'account-disabled', detail: 'You do not have permission to perform this action.' };
    const reply = await signIn(undefined, asJson);
    expect([reply.status, reply.json, reply.headers['set-cookie']]).toEqual([403, json, undefined]);
    const page = await signIn();
    expect([page.status, page.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
    expect(page.text).toContain('The operator disabled this account.');
    expect(page.text).toContain('The operator gave no reason.');
    expect(await app.sql('SELECT FROM access_token WHERE account_id = $1', [viewer.databaseId])).toHaveLength(1);
    expect(await accountsWith(person.email ?? '')).toHaveLength(1);
  });

  it('shows the owner of a disabled account the last reason, as text, on the page and in a mail', async () => {
    const person = newPerson();
    const { viewer } = (await profile(await tokenOf())) as { viewer: { username: string; databaseId: number } };
    const { disableAccountByName, enableAccountByName } = await import('../../src/domain/profiles/disable-account.ts');
    await disableAccountByName(viewer.username, 'Spam in reviews.');
    await enableAccountByName(viewer.username);
    await disableAccountByName(viewer.username, 'Add-ons that <send> browsing history: policy 3.2.');
    const { text } = await signIn();
    expect(text).toContain('<bdi>Add-ons that &lt;send&gt; browsing history: policy 3.2.</bdi></blockquote>');
    expect(text).not.toMatch(/Spam in reviews/);
    const mails = await app.sql('SELECT text FROM outgoing_mail WHERE address = $1 ORDER BY id', [person.email]);
    expect(JSON.stringify(mails.at(-1))).toContain('browsing history: policy 3.2.');
  });

  it('opens a new session for a browser that is signed in, and ends its page session', async () => {
    newPerson();
    const browser = new Browser(app);
    const first = await tokenOf(browser);
    const page = browser.cookie('addons_session') ?? '';
    const second = await tokenOf(browser);
    expect(second).not.toBe(first);
    for (const token of [first, second]) expect(await profile(token)).toMatchObject({ viewer: expect.any(Object) });
    const { viewerOfPage } = await import('../../src/auth/page-session.ts');
    expect((await viewerOfPage(page)).kind).toBe('anonymous');
    expect((await viewerOfPage(browser.cookie('addons_session') ?? '')).kind).toBe('account');
  });

  it('creates one account for two simultaneous sign-ins of a new person', async () => {
    const person = newPerson();
    const browsers = [new Browser(app), new Browser(app), new Browser(app)];
    const paths = await Promise.all(browsers.map((browser) => browser.signInAtProvider()));
    const replies = await Promise.all(browsers.map((browser, index) => browser.get(paths[index] ?? '')));
    expect(replies.map(({ status }) => status)).toEqual([302, 302, 302]);
    expect(await accountsWith(person.email ?? '')).toHaveLength(1);
  });

  it('follows the keys of the provider at once', async () => {
    for (const [kid, alg] of [['second', 'ES256']] as const) {
      newPerson();
      await signIn();
      provider.rotateKey(kid, alg);
      expect((await signIn()).status).toBe(302);
    }
  });
});
