/* Packages between their upload and their submission: each is listed, and each version takes the same step. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client, Reply } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { type WebExtensionOptions, xpi } from '../../support/packages.ts';
import { documentOf, formFields, textOf, type Visitor, visitorOf } from '../../support/pages.ts';

const app = setUpApp();
let owner: Client;
let visitor: Visitor;

beforeAll(async () => {
  owner = await app.developer();
  visitor = await visitorOf(app, owner);
  await visitor.submit('/developers/submit/', 'hub-agreement');
});

const file = async (options: WebExtensionOptions) => ({ bytes: await xpi(options), fileName: 'a.xpi' });
const pkOf = ({ headers }: Reply): string => /[0-9a-f]{32}/.exec(String(headers.location))?.[0] ?? '';

/** Uploads a package and validates it. */
async function upload(path: string, form: string, options: WebExtensionOptions, fields = {}): Promise<string> {
  const sent = await visitor.upload(path, form, { channel: 'LISTED', ...fields, file: await file(options) });
  expect(sent.status).toBe(303);
  await app.runJobs();
  return pkOf(sent);
}

/** Publishes the documents of add-ons that a test has changed in the database. */
async function publish(): Promise<void> {
  const { db } = await import('../../../src/infra/db.ts');
  const { publishAddons } = await import('../../../src/domain/listing/publish-addons.ts');
  const ids = (await app.sql<{ id: number }>('SELECT id FROM addon')).map(({ id }) => id);
  await db.$transaction((tx) => publishAddons(tx, ids));
}

/** The row of an upload in the developer hub. */
async function rowOf(path: string, guid: string): Promise<string> {
  const $ = documentOf(await visitor.get(path));
  return $.html(
    $('li.hub-item')
      .filter((_index, row) => $(row).text().includes(guid))
      .first(),
  );
}

/** The labels of a form that say “(optional)”. */
const optionalLabels = (reply: Reply, form: string): string[] => {
  const $ = documentOf(reply);
  const marks = $(`form[id="${form}"]`).find('label, legend').children('.field-optional').toArray();
  return marks.map((mark) => $(mark).parent().contents().first().text().trim());
};

