import { beforeAll, describe, expect, it } from 'vitest';
import type { Application } from '../../../src/package/enums.ts';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { type AddonFacts, addon } from '../../support/factories.ts';
import { untilSessionsWait } from '../../support/locks.ts';
import { inEnglish, mutate, mutationError } from '../../support/mutate.ts';

const app = setUpApp();
let owner: Client;
let developer: Client;

beforeAll(async () => {
  [owner, developer] = [await app.developer(), await app.developer()];
});

const DONE = { __typename: 'UpdateVersionPayload' };
const make = (facts: AddonFacts = {}) =>
  addon({ authors: [owner.accountId ?? 0, { id: developer.accountId ?? 0, role: 'developer' }], ...facts });
const versionOf = ({ versions }: Awaited<ReturnType<typeof make>>, index = 0) => versions[index]?.id ?? 0;
const update = (client: Client, id: unknown, input: object) => mutate(client, 'updateVersion', { id, ...input });
const desktop = (min: string, max: string) => ({ app: 'DESKTOP_BROWSER', min, max });

describe('updateVersion', () => {
  it('inserts application versions in a fixed order, so that concurrent changes do not deadlock', async () => {
    const { db } = await import('../../../src/infra/db.ts');
    const { noteApplicationVersions } = await import('../../../src/domain/versions/check-compatibility.ts');
    const id = versionOf(await make());
    const mobile = { app: 'MOBILE_BROWSER', min: '71.7', max: '*' };
    const row = (app: Application, code: bigint) => ({ app, min: '71.7', max: '71.7', minCode: code, maxCode: code });
    const { editing } = await db.$transaction(async (tx) => {
      await noteApplicationVersions(tx, [row('desktop_browser', 1n)]);
      const begun = update(owner, id, { compatibility: [mobile, desktop('71.7', '*')] });
      await untilSessionsWait(app, '%application_version%');
      // The mutation has not inserted this row yet. Otherwise the two transactions would deadlock here.
      await noteApplicationVersions(tx, [row('mobile_browser', 1n)]);
      return { editing: begun };
    });
    expect(await editing).toEqual(DONE);
  });

  it('changes every field of a version in REST v3, v4 and v4dev', async () => {
    const made = await make();
    const id = versionOf(made);
    const path = (version: string) => `/api/${version}/addons/addon/${made.id}/`;
    const etag = (await app.anonymous.get(path('v4'))).headers.etag;
    const [license] = await app.sql<{ id: number }>("SELECT id FROM license WHERE builtin = 'ISC'");
    const input = {
      releaseNotes: [...inEnglish('<b>New</b><script>x</script>'), { locale: 'de', value: 'Neu & gut' }],
      compatibility: [desktop('60.0', '61.*'), { app: 'MOBILE_BROWSER', min: '60.0', max: '*' }],
      isStrictCompatibilityEnabled: true,
      license: license?.id,
    };
    expect(await update(owner, id, input)).toEqual(DONE);
    const expected = {
      compatibility: { desktop_browser: { min: '60.0', max: '61.*' }, mobile_browser: { min: '60.0', max: '*' } },
      is_strict_compatibility_enabled: true,
      license: { name: { 'en-US': 'ISC License' } },
      release_notes: { 'en-US': '<b>New</b>', de: 'Neu &amp; gut' },
    };
    for (const version of ['v3', 'v4', 'v4dev']) {
      expect((await app.anonymous.get(`${path(version)}versions/${id}/`)).json).toMatchObject(expected);
      expect((await app.anonymous.get(path(version))).json).toMatchObject({ current_version: expected });
    }
    expect((await app.anonymous.get(path('v4'))).headers.etag).not.toBe(etag);
    const flat = (await app.anonymous.get(`${path('v4dev')}versions/${id}/?lang=de`)).json;
    expect(flat).toMatchObject({ release_notes: { de: 'Neu &amp; gut' } });
    const found = async (appversion: string) =>
      (await app.anonymous.get(`/api/v4/addons/search/?app=mobile_browser&appversion=${appversion}`)).json;
    expect(await found('60.0')).toMatchObject({ results: [{ id: made.id }] });
    expect(await found('59.0')).toMatchObject({ count: 0 });
    const log = await app.sql(
      'SELECT action, account_id AS by, details FROM activity WHERE version_id = $1 ORDER BY id DESC LIMIT 1',
      [id],
    );
    const fields = ['releaseNotes', 'isStrictCompatibilityEnabled', 'compatibility', 'license'];
    expect(log).toEqual([{ action: 'version-edited', by: owner.accountId, details: { fields } }]);
  });

  it('sets the licence of the add-on from the newest listed version only', async () => {
    const failed = ['invalid', 'error', 'rejected'].map((stage) => ({ stage, files: [{ status: 5 }] }));
    const made = await make({ versions: [{}, {}, { channel: 'unlisted' }, ...failed] });
    const licenseOf = async () =>
      (
        await app.sql<{ license: string | null }>(
          'SELECT l.builtin AS license FROM addon a LEFT JOIN license l ON l.id = a.license_id WHERE a.id = $1',
          [made.id],
        )
      )[0]?.license;
    const customLicense = { text: inEnglish('Old text.') };
    expect(await update(owner, versionOf(made, 0), { customLicense })).toEqual(DONE);
    expect(await licenseOf()).toBeNull();
    const [license] = await app.sql<{ id: number }>("SELECT id FROM license WHERE builtin = 'MIT'");
    expect(await update(owner, versionOf(made, 1), { license: license?.id })).toEqual(DONE);
    expect(await licenseOf()).toBe('MIT');
    const old = (await app.anonymous.get(`/api/v4/addons/addon/${made.id}/versions/${versionOf(made, 0)}/`)).json;
    expect(old).toMatchObject({ license: { name: { 'en-US': 'Custom License' }, text: { 'en-US': 'Old text.' } } });
  });

  it('retries after a deadlock', async () => {
    const id = versionOf(await make());
    await app.sql('CREATE SEQUENCE attempt');
    await app.sql(`CREATE FUNCTION conflict_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('attempt') = 1 THEN RAISE SQLSTATE '40P01'; END IF; RETURN NEW; END $$`);
    await app.sql('CREATE TRIGGER conflict BEFORE UPDATE ON version FOR EACH ROW EXECUTE FUNCTION conflict_once()');
    expect(await update(owner, id, { releaseNotes: inEnglish('Kept') })).toEqual(DONE);
    await app.sql('DROP FUNCTION conflict_once CASCADE');
    expect(await app.sql('SELECT release_notes AS notes FROM version WHERE id = $1', [id])).toEqual([
      { notes: { 'en-US': 'Kept' } },
    ]);
  });

  it('accepts release notes in several languages, and null to delete one', async () => {
    const id = versionOf(await make({ versions: [{ releaseNotes: { 'en-US': 'Old', de: 'Alt' } }] }));
    const releaseNotes = [...inEnglish('New'), { locale: 'de', value: null }];
    expect(await update(owner, id, { releaseNotes })).toEqual(DONE);
    expect(await app.sql('SELECT release_notes AS notes FROM version WHERE id = $1', [id])).toEqual([
      { notes: { 'en-US': 'New' } },
    ]);
  });

  it('adds application versions of a known major version', async () => {
    const id = versionOf(await make());
    expect(await update(owner, id, { compatibility: [desktop('60.0.1', '60.3b2')] })).toEqual(DONE);
    const known = await app.sql(
      "SELECT version FROM application_version WHERE app = 'desktop_browser' AND version LIKE '60._%' ORDER BY code",
    );
    expect(known).toEqual([{ version: '60.0' }, { version: '60.0.1' }, { version: '60.3b2' }, { version: '60.*' }]);
  });

  it('keeps concurrent changes of different fields', async () => {
    const made = await make();
    const id = versionOf(made);
    const locales = ['de', 'fr', 'ja', 'ru'];
    const results = await Promise.all([
      ...locales.map((locale) => update(owner, id, { releaseNotes: [{ locale, value: locale }] })),
      update(developer, id, { isStrictCompatibilityEnabled: true }),
      update(developer, id, { compatibility: [desktop('70.0', '*')] }),
      mutate(owner, 'updateAddon', { id: made.id, tags: ['kept'] }),
    ]);
    expect(results.every(({ __typename }) => __typename.endsWith('Payload'))).toBe(true);
    const { json } = await app.anonymous.get(`/api/v4/addons/addon/${made.id}/`);
    expect(json).toMatchObject({
      tags: ['kept'],
      current_version: {
        release_notes: { de: 'de', fr: 'fr', ja: 'ja', ru: 'ru' },
        is_strict_compatibility_enabled: true,
        compatibility: { desktop_browser: { min: '70.0', max: '*' } },
      },
    });
  });
});

