/* Trusted publishers: ID tokens of jobs are exchanged for keys that upload versions of one add-on. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { Client } from '../support/client.ts';
import { addon, type MadeAddon, type VersionFacts } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';
import { JOB_CLAIMS, timesOf } from '../support/job-claims.ts';
import { xpi } from '../support/packages.ts';
import { documentOf, visitorOf } from '../support/pages.ts';

const [trusted, foreign] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
const jwk = { ...(await exportJWK(trusted.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
let keyRequests = 0;
const server = createServer(({ url = '' }, response) => {
  if (url.startsWith('/down')) return void response.writeHead(500).end();
  const base = issuer + (/^\/long-[a-z]+/.exec(url)?.[0] ?? '');
  const areKeys = url.endsWith('/keys');
  if (areKeys) keyRequests += 1;
  const body = areKeys ? { keys: [jwk] } : { issuer: base, jwks_uri: `${base}/keys` };
  const isLong = url.startsWith(areKeys ? '/long-keys' : '/long-document');
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ ...body, ...(isLong ? { more: 'x'.repeat(1_048_576) } : {}) }));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Issuers that fail, to which no connection can be made, and whose responses are too long. */
const DOWN = [`${issuer}/down`, 'http://127.0.0.1:1', `${issuer}/long-document`, `${issuer}/long-keys`];

const app = setUpApp({ settings: { PUBLISHING_ISSUERS: [issuer, ...DOWN] } });
const AUDIENCE = 'https://addons.test';
const SUBJECT = 'repo:example/notes:ref:refs/heads/main';
const UNLISTED: VersionFacts[] = [{ version: '1.0', channel: 'unlisted' }];
let owner: Client;
let made: MadeAddon;
let publisher: string;

const ADD = `mutation($input: AddTrustedPublisherInput!) { addTrustedPublisher(input: $input) { __typename
  ... on UserError { message path } ... on AddTrustedPublisherPayload { publisher { id subject audience } } } }`;
interface Added {
  __typename: string;
  path?: string[];
  publisher: { id: string; subject: string; audience: string };
}
const add = async (input: object, client = owner): Promise<Added> =>
  (
    await client.graphql<{ addTrustedPublisher: Added }>(ADD, {
      input: { addon: globalId('Addon', made.id), issuer, audience: AUDIENCE, ...input },
    })
  ).addTrustedPublisher;

beforeAll(async () => {
  owner = await app.developer();
  made = await addon({ guid: 'ci@example', slug: 'ci', authors: [owner.accountId ?? 0], versions: UNLISTED });
  publisher = (await add({ subject: 'repo:example/notes:*' })).publisher.id;
});
afterAll(() => server.close());

const now = () => Math.floor(Date.now() / 1000);
const claims = (more: JWTPayload = {}): JWTPayload => ({
  ...{ iss: issuer, aud: AUDIENCE, sub: SUBJECT, jti: randomUUID(), iat: now(), exp: now() + 300 },
  ...more,
});
const tokenOf = (payload: JWTPayload, key = trusted.privateKey, header: object = {}) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(key);
const exchange = (token: unknown, guid: unknown = 'ci@example') =>
  app.anonymous.request('POST', '/api/v5/publishing/token/', {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ addon: guid, token }),
  });

