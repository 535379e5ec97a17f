/* API keys that only upload versions of one add-on. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon, type MadeAddon, type VersionFacts } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';
import { xpi } from '../support/packages.ts';
import { patchJson, sendJson, type UploadJson } from '../support/submission.ts';

const app = setUpApp();
const UNLISTED: VersionFacts[] = [{ version: '1.0', channel: 'unlisted' }];
let developer: Client;
let own: MadeAddon;
let other: MadeAddon;
let key: Client;
beforeAll(async () => {
  developer = await app.memberWith('*:*');
  const authors = [developer.accountId ?? 0];
  own = await addon({ guid: 'own@example', slug: 'own', authors, versions: UNLISTED });
  other = await addon({ guid: 'other@example', slug: 'other', authors, versions: UNLISTED });
  key = await uploadKey(own.id);
});

const CREATE = `mutation($input: CreateApiKeyInput!) { createApiKey(input: $input) { __typename
  ... on UserError { message path } ... on CreateApiKeyPayload { secret apiKey { key addon { slug } } } } }`;

interface Made {
  __typename: string;
  message?: string;
  path?: string[];
  secret: string;
  apiKey: { key: string; addon: { slug: string } | null };
}

const create = async (input: object, client = developer): Promise<Made> =>
  (await client.graphql<{ createApiKey: Made }>(CREATE, { input: { acceptDeveloperAgreement: true, ...input } }))
    .createApiKey;

/** A client with a new key for this add-on. */
async function uploadKey(addonId: number): Promise<Client> {
  const { apiKey, secret } = await create({ addon: globalId('Addon', addonId) });
  return app.client({ key: apiKey.key, secret });
}

const ONLY_UPLOADS = 'This API key only uploads versions of one add-on. It is not accepted for anything else.';
const OTHER = 'This API key only uploads versions of another add-on, and changes only versions that it has uploaded.';

const sign = async (client: Client, guid: string, version: string) =>
  client.put(`/api/v4/addons/${guid}/versions/${version}/`, { upload: await xpi({ guid, version }) });

describe('createApiKey with an add-on', () => {
  it('makes a key with a prefix of its own, for authors of the add-on', async () => {
    const made = await create({ addon: globalId('Addon', own.id) });
    expect(made.apiKey).toEqual({ key: expect.stringMatching(/^addons_upload_[0-9a-f]{32}$/), addon: { slug: 'own' } });
    const refused = { __typename: 'InvalidInputError', path: ['addon'] };
    const stranger = await app.developer();
    expect(await create({ addon: globalId('Addon', own.id) }, stranger)).toMatchObject(refused);
    expect(await create({ addon: globalId('Addon', 999_999) })).toMatchObject(refused);
    expect((await create({})).apiKey).toMatchObject({ addon: null, key: expect.stringMatching(/^addons_key_/) });
  });
});

