import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client, Reply } from '../support/client.ts';
import { beginningWith, expectRefusal, signingRefusal } from '../support/expect-refusal.ts';
import { brokenPackage, legacyExtension, xpi } from '../support/packages.ts';

const app = setUpApp();
let dev: Client;
let next = 0;

beforeAll(async () => {
  dev = await app.developer();
});

/** A unique id. */
const newGuid = () => `addon-${++next}@signing.test`;
const address = (guid: string, version: string, api = 'v4') => `/api/${api}/addons/${guid}/versions/${version}/`;

interface Status {
  guid: string;
  active: boolean;
  files: { download_url: string; hash: string; signed: boolean }[];
  pk: string;
  processed: boolean;
  valid: boolean;
  reviewed: boolean;
  passed_review: boolean;
  url: string;
  validation_url: string;
  validation_results: { errors: number; messages: { type: string }[] } | null;
}
const statusOf = (reply: Reply) => reply.json as Status;

/** Uploads a version and waits until the workers have signed it. */
async function signed(client: Client, guid: string, version = '1.0'): Promise<Status> {
  await client.put(address(guid, version), { upload: await xpi({ guid, version }) });
  await app.runJobs();
  return statusOf(await client.get(address(guid, version)));
}

describe('PUT /api/v4/addons/{addon-id}/versions/{version}/', () => {
  it('creates the add-on, then its further versions, under each API version', async () => {
    const guid = newGuid();
    const first = await dev.put(address(guid, '1.0'), { upload: await xpi({ guid, version: '1.0' }) });
    expect(first.status).toBe(201);
    const { pk } = statusOf(first);
    expect(first.json).toEqual({
      guid,
      active: false,
      automated_signing: true,
      files: [],
      passed_review: false,
      pk: expect.stringMatching(/^[0-9a-f]{32}$/),
      processed: false,
      reviewed: false,
      url: `${app.url}/api/v4/addons/${guid}/versions/1.0/uploads/${pk}/`,
      valid: false,
      validation_results: null,
      validation_url: `${app.url}/validation/${pk}`,
      version: '1.0',
    });
    for (const [api, version] of [
      ['v3', '1.1'],
      ['v4dev', '1.2'],
    ] as const) {
      const further = await dev.put(address(guid, version, api), { upload: await xpi({ guid, version }) });
      expect([further.status, statusOf(further).url.slice(app.url.length)]).toEqual([
        202,
        `/api/${api}/addons/${guid}/versions/${version}/uploads/${statusOf(further).pk}/`,
      ]);
    }
    expect(await app.pendingJobs()).toEqual(['validate-version', 'validate-version', 'validate-version']);
    await app.runJobs();
  });

  it('returns the keys in the order of the contract', async () => {
    const guid = newGuid();
    const reply = await dev.put(address(guid, '1'), { upload: await xpi({ guid, version: '1' }) });
    expect(Object.keys(statusOf(reply)).join(' ')).toBe(
      'guid active automated_signing files passed_review pk processed reviewed url valid validation_results validation_url version',
    );
  });

  it('reads fields before and after the file, and ignores unknown parts', async () => {
    const guid = newGuid();
    for (const [version, form] of [
      ['1', { channel: 'unlisted', upload: await xpi({ guid, version: '1' }) }],
      ['2', { upload: await xpi({ guid, version: '2' }), channel: 'unlisted', note: 'x'.repeat(1000) }],
    ] as const) {
      expect((await dev.put(address(guid, version), form)).status).toBeLessThan(300);
    }
  });

  it('refuses an existing version', async () => {
    const guid = newGuid();
    const upload = await xpi({ guid, version: '1.0' });
    await dev.put(address(guid, '1.0'), { upload });
    for (const api of ['v3', 'v4', 'v4dev']) {
      const again = await dev.put(address(guid, '1.0', api), { upload });
      expectRefusal(again, signingRefusal(409, 'Version already exists. Latest version is: 1.0.'));
    }
  });

  it('refuses the add-on of another account', async () => {
    const guid = newGuid();
    await dev.put(address(guid, '1.0'), { upload: await xpi({ guid, version: '1.0' }) });
    const stranger = await app.developer();
    for (const client of [stranger, await app.admin()]) {
      const reply = await client.put(address(guid, '2.0'), { upload: await xpi({ guid, version: '2.0' }) });
      expectRefusal(reply, signingRefusal(403, 'You do not own this addon.'));
    }
  });

  it.each([
    ['no form at all', { headers: {}, body: '' }, 'Missing "upload" key in multipart file data.'],
    [
      'JSON',
      { headers: { 'Content-Type': 'application/json' }, body: '{}' },
      'Missing "upload" key in multipart file data. The content type of the request is "application/json"; send multipart/form-data.',
    ],
  ])('refuses %s', async (_name, options, error) => {
    for (const api of ['v3', 'v4', 'v4dev']) {
      const reply = await dev.request('PUT', address(newGuid(), '1', api), options);
      expectRefusal(reply, signingRefusal(400, error));
    }
  });

  it('refuses a form without the file, a file as text, an unknown channel and another version', async () => {
    const guid = newGuid();
    const upload = await xpi({ guid, version: '1' });
    const cases = [
      [{ channel: 'unlisted' }, 'Missing "upload" key in multipart file data.'],
      [{ upload: 'not a file' }, 'Missing "upload" key in multipart file data.'],
      [{ upload: Buffer.from('not a package') }, 'Could not parse the manifest file.'],
      [{ upload: await xpi({ guid, version: '2' }) }, 'Version does not match the manifest file.'],
      [{ upload, channel: 'both' }, 'Invalid channel: it must be "listed" or "unlisted". It is "both".'],
      // Package, version and id are checked first.
      [{ upload: Buffer.from('x'), channel: 'beta' }, 'Could not parse the manifest file.'],
      [{ upload: await xpi({ guid, version: '2' }), channel: 'beta' }, 'Version does not match the manifest file.'],
      [
        { upload: await xpi({ guid: 'other@x', version: '1' }), channel: 'beta' },
        'The add-on ID in your manifest.json',
      ],
    ] as const;
    for (const [form, error] of cases) {
      expectRefusal(await dev.put(address(guid, '1'), form), signingRefusal(400, beginningWith(error)));
    }
    const other = await dev.request('PUT', address(guid, '1'), {
      headers: { 'Content-Type': 'text/plain' },
      body: 'x',
    });
    expectRefusal(other, { status: 415, json: { detail: 'Unsupported media type "text/plain" in request.' } });
  });
});

