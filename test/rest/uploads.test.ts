import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client, FormParts } from '../support/client.ts';
import { beginningWith } from '../support/expect-refusal.ts';
import { brokenPackage, xpi } from '../support/packages.ts';
import { statementsDuring } from '../support/statements.ts';
import { sendJson, type UploadJson } from '../support/submission.ts';
import { createUpload, validUpload } from '../support/uploads.ts';

const app = setUpApp();
let developer: Client;
let stranger: Client;
beforeAll(async () => {
  [developer, stranger] = [await app.developer(), await app.developer()];
});

const API = '/api/v5/addons';
const NOT_VALID = beginningWith('Upload is not valid. Upload the file again (web-ext: delete .amo-upload-uuid).');
const UNKNOWN = '0'.repeat(32);
let serial = 0;
const newGuid = () => `v5-${++serial}@example`;

const valid = (options: Parameters<typeof xpi>[0], channel = 'unlisted', client = developer) =>
  validUpload(app, client, options, channel.toUpperCase());
const post = (form: FormParts, client = developer) => client.post(`${API}/upload/`, form);
const listing = { categories: ['other'], summary: { 'en-US': 'Does it.' } };

describe('POST addons/upload/', () => {
  it('returns the upload, whose keys are in the documented order, and GET shows its validation', async () => {
    const reply = await post({ channel: 'unlisted', upload: await xpi({ guid: newGuid() }) });
    expect(reply.status).toBe(201);
    const made = reply.json as UploadJson;
    expect(Object.keys(made)).toEqual([
      ...['uuid', 'channel', 'processed', 'submitted', 'url', 'valid', 'validation', 'version'],
    ]);
    expect(made).toEqual({
      uuid: expect.stringMatching(/^[0-9a-f]{32}$/),
      ...{ channel: 'unlisted', processed: false, submitted: false, valid: false, validation: null, version: '1.0' },
      url: `${app.config.BASE_URL}${API}/upload/${made.uuid}/`,
    });
    await app.runJobs();
    const done = { ...made, processed: true, valid: true, validation: expect.objectContaining({ errors: 0 }) };
    expect((await developer.get(made.url)).json).toEqual(done);
    const hyphens = made.uuid.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-').toUpperCase();
    expect((await developer.get(`${API}/upload/${hyphens}`)).json).toEqual(done);
    expect((await stranger.get(made.url)).status).toBe(404);
    expect((await app.anonymous.get(made.url)).status).toBe(401);
  });

  it.each([
    ['the channel last', 'package.zip', undefined, ['upload', 'channel']],
    ['another content type', 'package.xpi', 'text/plain', ['channel', 'upload']],
    ['a .crx name', 'PACKAGE.CRX', 'application/octet-stream', ['channel', 'upload']],
  ])('takes %s', async (_title, fileName, type, order) => {
    const parts = { channel: 'listed', upload: { bytes: await xpi(), fileName, ...(type ? { type } : {}) } };
    const form = Object.fromEntries(order.map((name) => [name, parts[name as 'channel' | 'upload']]));
    expect((await post(form)).json).toMatchObject({ channel: 'listed' });
  });

  it('names all missing parts, and refuses packages on the part', async () => {
    const upload = { bytes: await xpi(), fileName: 'a.xpi' };
    const cases: [FormParts, unknown][] = [
      [{}, { upload: ['Missing "upload" key in multipart file data.'], channel: ['Missing "channel" arg.'] }],
      [{ channel: 'listed' }, { upload: ['Missing "upload" key in multipart file data.'] }],
      [
        { channel: 'listed', upload: 'a text' },
        { upload: [beginningWith('Missing "upload" key in multipart file data. The part')] },
      ],
      [{ upload }, { channel: ['Missing "channel" arg.'] }],
      ...['beta', 'LISTED', 'constructor', '__proto__', 'toString'].map((channel): [FormParts, unknown] => [
        { upload, channel },
        { channel: ['Missing "channel" arg.'] },
      ]),
      [
        { upload: Buffer.from('no zip'), channel: 'listed' },
        { upload: [beginningWith('Could not parse the manifest file. The file is no ZIP')] },
      ],
      [
        { upload: { ...upload, fileName: 'a.exe' }, channel: 'listed' },
        { upload: [beginningWith('Unsupported file type, please upload a file that ends in .xpi, .zip or .crx.')] },
      ],
    ];
    for (const [form, body] of cases) {
      const reply = await post(form);
      expect([reply.status, reply.json]).toEqual([400, body]);
    }
    const reply = await sendJson(developer, 'POST', '/upload/', { channel: 'listed' });
    const notMultipart = beginningWith('Missing "upload" key in multipart file data. The content type');
    expect([reply.status, reply.json]).toEqual([400, { upload: [notMultipart], channel: ['Missing "channel" arg.'] }]);
    expect((await post({ upload, channel: 'listed' }, app.anonymous)).status).toBe(401);
    const wrongType = { headers: { 'Content-Type': 'text/plain' }, body: 'x' };
    expect((await developer.request('POST', `${API}/upload/`, wrongType)).status).toBe(415);
    expect((await developer.request('DELETE', `${API}/upload/${UNKNOWN}/`)).status).toBe(405);
  });

  it('counts with the limits of uploads', async () => {
    const busy = await app.developer();
    app.config.RATE_LIMITS = true;
    const upload = await xpi();
    const statuses: number[] = [];
    for (let round = 0; round < 7; round++) statuses.push((await post({ channel: 'unlisted', upload }, busy)).status);
    app.config.RATE_LIMITS = false;
    expect(statuses).toEqual([201, 201, 201, 201, 201, 201, 429]);
    await app.runJobs();
  });
});

