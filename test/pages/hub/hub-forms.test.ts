/* The forms of the developer hub: success, each refusal, missing token, foreign origin, read-only, expired session. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { type AddonFacts, addon, type MadeAddon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { inEnglish, mutate } from '../../support/mutate.ts';
import { xpi } from '../../support/packages.ts';
import { textOf, Visitor, visitorOf } from '../../support/pages.ts';
import { png } from '../../support/pictures.ts';

let app: TestApp;
let owner: Client;
let visitor: Visitor;
let stranger: Visitor;

beforeAll(async () => {
  app = await startApp();
  owner = await app.developer();
  visitor = await visitorOf(app, owner);
  stranger = await visitorOf(app, await app.developer());
});
afterAll(() => app.close());

const make = (facts: AddonFacts) => addon({ authors: [owner.accountId ?? 0], ...facts });
const idOf = ({ id }: MadeAddon) => globalId('Addon', id);
const page = (made: MadeAddon, rest = '') => `/developers/addon/${made.slug}/${rest}`;
const column = async (made: MadeAddon, name: string) =>
  (await app.sql<{ value: unknown }>(`SELECT ${name} AS value FROM addon WHERE id = $1`, [made.id]))[0]?.value;

/** Status and target of a response. */
const outcome = ({ status, headers }: { status: number; headers: Record<string, unknown> }) => [
  status,
  headers.location,
];

