import { beforeAll, describe, expect, it } from 'vitest';
import { ADDON_REQUEST } from '../../src/rest/requests/addon-request.ts';
import { VERSION_CREATION } from '../../src/rest/requests/version-request.ts';
import { setUpApp } from '../support/app.ts';
import type { Client, FormParts } from '../support/client.ts';
import { beginningWith } from '../support/expect-refusal.ts';
import { globalId } from '../support/global-ids.ts';
import { mutate } from '../support/mutate.ts';
import { dictionary, type xpi } from '../support/packages.ts';
import { sendJson, type UploadJson } from '../support/submission.ts';
import { submit, validUpload } from '../support/uploads.ts';

const app = setUpApp();
let developer: Client;
let stranger: Client;
beforeAll(async () => {
  [developer, stranger] = [await app.developer(), await app.developer()];
});

const API = '/api/v5/addons';
let serial = 0;
const newGuid = () => `v5-${++serial}@example`;

const valid = (options: Parameters<typeof xpi>[0], channel = 'unlisted', client = developer) =>
  validUpload(app, client, options, channel.toUpperCase());
const post = (form: FormParts, client = developer) => client.post(`${API}/upload/`, form);

describe('PUT addons/addon/{guid}/', () => {
  it('makes an add-on, then changes it and adds versions', async () => {
    const guid = newGuid();
    const put = (upload: string, more: object = {}, as = guid) =>
      sendJson(developer, 'PUT', `/addon/${encodeURIComponent(as)}/`, { ...more, version: { upload } });
    const first = await valid({ guid });
    expect((await put(first)).status).toBe(201);
    expect((await put(first)).status).toBe(200);
    const second = await put(await valid({ guid, version: '2.0' }), { slug: `put-${serial}` }, guid.toUpperCase());
    expect([second.status, second.json]).toMatchObject([
      200,
      { guid, slug: `put-${serial}`, version: { version: '2.0' } },
    ]);
    const taken = await put(await valid({ guid, version: '2.0' }));
    expect([taken.status, taken.json]).toEqual([409, { version: ['Version 2.0 already exists.'] }]);
    const mismatch = await put(await valid({ guid: newGuid() }));
    expect([mismatch.status, mismatch.json]).toEqual([
      400,
      { non_field_errors: [beginningWith('GUID mismatch between the URL and manifest.')] },
    ]);
    const unnamed = await put(await valid({ guid: null, version: '3.0' }));
    expect([unnamed.status, unnamed.json]).toEqual([
      400,
      { non_field_errors: ['A GUID must be specified in the manifest.'] },
    ]);
    const other = newGuid();
    expect((await put(await valid({ guid: other }), {}, other)).status).toBe(201);
    const elsewhere = await put(first, {}, other);
    expect([elsewhere.status, elsewhere.json]).toEqual([
      400,
      { version: { upload: [beginningWith('This upload has already been submitted.')] } },
    ]);
    await app.runJobs();
  });

  it('does not find ids and slugs, and is for authors', async () => {
    const guid = newGuid();
    const made = await sendJson(developer, 'PUT', `/addon/${guid}/`, { version: { upload: await valid({ guid }) } });
    const { id, slug } = made.json as { id: number; slug: string };
    for (const ref of [String(id), slug, 'x%00y@example']) {
      expect((await sendJson(developer, 'PUT', `/addon/${ref}/`, {})).status, ref).toBe(404);
    }
    expect((await sendJson(stranger, 'PUT', `/addon/${guid}/`, {})).status).toBe(403);
    expect((await sendJson(app.anonymous, 'PUT', `/addon/${guid}/`, {})).status).toBe(401);
    await app.runJobs();
  });
});

