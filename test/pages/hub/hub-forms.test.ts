/* The forms of the developer hub: success, each refusal, missing token, foreign origin, read-only, expired session. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { type AddonFacts, addon, type MadeAddon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { addonColumn, hubPath } from '../../support/hub.ts';
import { inEnglish, mutate } from '../../support/mutate.ts';
import { xpi } from '../../support/packages.ts';
import { documentOf, formFields, outcomeOf, textOf, Visitor, visitorOf } from '../../support/pages.ts';

const app = setUpApp();
let owner: Client;
let visitor: Visitor;
let stranger: Visitor;

beforeAll(async () => {
  owner = await app.developer();
  visitor = await visitorOf(app, owner);
  stranger = await visitorOf(app, await app.developer());
});

const make = (facts: AddonFacts) => addon({ authors: [owner.accountId ?? 0], ...facts });
const idOf = ({ id }: MadeAddon) => globalId('Addon', id);
const column = (made: MadeAddon, name: string) => addonColumn(app, made, name);

/** The hidden fields of a form, as a browser sends them. */
async function hiddenFields(path: string, form: string): Promise<Record<string, string>> {
  const $ = documentOf(await visitor.get(path));
  const fields = $(`form[id="${form}"] input[type=hidden]`).serializeArray();
  return Object.fromEntries(
    fields.filter(({ name }) => !['form', 'csrf', 'once'].includes(name)).map(({ name, value }) => [name, value]),
  );
}