describe('an upload that is not submitted', () => {
  it('is a row of the developer hub with its expiry, and leads on', async () => {
    const pk = await upload('/developers/submit/', 'hub-upload', { guid: 'seen@example', version: '1.0' });
    const fails = await upload('/developers/submit/', 'hub-upload', {
      ...{ guid: 'broken@example', version: '1.0' },
      manifest: { background: { scripts: ['missing.js'] }, permissions: ['<all_urls>'], icons: { 48: 'none.png' } },
    });
    await app.sql("UPDATE upload SET stage = 'invalid' WHERE pk = $1", [fails]);
    for (const path of ['/developers/', '/developers/submit/']) {
      const row = await rowOf(path, 'seen@example');
      expect(row).toContain(`href="/developers/submit/${pk}/"`);
      expect(textOf({ text: row })).toContain('Continue');
      expect(row).toMatch(/<time datetime="20\d\d-/);
      const failed = await rowOf(path, 'broken@example');
      expect(failed).toContain(`href="/validation/${fails}/"`);
      expect(textOf({ text: failed })).toContain('Fix');
    }
    const report = await visitor.get(`/validation/${fails}/`);
    expect(report.text).toContain('href="/developers/submit/"');
  });

  it('is listed before any number of submitted ones', async () => {
    await app.sql(
      `WITH a AS (INSERT INTO addon (guid, slug, type, status, default_locale) VALUES ('many@example', 'many', 'extension', 'incomplete', 'en-US') RETURNING id),
        v AS (INSERT INTO version (addon_id, version, channel, stage) SELECT a.id, n || '.0', 'unlisted', 'signed' FROM a, generate_series(1, 25) n RETURNING id, addon_id)
       INSERT INTO upload (pk, addon_id, version_id, account_id, file_name) SELECT md5('many' || v.id), v.addon_id, v.id, $1, 'x' FROM v`,
      [owner.accountId],
    );
    await publish();
    expect(await rowOf('/developers/', 'seen@example')).not.toBe('');
    expect(await rowOf('/developers/submit/', 'seen@example')).not.toBe('');
    const { viewer } = await owner.graphql<{ viewer: { waiting: Count; all: Count; submitted: Count } }>(
      `{ viewer { waiting: uploads(isSubmitted: false) { totalCount nodes { isSubmitted } }
         submitted: uploads(isSubmitted: true, first: 2) { totalCount nodes { isSubmitted } }
         all: uploads(first: 1) { totalCount nodes { isSubmitted } } } }`,
    );
    expect([viewer.waiting.totalCount, viewer.submitted.totalCount, viewer.all.totalCount]).toEqual([2, 25, 27]);
    expect(viewer.waiting.nodes).toEqual([{ isSubmitted: false }, { isSubmitted: false }]);
    expect(viewer.submitted.nodes).toEqual([{ isSubmitted: true }, { isSubmitted: true }]);
  });
});

interface Count {
  totalCount: number;
  nodes: { submitted: boolean }[];
}

describe('a further version', () => {
  it('takes the step of a first one: release notes, notes to reviewers, warnings, then it is submitted', async () => {
    const made = await addon({
      ...{ authors: [owner.accountId ?? 0], slug: 'stepped', guid: 'stepped@example', summary: { 'en-US': 'Steps.' } },
      categories: [{ app: 'desktop_browser', slug: 'tabs' }],
    });
    await app.sql("UPDATE addon SET license_id = (SELECT id FROM license WHERE builtin = 'MIT') WHERE id = $1", [
      made.id,
    ]);
    await publish();
    const target = { addon: globalId('Addon', made.id) };
    const path = '/developers/addon/stepped/versions/new';
    const pk = await upload(path, 'hub-version', { guid: 'stepped@example', version: '2.0' }, target);
    const step = `/developers/submit/${pk}/`;
    const page = await visitor.get(step);
    expect(textOf(page)).toContain('I have read the warning of the validation');
    expect(optionalLabels(page, 'hub-submit-version')).toEqual(['What is new', 'Notes for reviewers']);
    const fields = { ...(await formFields(visitor, step, 'hub-submit-version')), releaseNotes: 'Faster.' };
    for (const [language, text] of [
      ['en', 'Confirm that you have read'],
      ['de', 'Bestätigen Sie'],
      ['he', 'יש לאשר'],
    ] as const) {
      const refused = await visitor.submit(step, 'hub-submit-version', fields, { 'Accept-Language': language });
      expect([refused.status, textOf(refused).includes(text)]).toEqual([422, true]);
      expect(refused.text).toContain('Faster.');
    }
    const all = { ...fields, warningsSeen: 'true', approvalNotes: 'Log in with a test account.' };
    expect((await visitor.submit(step, 'hub-submit-version', all)).status).toBe(303);
    const [version] = await app.sql(
      `SELECT stage, release_notes AS notes, approval_notes AS "for" FROM version WHERE addon_id = $1 AND version = '2.0'`,
      [made.id],
    );
    expect(version).toEqual({
      stage: 'awaiting_review',
      notes: { 'en-US': 'Faster.' },
      for: 'Log in with a test account.',
    });
  });

  it('is one of the add-on that it was uploaded for, although its package has no id', async () => {
    const made = await addon({ authors: [owner.accountId ?? 0], slug: 'without-id', guid: 'without-id@example' });
    const path = '/developers/addon/without-id/versions/new';
    const fields = { addon: globalId('Addon', made.id), channel: 'UNLISTED' };
    const pk = await upload(path, 'hub-version', { guid: null, version: '7.0' }, fields);
    const step = `/developers/submit/${pk}/`;
    const page = await visitor.get(step);
    expect(textOf(page)).toContain('This becomes a version of Made');
    const filled = { ...(await formFields(visitor, step, 'hub-submit-version')), warningsSeen: 'true' };
    expect((await visitor.submit(step, 'hub-submit-version', filled)).status).toBe(303);
    expect(
      await app.sql("SELECT version FROM version WHERE addon_id = $1 AND version = '7.0'", [made.id]),
    ).toHaveLength(1);
  });

  it('is refused at once for a number that is taken, and for the package of another add-on', async () => {
    const made = await addon({ authors: [owner.accountId ?? 0], slug: 'taken', guid: 'taken@example' });
    const path = '/developers/addon/taken/versions/new';
    const send = async (options: WebExtensionOptions) =>
      visitor.upload(path, 'hub-version', {
        ...{ addon: globalId('Addon', made.id), channel: 'LISTED', file: await file(options) },
      });
    const same = await send({ guid: 'taken@example', version: '1.0' });
    expect([same.status, textOf(same).includes('Latest version is: 1.0.')]).toEqual([409, true]);
    expect((await send({ guid: 'another@example', version: '2.0' })).status).toBe(422);
    expect(await app.sql("SELECT FROM upload WHERE manifest->>'guid' LIKE 'taken%'")).toEqual([]);
  });
});

describe('the mark “optional”', () => {
  it('is at the fields of a listed submission that the add-on and its package need not have', async () => {
    const pk = await upload('/developers/submit/', 'hub-upload', {
      ...{ guid: 'bare@example', version: '1.0', manifest: { description: undefined } },
    });
    const bare = await visitor.get(`/developers/submit/${pk}/`);
    expect(optionalLabels(bare, 'hub-submit-addon')).toEqual(['What is new', 'Notes for reviewers']);
    const described = await upload('/developers/submit/', 'hub-upload', { guid: 'said@example', version: '1.0' });
    const said = await visitor.get(`/developers/submit/${described}/`);
    expect(optionalLabels(said, 'hub-submit-addon')).toEqual(['Summary', 'What is new', 'Notes for reviewers']);
    const made = await addon({ authors: [owner.accountId ?? 0], slug: 'no-listing', guid: 'no-listing@example' });
    const further = await upload(
      '/developers/addon/no-listing/versions/new',
      'hub-version',
      { guid: 'no-listing@example', version: '2.0' },
      { addon: globalId('Addon', made.id) },
    );
    const step = await visitor.get(`/developers/submit/${further}/`);
    expect(optionalLabels(step, 'hub-submit-version')).toEqual(['What is new', 'Notes for reviewers']);
    expect(step.text).toMatch(/name="categories".*name="license"/s);
  });

  it('is at no field of the listing that cannot be emptied', async () => {
    await addon({
      ...{ authors: [owner.accountId ?? 0], slug: 'needs', summary: { 'en-US': 'It is.' } },
      categories: [{ app: 'desktop_browser', slug: 'tabs' }],
    });
    const listed = optionalLabels(await visitor.get('/developers/addon/needs/edit'), 'hub-edit');
    for (const label of ['Name', 'Summary', 'Categories']) expect(listed).not.toContain(label);
    await addon({
      ...{ authors: [owner.accountId ?? 0], slug: 'alone', status: 'incomplete', versions: [{ channel: 'unlisted' }] },
    });
    const own = optionalLabels(await visitor.get('/developers/addon/alone/edit'), 'hub-edit');
    for (const label of ['Summary', 'Categories']) expect(own).toContain(label);
    const fields = await formFields(visitor, '/developers/addon/alone/edit', 'hub-edit');
    expect((await visitor.submit('/developers/addon/alone/edit', 'hub-edit', { ...fields, tags: 'x1' })).status).toBe(
      303,
    );
  });
});
