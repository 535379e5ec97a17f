/* The pages on which administrators of the catalogue keep application versions, categories and licences. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';
import { documentOf, englishIn, formFields, textOf, type Visitor, visitorOf } from '../../support/pages.ts';

const app = setUpApp();
let keeper: Visitor;
let stranger: Visitor;
beforeAll(async () => {
  keeper = await visitorOf(app, await app.memberWith('Admin:Catalogue'));
  stranger = await visitorOf(app, await app.memberWith('Admin:Curation'));
});

describe('/admin/applications/', () => {
  const PATH = '/admin/applications/';
  const known = (version: string) => app.sql('SELECT app FROM application_version WHERE version = $1', [version]);

  it('adds a version of the application that is shown', async () => {
    const fields = await formFields(keeper, `${PATH}?app=mail_client`, 'application-version');
    expect(fields.app).toBe('MAIL_CLIENT');
    const reply = await keeper.submit(`${PATH}?app=mail_client`, 'application-version', {
      ...fields,
      version: '57.0a1',
    });
    expect([reply.status, reply.headers.location]).toEqual([303, `${PATH}?app=mail_client&done=application-version`]);
    expect(await known('57.0a1')).toEqual([{ app: 'mail_client' }]);
    // The form is before the versions, whose newest one is first.
    const { text } = await keeper.get(`${PATH}?app=mail_client`);
    expect(textOf({ text })).toMatch(/Add version Versions .*57\.0 57\.0a1/);
  });

  it.each(['', 'new', '57.*.1'])('refuses "%s" and keeps it', async (version) => {
    const reply = await keeper.submit(PATH, 'application-version', { app: 'DESKTOP_BROWSER', version });
    expect(reply.status).toBe(422);
    const $ = documentOf(reply);
    expect($('#application-version-version-error').text()).not.toBe('');
    expect($('#application-version-version').attr('value')).toBe(version);
  });

  it('is for administrators of the catalogue alone', async () => {
    const reply = await stranger.submit(PATH, 'application-version', { app: 'DESKTOP_BROWSER', version: '58.7' });
    expect(reply.status).toBe(403);
    expect(await known('58.7')).toEqual([]);
  });
});

describe('/admin/categories/', () => {
  const PATH = '/admin/categories/';
  const EDIT = '/admin/categories/edit/?app=desktop_browser&type=extension&slug=maps';
  const stored = async () => (await app.sql("SELECT name, weight FROM category WHERE slug = 'maps'"))[0] ?? null;

  const add = async (more: Record<string, string> = {}) => {
    const fields = await formFields(keeper, PATH, 'category-add');
    return keeper.submit(PATH, 'category-add', { ...fields, slug: 'maps', 'name.en-US': 'Maps', ...more });
  };

  it('adds, edits and deletes a category', async () => {
    expect((await add({ 'name.de': 'Karten' })).status).toBe(303);
    expect(await stored()).toEqual({ name: { 'en-US': 'Maps', de: 'Karten' }, weight: 0 });
    const fields = await formFields(keeper, EDIT, 'category');
    const edited = await keeper.submit(EDIT, 'category', { ...fields, 'name.de': 'Landkarten', weight: '7' });
    expect(edited.status).toBe(303);
    expect(await stored()).toEqual({ name: { 'en-US': 'Maps', de: 'Landkarten' }, weight: 7 });
    const key = await formFields(keeper, EDIT, 'category-delete');
    expect((await keeper.submit(EDIT, 'category-delete', key)).headers.location).toBe(`${PATH}?done=category-delete`);
    expect(await stored()).toBeNull();
    expect((await keeper.get(EDIT)).status).toBe(404);
  });

  it('counts uses, and keeps a category that has some', async () => {
    await add();
    await addon({ categories: [{ app: 'desktop_browser', slug: 'maps' }] });
    const $ = documentOf(await keeper.get(PATH));
    const row = $('tbody tr')
      .toArray()
      .find((each) => $(each).find('th').text().includes('Maps'));
    expect(
      $(row)
        .find('td.number')
        .toArray()
        .map((cell) => $(cell).text()),
    ).toEqual(['0', '1', '0']);
    const page = await keeper.get(EDIT);
    expect(textOf(page)).toContain('It cannot be deleted: 1 add-ons are in it');
    const refused = await keeper.submit(EDIT, 'category-delete', {
      ...{ app: 'DESKTOP_BROWSER', type: 'EXTENSION', slug: 'maps' },
    });
    expect(refused.status).toBe(422);
    expect(textOf(refused)).toContain('This category is used.');
  });

  it.each([
    [{ slug: 'Not A Slug' }, 'slug'],
    [{ 'name.en-US': '', slug: 'nameless' }, 'name'],
    [{ weight: 'x', slug: 'heavy' }, 'weight'],
    [{ weight: '9999999', slug: 'heavy' }, 'weight'],
  ])('refuses %j and keeps what was typed', async (more, field) => {
    const reply = await add(more);
    expect(reply.status).toBe(422);
    const $ = documentOf(reply);
    const id = field === 'name' ? 'name-en-US' : field;
    expect($(`#category-add-${id}-error`).text()).not.toBe('');
    for (const [name, value] of Object.entries(more)) {
      expect($(`[id="category-add"] [name="${name}"]`).attr('value')).toBe(value);
    }
  });

  it('does not overwrite the changes of another administrator', async () => {
    const fields = await formFields(keeper, EDIT, 'category');
    await keeper.submit(EDIT, 'category', { ...fields, 'name.en-US': 'Atlas' });
    const reply = await keeper.submit(EDIT, 'category', { ...fields, 'name.en-US': 'Charts' });
    expect(reply.status).toBe(409);
    expect(textOf(reply)).toContain('Atlas');
    expect(await stored()).toMatchObject({ name: { 'en-US': 'Atlas' } });
    expect((await add({ 'name.en-US': 'Another' })).status).toBe(422);
  });
});

describe('/admin/licenses/', () => {
  const PATH = '/admin/licenses/';
  const EDIT = '/admin/licenses/edit/?builtin=Test-1.0';
  const stored = async () => (await app.sql("SELECT name, url FROM license WHERE builtin = 'Test-1.0'"))[0] ?? null;
  const add = async (more: Record<string, string> = {}) => {
    const fields = await formFields(keeper, PATH, 'license-add');
    return keeper.submit(PATH, 'license-add', { ...fields, builtin: 'Test-1.0', 'name.en-US': 'Test', ...more });
  };

  it('adds, edits and deletes a licence', async () => {
    expect((await add({ url: 'https://licence.example/' })).status).toBe(303);
    expect(await stored()).toEqual({ name: { 'en-US': 'Test' }, url: 'https://licence.example/' });
    const fields = await formFields(keeper, EDIT, 'license');
    expect((await keeper.submit(EDIT, 'license', { ...fields, 'name.he': 'בדיקה', url: '' })).status).toBe(303);
    expect(await stored()).toEqual({ name: { 'en-US': 'Test', he: 'בדיקה' }, url: null });
    expect((await keeper.submit(EDIT, 'license-delete', { builtin: 'Test-1.0' })).status).toBe(303);
    expect(await stored()).toBeNull();
  });

  it('edits the terms, and those of a licence in use only in further languages', async () => {
    const edit = '/admin/licenses/edit/?builtin=Used-1.0';
    const terms = async () => (await app.sql("SELECT text FROM license WHERE builtin = 'Used-1.0'"))[0]?.text;
    await add({ builtin: 'Used-1.0', 'text.en-US': '<b>Use</b> it.' });
    expect(await terms()).toEqual({ 'en-US': '<b>Use</b> it.' });
    const early = await formFields(keeper, edit, 'license');
    expect((await keeper.submit(edit, 'license', { ...early, 'text.en-US': 'Use it.' })).status).toBe(303);
    const late = await keeper.submit(edit, 'license', { ...early, 'text.en-US': 'Do not.' });
    expect(late.status).toBe(409);
    expect(documentOf(late)('[name="text.en-US"]').text().trim()).toBe('Do not.');
    await addon({ versions: [{ license: { builtin: 'Used-1.0' } }] });
    const stale = await formFields(keeper, late, 'license');
    expect((await keeper.submit(edit, 'license', { ...stale, 'text.en-US': 'Do not.' })).status).toBe(422);
    const $ = documentOf(await keeper.get(edit));
    expect($('[name="text.en-US"]')).toHaveLength(0);
    expect($('main details').text()).toContain('Use it.');
    const fields = await formFields(keeper, edit, 'license');
    expect((await keeper.submit(edit, 'license', { ...fields, 'text.de': 'Benutzen.' })).status).toBe(303);
    expect(await terms()).toEqual({ 'en-US': 'Use it.', de: 'Benutzen.' });
  });

  it('counts uses, and keeps a licence that has some', async () => {
    await addon({ versions: [{ license: { builtin: 'MIT' } }] });
    const edit = '/admin/licenses/edit/?builtin=MIT';
    expect(textOf(await keeper.get(edit))).toMatch(/It cannot be deleted: \d+ add-ons and 1 versions use it/);
    const refused = await keeper.submit(edit, 'license-delete', { builtin: 'MIT' });
    expect(refused.status).toBe(422);
    expect(textOf(refused)).toContain('This licence is used.');
  });

  it.each([
    [{ builtin: 'no identifier' }, 'builtin'],
    [{ builtin: 'Nameless', 'name.en-US': '' }, 'name-en-US'],
    [{ builtin: 'Addressed', url: 'ftp://x' }, 'url'],
  ])('refuses %j and keeps what was typed', async (more, id) => {
    const reply = await add(more);
    expect(reply.status).toBe(422);
    const $ = documentOf(reply);
    expect($(`#license-add-${id}-error`).text()).not.toBe('');
    for (const [name, value] of Object.entries(more)) {
      expect($(`[id="license-add"] [name="${name}"]`).attr('value')).toBe(value);
    }
  });
});

it('the pages are in German and Hebrew, too', async () => {
  for (const path of ['applications', 'categories', 'licenses']) {
    expect(englishIn((await keeper.get(`/admin/${path}/?lang=he`)).text)).toEqual([]);
    expect((await keeper.get(`/admin/${path}/?lang=de`)).text).toContain('lang="de"');
  }
});