describe('every form', () => {
  const FORMS: [path: string, form: string][] = [
    ['submit/', 'hub-agreement'],
    ['addon/all-forms/edit', 'hub-edit'],
    ['addon/all-forms/license', 'hub-license'],
    ['addon/all-forms/license', 'hub-policies'],
    ['addon/all-forms/authors', 'hub-author-invite'],
    ['addon/all-forms/authors', 'hub-invitation-resend'],
    ['addon/all-forms/authors', 'hub-invitation-withdraw'],
    ['addon/all-forms/authors', 'hub-author-change'],
    ['addon/all-forms/authors', 'hub-author-order'],
    ['addon/all-forms/authors', 'hub-author-remove'],
    ['addon/all-forms/media', 'hub-icon-remove'],
    ['addon/all-forms/media', 'hub-preview-move'],
    ['addon/all-forms/media', 'hub-preview-caption'],
    ['addon/all-forms/media', 'hub-preview-delete'],
    ['addon/all-forms/media', 'hub-persona-colours'],
    ['addon/all-forms/media', 'hub-persona-footer-remove'],
    ['addon/all-forms/activity', 'hub-reply'],
    ['addon/all-forms/danger', 'hub-disable'],
    ['addon/all-forms/danger', 'hub-delete'],
  ];
  const FIELDS = {
    id: globalId('Addon', 1),
    ...{ name: 'typed before', comments: 'typed before', 'summary.en-US': 'typed before' },
  };

  let versionId: number;

  beforeAll(async () => {
    versionId = (await make({ slug: 'all-forms' })).versions[0]?.id ?? 0;
  });

  it.each(FORMS)('%s %s needs a token, its own origin, a session and writes', async (path, form) => {
    const address = `/developers/${path}`;
    const typed = 'typed before';
    const forged = await visitor.submit(address, form, { ...FIELDS, csrf: 'wrong' });
    expect([forged.status, forged.text.includes(typed)]).toEqual([403, true]);
    const foreign = await visitor.submit(address, form, FIELDS, { 'Sec-Fetch-Site': 'cross-site' });
    expect(foreign.status).toBe(403);
    const ended = await new Visitor(app).submit(address, form, FIELDS);
    expect([ended.status, ended.text.includes(typed)]).toEqual([401, true]);
    expect(ended.text).toContain('<dt>Summary <bdi dir="ltr">(en-US)</bdi></dt>');
    app.config.READ_ONLY = true;
    const late = await visitor.submit(address, form, {
      ...FIELDS,
      disabled: 'yes',
      role: 'OWNER',
      slug: 'x',
      expected: 'x',
    });
    app.config.READ_ONLY = false;
    const alert = documentOf(late)('[role=alert]').text();
    expect([form, late.status, alert]).toEqual([form, 503, expect.stringContaining('Nothing was saved')]);
    expect(alert).not.toContain('Please check');
  });

  const VERSION = 'VERSION';
  const FILE_FORMS: [path: string, form: string, fields: Record<string, string>][] = [
    ['/developers/submit/', 'hub-upload', { channel: 'UNLISTED' }],
    ['/developers/validate/', 'hub-validate', { channel: 'UNLISTED' }],
    ['/developers/addon/all-forms/versions/new', 'hub-version', { addon: 'typed before', channel: 'UNLISTED' }],
    [`/developers/addon/all-forms/versions/${VERSION}`, 'hub-version-source', { version: 'typed before' }],
    ['/developers/addon/all-forms/media', 'hub-icon', { id: 'typed before' }],
    ['/developers/addon/all-forms/media', 'hub-preview-add', { addon: 'typed before' }],
    ['/developers/addon/all-forms/media', 'hub-persona-header', { id: 'typed before' }],
    ['/developers/addon/all-forms/media', 'hub-persona-footer', { id: 'typed before' }],
    ['/developers/themes/new/', 'hub-theme', { name: 'typed before', summary: 'two\nlines', accentColor: '#123' }],
    ['/account/', 'picture', {}],
  ];

  it.each(FILE_FORMS)('%s %s with a file needs them too, and keeps its fields', async (path, form, fields) => {
    const address = path.replace(VERSION, String(versionId));
    const parts = { ...fields, file: { bytes: Buffer.from('x'), fileName: 'a.xpi' } };
    const foreign = await visitor.upload(address, form, parts, { 'Sec-Fetch-Site': 'cross-site' });
    expect(foreign.status).toBe(403);
    const forged = await visitor.upload(address, form, { ...parts, csrf: '' });
    const ended = await new Visitor(app).upload(address, form, parts);
    expect([forged.status, ended.status]).toEqual([403, 401]);
    for (const { text, ...reply } of [forged, ended]) {
      const marked = { ...reply, text: text.replace(`action="${address}#result"`, '$& id="kept"') };
      expect(await formFields(visitor, marked, 'kept')).toMatchObject(fields);
    }
    app.config.READ_ONLY = true;
    const late = await visitor.upload(address, form, parts);
    app.config.READ_ONLY = false;
    expect(late.status).toBe(503);
  });

  it('changes nothing for others', async () => {
    const made = await make({ slug: 'guarded' });
    const path = hubPath(made, 'danger');
    expect((await stranger.submit(path, 'hub-disable', { id: idOf(made), disabled: 'yes' })).status).toBe(403);
    const fields = { id: idOf(made), slug: 'guarded', expected: 'guarded' };
    expect((await stranger.submit(path, 'hub-delete', fields)).status).toBe(403);
    expect(await column(made, 'status')).toBe('public');
  });
});