describe('the permission for updateVersion', () => {
  it('is given to authors only; the licence needs an owner', async () => {
    const id = versionOf(await make());
    const editor = await app.memberWith('Addons:Edit');
    const change = { isStrictCompatibilityEnabled: true };
    for (const client of [owner, developer]) expect(await update(client, id, change)).toEqual(DONE);
    expect(await update(owner, id, { license: 1 })).toEqual(DONE);
    expect(await update(developer, id, { license: 1 })).toMatchObject({ code: 'NOT_PERMITTED' });
    for (const client of [await app.developer(), await app.reviewer(), editor, await app.admin()]) {
      expect(await update(client, id, change)).toMatchObject({ code: 'NOT_PERMITTED' });
    }
    expect(await mutationError(app.anonymous, 'updateVersion', { id, ...change })).toBe('NOT_AUTHENTICATED');
  });

  it('includes unlisted versions and versions in review, not failed or deleted ones', async () => {
    const made = await make({
      versions: [
        { channel: 'unlisted' },
        { stage: 'awaiting_review', files: [{ status: 1 }] },
        { stage: 'invalid' },
        { deletedAt: new Date() },
      ],
    });
    const updates = made.versions.map(({ id }) => update(owner, id, { releaseNotes: inEnglish('Notes') }));
    const codes = (await Promise.all(updates)).map(({ code }) => code ?? 'done');
    expect(codes).toEqual(['done', 'done', 'NOT_FOUND', 'NOT_FOUND']);
    expect(await update(owner, 999_999, {})).toMatchObject({ code: 'NOT_FOUND' });
    expect(await update(owner, 'nonsense', {})).toMatchObject({ path: ['id'] });
    const deleted = await make({ status: 'deleted', deletedAt: new Date(), slug: null });
    expect(await update(owner, versionOf(deleted), {})).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('updateVersion refuses', () => {
  const legacy = { versions: [{ files: [{ isWebextension: false, format: 'install-rdf' }] }] };
  it.each<[string, AddonFacts, object, string, string]>([
    ['no application', {}, { compatibility: [] }, 'Need at least one compatible application.', 'compatibility'],
    [
      'one application twice',
      {},
      { compatibility: [desktop('60.0', '*'), desktop('61.0', '*')] },
      'An application can only be present once.',
      'compatibility',
    ],
    ['a minimum above the maximum', {}, { compatibility: [desktop('61.0', '60.*')] }, 'Invalid value', 'compatibility'],
    [
      'a wildcard as the minimum',
      {},
      { compatibility: [desktop('*', '*')] },
      'Unknown min app version specified',
      'compatibility',
    ],
    [
      'a wildcard in the minimum',
      {},
      { compatibility: [desktop('60.*', '*')] },
      'Unknown min app version specified',
      'compatibility',
    ],
    [
      'an invalid version',
      {},
      { compatibility: [desktop('new', '*')] },
      'Unknown min app version specified',
      'compatibility',
    ],
    [
      'a version of 5,000 digits',
      {},
      { compatibility: [desktop('60.0', '6'.repeat(5000))] },
      'Unknown max app version specified',
      'compatibility',
    ],
    [
      'an unknown version',
      {},
      { compatibility: [desktop('60.0', '999.0')] },
      'Unknown max app version specified',
      'compatibility',
    ],
    [
      'a range that legacy packages do not support',
      legacy,
      { compatibility: [desktop('50.0', '57.0')] },
      'Invalid value',
      'compatibility',
    ],
    [
      'a theme for another application',
      { type: 'statictheme' },
      { compatibility: [desktop('60.0', '*'), { app: 'MOBILE_BROWSER', min: '60.0', max: '*' }] },
      'The applications of a static theme cannot be changed.',
      'compatibility',
    ],
    [
      'ranges of a dictionary',
      { type: 'dictionary' },
      { compatibility: [desktop('60.0', '*')] },
      'This type of add-on does not allow custom compatibility.',
      'compatibility',
    ],
    [
      'an unknown language',
      {},
      { releaseNotes: [{ locale: 'xx', value: 'x' }] },
      "The language code 'xx' is invalid.",
      'releaseNotes',
    ],
    [
      'release notes over 100,000 characters',
      {},
      { releaseNotes: inEnglish('x'.repeat(100_001)) },
      'Please use no more than 100000 characters.',
      'releaseNotes',
    ],
    ['an unknown licence', {}, { license: 999_999 }, 'There is no such licence.', 'license'],
    [
      'a licence without a text',
      {},
      { customLicense: { text: [] } },
      'License text is required when choosing Other.',
      'customLicense',
    ],
  ])('%s', async (_title, facts, input, message, field) => {
    const id = versionOf(await make(facts));
    const expected = { __typename: 'InvalidInputError', code: 'BAD_USER_INPUT', message, path: [field] };
    expect(await update(owner, id, input)).toEqual(expected);
  });

  it('no range that legacy packages support', async () => {
    const id = versionOf(await make(legacy));
    expect(await update(owner, id, { compatibility: [desktop('50.0', '56.*')] })).toEqual(DONE);
    const pack = versionOf(await make({ ...legacy, type: 'language' }));
    expect(await update(owner, pack, { compatibility: [desktop('50.0', '*')] })).toEqual(DONE);
  });
});