describe('POST /api/v4/addons/', () => {
  it('creates an add-on with the id of the manifest, or a new id', async () => {
    const guid = newGuid();
    const named = await dev.post('/api/v4/addons/', { upload: await xpi({ guid, version: '1.0' }), version: '1.0' });
    expect([named.status, statusOf(named).guid]).toEqual([201, guid]);
    const nameless = await dev.post('/api/v3/addons', {
      version: '1.0',
      upload: await xpi({ guid: null, version: '1.0' }),
    });
    expect([nameless.status, statusOf(nameless).guid]).toEqual([201, expect.stringMatching(/^\{[0-9a-f-]{36}\}$/)]);
    expect(statusOf(nameless).url).toContain('/addons/%7B');
    expect((await dev.get(statusOf(nameless).url)).status).toBe(200);
  });

  it('accepts a known channel and ignores it', async () => {
    for (const channel of ['listed', 'unlisted']) {
      const guid = newGuid();
      const upload = await xpi({ guid, version: '1.0' });
      expect((await dev.post('/api/v4/addons/', { upload, version: '1.0', channel })).status).toBe(201);
      expect(
        await app.sql('SELECT channel FROM version JOIN addon ON addon.id = addon_id WHERE guid = $1', [guid]),
      ).toEqual([{ channel: 'unlisted' }]);
    }
  });

  it('returns 202 when a failed first upload is repeated', async () => {
    const guid = newGuid();
    await dev.post('/api/v4/addons/', { upload: await brokenPackage({ guid, version: '1.0' }), version: '1.0' });
    await app.runJobs();
    expect(statusOf(await dev.get(address(guid, '1.0')))).toMatchObject({ processed: true, valid: false, files: [] });
    const again = await dev.post('/api/v4/addons/', { upload: await xpi({ guid, version: '1.0' }), version: '1.0' });
    expect(again.status).toBe(202);
  });

  it.each(['v3', 'v4', 'v4dev'])('refuses missing parts, taken ids and legacy packages under %s', async (api) => {
    const addons = `/api/${api}/addons/`;
    const guid = newGuid();
    const upload = await xpi({ guid, version: '1.0' });
    const form = { upload, version: '1.0' };
    expect((await dev.post(addons, form)).status).toBe(201);
    const cases = [
      [{}, 'Missing "upload" key in multipart file data.'],
      [{ version: '1.0' }, 'Missing "upload" key in multipart file data.'],
      [{ upload }, 'Missing "version" key in multipart form data.'],
      [
        { ...form, upload: await xpi({ guid: newGuid(), version: '1.0' }), channel: 'both' },
        'Invalid channel: it must be "listed" or "unlisted". It is "both".',
      ],
      [{ ...form, channel: 'both' }, beginningWith('Duplicate add-on ID found.')],
      [
        { upload: await legacyExtension({ version: '1.0' }), version: '1.0' },
        'Only WebExtensions can be uploaded without an add-on ID.',
      ],
    ] as const;
    for (const [body, text] of cases) expectRefusal(await dev.post(addons, body), signingRefusal(400, text));
    const stranger = await (await app.developer()).post(addons, form);
    expectRefusal(stranger, signingRefusal(403, 'You do not own this addon.'));
    const anonymous = await app.anonymous.post(addons, form);
    expectRefusal(anonymous, signingRefusal(401, 'Authentication credentials were not provided.'));
    const typed = await dev.request('POST', addons, { headers: { 'Content-Type': 'text/xml' }, body: '<x/>' });
    expectRefusal(typed, { status: 415, json: { detail: 'Unsupported media type "text/xml" in request.' } });
  });

  it('refuses the number of a deleted version', async () => {
    const guid = newGuid();
    await signed(dev, guid);
    const { addon } = await dev.graphql<{ addon: { id: string } }>(
      'query ($guid: String!) { addon(by: { guid: $guid }) { id } }',
      { guid },
    );
    await dev.graphql('mutation ($id: ID!) { deleteAddon(input: { id: $id }) { __typename } }', { id: addon.id });
    const reply = await dev.post('/api/v4/addons/', { upload: await xpi({ guid, version: '1.0' }), version: '1.0' });
    expectRefusal(reply, signingRefusal(409, 'Version already exists. Latest version is: 1.0.'));
  });
});