describe('sending a package', () => {
  const upload = async (path: string, form: string, fields: object, options: Parameters<typeof xpi>[0]) =>
    visitor.upload(path, form, { ...fields, file: { bytes: await xpi(options), fileName: 'a.xpi' } });

  it('leads from the package over its report to a listed add-on', async () => {
    const sent = await upload(
      '/developers/submit/',
      'hub-upload',
      { channel: 'LISTED' },
      { guid: 'listed-new@example', version: '1.0' },
    );
    expect(sent.status).toBe(303);
    const pk = /\/validation\/([0-9a-f]{32})\//.exec(String(sent.headers.location))?.[1] ?? '';
    await app.runJobs();
    const path = `/developers/submit/${pk}/`;
    const hidden = await hiddenFields(path, 'hub-submit-addon');
    expect(hidden).toEqual({ upload: globalId('Upload', pk), locale: 'en-US', warnings: '1' });
    const refused = await visitor.submit(path, 'hub-submit-addon', {
      ...{ ...hidden, summary: 'Typed and kept.', warningsSeen: 'true' },
    });
    expect([refused.status, refused.text.includes('Typed and kept.')]).toEqual([422, true]);
    expect(refused.text).toMatch(/id="hub-submit-addon-license-error"/);
    const [category] = await app.sql<{ id: number }>(
      "SELECT min(id) AS id FROM category WHERE app = 'desktop_browser' AND type = 'extension'",
    );
    const [license] = await app.sql<{ id: number }>("SELECT id FROM license WHERE builtin = 'MIT'");
    const listing = {
      warningsSeen: 'true',
      summary: 'It lists.',
      categories: globalId('Category', category?.id),
      license: globalId('License', license?.id),
    };
    const done = await visitor.submit(path, 'hub-submit-addon', { ...hidden, ...listing });
    expect(outcomeOf(done)).toEqual([
      303,
      expect.stringMatching(/^\/developers\/addon\/[\w-]+\/\?done=hub-submitted$/),
    ]);
    expect(textOf(await visitor.get(String(done.headers.location)))).toContain('The version was submitted.');
    expect((await visitor.get(path)).status).toBe(303);
    const version = await upload(
      String(done.headers.location).replace('?done=hub-submitted', 'versions/new'),
      'hub-version',
      {
        channel: 'LISTED',
        addon: globalId(
          'Addon',
          (await app.sql<{ id: number }>("SELECT id FROM addon WHERE guid = 'listed-new@example'"))[0]?.id,
        ),
      },
      { guid: 'listed-new@example', version: '1.0' },
    );
    expect([version.status, textOf(version).includes('Latest version is: 1.0.')]).toEqual([409, true]);
  });

  it('refuses what is no package, and a form without a file', async () => {
    const broken = { channel: 'LISTED', file: { bytes: Buffer.from('x'), fileName: 'a.xpi' } };
    expect((await visitor.upload('/developers/submit/', 'hub-upload', broken)).status).toBe(422);
    const none = await visitor.upload('/developers/submit/', 'hub-upload', { channel: 'LISTED' });
    expect([none.status, none.text.includes('Choose a file.')]).toEqual([422, true]);
  });

  it('only checks it where that was wanted', async () => {
    const sent = await upload(
      '/developers/validate/',
      'hub-validate',
      { channel: 'UNLISTED' },
      { guid: 'only-checked@example' },
    );
    expect(outcomeOf(sent)).toEqual([303, expect.stringMatching(/^\/validation\/[0-9a-f]{32}\/$/)]);
    const [row] = await app.sql<{ hours: number }>(
      "SELECT round(extract(epoch FROM expires - now()) / 3600)::int AS hours FROM upload WHERE manifest->>'guid' = 'only-checked@example'",
    );
    expect(row).toEqual({ hours: 24 });
  });

  it('needs the developer agreement', async () => {
    await app.sql('UPDATE account SET read_dev_agreement = NULL WHERE id = $1', [owner.accountId]);
    const { text } = await visitor.get('/developers/submit/');
    expect([text.includes('id="hub-agreement"'), text.includes('id="hub-upload"')]).toEqual([true, false]);
    expect(outcomeOf(await visitor.submit('/developers/submit/', 'hub-agreement'))).toEqual([
      303,
      '/developers/submit/',
    ]);
    expect((await visitor.get('/developers/submit/')).text).toContain('id="hub-upload"');
  });
});

