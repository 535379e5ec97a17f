/* ID tokens and other responses that no honest provider sends, through the front door. */
import type { KeyObject } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { Browser } from '../support/browser.ts';
import type { Reply } from '../support/client.ts';
import { ecKey, HostileIssuer, rsaKey, signedToken, type TokenRequest } from '../support/hostile-issuer.ts';

const START = '/api/v4/accounts/login/start/';
const CLIENT = { OIDC_CLIENT_ID: 'addons', OIDC_CLIENT_SECRET: 'a-client-secret' };
const [RSA, EC, OTHER] = [rsaKey(), ecKey(), rsaKey()];

const app = setUpApp();
let issuer: HostileIssuer;

beforeAll(async () => {
  issuer = await HostileIssuer.start();
  Object.assign(app.config, { OIDC_ISSUER: issuer.issuer, ...CLIENT });
});
afterAll(async () => {
  issuer.close();
});
beforeEach(() => {
  issuer.keys = new Map([
    ['rsa', RSA],
    ['ec', EC],
  ]);
  issuer.broken.clear();
});

type Json = Record<string, unknown>;

const now = () => Math.floor(Date.now() / 1000);
let people = 0;

/** A flaw: changes of header and claims, another key, or a change of the token. Undefined deletes a claim. */
interface Flaw {
  header?: Json;
  claims?: Json;
  key?: KeyObject | string;
  change?: (token: string) => unknown;
}

/** Signs in with an ID token that has this flaw only. */
async function signInWith({ header, claims, key = RSA.privateKey, change = (token) => token }: Flaw): Promise<Reply> {
  const browser = new Browser(app);
  const started = await browser.get(START);
  const { state = '', nonce } = Object.fromEntries(new URL(String(started.headers.location)).searchParams);
  const sub = `person-${++people}`;
  const good = { iss: issuer.issuer, aud: 'addons', sub, nonce, iat: now(), exp: now() + 60 };
  const profile = { email: `${sub}@hostile.example`, email_verified: true };
  const token = signedToken({ alg: 'RS256', kid: 'rsa', ...header }, { ...good, ...profile, ...claims }, key);
  issuer.token = () => ({ body: { access_token: 'x', token_type: 'Bearer', id_token: change(token) } });
  const query = new URLSearchParams({ code: 'a-code', state, format: 'json' });
  return browser.get(`/api/v4/accounts/authenticate/?${query}`);
}

const accounts = async () => Number((await app.sql<{ count: string }>('SELECT count(*) FROM account'))[0]?.count);
const publicPem = String(RSA.publicKey.export({ type: 'spki', format: 'pem' }));
const withPart = (token: string, index: number, part: string) =>
  token
    .split('.')
    .map((each, position) => (position === index ? part : each))
    .join('.');