describe('POST addons/addon/{addon}/versions/', () => {
  let guid: string;
  let id: number;
  beforeAll(async () => {
    guid = newGuid();
    const made = await sendJson(developer, 'POST', '/addon/', { version: { upload: await valid({ guid }) } });
    id = (made.json as { id: number }).id;
    await app.runJobs();
  });

  it('adds a version by id, slug or guid, from JSON and forms', async () => {
    const upload = await valid({ guid, version: '1.1' });
    const made = await sendJson(developer, 'POST', `/addon/${id}/versions/`, { upload, release_notes: {} });
    expect([made.status, made.json]).toMatchObject([201, { version: '1.1', channel: 'unlisted', release_notes: null }]);
    expect((await sendJson(developer, 'POST', `/addon/${guid}/versions`, { upload })).status).toBe(200);
    const form = {
      upload: await valid({ guid: null, version: '1.2' }),
      approval_notes: 'By form.',
      license: 'MPL-2.0',
    };
    const byForm = await developer.post(`${API}/addon/${guid}/versions/`, form);
    expect([byForm.status, byForm.json]).toMatchObject([
      201,
      { version: '1.2', approval_notes: 'By form.', license: { slug: 'MPL-2.0' } },
    ]);
    await app.runJobs();
  });

  it('names what a listed version lacks under non_field_errors', async () => {
    const upload = await valid({ guid, version: '6.0' }, 'listed');
    const reply = await sendJson(developer, 'POST', `/addon/${id}/versions/`, { upload });
    expect([reply.status, reply.json]).toEqual([
      400,
      {
        license: ['This field, or custom_license, is required for listed versions.'],
        non_field_errors: ['This field is required for add-ons with listed versions.', 'Fields: categories.'],
      },
    ]);
    expect((await sendJson(developer, 'PATCH', `/addon/${id}/`, { categories: ['other'] })).status).toBe(200);
    const custom = { name: { 'en-US': 'Ours' }, text: { 'en-US': 'Be kind.' } };
    const both = await sendJson(developer, 'POST', `/addon/${id}/versions/`, {
      upload,
      custom_license: custom,
      license: 'MIT',
    });
    expect([both.status, both.json]).toEqual([400, { license: ['Send license or custom_license, not both.'] }]);
    const made = await sendJson(developer, 'POST', `/addon/${id}/versions/`, { upload, custom_license: custom });
    expect([made.status, made.json]).toMatchObject([201, { license: { is_custom: true, slug: null } }]);
    // The licence of the newest listed version counts for the next one.
    const next = await sendJson(developer, 'POST', `/addon/${id}/versions/`, {
      upload: await valid({ guid, version: '6.1' }, 'listed'),
    });
    expect([next.status, next.json]).toMatchObject([201, { license: { is_custom: true } }]);
  });

  it('refuses compatibility that it cannot take', async () => {
    const upload = await valid({ guid, version: '7.0' });
    const refusal = async (compatibility: unknown) => {
      const reply = await sendJson(developer, 'POST', `/addon/${id}/versions/`, { upload, compatibility });
      return [reply.status, (reply.json as { compatibility: string[] }).compatibility];
    };
    expect(await refusal('firefox')).toEqual([400, ['Invalid value']]);
    expect(await refusal([7])).toEqual([400, ['Invalid value']]);
    expect(await refusal(['netscape'])).toEqual([400, ['Invalid app specified']]);
    expect(await refusal({ firefox: { min: '999.0' } })).toEqual([400, ['Unknown min app version specified']]);
    expect(await refusal({ firefox: { max: 'x' } })).toEqual([400, ['Unknown max app version specified']]);
    const own = newGuid();
    const bytes = await dictionary({ guid: own });
    const words = (await post({ upload: bytes, channel: 'unlisted' })).json as UploadJson;
    await app.runJobs();
    const reply = await sendJson(developer, 'POST', '/addon/', {
      version: { upload: words.uuid, compatibility: ['firefox'] },
    });
    expect([reply.status, reply.json]).toEqual([
      400,
      { version: { compatibility: ['This type of add-on does not allow custom compatibility.'] } },
    ]);
  });

  it('is for authors of a known add-on', async () => {
    expect((await sendJson(developer, 'POST', '/addon/unknown-slug/versions/', {})).status).toBe(404);
    expect((await sendJson(stranger, 'POST', `/addon/${id}/versions/`, {})).status).toBe(403);
    expect((await sendJson(app.anonymous, 'POST', `/addon/${id}/versions/`, {})).status).toBe(401);
    await mutate(await app.admin(), 'setAddonDisabled', { id, by: 'OPERATOR', isDisabled: true });
    const reply = await sendJson(developer, 'POST', `/addon/${id}/versions/`, {
      upload: await valid({ guid, version: '8.0' }),
    });
    expect([reply.status, reply.json]).toEqual([
      400,
      { non_field_errors: ['You cannot add versions to an addon that has status: Disabled by operator.'] },
    ]);
  });
});

