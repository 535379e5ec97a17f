import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { beginningWith } from '../../support/expect-refusal.ts';
import { globalId } from '../../support/global-ids.ts';
import { inEnglish } from '../../support/mutate.ts';
import { languagePack, type xpi } from '../../support/packages.ts';
import { status } from '../../support/signing-steps.ts';
import {
  listingInput,
  submissionSnapshot,
  submit,
  tryCreateUpload,
  validUpload,
  versionRows,
} from '../../support/uploads.ts';

const app = setUpApp();
let developer: Client;
let stranger: Client;
let listing: Record<string, unknown>;
beforeAll(async () => {
  [developer, stranger] = [await app.developer(), await app.developer()];
  listing = await listingInput(app);
});

let serial = 0;
const newGuid = () => `submitted-${++serial}@example`;
const valid = (options: Parameters<typeof xpi>[0], channel?: string, client = developer) =>
  validUpload(app, client, options, channel);
const rows = (guid: string) => versionRows(app, guid);
const snapshot = () => submissionSnapshot(app);

describe('submitAddon with an upload', () => {
  it('makes an unlisted add-on that is signed without a second validation', async () => {
    const pk = await valid({ guid: null, name: 'Made' });
    const result = await submit(developer, 'submitAddon', { upload: pk, approvalNotes: 'See the docs.' });
    expect(result).toMatchObject({
      ...{ __typename: 'SubmitAddonPayload', isNewAddon: true, isNewVersion: true },
      upload: {
        pk,
        isSubmitted: true,
        expires: null,
        stage: 'SIGNING',
        channel: 'UNLISTED',
        versionId: expect.any(String),
      },
      addon: { guid: expect.stringMatching(/^\{[0-9a-f-]{36}\}$/) },
      version: { version: '1.0', channel: 'UNLISTED', approvalNotes: 'See the docs.' },
    });
    expect(await app.pendingJobs()).toEqual(['sign-version']);
    await app.runJobs();
    const guid = result.addon?.guid ?? '';
    expect(await rows(guid)).toMatchObject([{ stage: 'signed', channel: 'unlisted' }]);
    // The endpoints of the contract show it like any other upload.
    expect(await status(developer, guid)).toMatchObject({ pk, active: true, valid: true, files: [{ signed: true }] });
    const log = await app.sql<{ action: string }>('SELECT action FROM activity WHERE version_id = $1 ORDER BY id', [
      result.version?.databaseId,
    ]);
    expect(log.map(({ action }) => action)).toEqual([
      ...['upload-received', 'version-edited', 'signing-started', 'published'],
    ]);
  });

  it('makes a listed add-on that waits for its review, with its listing', async () => {
    const guid = newGuid();
    const pk = await valid({ guid }, 'LISTED');
    const input = {
      ...{ upload: pk, ...listing, slug: `slug-${serial}`, tags: ['Clock'] },
      ...{ name: inEnglish('Clock'), homepage: inEnglish('https://clock.example/'), releaseNotes: inEnglish('First.') },
      compatibility: [{ app: 'DESKTOP_BROWSER', min: '57.0', max: '*' }],
    };
    expect(await submit(developer, 'submitAddon', input)).toMatchObject({
      addon: { guid, status: 'NOMINATED', slug: `slug-${serial}` },
      upload: { stage: 'AWAITING_REVIEW', channel: 'LISTED' },
    });
    const [addon] = await app.sql<{ id: number }>('SELECT id FROM addon WHERE guid = $1', [guid]);
    expect((await developer.get(`/api/v4/addons/addon/${addon?.id}/`)).json).toMatchObject({
      ...{ status: 'nominated', tags: ['clock'], categories: { desktop_browser: ['other'] } },
      ...{ name: { 'en-US': 'Clock' }, summary: { 'en-US': 'Adds a button that does nothing.' } },
      current_version: {
        ...{ license: { name: { 'en-US': 'MIT License' } }, release_notes: { 'en-US': 'First.' } },
        compatibility: { desktop_browser: { min: '57.0', max: '*' } },
      },
    });
    expect(await app.sql('SELECT FROM review_queue WHERE addon_id = $1', [addon?.id])).toHaveLength(1);
  });

  it('names the address of a listed add-on after it', async () => {
    const slugs: (string | undefined)[] = [];
    for (const [name, channel] of [
      ['Örtliche Uhr: 2 Zeiger!', 'LISTED'],
      ['Örtliche Uhr: 2 Zeiger!', 'LISTED'],
      ['Settings', 'LISTED'],
      ['שעון', 'LISTED'],
      ['2048', 'LISTED'],
      ['Unlisted clock', 'UNLISTED'],
    ] as const) {
      const upload = await valid({ guid: newGuid(), name }, channel);
      const input = { upload, ...(channel === 'LISTED' ? listing : {}) };
      slugs.push((await submit(developer, 'submitAddon', input)).addon?.slug);
    }
    const random = expect.stringMatching(/^a[0-9a-f]{19}$/);
    expect(slugs).toEqual([
      ...['ortliche-uhr-2-zeiger', 'ortliche-uhr-2-zeiger-2', 'settings-2'],
      ...[random, random, random],
    ]);
  });

  it('gives add-ons of one name that are submitted at the same time different addresses', async () => {
    const uploads: string[] = [];
    for (let index = 0; index < 6; index++) uploads.push(await valid({ guid: newGuid(), name: 'Same time' }, 'LISTED'));
    const sent = uploads.map((upload) => submit(developer, 'submitAddon', { upload, ...listing }));
    const slugs = (await Promise.all(sent)).map(({ addon }) => addon?.slug);
    expect(slugs.sort()).toEqual(['same-time', ...[2, 3, 4, 5, 6].map((number) => `same-time-${number}`)]);
  });

  it('describes only new add-ons by the manifest', async () => {
    const guid = newGuid();
    await submit(developer, 'submitAddon', { upload: await valid({ guid, name: 'First' }) });
    const upload = await valid({ guid, version: '2.0', name: 'Second' });
    expect(await submit(developer, 'submitVersion', { guid, upload })).toMatchObject({ isNewAddon: false });
    const [addon] = await app.sql('SELECT name FROM addon WHERE guid = $1', [guid]);
    expect(addon).toEqual({ name: { 'en-US': 'First' } });
    await app.runJobs();
  });

  it('refuses a guid that is taken', async () => {
    const guid = newGuid();
    await submit(developer, 'submitAddon', { upload: await valid({ guid }) });
    for (const client of [developer, stranger]) {
      const upload = await valid({ guid, version: '2.0' }, 'UNLISTED', client);
      expect(await submit(client, 'submitAddon', { upload })).toMatchObject({
        fields: [{ name: 'upload', messages: [beginningWith('Duplicate add-on ID found.')] }],
      });
    }
  });

  it('refuses legacy packages, other accounts’ uploads and unknown ones', async () => {
    const pk = await valid({ guid: newGuid() });
    for (const [client, upload] of [
      [stranger, pk],
      [developer, '0'.repeat(32)],
      [developer, 'x\0y'],
      [developer, globalId('Addon', 1)],
    ] as const) {
      expect(await submit(client, 'submitAddon', { upload })).toMatchObject({
        message: beginningWith('Upload is not valid. Upload the file again (web-ext: delete .amo-upload-uuid).'),
        path: ['upload'],
      });
    }
  });
});