/** The hidden fields of a form, as a browser sends them. */
async function hiddenFields(path: string, form: string): Promise<Record<string, string>> {
  const { text } = await visitor.get(path);
  const [, body = ''] = new RegExp(`<form[^>]* id="${form}"[^>]*>(.*?)</form>`, 's').exec(text) ?? [];
  const fields = [...body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
  return Object.fromEntries(
    fields.map(([, name = '', value = '']) => [name, value]).filter(([name = '']) => !['form', 'csrf'].includes(name)),
  );
}

describe('every form', () => {
  const FORMS: [path: string, form: string][] = [
    ['submit/', 'hub-agreement'],
    ['addon/all-forms/edit', 'hub-edit'],
    ['addon/all-forms/license', 'hub-license'],
    ['addon/all-forms/license', 'hub-policies'],
    ['addon/all-forms/authors', 'hub-author-add'],
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
  const FIELDS = { id: globalId('Addon', 1), name: 'typed before', comments: 'typed before' };

  beforeAll(async () => {
    await make({ slug: 'all-forms' });
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
    app.config.READ_ONLY = true;
    const late = await visitor.submit(address, form, {
      ...FIELDS,
      disabled: 'yes',
      role: 'OWNER',
      slug: 'x',
      expected: 'x',
    });
    app.config.READ_ONLY = false;
    expect([form, late.status]).toEqual([form, 503]);
  });

  it('changes nothing for others', async () => {
    const made = await make({ slug: 'guarded' });
    const path = page(made, 'danger');
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
    expect(hidden).toEqual({ upload: pk, locale: 'en-US' });
    const refused = await visitor.submit(path, 'hub-submit-addon', { ...hidden, summary: 'Typed and kept.' });
    expect([refused.status, refused.text.includes('Typed and kept.')]).toEqual([422, true]);
    expect(refused.text).toMatch(/id="hub-submit-addon-license-error"/);
    const [category] = await app.sql<{ id: number }>(
      "SELECT min(id) AS id FROM category WHERE app = 'desktop_browser' AND type = 'extension'",
    );
    const [license] = await app.sql<{ id: number }>("SELECT id FROM license WHERE builtin = 'MIT'");
    const listing = {
      summary: 'It lists.',
      categories: globalId('Category', category?.id),
      license: globalId('License', license?.id),
    };
    const done = await visitor.submit(path, 'hub-submit-addon', { ...hidden, ...listing });
    expect(outcome(done)).toEqual([303, expect.stringMatching(/^\/developers\/addon\/[\w-]+\/\?done=hub-submitted$/)]);
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
    expect(outcome(sent)).toEqual([303, expect.stringMatching(/^\/validation\/[0-9a-f]{32}\/$/)]);
    const [row] = await app.sql<{ hours: number }>(
      "SELECT round(extract(epoch FROM expires - now()) / 3600)::int AS hours FROM upload WHERE manifest->>'guid' = 'only-checked@example'",
    );
    expect(row).toEqual({ hours: 24 });
  });

  it('needs the developer agreement', async () => {
    await app.sql('UPDATE account SET read_dev_agreement = NULL WHERE id = $1', [owner.accountId]);
    const { text } = await visitor.get('/developers/submit/');
    expect([text.includes('id="hub-agreement"'), text.includes('id="hub-upload"')]).toEqual([true, false]);
    expect(outcome(await visitor.submit('/developers/submit/', 'hub-agreement'))).toEqual([303, '/developers/submit/']);
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
    const path = page(made, 'edit');
    const hidden = await hiddenFields(path, 'hub-edit');
    const typed = {
      ...{ 'name.en-US': 'New', 'summary.en-US': 'Short', 'summary.de': 'Kürzer', 'description.en-US': 'a\nb' },
      ...{ slug: 'edited-2', tags: 'One, two', publicStats: 'true' },
    };
    // Another editor changes a text that this form does not change, and later one that it does.
    const other = { id: made.id, description: inEnglish('other') };
    expect(await mutate(owner, 'updateAddon', other)).toMatchObject({ __typename: 'UpdateAddonPayload' });
    expect(outcome(await visitor.submit(path, 'hub-edit', { ...hidden, ...typed }))).toEqual([
      303,
      '/developers/addon/edited-2/edit?done=hub-edit',
    ]);
    expect(await column(made, 'name')).toEqual({ 'en-US': 'New' });
    expect(await column(made, 'summary')).toEqual({ 'en-US': 'Short', de: 'Kürzer' });
    expect(await column(made, 'description')).toEqual({ 'en-US': 'other' });
    const again = { ...hidden, ...typed, 'name.en-US': 'Third' };
    const conflict = await visitor.submit('/developers/addon/edited-2/edit', 'hub-edit', again);
    expect(conflict.status).toBe(422);
    expect(textOf(conflict)).toContain('Changed since you opened the page');
    expect(textOf(conflict)).toMatch(/Yours Third Stored now New/);
    expect(await column(made, 'name')).toEqual({ 'en-US': 'New' });
  });

  it('gets another language, and refuses invalid values with what was typed', async () => {
    const made = await make({ slug: 'languages', summary: { 'en-US': 'Short' } });
    const { text } = await visitor.get(page(made, 'edit?add=he'));
    expect(text).toMatch(/name="summary\.he"[^>]* lang="he" dir="rtl"/);
    const hidden = await hiddenFields(page(made, 'edit'), 'hub-edit');
    const fields = {
      ...hidden,
      'name.en-US': 'Made',
      'summary.en-US': 'Short',
      'homepage.en-US': 'no address',
      slug: 'languages',
    };
    const refused = await visitor.submit(page(made, 'edit'), 'hub-edit', fields);
    expect([refused.status, refused.text.includes('value="no address"')]).toEqual([422, true]);
    expect(
      (await visitor.submit(page(made, 'edit'), 'hub-edit', { ...fields, 'homepage.en-US': '', slug: '1' })).status,
    ).toBe(422);
  });

  it('has a licence and policies', async () => {
    const made = await make({ slug: 'licensed' });
    const id = idOf(made);
    const [license] = await app.sql<{ id: number }>("SELECT id FROM license WHERE builtin = 'MIT'");
    const path = page(made, 'license');
    const done = await visitor.submit(path, 'hub-license', {
      id,
      locale: 'en-US',
      license: globalId('License', license?.id),
    });
    expect(outcome(done)).toEqual([303, `${path}?done=hub-license`]);
    expect(await column(made, 'license_id')).toBe(license?.id);
    const own = { id, locale: 'en-US', license: '', ownName: 'Mine', ownText: 'Do good.' };
    expect((await visitor.submit(path, 'hub-license', own)).status).toBe(303);
    expect((await visitor.get(path)).text).toContain('Do good.');
    expect((await visitor.submit(path, 'hub-policies', { id, 'eula.en-US': 'Agree.' })).status).toBe(303);
    expect(await column(made, 'eula')).toEqual({ 'en-US': 'Agree.' });
  });
});

describe('authors', () => {
  it('are added, changed, ordered and removed, and the last owner stays', async () => {
    const made = await make({ slug: 'authored' });
    const other = await app.developer();
    const [row] = await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', [other.accountId]);
    const path = page(made, 'authors');
    const id = idOf(made);
    const [first, second] = [globalId('Account', owner.accountId), globalId('Account', other.accountId)];
    const add = { id, account: row?.username ?? '', role: 'DEVELOPER', listed: 'true' };
    expect((await visitor.submit(path, 'hub-author-add', { ...add, account: 'no-such-user' })).status).toBeGreaterThan(
      400,
    );
    expect(outcome(await visitor.submit(path, 'hub-author-add', add))).toEqual([303, `${path}?done=hub-author-add`]);
    const change = { id, account: second, role: 'OWNER' };
    expect((await visitor.submit(path, 'hub-author-change', change)).status).toBe(303);
    expect((await visitor.submit(path, 'hub-author-order', { id, accounts: `${second} ${first}` })).status).toBe(303);
    const authors = () =>
      app.sql('SELECT account_id AS account, role, listed FROM addon_author WHERE addon_id = $1 ORDER BY position', [
        made.id,
      ]);
    expect(await authors()).toEqual([
      { account: other.accountId, role: 'owner', listed: false },
      { account: owner.accountId, role: 'owner', listed: true },
    ]);
    const confirm = await visitor.get(`${path}?remove=${other.accountId}`);
    expect(textOf(confirm)).toContain('What happens');
    const removed = await visitor.submit(`${path}?remove=${other.accountId}`, 'hub-author-remove', {
      id,
      account: second,
    });
    expect(outcome(removed)).toEqual([303, '/developers/?done=hub-author-remove']);
    const last = await visitor.submit(path, 'hub-author-remove', { id, account: first });
    expect([last.status, (await authors()).length]).toEqual([422, 1]);
  });
});

describe('pictures', () => {
  it('are added, captioned, moved and deleted', async () => {
    const made = await make({ slug: 'pictured' });
    const path = page(made, 'media');
    const file = { bytes: await png(200, 150), fileName: 'a.png' };
    const id = idOf(made);
    expect(outcome(await visitor.upload(path, 'hub-icon', { id, file }))).toEqual([303, `${path}?done=hub-icon`]);
    for (let index = 0; index < 2; index++) {
      expect((await visitor.upload(path, 'hub-preview-add', { addon: id, file })).status).toBe(303);
    }
    const previews = () =>
      app.sql<{ id: number; caption: object }>(
        'SELECT id, caption FROM preview WHERE addon_id = $1 ORDER BY position',
        [made.id],
      );
    const [one, two] = await previews();
    const [first, second] = [globalId('Preview', one?.id), globalId('Preview', two?.id)];
    const caption = await visitor.submit(`${path}?edit=${one?.id}`, 'hub-preview-caption', {
      id: first,
      'caption.en-US': 'The window',
    });
    expect(outcome(caption)).toEqual([303, `${path}?done=hub-preview-caption`]);
    expect((await visitor.submit(path, 'hub-preview-move', { id: second, position: '0' })).status).toBe(303);
    expect((await previews()).map((each) => each.id)).toEqual([two?.id, one?.id]);
    expect((await visitor.get(`${path}?delete=${two?.id}`)).text).toContain('id="hub-preview-delete"');
    expect((await visitor.submit(`${path}?delete=${two?.id}`, 'hub-preview-delete', { id: second })).status).toBe(303);
    expect(await previews()).toEqual([{ id: one?.id, caption: { 'en-US': 'The window' } }]);
    expect((await visitor.submit(path, 'hub-icon-remove', { id })).status).toBe(303);
    const broken = { id, file: { bytes: Buffer.from('no picture'), fileName: 'a.png' } };
    expect((await visitor.upload(path, 'hub-icon', broken)).status).toBe(422);
  });

  it('make a theme, whose contrast is shown', async () => {
    const [category] = await app.sql<{ id: number }>(
      "INSERT INTO category (app, type, slug, name) VALUES ('desktop_browser', 'persona', 'plain', '{\"en-US\": \"Plain\"}') RETURNING id",
    );
    const [license] = await app.sql<{ id: number }>("SELECT id FROM license WHERE builtin = 'MIT'");
    const fields = {
      ...{
        name: 'Sky',
        summary: 'Blue',
        category: globalId('Category', category?.id),
        license: globalId('License', license?.id),
      },
      ...{ accentColor: '#000000', textColor: '#ffffff' },
    };
    const refused = await visitor.upload('/developers/themes/new/', 'hub-theme', fields);
    expect([refused.status, textOf(refused).includes('Contrast of both colours: 21.')]).toEqual([422, true]);
    const file = { bytes: await png(3000, 200), fileName: 'a.png' };
    const done = await visitor.upload('/developers/themes/new/', 'hub-theme', { ...fields, file });
    expect(outcome(done)).toEqual([303, expect.stringMatching(/\?done=hub-theme$/)]);
    const path = String(done.headers.location).replace('?done=hub-theme', 'media');
    expect(textOf(await visitor.get(path))).toContain('Contrast of both colours: 21.');
    const [made] = await app.sql<{ id: number }>("SELECT id FROM addon WHERE name->>'en-US' = 'Sky'");
    const id = globalId('Addon', made?.id);
    expect(
      (await visitor.submit(path, 'hub-persona-colours', { id, accentColor: '#777', textColor: '#888' })).status,
    ).toBe(303);
    expect(textOf(await visitor.get(path))).toContain('Text is hard to read');
    expect((await visitor.submit(path, 'hub-persona-colours', { id, accentColor: 'red', textColor: '' })).status).toBe(
      422,
    );
  });
});

describe('versions', () => {
  it('are edited and deleted', async () => {
    const made = await make({ slug: 'versioned', versions: [{ version: '1.0' }, { version: '2.0' }] });
    const version = made.versions[1]?.id;
    const path = page(made, `versions/${version}`);
    const id = globalId('Version', version);
    const fields = {
      id,
      'releaseNotes.en-US': 'Faster',
      'compatibility.DESKTOP_BROWSER': '60.0 - *',
      approvalNotes: 'Try it.',
    };
    expect(outcome(await visitor.submit(path, 'hub-version-edit', fields))).toEqual([
      303,
      `${path}?done=hub-version-edit`,
    ]);
    const { text } = await visitor.get(path);
    expect([text.includes('Faster'), text.includes('value="60.0 - *"'), text.includes('Try it.')]).toEqual([
      true,
      true,
      true,
    ]);
    const wrong = { ...fields, 'compatibility.DESKTOP_BROWSER': 'sixty' };
    expect((await visitor.submit(path, 'hub-version-edit', wrong)).status).toBe(422);
    const deleted = await visitor.submit(`${path}?delete=1`, 'hub-version-delete', { id });
    expect(outcome(deleted)).toEqual([303, '/developers/addon/versioned/versions?done=hub-version-delete']);
    expect((await visitor.get(path)).status).toBe(404);
  });

  it('have a thread in which authors reply', async () => {
    const made = await make({ slug: 'replied', versions: [{ version: '1.0' }] });
    const path = page(made, 'activity');
    const id = globalId('Version', made.versions[0]?.id);
    expect(outcome(await visitor.submit(path, 'hub-reply', { id, comments: 'Because.' }))).toEqual([
      303,
      `${path}?done=hub-reply`,
    ]);
    expect(textOf(await visitor.get(path))).toContain('Because.');
    expect((await visitor.submit(path, 'hub-reply', { id, comments: '' })).status).toBe(422);
    expect((await stranger.submit(path, 'hub-reply', { id, comments: 'x' })).status).toBe(403);
  });
});

describe('the danger page', () => {
  it('disables, enables and deletes, with the name typed', async () => {
    const made = await make({ slug: 'ends' });
    const path = page(made, 'danger');
    const id = idOf(made);
    expect(outcome(await visitor.submit(path, 'hub-disable', { id, disabled: 'yes' }))).toEqual([
      303,
      `${path}?done=hub-disable`,
    ]);
    expect(textOf(await visitor.get(path))).toContain('Enable add-on');
    expect((await visitor.submit(path, 'hub-disable', { id, disabled: 'no' })).status).toBe(303);
    expect(await column(made, 'is_disabled_by_developer')).toBe(false);
    const wrong = await visitor.submit(path, 'hub-delete', { id, expected: 'ends', slug: 'end' });
    expect([wrong.status, wrong.text.includes('value="end"')]).toEqual([422, true]);
    expect(outcome(await visitor.submit(path, 'hub-delete', { id, expected: 'ends', slug: 'ends' }))).toEqual([
      303,
      '/developers/?done=hub-delete',
    ]);
    expect(await column(made, 'status')).toBe('deleted');
    expect((await visitor.get(path)).status).toBe(404);
  });
});
