/* The pages on which curators choose what visitors see. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';
import { documentOf, englishIn, formFields, textOf, type Visitor, visitorOf } from '../../support/pages.ts';

const app = setUpApp();
let curator: Visitor;
let stranger: Visitor;
beforeAll(async () => {
  curator = await visitorOf(app, await app.memberWith('Admin:Curation'));
  stranger = await visitorOf(app, await app.memberWith('Admin:Catalogue'));
});

const actions = async () =>
  (await app.sql<{ action: string }>("SELECT action FROM audit_entry WHERE actor LIKE 'account %' ORDER BY id")).map(
    ({ action }) => action,
  );

describe('/admin/featured/', () => {
  const PLACE = { app: 'DESKTOP_BROWSER', locale: '', category: '' };
  const entries = () => app.sql('SELECT app, locale, category FROM featured_entry ORDER BY id');

  it('features an add-on by its name, and stops that', async () => {
    const made = await addon({ slug: 'bright', name: { 'en-US': 'Bright one' } });
    for (const name of ['bright', made.guid, String(made.id)]) {
      const reply = await curator.submit('/admin/featured/', 'feature-addon', { ...PLACE, addon: name, locale: 'de' });
      const asked = new URLSearchParams({
        addon: String(made.id),
        app: 'DESKTOP_BROWSER',
        locale: 'de',
        done: 'feature-addon',
      });
      expect([reply.status, reply.headers.location]).toEqual([303, `/admin/featured/?${asked}`]);
      const done = documentOf(await curator.get(String(reply.headers.location)))('#result');
      expect(done.text()).toContain('Bright one is featured: Desktop browser · de · None: on the start page.');
      expect(done.find('a').attr('href')).toBe('/addon/bright/');
    }
    expect(await entries()).toEqual([{ app: 'desktop_browser', locale: 'de', category: null }]);
    const $ = documentOf(await curator.get('/admin/featured/'));
    expect($('tbody a').attr('href')).toBe('/addon/bright/');
    const id = $('input[name=id]').attr('value') ?? '';
    const removed = await curator.submit('/admin/featured/', 'unfeature-addon', {
      ...PLACE,
      locale: 'de',
      id,
      guid: made.guid,
    });
    expect(textOf(await curator.get(String(removed.headers.location)))).toContain(
      `${made.guid} is no longer featured: Desktop`,
    );
    expect(await entries()).toEqual([]);
    expect(await actions()).toEqual(['addon-featured', 'addon-unfeatured']);
  });

  it.each([
    ['addon', 'there-is-none', 'There is no add-on "there-is-none".'],
    ['locale', 'no language', 'language'],
    ['category', 'there-is-none', 'there-is-none'],
    ['app', 'none', 'Choose one of the options.'],
  ])('refuses %s %s and keeps what was typed', async (field, value, problem) => {
    await addon({ slug: `refused-${field}` });
    const typed = { ...PLACE, addon: `refused-${field}`, [field]: value };
    const reply = await curator.submit('/admin/featured/', 'feature-addon', typed);
    expect(reply.status).toBe(422);
    const $ = documentOf(reply);
    expect($(`#feature-addon-${field}-error`).text()).toContain(problem);
    if (field !== 'app') expect($(`#feature-addon-${field}`).attr('value')).toBe(value);
    expect($('#feature-addon-addon').attr('value')).toBe(typed.addon);
    expect(await entries()).toEqual([]);
  });

  it('is for curators alone', async () => {
    const made = await addon({ slug: 'of-others' });
    const reply = await stranger.submit('/admin/featured/', 'feature-addon', { ...PLACE, addon: made.slug });
    expect(reply.status).toBe(403);
    expect(await entries()).toEqual([]);
  });
});

describe('/admin/collections/', () => {
  const guidsOf = async (path: string) =>
    (await app.sql<{ guids: string[] }>('SELECT guids FROM collection WHERE path = $1', [path]))[0]?.guids ?? null;
  const EDIT = '/admin/collections/edit/?path=best/notes';

  it('adds, orders, edits and deletes a collection', async () => {
    const added = await curator.submit('/admin/collections/', 'collection-add', {
      path: 'best/notes',
      guids: 'a@x\r\n\r\nb@x\r\nc d@x',
    });
    expect(added.status).toBe(303);
    const $ = documentOf(await curator.get('/admin/collections/'));
    expect(
      $('tbody a')
        .toArray()
        .map((link) => $(link).attr('href')),
    ).toEqual(['/admin/collections/edit/?path=best%2Fnotes', '/collections/best/notes/']);
    const fields = await formFields(curator, EDIT, 'collection-move');
    expect((await curator.submit(EDIT, 'collection-move', { ...fields, up: 'c d@x' })).status).toBe(303);
    expect(await guidsOf('best/notes')).toEqual(['a@x', 'c d@x', 'b@x']);
    const next = await formFields(curator, EDIT, 'collection-move');
    expect((await curator.submit(EDIT, 'collection-move', { ...next, remove: 'a@x' })).status).toBe(303);
    expect(await guidsOf('best/notes')).toEqual(['c d@x', 'b@x']);
    const whole = await formFields(curator, EDIT, 'collection');
    expect((await curator.submit(EDIT, 'collection', { ...whole, guids: 'z@x' })).status).toBe(303);
    expect(await guidsOf('best/notes')).toEqual(['z@x']);
    expect((await curator.submit(EDIT, 'collection-delete', { path: 'best/notes' })).headers.location).toBe(
      '/admin/collections/?done=collection-delete',
    );
    expect(await guidsOf('best/notes')).toBeNull();
    expect((await curator.get(EDIT)).status).toBe(404);
  });

  it.each([
    [{ path: '', guids: 'a@x' }, 'path'],
    [{ path: 'x'.repeat(256), guids: 'a@x' }, 'path'],
    [{ path: 'a', guids: '' }, 'guids'],
    [{ path: 'a', guids: 'x'.repeat(256) }, 'guids'],
    [{ path: 'a', guids: Array.from({ length: 501 }, (_, index) => `${index}@x`).join('\n') }, 'guids'],
  ])('refuses %# and keeps what was typed', async (typed, field) => {
    const reply = await curator.submit('/admin/collections/', 'collection-add', typed);
    expect(reply.status).toBe(422);
    const $ = documentOf(reply);
    expect($(`#collection-add-${field}-error`).text()).not.toBe('');
    expect($('#collection-add-path').attr('value')).toBe(typed.path);
    expect($('#collection-add-guids').text().trim()).toBe(typed.guids);
  });

  it('does not overwrite the changes of another curator', async () => {
    await curator.submit('/admin/collections/', 'collection-add', { path: 'shared', guids: 'a@x' });
    const edit = '/admin/collections/edit/?path=shared';
    const fields = await formFields(curator, edit, 'collection');
    await app.sql("UPDATE collection SET guids = '{b@x}' WHERE path = 'shared'");
    const reply = await curator.submit(edit, 'collection', { ...fields, guids: 'c@x' });
    expect(reply.status).toBe(409);
    const text = textOf(reply);
    expect(text).toContain('c@x');
    expect(text).toContain('b@x');
    expect(await guidsOf('shared')).toEqual(['b@x']);
    const again = await curator.submit(edit, 'collection', {
      ...(await formFields(curator, reply, 'collection')),
      guids: 'c@x',
    });
    expect(again.status).toBe(303);
    expect(await guidsOf('shared')).toEqual(['c@x']);
    const taken = await curator.submit('/admin/collections/', 'collection-add', { path: 'SHARED', guids: 'd@x' });
    expect(taken.status).toBe(422);
    expect(textOf(taken)).toContain('There is one already.');
    expect(await guidsOf('shared')).toEqual(['c@x']);
  });
});

describe('/admin/replacements/', () => {
  const stored = async (guid: string) =>
    (await app.sql('SELECT path, guids FROM replacement WHERE guid = $1', [guid]))[0] ?? null;
  const EDIT = '/admin/replacements/edit/?guid=old%40x';

  it('adds, edits and deletes a replacement', async () => {
    const added = { guid: 'old@x', path: '', guids: 'a@x\nb@x' };
    expect((await curator.submit('/admin/replacements/', 'replacement-add', added)).status).toBe(303);
    expect(await stored('old@x')).toEqual({ path: null, guids: ['a@x', 'b@x'] });
    expect(textOf(await curator.get('/admin/replacements/'))).toContain('a@x, b@x');
    const fields = await formFields(curator, EDIT, 'replacement');
    const edited = await curator.submit(EDIT, 'replacement', { ...fields, path: '/addon/new/', guids: '' });
    expect(edited.status).toBe(303);
    expect(await stored('old@x')).toEqual({ path: '/addon/new/', guids: [] });
    expect((await curator.submit(EDIT, 'replacement-delete', { guid: 'old@x' })).status).toBe(303);
    expect(await stored('old@x')).toBeNull();
    expect((await curator.get(EDIT)).status).toBe(404);
  });

  it.each([
    [{ guid: '', path: '/addon/x/', guids: '' }, 'guid'],
    [{ guid: 'none@x', path: '', guids: '' }, 'path'],
    [{ guid: 'none@x', path: '/addon/x/', guids: 'a@x' }, 'path'],
    [{ guid: 'none@x', path: 'ftp://x', guids: '' }, 'path'],
    [{ guid: 'none@x', path: '', guids: 'x'.repeat(300) }, 'guids'],
  ])('refuses %j and keeps what was typed', async (typed, field) => {
    const reply = await curator.submit('/admin/replacements/', 'replacement-add', typed);
    expect(reply.status).toBe(422);
    const $ = documentOf(reply);
    expect($(`#replacement-add-${field}-error`).text()).not.toBe('');
    expect($('#replacement-add-guid').attr('value')).toBe(typed.guid);
    expect($('#replacement-add-path').attr('value')).toBe(typed.path);
    expect(await stored('none@x')).toBeNull();
  });

  it('does not overwrite the changes of another curator', async () => {
    await curator.submit('/admin/replacements/', 'replacement-add', { guid: 'both@x', path: '/addon/a/', guids: '' });
    const edit = '/admin/replacements/edit/?guid=both%40x';
    const fields = await formFields(curator, edit, 'replacement');
    await app.sql("UPDATE replacement SET path = '/addon/b/' WHERE guid = 'both@x'");
    const reply = await curator.submit(edit, 'replacement', { ...fields, path: '/addon/c/' });
    expect(reply.status).toBe(409);
    expect(textOf(reply)).toContain('/addon/b/');
    expect(await stored('both@x')).toEqual({ path: '/addon/b/', guids: [] });
    const taken = { guid: 'both@x', path: '/addon/d/', guids: '' };
    expect((await curator.submit('/admin/replacements/', 'replacement-add', taken)).status).toBe(422);
  });
});

describe('/admin/recommendations/', () => {
  const PATH = '/admin/recommendations/';

  it('shows names with links, and marks what visitors do not see', async () => {
    const shown = await addon({ slug: 'shown-name', name: { 'en-US': 'Shown' } });
    const hidden = await addon({ status: 'disabled' });
    const guids = [shown.guid, hidden.guid, 'unknown@x'].join('\n');
    await curator.submit(PATH, 'recommendations', { ...(await formFields(curator, PATH, 'recommendations')), guids });
    const $ = documentOf(await curator.get(PATH));
    const rows = $('#recommendations-list tbody tr, table tbody tr')
      .toArray()
      .map((row) => $(row).find('td, th').first().text().trim());
    expect(rows).toEqual([`Shown ${shown.guid}`, `${hidden.guid} not public here`, 'unknown@x not public here']);
    expect($('tbody a').attr('href')).toBe('/addon/shown-name/');
    await curator.submit(PATH, 'recommendations', {
      ...(await formFields(curator, PATH, 'recommendations')),
      guids: '',
    });
  });
  const list = async () =>
    (await app.sql<{ guid: string }>('SELECT guid FROM recommendation_fallback ORDER BY position')).map(
      ({ guid }) => guid,
    );

  it('sets and orders the list', async () => {
    const fields = await formFields(curator, PATH, 'recommendations');
    expect((await curator.submit(PATH, 'recommendations', { ...fields, guids: 'a@x\nb@x' })).status).toBe(303);
    const moved = await formFields(curator, PATH, 'recommendations-move');
    expect((await curator.submit(PATH, 'recommendations-move', { ...moved, up: 'b@x' })).status).toBe(303);
    expect(await list()).toEqual(['b@x', 'a@x']);
    // The form of before the change.
    const outdated = await curator.submit(PATH, 'recommendations-move', { ...moved, remove: 'a@x' });
    expect(outdated.status).toBe(409);
    expect(await list()).toEqual(['b@x', 'a@x']);
  });
});

describe('/admin/overrides/', () => {
  const PATH = '/admin/overrides/';
  const EDIT = '/admin/overrides/edit/?guid=old%40x';
  const ranges = () =>
    app.sql(
      'SELECT addon_min_version AS min, addon_max_version AS max, app, min_version AS from, max_version AS to FROM compat_override_range ORDER BY id',
    );
  const RANGE = '1.0..1.5 desktop_browser 40.0..*';
  const ROW = { min: '1.0', max: '1.5', app: 'desktop_browser', from: '40.0', to: '*' };

  it('adds, edits and deletes an override, without overwriting that of another curator', async () => {
    const added = { guid: 'old@x', name: 'Old', versionRanges: RANGE };
    expect((await curator.submit(PATH, 'override-add', added)).status).toBe(303);
    expect(await ranges()).toEqual([ROW]);
    expect((await curator.submit(PATH, 'override-add', { ...added, versionRanges: `${RANGE}\n${RANGE}` })).status).toBe(
      422,
    );
    expect(textOf(await curator.get(PATH))).toContain(RANGE);
    const fields = await formFields(curator, EDIT, 'override');
    const edited = { ...fields, versionRanges: `${RANGE}\n0..0.9 mail_client 50.0..60.*` };
    expect((await curator.submit(EDIT, 'override', edited)).status).toBe(303);
    expect(await ranges()).toEqual([ROW, { min: '0', max: '0.9', app: 'mail_client', from: '50.0', to: '60.*' }]);
    expect(
      (await curator.submit(EDIT, 'override', { ...fields, versionRanges: '2..3 suite_app 1.0..2.0' })).status,
    ).toBe(409);
    expect((await curator.submit(EDIT, 'override-delete', { guid: 'old@x' })).status).toBe(303);
    expect(await ranges()).toEqual([]);
  });

  it.each([
    '',
    '1.0 desktop_browser 2.0',
    `1.0..2.0 no_app 1.0..2.0`,
    '1.0..2.0 desktop_browser x..*',
    '1 2..3 desktop_browser 1.0..*',
  ])('refuses the ranges "%s" and keeps them', async (versionRanges) => {
    const reply = await curator.submit(PATH, 'override-add', { guid: 'none@x', name: 'None', versionRanges });
    expect(reply.status).toBe(422);
    const $ = documentOf(reply);
    expect($('#override-add-versionRanges-error').text()).not.toBe('');
    expect($('#override-add-versionRanges').text().trim()).toBe(versionRanges);
    expect(await ranges()).toEqual([]);
  });
});

it('the pages are in German and Hebrew, too', async () => {
  for (const path of ['featured', 'collections', 'replacements', 'recommendations', 'overrides']) {
    expect(englishIn((await curator.get(`/admin/${path}/?lang=he`)).text)).toEqual([]);
    expect((await curator.get(`/admin/${path}/?lang=de`)).text).toContain('lang="de"');
  }
});