describe('a listed submission', () => {
  const REQUIRED = ['This field is required for add-ons with listed versions.'];
  const LICENSE = ['This field, or custom_license, is required for listed versions.'];

  it('names everything that is missing or invalid, and changes nothing', async () => {
    const manifest = { description: undefined };
    const upload = await valid({ guid: newGuid(), manifest }, 'LISTED');
    const before = await snapshot();
    expect((await submit(developer, 'submitAddon', { upload })).fields).toEqual([
      { name: 'categories', messages: REQUIRED },
      { name: 'summary', messages: REQUIRED },
      { name: 'license', messages: LICENSE },
    ]);
    const invalid = { slug: '1', summary: inEnglish('...'), compatibility: [], customLicense: { text: [] } };
    expect((await submit(developer, 'submitAddon', { upload, ...invalid })).path).toEqual([
      ...['summary', 'slug', 'compatibility', 'customLicense', 'categories'],
    ]);
    expect(await snapshot()).toEqual(before);
    // The upload stays usable.
    const complete = { ...listing, summary: inEnglish('Does it.') };
    expect(await submit(developer, 'submitAddon', { upload, ...complete })).toMatchObject({ isNewVersion: true });
  });

  it('counts the licence and the listing that the add-on has', async () => {
    const guid = newGuid();
    await submit(developer, 'submitAddon', { upload: await valid({ guid }, 'LISTED'), ...listing });
    const upload = await valid({ guid, version: '2.0' }, 'LISTED');
    expect(await submit(developer, 'submitVersion', { guid, upload })).toMatchObject({ isNewVersion: true });
    expect(await rows(guid)).toMatchObject([{ stage: 'awaiting_review' }, { stage: 'awaiting_review' }]);
  });

  it('completes an unlisted add-on', async () => {
    const guid = newGuid();
    await submit(developer, 'submitAddon', { upload: await valid({ guid }) });
    await app.runJobs();
    const upload = await valid({ guid, version: '2.0' }, 'LISTED');
    expect((await submit(developer, 'submitVersion', { guid, upload })).path).toEqual(['categories', 'license']);
    const result = await submit(developer, 'submitVersion', { guid, upload, ...listing });
    expect(result).toMatchObject({ addon: { status: 'NOMINATED' }, version: { channel: 'LISTED' } });
  });
});