describe('an ID token', () => {
  it.each<[string, Flaw]>([
    ['RS256', {}],
    ['PS256', { header: { alg: 'PS256' } }],
    ['ES256', { header: { alg: 'ES256', kid: 'ec' }, key: EC.privateKey }],
    ['several audiences and this client as the authorized party', { claims: { aud: ['x', 'addons'], azp: 'addons' } }],
  ])('is accepted with %s', async (_name, flaw) => {
    const reply = await signInWith(flaw);
    expect([reply.status, reply.json]).toEqual([
      200,
      { email: `person-${people}@hostile.example`, token: expect.any(String) },
    ]);
  });

  const jwk = OTHER.publicKey.export({ format: 'jwk' });
  it.each<[string, Flaw]>([
    ['alg none, unsigned', { header: { alg: 'none' }, key: '' }],
    ['alg None', { header: { alg: 'None' }, key: '' }],
    ['alg none without kid', { header: { alg: 'none', kid: undefined }, key: '' }],
    ['no alg', { header: { alg: undefined } }],
    ['HS256 with the client secret', { header: { alg: 'HS256' }, key: CLIENT.OIDC_CLIENT_SECRET }],
    ['HS256 with the public key', { header: { alg: 'HS256' }, key: publicPem }],
    ['RS384', { header: { alg: 'RS384' } }],
    ['PS384', { header: { alg: 'PS384' } }],
    ['ES256 with the key of RS256', { header: { alg: 'ES256', kid: 'rsa' }, key: EC.privateKey }],
    ['a signature of another key', { key: OTHER.privateKey }],
    ['its own key in the header', { header: { jwk: { ...jwk } }, key: OTHER.privateKey }],
    ['its own key behind jku', { header: { jku: 'http://127.0.0.1:1/jwks' }, key: OTHER.privateKey }],
    ['an unknown key', { header: { kid: '../../etc/passwd' } }],
    ['no signature', { change: (token) => withPart(token, 2, '') }],
    ['a cut signature', { change: (token) => token.slice(0, -4) }],
    ['changed claims', { change: (token) => withPart(token, 1, Buffer.from('{"sub":"admin"}').toString('base64url')) }],
    ['a critical header', { header: { crit: ['x'], x: 1 } }],
    ['another issuer', { claims: { iss: 'https://other.example' } }],
    ['an issuer with a slash', { claims: { iss: `${'http://127.0.0.1:1'}/` } }],
    ['no issuer', { claims: { iss: undefined } }],
    ['another audience', { claims: { aud: 'other' } }],
    ['no audience', { claims: { aud: undefined } }],
    ['another authorized party', { claims: { azp: 'other', aud: ['addons', 'other'] } }],
    ['an expiry in the past', { claims: { exp: now() - 120 } }],
    ['an expiry as text', { claims: { exp: '9999999999' } }],
    ['no expiry', { claims: { exp: undefined } }],
    ['a start in the future', { claims: { nbf: now() + 600 } }],
    ['another nonce', { claims: { nonce: 'x' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['no subject', { claims: { sub: undefined } }],
    ['an empty subject', { claims: { sub: '' } }],
    ['a number as subject', { claims: { sub: 5 } }],
    ['a long subject', { claims: { sub: 'x'.repeat(256) } }],
    ['a NUL in the subject', { claims: { sub: 'a\0b' } }],
    ['no e-mail address', { claims: { email: undefined } }],
    ['an object as e-mail address', { claims: { email: { a: 1 } } }],
    ['a line end in the e-mail address', { claims: { email: 'a@b.example\r\nBcc: c@d.example' } }],
    ['no e-mail address but a name', { claims: { email: 'someone' } }],
    ['text that is no token', { change: () => 'abc' }],
    ['two parts', { change: (token) => token.split('.').slice(0, 2).join('.') }],
    ['an object for a token', { change: () => ({}) }],
    ['nothing for a token', { change: () => undefined }],
  ])('is refused with %s', async (_name, flaw) => {
    const before = await accounts();
    const reply = await signInWith(flaw);
    expect([reply.status, reply.json]).toEqual([401, { error: 'no-profile', detail: expect.any(String) }]);
    expect([reply.headers['set-cookie'], await accounts()]).toEqual([undefined, before]);
  });
});

describe('the keys of the provider', () => {
  it('are read again for an unknown key, at most once a minute', async () => {
    issuer.requests.length = 0;
    for (const kid of ['a', 'b', 'c']) expect((await signInWith({ header: { kid } })).status).toBe(401);
    expect(issuer.requests.filter((path) => path === '/jwks').length).toBeLessThanOrEqual(1);
    expect((await signInWith({})).status).toBe(200);
  });
});

describe('a response of the provider', () => {
  it.each<[string, number, unknown]>([
    ['refuses the code', 400, { error: 'invalid_grant' }],
    ['refuses the client', 401, { error: 'invalid_client' }],
    ['is no JSON', 200, 'abc'],
    ['is a list', 200, []],
    ['is a redirect', 302, ''],
    ['has a token of another type', 200, { access_token: 'x', token_type: 'mac' }],
  ])('at the token endpoint that %s is 401', async (_name, status, body) => {
    const browser = new Browser(app);
    const { headers } = await browser.get(START);
    const state = new URL(String(headers.location)).searchParams.get('state') ?? '';
    issuer.token = () => ({ status, body });
    const query = new URLSearchParams({ code: 'a-code', state });
    const reply = await browser.get(`/api/v4/accounts/authenticate/?${query}`, { Accept: 'application/json' });
    expect([reply.status, reply.json]).toMatchObject([401, { error: 'no-profile' }]);
  });

  it('names another subject at the UserInfo endpoint than in the ID token', async () => {
    issuer.metadata = { userinfo_endpoint: `${issuer.issuer}/userinfo` };
    await forgetProvider();
    issuer.userInfo = { sub: 'somebody-else', email: 'else@hostile.example', email_verified: true };
    expect((await signInWith({ claims: { email: undefined } })).status).toBe(401);
    issuer.userInfo = { sub: `person-${people + 1}`, email: 'me@hostile.example', email_verified: true };
    expect((await signInWith({ claims: { email: undefined } })).json).toMatchObject({ email: 'me@hostile.example' });
    issuer.metadata = {};
    await forgetProvider();
  });
});

/** Makes the service read the metadata again, which it does after a failure. */
async function forgetProvider(): Promise<void> {
  issuer.broken.add('/token');
  expect((await signInWith({})).status).toBe(503);
  issuer.broken.clear();
}

describe('this service', () => {
  it('uses the client authentication method of the provider, and sends the PKCE verifier', async () => {
    const seen: TokenRequest[] = [];
    for (const [metadata, secret] of [
      [{}, CLIENT.OIDC_CLIENT_SECRET],
      [{ token_endpoint_auth_methods_supported: ['client_secret_post'] }, CLIENT.OIDC_CLIENT_SECRET],
      [{}, undefined],
    ] as const) {
      issuer.metadata = metadata;
      app.config.OIDC_CLIENT_SECRET = secret;
      await forgetProvider();
      const browser = new Browser(app);
      const { headers } = await browser.get(START);
      const state = new URL(String(headers.location)).searchParams.get('state') ?? '';
      issuer.token = (request) => {
        seen.push(request);
        return { status: 400, body: { error: 'invalid_grant' } };
      };
      await browser.get(`/api/v4/accounts/authenticate/?${new URLSearchParams({ code: 'a-code', state })}`);
    }
    Object.assign(app.config, CLIENT);
    const basic = `Basic ${Buffer.from('addons:a-client-secret'.replaceAll('-', '%2D')).toString('base64')}`;
    const common = {
      grant_type: 'authorization_code',
      code: 'a-code',
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    };
    expect(seen.map(({ headers, form }) => [headers.authorization, form])).toMatchObject([
      [basic, common],
      [undefined, { ...common, client_id: 'addons', client_secret: 'a-client-secret' }],
      [undefined, { ...common, client_id: 'addons' }],
    ]);
    expect(seen[2]?.form['client_secret']).toBeUndefined();
  });
});