describe('a key for one add-on', () => {
  it('signs its versions, and reads status and file, as sign-addon does', async () => {
    expect((await sign(key, 'own@example', '2.0')).status).toBe(202);
    await app.runJobs();
    const status = await key.get('/api/v4/addons/OWN@example/versions/2.0/');
    expect(status.status).toBe(200);
    const { files, pk } = status.json as { files: { download_url: string }[]; pk: string };
    expect((await key.get(`/api/v4/addons/own@example/versions/2.0/uploads/${pk}/`)).status).toBe(200);
    expect((await key.get(files[0]?.download_url ?? '')).status).toBe(200);
  });

  it('submits its versions by API v5, as web-ext does', async () => {
    const sent = await key.post('/api/v5/addons/upload/', {
      channel: 'unlisted',
      upload: await xpi({ guid: 'own@example', version: '3.0' }),
    });
    expect(sent.status).toBe(201);
    await app.runJobs();
    const { uuid, url } = sent.json as UploadJson;
    expect((await key.get(url)).json).toMatchObject({ valid: true });
    const put = (version: object, listing = {}) =>
      sendJson(key, 'PUT', '/addon/own@example/', { ...listing, version: { upload: uuid, ...version } });
    const listing = await put({}, { summary: { 'en-US': 'Another one.' } });
    expect([listing.status, JSON.stringify(listing.json)]).toEqual([
      403,
      expect.stringContaining('leave out the fields of the add-on'),
    ]);
    const made = await put({ release_notes: { 'en-US': 'Notes.' } });
    expect(made.status).toBe(200);
    const { version } = made.json as { version: { id: number } };
    expect(
      (await patchJson(key, `own@example/versions/${version.id}/`, { approval_notes: 'Built by make.' })).status,
    ).toBe(200);
    await app.runJobs();
    const shown = await key.get(`/api/v5/addons/addon/own@example/versions/${version.id}/`);
    expect(shown.status).toBe(200);
    expect((await key.get((shown.json as { file: { url: string } }).file.url)).status).toBe(200);
    // A version of another credential.
    const old = await patchJson(key, `own@example/versions/${own.versions[0]?.id}/`, { approval_notes: 'x' });
    expect([old.status, old.json]).toEqual([403, { detail: OTHER }]);
  });

  it('is refused for another add-on of its account, and for new ones', async () => {
    for (const guid of ['other@example', 'new@example', '{00000000-0000-4000-8000-000000000000}']) {
      const reply = await sign(key, guid, '2.0');
      expect([guid, reply.status, reply.json]).toEqual([guid, 403, { error: OTHER, detail: OTHER }]);
    }
    const file = other.versions[0]?.files[0]?.id;
    for (const path of ['/api/v4/addons/other@example/versions/1.0/', `/api/v4/file/${file}/x.xpi`]) {
      expect((await key.get(path)).status, path).toBe(403);
    }
    for (const [path, body] of [
      ['/addon/other/versions/', { upload: '0'.repeat(32) }],
      ['/addon/', { version: { upload: '0'.repeat(32) } }],
    ] as const) {
      expect((await sendJson(key, 'POST', path, body)).status, path).toBe(403);
    }
    expect((await key.get(`/api/v5/addons/upload/${'0'.repeat(32)}/`)).status).toBe(403);
  });

  it('is refused everywhere else, whatever its account may do', async () => {
    const refused = [
      ...[
        '/api/v4/accounts/profile/',
        '/api/v5/accounts/profile/',
        '/api/v5/addons/upload/',
        '/api/v4/addons/addon/own/',
      ],
      '/api/v5/addons/addon/other/',
    ];
    for (const path of refused) {
      const reply = await key.get(path);
      expect([path, reply.status, reply.json]).toEqual([path, 403, { detail: ONLY_UPLOADS }]);
    }
    const form = { upload: await xpi({ guid: 'own@example', version: '9.0' }), version: '9.0' };
    expect((await key.post('/api/v4/addons/', form)).json).toEqual({ error: ONLY_UPLOADS, detail: ONLY_UPLOADS });
    const patched = await patchJson(key, 'own/', { slug: 'renamed' });
    expect([patched.status, patched.json]).toEqual([403, { detail: ONLY_UPLOADS }]);
    const { errors } = await key.graphqlResult('{ viewer { id } }');
    expect(errors?.[0]).toMatchObject({ message: ONLY_UPLOADS, extensions: { code: 'NOT_PERMITTED' } });
    expect((await key.get(`/downloads/file/${other.versions[0]?.files[0]?.id}/x.xpi`)).status).toBe(403);
  });

  it('is refused by public reads and reports, which need no key', async () => {
    const file = other.versions[0]?.files[0]?.id;
    const statuses: [string, number][] = [];
    for (const [method, path] of [
      ['GET', '/api/v4/addons/compat-override/?guid=own@example'],
      ['POST', '/api/v4/abuse/report/addon/'],
      ['POST', '/api/v4/abuse/report/collection/'],
      ['POST', '/api/v4/abuse/report/rating/'],
      ['POST', '/api/v4/abuse/report/user/'],
      ['DELETE', '/api/v4/accounts/session/'],
      ['GET', `/api/v4/accounts/account/${developer.accountId}/`],
      ['GET', `/api/v4/file/${file}/x.xpi`],
      ['GET', '/api/v5/addons/addon/other@example/versions/1.0/source/'],
    ] as const) {
      const body = method === 'POST' ? { body: '{}', headers: { 'Content-Type': 'application/json' } } : {};
      statuses.push([path, (await key.request(method, path, body)).status]);
    }
    expect(statuses.filter(([, status]) => status !== 403)).toEqual([]);
  });

  it('ends with its date, and the authorship of its account', async () => {
    const author = await app.developer();
    const made = await addon({ guid: 'ending@example', authors: [author.accountId ?? 0], versions: UNLISTED });
    const issue = async (expires: string | null) => {
      const { apiKey, secret } = await create({ addon: globalId('Addon', made.id), expires }, author);
      return app.client({ key: apiKey.key, secret });
    };
    const [ended, left] = [await issue(new Date(Date.now() + 60_000).toISOString()), await issue(null)];
    await app.sql(
      "UPDATE api_key SET expires = now() - interval '1 second' WHERE addon_id = $1 AND expires IS NOT NULL",
      [made.id],
    );
    expect((await sign(ended, 'ending@example', '2.0')).status).toBe(401);
    // Its account is no author any more, and another one is.
    await app.sql('UPDATE api_key SET account_id = $2 WHERE addon_id = $1 AND expires IS NULL', [
      made.id,
      developer.accountId,
    ]);
    expect((await sign(left, 'ending@example', '2.0')).status).toBe(403);
    const upload = { channel: 'unlisted', upload: await xpi({ guid: 'ending@example', version: '3.0' }) };
    expect((await left.post('/api/v5/addons/upload/', upload)).status).toBe(403);
  });
});