describe('submitVersion with an upload', () => {
  let guid: string;
  let addon: string;
  beforeAll(async () => {
    guid = newGuid();
    const first = await submit(developer, 'submitVersion', { guid, upload: await valid({ guid }) });
    expect(first).toMatchObject({ __typename: 'SubmitVersionPayload', isNewAddon: true });
    addon = globalId('Addon', first.addon?.databaseId);
    await app.runJobs();
  });

  it('refuses a number that is taken with VERSION_EXISTS', async () => {
    const upload = await valid({ guid });
    const taken = { code: 'VERSION_EXISTS', message: 'Version 1.0 already exists.', path: ['version'] };
    expect(await submit(developer, 'submitVersion', { guid, upload })).toMatchObject(taken);
    expect(await submit(developer, 'submitVersion', { addon, upload })).toMatchObject(taken);
    const other = newGuid();
    await submit(developer, 'submitVersion', { guid: other, upload: await valid({ guid: other }) });
    await app.sql('UPDATE version SET deleted_at = now() FROM addon WHERE addon.id = addon_id AND guid = $1', [other]);
    expect(
      await submit(developer, 'submitVersion', { guid: other, upload: await valid({ guid: other }) }),
    ).toMatchObject({ code: 'VERSION_EXISTS', message: 'Version 1.0 was uploaded before and deleted.' });
  });

  it('compares the guids of request, package and add-on', async () => {
    const [unnamed, others] = [
      await valid({ guid: null, version: '8.0' }),
      await valid({ guid: newGuid(), version: '8.0' }),
    ];
    const message = async (input: Record<string, unknown>) => (await submit(developer, 'submitVersion', input)).message;
    expect(await message({ guid, upload: unnamed })).toBe('A GUID must be specified in the manifest.');
    expect(await message({ guid, upload: others })).toEqual(
      beginningWith('GUID mismatch between the URL and manifest.'),
    );
    expect(await message({ guid: guid.toUpperCase(), upload: others })).toEqual(
      beginningWith('GUID mismatch between the URL and manifest.'),
    );
    expect(await message({ addon, upload: others })).toMatch(/^The add-on ID in your manifest\.json or install\.rdf/);
    expect(await message({ guid, addon, upload: unnamed })).toBe('Send guid or addon.');
    expect(await message({ upload: unnamed })).toBe('Send guid or addon.');
    expect(await submit(developer, 'submitVersion', { addon, upload: unnamed })).toMatchObject({
      addon: { guid },
      version: { version: '8.0' },
    });
    await app.runJobs();
  });

  it('takes a package of the same type only', async () => {
    const { upload } = await tryCreateUpload(developer, await languagePack({ guid, version: '9.0' }));
    await app.runJobs();
    const { pk } = upload as { pk: string };
    expect(await submit(developer, 'submitVersion', { guid, upload: pk })).toMatchObject({
      code: 'INVALID_PACKAGE',
      message: expect.stringMatching(/^The type of your package/),
    });
  });

  it('takes a version and a channel only if they are those of the upload', async () => {
    const upload = await valid({ guid, version: '9.1' });
    expect(await submit(developer, 'submitVersion', { guid, upload, version: '9.2' })).toMatchObject({
      path: ['version'],
    });
    expect(await submit(developer, 'submitVersion', { guid, upload, channel: 'LISTED' })).toMatchObject({
      path: ['channel'],
    });
    expect(
      await submit(developer, 'submitVersion', { guid, upload, version: '9.1', channel: 'UNLISTED' }),
    ).toMatchObject({
      isNewVersion: true,
    });
    await app.runJobs();
  });

  it('is for authors, while the add-on is not disabled or deleted', async () => {
    const upload = await valid({ guid, version: '9.3' }, 'UNLISTED', stranger);
    for (const to of [{ guid }, { addon }]) {
      expect(await submit(stranger, 'submitVersion', { ...to, upload })).toMatchObject({ code: 'NOT_PERMITTED' });
    }
    expect(await submit(stranger, 'submitVersion', { addon: globalId('Addon', 2 ** 31 - 1), upload })).toMatchObject({
      code: 'NOT_FOUND',
    });
    const own = await valid({ guid, version: '9.3' });
    await app.sql("UPDATE addon SET status = 'disabled' WHERE guid = $1", [guid]);
    expect(await submit(developer, 'submitVersion', { guid, upload: own })).toMatchObject({
      message: 'You cannot add versions to an addon that has status: Disabled by operator.',
    });
    await app.sql("UPDATE addon SET status = 'incomplete' WHERE guid = $1", [guid]);
  });

  it('takes exactly one of file and upload', async () => {
    expect(await submit(developer, 'submitVersion', { guid })).toMatchObject({ path: ['upload'] });
    expect(await submit(developer, 'submitAddon', {})).toMatchObject({ path: ['upload'] });
    const { result } = await developer.graphql<{ result: { message: string } }>(
      'mutation ($upload: ID!) { result: submitAddon(input: { upload: $upload }) { ... on UserError { message } } }',
      { upload: await valid({ guid: newGuid() }) },
    );
    expect(result.message).toMatch(/^Expected a global id of type "Upload", got "[0-9a-f]{32}"\.$/);
  });
});