describe('GET of the status of an upload', () => {
  it('follows an upload from received to signed', async () => {
    const guid = newGuid();
    const sent = await xpi({ guid, version: '1.0' });
    const accepted = statusOf(await dev.put(address(guid, '1.0'), { upload: sent }));
    await app.runJobs();
    for (const path of [address(guid, '1.0'), address(guid, '1.0', 'v3'), accepted.url]) {
      const status = statusOf(await dev.get(path));
      expect(status).toMatchObject({ processed: true, valid: true, active: true, reviewed: true, passed_review: true });
      expect(status.validation_results).toMatchObject({ success: true, errors: 0 });
      expect(status.files).toHaveLength(1);
      const file = await dev.get(status.files[0]?.download_url ?? '');
      expect(`sha256:${createHash('sha256').update(file.bytes).digest('hex')}`).toBe(status.files[0]?.hash);
      expect(status.files[0]?.signed).toBe(true);
      expect(file.bytes.equals(sent)).toBe(false);
    }
  });

  it('returns the messages of a failed validation, and older uploads', async () => {
    const guid = newGuid();
    const failed = statusOf(
      await dev.put(address(guid, '1.0'), { upload: await brokenPackage({ guid, version: '1.0' }) }),
    );
    await app.runJobs();
    await dev.put(address(guid, '1.0'), { upload: await xpi({ guid, version: '1.0' }) });
    await app.runJobs();
    const old = statusOf(await dev.get(failed.url));
    expect(old).toMatchObject({ pk: failed.pk, processed: true, valid: false, active: false, files: [] });
    expect(old.validation_results?.errors).toBeGreaterThan(0);
    expect(statusOf(await dev.get(address(guid, '1.0')))).toMatchObject({ valid: true, active: true });
  });

  it('is available to authors and administrators; others get the reason', async () => {
    const guid = newGuid();
    const { pk } = statusOf(await dev.put(address(guid, '1.0'), { upload: await xpi({ guid, version: '1.0' }) }));
    const one = `${address(guid, '1.0')}uploads/${pk}/`;
    const stranger = await app.developer();
    for (const path of [address(guid, '1.0'), one]) {
      expect((await (await app.admin()).get(path)).status).toBe(200);
      const refused = await stranger.get(path);
      expectRefusal(refused, signingRefusal(403, 'You do not own this addon.'));
      const anonymous = await app.anonymous.get(path);
      expectRefusal(anonymous, signingRefusal(401, 'Authentication credentials were not provided.'));
    }
    for (const path of [address(guid, '2.0'), `${address(guid, '1.0')}uploads/${'0'.repeat(32)}/`]) {
      const unknown = await dev.get(path);
      expectRefusal(unknown, signingRefusal(404, 'No uploaded file for that addon and version.'));
    }
  });

  it('accepts the add-on id in any case', async () => {
    const guid = newGuid();
    await dev.put(address(guid, '1.0'), { upload: await xpi({ guid, version: '1.0' }) });
    expect(statusOf(await dev.get(address(guid.toUpperCase(), '1.0'))).guid).toBe(guid);
  });
});