describe('the listing', () => {
  it('is edited in all languages, and what others changed is shown next to it', async () => {
    const made = await make({
      slug: 'edited',
      name: { 'en-US': 'Old' },
      summary: { 'en-US': 'Short', de: 'Kurz' },
      description: { 'en-US': 'a\r\nb' },
    });
    const path = hubPath(made, 'edit');
    const hidden = await hiddenFields(path, 'hub-edit');
    const typed = {
      ...{ 'name.en-US': 'New', 'summary.en-US': 'Short', 'summary.de': 'Kürzer', 'description.en-US': 'a\nb' },
      ...{ slug: 'edited-2', tags: 'One, two', hasPublicStatistics: 'true' },
    };
    // Another editor changes a text that this form does not change, and later one that it does.
    const other = { id: made.id, description: inEnglish('other') };
    expect(await mutate(owner, 'updateAddon', other)).toMatchObject({ __typename: 'UpdateAddonPayload' });
    expect(outcomeOf(await visitor.submit(path, 'hub-edit', { ...hidden, ...typed }))).toEqual([
      303,
      '/developers/addon/edited-2/edit?done=hub-edit',
    ]);
    expect(await column(made, 'name')).toEqual({ 'en-US': 'New' });
    expect(await column(made, 'summary')).toEqual({ 'en-US': 'Short', de: 'Kürzer' });
    expect(await column(made, 'description')).toEqual({ 'en-US': 'other' });
    const again = { ...hidden, ...typed, 'name.en-US': 'Third' };
    const conflict = await visitor.submit('/developers/addon/edited-2/edit', 'hub-edit', again);
    expect(conflict.status).toBe(409);
    expect(textOf(conflict)).toContain('Changed since you opened the page');
    expect(textOf(conflict)).toMatch(/Yours Third Stored now New/);
    expect(await column(made, 'name')).toEqual({ 'en-US': 'New' });
  });

  it('gets another language, and refuses invalid values with what was typed', async () => {
    const made = await make({ slug: 'languages', summary: { 'en-US': 'Short' } });
    const { text } = await visitor.get(hubPath(made, 'edit?add=he'));
    expect(text).toMatch(/name="summary\.he"[^>]* lang="he" dir="rtl"/);
    const hidden = await hiddenFields(hubPath(made, 'edit'), 'hub-edit');
    const fields = {
      ...hidden,
      'name.en-US': 'Made',
      'summary.en-US': 'Short',
      'homepage.en-US': 'no address',
      slug: 'languages',
    };
    const refused = await visitor.submit(hubPath(made, 'edit'), 'hub-edit', fields);
    expect([refused.status, refused.text.includes('value="no address"')]).toEqual([422, true]);
    expect(
      (await visitor.submit(hubPath(made, 'edit'), 'hub-edit', { ...fields, 'homepage.en-US': '', slug: '1' })).status,
    ).toBe(422);
  });

  it('has a licence and policies', async () => {
    const made = await make({ slug: 'licensed' });
    const id = idOf(made);
    const [license] = await app.sql<{ id: number }>("SELECT id FROM license WHERE builtin = 'MIT'");
    const path = hubPath(made, 'license');
    const done = await visitor.submit(path, 'hub-license', {
      id,
      locale: 'en-US',
      license: globalId('License', license?.id),
    });
    expect(outcomeOf(done)).toEqual([303, `${path}?done=hub-license`]);
    expect(await column(made, 'license_id')).toBe(license?.id);
    const shown = await formFields(visitor, path, 'hub-license');
    const own = { ...shown, license: '', 'license.name': 'Mine', 'license.text': 'Do good.' };
    expect((await visitor.submit(path, 'hub-license', own)).status).toBe(303);
    const again = await formFields(visitor, path, 'hub-license');
    expect(again).toMatchObject({ license: '', 'license.name': 'Mine', 'license.text': 'Do good.' });
    const chosen = await column(made, 'license_id');
    expect((await visitor.submit(path, 'hub-license', again)).status).toBe(303);
    expect(await column(made, 'license_id')).toBe(chosen);
    expect((await visitor.submit(path, 'hub-policies', { id, 'eula.en-US': 'Agree.' })).status).toBe(303);
    expect(await column(made, 'eula')).toEqual({ 'en-US': 'Agree.' });
  });
});