describe('GET addons/upload/', () => {
  it('lists the uploads of the account in pages, newest first', async () => {
    const own = await app.developer();
    const uuids: string[] = [];
    for (let count = 0; count < 3; count++) uuids.unshift((await createUpload(own)).pk);
    const page = async (query = '') => (await own.get(`${API}/upload/${query}`)).json as Record<string, unknown>;
    const first = await page('?page_size=2');
    expect(first).toMatchObject({ count: 3, page_count: 2, page_size: 2, previous: null });
    expect((first.results as UploadJson[]).map(({ uuid }) => uuid)).toEqual(uuids.slice(0, 2));
    const statements = async (query: string) => (await statementsDuring(() => page(query))).length;
    expect(await statements('?page_size=1')).toBe(await statements('?page_size=50'));
    const second = (await own.get(first.next as string)).json as { results: UploadJson[] };
    expect(second.results.map(({ uuid }) => uuid)).toEqual(uuids.slice(2));
    expect((await own.get(`${API}/upload?page=9`)).status).toBe(404);
    expect(await (await stranger.get(`${API}/upload/`)).json).toMatchObject({ count: expect.any(Number) });
    await app.runJobs();
  });
});

describe('POST addons/addon/', () => {
  it('makes an unlisted add-on, whose file is public once it is signed', async () => {
    const upload = await valid({ guid: null });
    const reply = await sendJson(developer, 'POST', '/addon/', { version: { upload } });
    expect(reply.status).toBe(201);
    const made = reply.json as { guid: string; version: { id: number; file: { url: string } } };
    expect(made).toMatchObject({
      guid: expect.stringMatching(/^\{[0-9a-f-]{36}\}$/),
      status: 'incomplete',
      version: { version: '1.0', channel: 'unlisted', approval_notes: '', file: { status: 'unreviewed' } },
    });
    expect((await developer.get(`${API}/upload/${upload}/`)).json).toMatchObject({ submitted: true, valid: true });
    await app.runJobs();
    const shown = await developer.get(`${API}/addon/${made.guid}/versions/${made.version.id}/`);
    const { file } = shown.json as { file: { status: string; url: string; hash: string } };
    expect(file.status).toBe('public');
    const { bytes } = await developer.get(file.url);
    expect(file.hash).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`);
  });

  it('makes a listed add-on with everything in the request, which waits for its review', async () => {
    const guid = newGuid();
    const upload = await valid({ guid }, 'listed');
    const reply = await sendJson(developer, 'POST', '/addon', {
      ...{ ...listing, name: { 'en-US': 'Clock', de: 'Uhr' }, slug: `clock-${serial}`, tags: ['time'], unknown: 1 },
      version: {
        ...{ upload, license: 'mIt', approval_notes: 'See docs.', release_notes: { 'en-US': 'First.' } },
        compatibility: { firefox: { min: '58.0' }, android: {} },
      },
    });
    expect([reply.status, reply.json]).toMatchObject([
      201,
      {
        ...{ guid, status: 'nominated', name: { 'en-US': 'Clock', de: 'Uhr' }, summary: listing.summary },
        ...{ slug: `clock-${serial}`, tags: ['time'], categories: { desktop_browser: ['other'] } },
        version: {
          ...{ channel: 'listed', approval_notes: 'See docs.', release_notes: { 'en-US': 'First.' } },
          ...{ license: { slug: 'MIT', is_custom: false }, file: { status: 'unreviewed' } },
          compatibility: { desktop_browser: { min: '58.0' }, mobile_browser: { max: '*' } },
        },
      },
    ]);
  });

  it('names all faults at once, nested like the request, and leaves the upload usable', async () => {
    const upload = await valid({ guid: newGuid(), manifest: { description: undefined } }, 'listed');
    const required = ['This field is required for add-ons with listed versions.'];
    const license = ['This field, or custom_license, is required for listed versions.'];
    const refuse = async (body: unknown, expected: unknown) => {
      const reply = await sendJson(developer, 'POST', '/addon/', body);
      expect([reply.status, reply.json]).toEqual([400, expected]);
    };
    await refuse({ version: { upload } }, { categories: required, summary: required, version: { license } });
    await refuse(
      {
        ...{ name: 'Clock', summary: { xx: 'A' }, categories: { netscape: [] }, slug: '1', tags: [7] },
        version: { upload, license: 'none', compatibility: 'x', approval_notes: 'x'.repeat(3_001) },
      },
      {
        name: ['You must provide an object of {lang-code:value}.'],
        categories: ['Invalid app specified'],
        tags: ['Not a valid string.'],
        summary: ["The language code 'xx' is invalid."],
        slug: ["Enter a valid 'slug' consisting of letters, numbers, underscores or hyphens."],
        version: {
          compatibility: ['Invalid value'],
          approval_notes: ['Ensure this value has at most 3000 characters (it has 3001).'],
          license: ['License with slug=none does not exist.'],
        },
      },
    );
    await refuse(
      { summary: { 'en-US': null }, categories: [], version: { upload, license: 'MIT' } },
      {
        summary: ['This field may not be null.'],
        categories: required,
      },
    );
    expect(
      (await sendJson(developer, 'POST', '/addon/', { ...listing, version: { upload, license: 'MIT' } })).status,
    ).toBe(201);
  });

  it('requires a version with an upload', async () => {
    const cases: [unknown, unknown][] = [
      [{}, { version: ['This field is required.'] }],
      [
        { version: null, slug: 7 },
        { slug: ['Not a valid string.'], version: ['This field is required.'] },
      ],
      [{ version: 'x' }, { version: ['This field is required.'] }],
      [{ version: {} }, { version: { upload: ['This field is required.'] } }],
      [
        { version: { upload: 7, release_notes: 'x' } },
        {
          version: { release_notes: ['You must provide an object of {lang-code:value}.'], upload: [NOT_VALID] },
        },
      ],
      [
        { version: { upload: UNKNOWN }, name: 'x' },
        {
          name: ['You must provide an object of {lang-code:value}.'],
          version: { upload: [NOT_VALID] },
        },
      ],
      [{ version: { upload: '\0' } }, { version: { upload: [NOT_VALID] } }],
    ];
    for (const [body, expected] of cases) {
      const reply = await sendJson(developer, 'POST', '/addon/', body);
      expect([reply.status, reply.json]).toEqual([400, expected]);
    }
    for (const body of ['[]', '{', '', '"x"']) {
      const headers = { 'Content-Type': 'application/json' };
      expect((await developer.request('POST', `${API}/addon/`, { headers, body })).status, body).toBe(400);
    }
  });

  it('refuses foreign, unprocessed and invalid uploads, and a guid that is taken', async () => {
    const broken = await post({ upload: await brokenPackage({ guid: newGuid() }), channel: 'unlisted' });
    const foreign = await valid({ guid: newGuid() }, 'unlisted', stranger);
    const waiting = await createUpload(developer, { guid: newGuid() });
    for (const upload of [(broken.json as UploadJson).uuid, foreign, waiting.pk]) {
      const reply = await sendJson(developer, 'POST', '/addon/', { version: { upload } });
      expect([reply.status, reply.json]).toEqual([400, { version: { upload: [NOT_VALID] } }]);
    }
    await app.runJobs();
    const guid = newGuid();
    expect((await sendJson(developer, 'POST', '/addon/', { version: { upload: await valid({ guid }) } })).status).toBe(
      201,
    );
    const reply = await sendJson(developer, 'POST', '/addon/', {
      version: { upload: await valid({ guid, version: '2.0' }) },
    });
    expect([reply.status, reply.json]).toEqual([
      400,
      { version: { upload: [beginningWith('Duplicate add-on ID found.')] } },
    ]);
  });

  it('is one 201 and then 200 for the same upload, also at once, and applies the fields again', async () => {
    const upload = await valid({ guid: newGuid() });
    const send = (body: object = {}) => sendJson(developer, 'POST', '/addon/', { ...body, version: { upload } });
    const statuses = (await Promise.all([send(), send()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 201]);
    const again = await sendJson(developer, 'POST', '/addon/', {
      slug: `again-${serial}`,
      version: { upload, approval_notes: 'Again.' },
    });
    expect([again.status, again.json]).toMatchObject([
      200,
      { slug: `again-${serial}`, version: { approval_notes: 'Again.' } },
    ]);
    expect([(await send({ slug: '1' })).status]).toEqual([400]);
    await app.runJobs();
  });
});