describe('POST publishing/token/', () => {
  it('makes a key for 15 minutes that signs the add-on, whose version names repository and commit', async () => {
    const public_ = {
      repository: 'example/notes',
      sha: 'a'.repeat(40),
      workflow_ref: 'example/notes/.github/x.yml@main',
    };
    const reply = await exchange(await tokenOf(claims({ ...public_, repository_visibility: 'public' })), 'CI@example');
    expect(reply.status).toBe(201);
    const { key, secret, expires } = reply.json as { key: string; secret: string; expires: string };
    expect(Date.parse(expires) - Date.now()).toBeGreaterThan(14 * 60_000);
    expect(Date.parse(expires) - Date.now()).toBeLessThanOrEqual(15 * 60_000);
    const job = new Client(app.url, () => {}, { key, secret });
    const signed = await job.put('/api/v4/addons/ci@example/versions/2.0/', {
      upload: await xpi({ guid: 'ci@example', version: '2.0' }),
    });
    expect(signed.status).toBe(202);
    await app.runJobs();
    const { addon: shown } = await owner.graphql<{ addon: { version: { provenance: object } } }>(
      '{ addon(by: { slug: "ci" }) { version(by: { number: "2.0" }) { provenance { issuer repository commit workflow runUrl } } } }',
    );
    expect(shown.version.provenance).toEqual({
      ...{ issuer, repository: 'example/notes', commit: 'a'.repeat(40), runUrl: null },
      workflow: 'example/notes/.github/x.yml@main',
    });
    const $ = documentOf(await (await visitorOf(app, owner)).get('/addon/ci/versions/2.0/'));
    expect($('aside dt:contains("Built by") + dd').text()).toBe('example/notes at aaaaaaaaaaaa .github/x.yml@main');
    // The keys of jobs are in no list of keys.
    const { viewer } = await owner.graphql<{ viewer: { private: { apiKeys: { key: string }[] } } }>(
      '{ viewer { private { apiKeys { key } } } }',
    );
    expect(viewer.private.apiKeys.map((each) => each.key)).not.toContain(key);
  });

  it.each([
    ['GitHub Actions', 'github'],
    ['GitLab CI', 'gitlab'],
  ] as const)('takes a token with the claims of %s', async (_name, provider) => {
    const { sub, ...job } = JOB_CLAIMS[provider];
    await add({ subject: sub });
    expect((await exchange(await tokenOf({ ...claims(), ...timesOf(provider), sub, ...job }))).status).toBe(201);
    const [row] = await app.sql<{ provenance: object }>('SELECT provenance FROM api_key ORDER BY id DESC LIMIT 1');
    expect(row?.provenance).toMatchObject({ issuer, repository: 'example/notes', commit: job.sha });
  });

  it('says nothing of a repository that is not public', async () => {
    await exchange(await tokenOf(claims({ repository: 'example/secret', repository_visibility: 'private' })));
    const [row] = await app.sql('SELECT provenance FROM api_key ORDER BY id DESC LIMIT 1');
    expect(row).toEqual({ provenance: { issuer } });
  });

  it('takes a token once', async () => {
    const token = await tokenOf(claims());
    expect((await exchange(token)).status).toBe(201);
    const again = await exchange(token);
    expect([again.status, JSON.stringify(again.json)]).toEqual([401, expect.stringContaining('exchanged before')]);
  });

  it.each([
    [
      'another subject',
      () => tokenOf(claims({ sub: 'repo:example/notes-2:ref:refs/heads/main' })),
      'matches its subject',
    ],
    ['another audience', () => tokenOf(claims({ aud: 'https://other.example' })), '"aud"'],
    ['an end in the past', () => tokenOf(claims({ exp: now() - 60 })), '"exp"'],
    ['a beginning in the future', () => tokenOf(claims({ nbf: now() + 600 })), '"nbf"'],
    ['no nonce', () => tokenOf(claims({ jti: undefined })), '"jti"'],
    ['a life of two days', () => tokenOf(claims({ exp: now() + 172_800 })), 'lasts more'],
    ['another key', () => tokenOf(claims(), foreign.privateKey), 'signature'],
    ['an unknown key', () => tokenOf(claims(), foreign.privateKey, { kid: 'two' }), 'no applicable key'],
    ['another issuer', () => tokenOf(claims({ iss: 'https://evil.example' })), 'not one of the issuers'],
    [
      'no signature',
      async () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await tokenOf(claims())).split('.')[1]}.`,
      'not valid',
    ],
    ['no token in it', async () => 'x', 'no JSON Web Token'],
  ])('refuses one with %s', async (_title, token, text) => {
    const reply = await exchange(await token());
    expect([reply.status, JSON.stringify(JSON.parse(reply.text)).replaceAll('\\"', '"')]).toEqual([
      401,
      expect.stringContaining(text),
    ]);
  });

  it('refuses tokens for other add-ons and unreadable requests, and asks the issuer for keys once', async () => {
    const other = await addon({ guid: 'other-ci@example', authors: [owner.accountId ?? 0] });
    for (const guid of ['other-ci@example', 'unknown@example', `${other.id}`]) {
      expect((await exchange(await tokenOf(claims()), guid)).status, guid).toBe(401);
    }
    for (const [token, guid] of [
      [1, 'ci@example'],
      ['', 'ci@example'],
      ['x'.repeat(20_000), 'ci@example'],
      ['x', null],
    ] as const) {
      expect((await exchange(token, guid)).status).toBe(400);
    }
    expect((await exchange(await tokenOf(claims()), 'ci\0@example')).status).toBe(401);
    expect(keyRequests).toBeLessThanOrEqual(2);
  });
});

describe('trusted publishers', () => {
  it('are added by owners, with usable values', async () => {
    for (const [input, field] of [
      [{ subject: '*' }, 'subject'],
      [{ subject: 'repo:*' }, 'subject'],
      [{ subject: 'repo:/*' }, 'subject'],
      [{ subject: 'repo:a*b/c' }, 'subject'],
      [{ subject: 'repo:example/notes:*' }, 'subject'],
      [{ subject: SUBJECT, issuer: 'https://evil.example' }, 'issuer'],
      [{ subject: SUBJECT, audience: 'a b' }, 'audience'],
    ] as const) {
      expect(await add(input), JSON.stringify(input)).toMatchObject({ __typename: 'InvalidInputError', path: [field] });
    }
    const developer = await app.developer();
    await app.sql(
      "INSERT INTO addon_author (addon_id, account_id, role, listed, position) SELECT addon_id, $2, 'developer', false, 9 FROM addon_author WHERE addon_id = $1 LIMIT 1",
      [made.id, developer.accountId],
    );
    expect(await add({ subject: SUBJECT }, developer)).toMatchObject({ __typename: 'NotPermittedError' });
    const visitor = await visitorOf(app, developer);
    const $ = documentOf(await visitor.get('/developers/addon/ci/publishing/'));
    expect($('main table').text()).toContain('repo:example/notes:*');
    expect($('[name=subject]')).toHaveLength(0);
    const publishing = await visitorOf(app, owner);
    const page = '/developers/addon/ci/publishing/';
    const sent = await publishing.submit(page, 'hub-publisher-add', {
      ...{ addon: globalId('Addon', made.id), issuer, subject: SUBJECT, audience: '' },
    });
    expect([sent.status, sent.headers.location]).toEqual([303, expect.stringContaining('done=hub-publisher-add')]);
    const refused = await publishing.submit(page, 'hub-publisher-add', {
      ...{ addon: globalId('Addon', made.id), issuer, subject: '*', audience: '' },
    });
    expect([refused.status, documentOf(refused)('[name=subject]').attr('value')]).toEqual([422, '*']);
    await app.sql('DELETE FROM addon_author WHERE account_id = $1', [developer.accountId]);
  });

  it('end with the keys of their jobs, by their owners', async () => {
    const { key, secret } = (await exchange(await tokenOf(claims()))).json as { key: string; secret: string };
    const remove = (client: Client) =>
      client.graphql('mutation($id: ID!) { removeTrustedPublisher(input: { id: $id }) { __typename } }', {
        id: publisher,
      });
    expect(await remove(await app.developer())).toEqual({ removeTrustedPublisher: { __typename: 'NotFoundError' } });
    expect(await remove(owner)).toEqual({ removeTrustedPublisher: { __typename: 'RemoveTrustedPublisherPayload' } });
    const job = new Client(app.url, () => {}, { key, secret });
    expect((await job.get('/api/v4/addons/ci@example/versions/2.0/')).status).toBe(401);
    const reply = await exchange(await tokenOf(claims()));
    expect(reply.status).toBe(401);
  });

  it.each(DOWN)('are kept while their issuer is out of order, as %s: 503', async (down) => {
    expect((await add({ issuer: down, subject: SUBJECT })).__typename).toBe('AddTrustedPublisherPayload');
    const reply = await exchange(await tokenOf(claims({ iss: down })));
    expect([reply.status, reply.text]).toEqual([503, expect.stringContaining('issuer')]);
    const [row] = await app.sql('SELECT count(*)::int AS count FROM trusted_publisher WHERE issuer = $1', [down]);
    expect(row).toEqual({ count: 1 });
  });
});
