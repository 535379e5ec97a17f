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
  it('names add-ons of that name when a name is none of its references', async () => {
    await addon({ slug: 'reading-<b>time', guid: 'time@names.example', name: { 'en-US': 'Reading <i>Time' } });
    const problemOf = async (path: string, form: string, values: Record<string, string>, field: string) => {
      const reply = await curator.submit(path, form, values);
      expect(reply.status).toBe(422);
      return documentOf(reply)(`#${form}-${field}-error`);
    };
    const featured = await problemOf(
      '/admin/featured/',
      'feature-addon',
      { app: 'DESKTOP_BROWSER', locale: '', category: '', addon: 'Reading <i>Time' },
      'addon',
    );
    expect(featured.text()).toContain('its GUID or its number. Did you mean reading-<b>time (Reading <i>Time)?');
    expect(featured.find('b, i')).toHaveLength(0);
    const hero = { ...(await formFields(curator, '/admin/hero/', 'hero-add')), addon: 'reading time' };
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
});
