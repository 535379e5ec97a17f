/* The forms in which staff name an add-on, with texts that name none. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';
import { documentOf, formFields, type Visitor, visitorOf } from '../../support/pages.ts';

const app = setUpApp();
let curator: Visitor;
beforeAll(async () => {
  curator = await visitorOf(app, await app.memberWith('Admin:Curation'));
});

describe('forms of curators', () => {
  it('offers add-ons of a similar name when a name is none of its references', async () => {
    await addon({ slug: 'reading-<b>time', guid: 'time@names.example', name: { 'en-US': 'Reading <i>Time' } });
    const problemOf = async (path: string, form: string, values: Record<string, string>, field: string) => {
      const reply = await curator.submit(path, form, values);
      expect(reply.status).toBe(422);
      return documentOf(reply)(`#${form}-${field}-error`);
    };
    const featured = await problemOf(
      '/admin/featured/',
      'feature-addon',
      { app: 'DESKTOP_BROWSER', locale: '', category: '', addon: 'Reading <i>' },
      'addon',
    );
    expect(featured.text()).toContain('or its number. Did you mean reading-<b>time (Reading <i>Time)?');
    expect(featured.find('b, i')).toHaveLength(0);
    const hero = { ...(await formFields(curator, '/admin/hero/', 'hero-add')), addon: 'reading' };
    expect((await problemOf('/admin/hero/', 'hero-add', hero, 'addon')).text()).toContain(
      'Did you mean reading-<b>time',
    );
    const unlike = await problemOf(
      '/admin/featured/',
      'feature-addon',
      { app: 'DESKTOP_BROWSER', locale: '', category: '', addon: 'xyzzy' },
      'addon',
    );
    expect(unlike.text()).not.toContain('Did you mean');
  });

  it('takes the only add-on of a name, and offers several of the same name as buttons that keep what was typed', async () => {
    const place = { app: 'DESKTOP_BROWSER', locale: 'de', category: '' };
    const feature = (name: string) => curator.submit('/admin/featured/', 'feature-addon', { ...place, addon: name });
    const featured = async () =>
      (
        await app.sql<{ slug: string }>(
          'SELECT slug::text FROM featured_entry e JOIN addon a ON a.id = e.addon_id ORDER BY e.id',
        )
      ).map(({ slug }) => slug);
    await addon({ slug: 'fonts-keys', name: { 'en-US': 'Font Keys' } });
    const reply = await feature('font keys');
    expect(reply.status).toBe(303);
    const done = documentOf(await curator.get(String(reply.headers.location)))('#result');
    expect(done.text()).toContain('Font Keys is featured: Desktop browser · de');
    expect(done.find('input[name=addon], input[name=id]')).toHaveLength(1);
    expect(done.find('button').text()).toContain('Remove');

    await addon({ slug: 'fonts-keys-2', name: { 'en-US': 'Font Keys' } });
    const refused = await feature('Font Keys');
    expect(refused.status).toBe(422);
    const $ = documentOf(refused);
    const offered = $('#feature-addon button[name=offer]').toArray();
    expect(offered.map((each) => $(each).attr('value')).sort()).toEqual(['addon=fonts-keys', 'addon=fonts-keys-2']);
    expect($(offered[0]).text()).toMatch(/Use Font Keys \(fonts-keys/);
    // The Enter key presses the first button of a form.
    expect($('#feature-addon button').first().attr('name')).toBeUndefined();
    const typed = { ...place, addon: 'Font Keys', offer: 'addon=fonts-keys-2' };
    expect((await curator.submit('/admin/featured/', 'feature-addon', typed)).status).toBe(303);
    expect(await featured()).toEqual(['fonts-keys', 'fonts-keys-2']);
    const rows = documentOf(await curator.get('/admin/featured/'))('tbody a');
    expect(rows.toArray().map((each) => each.attribs.href)).toEqual(['/addon/fonts-keys-2/', '/addon/fonts-keys/']);
  });
});