describe('a submission that is accepted', () => {
  it('leaves the same rows by REST and by GraphQL', async () => {
    const texts = { name: 'Clock', summary: 'Shows the time.' };
    const made = async (guid: string, send: (pk: string) => Promise<unknown>) => {
      await send(await valid({ guid }, 'listed'));
      const [row] = await app.sql(
        `SELECT a.status, a.type, a.name, a.summary, a.description, a.default_locale, a.is_experimental, a.slug IS NULL AS bare,
           v.version, v.channel, v.stage, v.release_notes, v.approval_notes, v.license_id, f.status AS file_status,
           (SELECT array_agg(c.slug::text) FROM addon_category k JOIN category c ON c.id = k.category_id WHERE k.addon_id = a.id) AS categories,
           (SELECT array_agg(x.app || ' ' || x.min || ' ' || x.max ORDER BY x.app) FROM version_compatibility x WHERE x.version_id = v.id) AS ranges,
           (SELECT array_agg(e.action ORDER BY e.id) FROM activity e WHERE e.addon_id = a.id) AS actions,
           u.stage AS upload_stage, u.manifest AS upload_manifest, u.makes_addon,
           EXISTS (SELECT FROM review_queue q WHERE q.version_id = v.id) AS waits
         FROM addon a JOIN version v ON v.addon_id = a.id JOIN file f ON f.version_id = v.id JOIN upload u ON u.version_id = v.id
         WHERE a.guid = $1`,
        [guid],
      );
      return row;
    };
    const [ids] = await app.sql<{ license: number; category: number }>(
      `SELECT (SELECT id FROM license WHERE builtin = 'MPL-2.0') AS license, (SELECT id FROM category
         WHERE app = 'desktop_browser' AND type = 'extension' AND slug = 'other') AS category`,
    );
    const byRest = await made(newGuid(), (pk) =>
      sendJson(developer, 'POST', '/addon/', {
        name: { 'en-US': texts.name },
        summary: { 'en-US': texts.summary },
        categories: { firefox: ['other'] },
        is_experimental: true,
        version: {
          upload: pk,
          license: 'MPL-2.0',
          approval_notes: 'Try it.',
          release_notes: { 'en-US': 'New' },
          compatibility: ['firefox', 'android'],
        },
      }),
    );
    const byGraphql = await made(newGuid(), (pk) =>
      submit(developer, 'submitAddon', {
        upload: pk,
        name: [{ locale: 'en-US', value: texts.name }],
        summary: [{ locale: 'en-US', value: texts.summary }],
        categories: [globalId('Category', ids?.category)],
        isExperimental: true,
        license: globalId('License', ids?.license),
        approvalNotes: 'Try it.',
        releaseNotes: [{ locale: 'en-US', value: 'New' }],
        compatibility: [{ app: 'DESKTOP_BROWSER' }, { app: 'MOBILE_BROWSER' }],
      }),
    );
    expect(byRest).toMatchObject({ status: 'nominated', stage: 'awaiting_review', waits: true, upload_stage: null });
    expect(byGraphql).toEqual(byRest);
  });
});

describe('garbage in a submission', () => {
  it('is refused or ignored, in every key', async () => {
    const guid = newGuid();
    const upload = await valid({ guid });
    const made = await sendJson(developer, 'PUT', `/addon/${guid}/`, { version: { upload } });
    expect(made.status).toBe(201);
    const deep = JSON.parse(`${'['.repeat(50)}${']'.repeat(50)}`);
    const values = [
      null,
      7,
      -1e300,
      '',
      'x\0y',
      '\ud800',
      'x'.repeat(5_000),
      [],
      [null],
      {},
      { a: 1 },
      { __proto__: {} },
    ];
    const allowed = new Set([200, 400]);
    const wrong: unknown[] = [];
    const send = async (path: string, method: string, body: unknown, what: unknown) => {
      const { status } = await sendJson(developer, method, path, body);
      if (!allowed.has(status)) wrong.push([what, status]);
    };
    for (const value of [...values, deep]) {
      for (const key of Object.keys(ADDON_REQUEST)) {
        await send(`/addon/${guid}/`, 'PUT', { [key]: value, version: { upload } }, [key, value]);
      }
      for (const key of Object.keys(VERSION_CREATION)) {
        await send(`/addon/${guid}/versions/`, 'POST', { upload, [key]: value }, [key, value]);
      }
    }
    expect(wrong).toEqual([]);
    await app.runJobs();
  });
});
