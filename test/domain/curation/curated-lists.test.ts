/* Single entries of the lists of curators: their pages, and changes of two curators at once. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { mutate } from '../../support/mutate.ts';
import { documentOf, formFields, textOf, type Visitor, visitorOf } from '../../support/pages.ts';

const app = setUpApp();
let client: Client;
let curator: Visitor;
let stranger: Visitor;
beforeAll(async () => {
  client = await app.memberWith('Admin:Curation');
  curator = await visitorOf(app, client);
  stranger = await visitorOf(app, await app.memberWith('Admin:Catalogue'));
});

const actions = async () =>
  (await app.sql<{ action: string }>("SELECT action FROM audit_entry WHERE actor LIKE 'account %' ORDER BY id")).map(
    ({ action }) => action,
  );

describe('/admin/discovery/', () => {
  const PATH = '/admin/discovery/';
  const list = () =>
    app.sql(`SELECT a.slug, e.edition, e.locale, e.heading FROM discovery_entry e JOIN addon a ON a.id = e.addon_id
      ORDER BY e.edition NULLS FIRST, e.position`);

  it('adds, orders, edits and removes recommendations, without overwriting those of another curator', async () => {
    const made = await Promise.all(['one', 'two', 'three'].map((slug) => addon({ slug: `tip-${slug}` })));
    const add = async (slug: string, more: Record<string, string> = {}) =>
      curator.submit(PATH, 'discovery-add', {
        ...(await formFields(curator, PATH, 'discovery-add')),
        addon: slug,
        ...more,
      });
    expect(textOf(await curator.get(PATH))).toContain('There is no list.');
    for (const { slug } of made) expect((await add(String(slug))).headers.location).toBe(`${PATH}?done=discovery-add`);
    const other = { edition: 'china', locale: 'de', 'heading.de': 'Lies <mehr>' };
    expect((await add('tip-one', other)).status).toBe(303);
    const typed = { 'heading.he': 'שלום', edition: 'kept' };
    for (const [addonName, place] of [
      ['there-is-none', {}],
      ['tip-one', { edition: '' }],
    ] as const) {
      const refused = await add(addonName, { ...typed, ...place });
      expect([refused.status, documentOf(refused)('[name="heading.he"]').attr('value')]).toEqual([422, 'שלום']);
      expect(documentOf(refused)('#discovery-add-addon-error').length).toBe(1);
    }
    const up = { addon: made[2]?.guid ?? '', edition: '', locale: '', position: '3' };
    expect((await curator.submit(PATH, 'discovery-up', up)).status).toBe(303);
    // A button of before the change.
    const stale = { ...up, addon: made[1]?.guid ?? '', position: '2' };
    expect((await curator.submit(PATH, 'discovery-up', stale)).status).toBe(409);
    const ofAll = { edition: null, locale: null, heading: {} };
    const ofChina = { slug: 'tip-one', edition: 'china', locale: 'de', heading: { de: 'Lies <mehr>' } };
    const slugs = ['tip-one', 'tip-three', 'tip-two'];
    expect(await list()).toEqual([...slugs.map((slug) => ({ slug, ...ofAll })), ofChina]);
    const edit = `${PATH}edit/?${new URLSearchParams({ addon: made[1]?.guid ?? '' })}`;
    const outdated = await formFields(curator, edit, 'discovery-entry');
    const changes = { position: '1', 'heading.en-US': 'New', 'description.de': 'Gut' };
    expect((await curator.submit(edit, 'discovery-entry', { ...outdated, ...changes })).status).toBe(303);
    const lost = await curator.submit(edit, 'discovery-entry', { ...outdated, 'heading.en-US': 'Other' });
    expect([lost.status, documentOf(lost)('[name="heading.en-US"]').attr('value')]).toEqual([409, 'Other']);
    const far = { ...(await formFields(curator, edit, 'discovery-entry')), position: '9' };
    const refused = await curator.submit(edit, 'discovery-entry', far);
    expect(documentOf(refused)('#discovery-entry-position-error').text()).toContain('from 1 to 3');
    expect((await list())[0]).toEqual({ slug: 'tip-two', ...ofAll, heading: { 'en-US': 'New' } });
    const gone = await curator.submit(edit, 'discovery-delete', await formFields(curator, edit, 'discovery-delete'));
    expect(gone.headers.location).toBe(`${PATH}?done=discovery-delete`);
    expect((await curator.get(edit)).status).toBe(404);
    expect((await stranger.submit(PATH, 'discovery-up', up)).status).toBe(403);
    expect((await actions()).slice(-7)).toEqual([
      ...Array.from({ length: 6 }, () => 'discovery-entry-set'),
      'discovery-entry-removed',
    ]);
  });
});

describe('/admin/hero/', () => {
  const PATH = '/admin/hero/';
  const SECOND = '/admin/hero/secondary/';
  const entries = () =>
    app.sql(`SELECT a.slug, external->>'name' AS name, gradient_start AS start, featured_image AS image, e.description
      FROM hero_entry e LEFT JOIN addon a ON a.id = e.addon_id ORDER BY e.id`);

  it('adds, edits and deletes entries, without overwriting those of another curator', async () => {
    await addon({ slug: 'hero-addon' });
    const fields = await formFields(curator, PATH, 'hero-add');
    const external = { name: 'Kite', homepage: 'https://kite.example/', 'description.de': 'Schön' };
    for (const more of [{ addon: 'hero-addon' }, external])
      expect((await curator.submit(PATH, 'hero-add', { ...fields, ...more })).headers.location).toBe(
        `${PATH}?done=hero-add`,
      );
    for (const [field, more] of [
      ['addon', { 'description.de': 'Kept' }],
      ['addon', { ...external, addon: 'hero-addon' }],
      ['homepage', { ...external, homepage: 'ftp://x' }],
      ['name', { ...external, name: '' }],
      ['gradientStart', { ...external, gradientStart: 'red' }],
    ] as const) {
      const refused = await curator.submit(PATH, 'hero-add', { ...fields, ...more });
      expect(refused.status).toBe(422);
      expect(documentOf(refused)(`#hero-add-${field}-error`).length, field).toBe(1);
      expect(documentOf(refused)('[name="description.de"]').text()).toBe(more['description.de'] ?? '');
    }
    const added = [
      { slug: 'hero-addon', name: null, start: '#20123a', image: null, description: {} },
      { slug: null, name: 'Kite', start: '#20123a', image: null, description: { de: 'Schön' } },
    ];
    expect(await entries()).toEqual(added);
    const edits = documentOf(await curator.get(PATH))('tbody a')
      .toArray()
      .map(({ attribs }) => String(attribs.href));
    const outdated = await formFields(curator, edits[1] ?? '', 'hero-entry');
    const image = 'https://kite.example/k.png';
    for (const [edit, more] of [
      [edits[0], { featuredImage: image }],
      [edits[1], { name: 'Kite 2' }],
    ] as const) {
      const sent = await curator.submit(String(edit), 'hero-entry', {
        ...(await formFields(curator, String(edit), 'hero-entry')),
        ...more,
      });
      expect(sent.status, JSON.stringify(more)).toBe(303);
    }
    const lost = await curator.submit(edits[1] ?? '', 'hero-entry', { ...outdated, name: 'Kite 3' });
    expect([lost.status, documentOf(lost)('#hero-entry-name').attr('value')]).toEqual([409, 'Kite 3']);
    expect(await entries()).toEqual([
      { ...added[0], image },
      { ...added[1], name: 'Kite 2' },
    ]);
    for (const edit of edits) {
      await curator.submit(edit, 'hero-delete', await formFields(curator, edit, 'hero-delete'));
      expect((await curator.get(edit)).status).toBe(404);
    }
    expect((await stranger.submit(PATH, 'hero-add', { ...fields, addon: 'hero-addon' })).status).toBe(403);
  });

  it('edits the texts of the second part, each language apart, and returns to those of the service', async () => {
    const outdated = await formFields(curator, SECOND, 'hero-secondary');
    const changes = {
      'headline.de': 'Neu',
      'cta.url': '',
      'modules.1.cta.text.he': 'כאן',
      'modules.2.icon': 'https://x.example/i.svg',
    };
    expect((await curator.submit(SECOND, 'hero-secondary', { ...outdated, ...changes })).status).toBe(303);
    const bad = {
      ...(await formFields(curator, SECOND, 'hero-secondary')),
      'modules.0.icon': 'x',
      'modules.1.cta.url': 'y',
    };
    const refused = documentOf(await curator.submit(SECOND, 'hero-secondary', bad));
    for (const field of ['modules-0-icon', 'modules-1-cta-url'])
      expect(refused(`#hero-secondary-${field}-error`).length, field).toBe(1);
    const late = { ...outdated, 'headline.de': 'Anders', 'modules.2.icon': 'https://y.example/' };
    const lost = await curator.submit(SECOND, 'hero-secondary', late);
    expect([lost.status, documentOf(lost)('[name="headline.de"]').attr('value')]).toEqual([409, 'Anders']);
    expect((await app.anonymous.get('/api/v4/hero/?lang=de')).json).toMatchObject({
      secondary: { headline: 'Neu', cta: null, modules: [{}, {}, { icon: 'https://x.example/i.svg' }] },
    });
    expect((await curator.submit(SECOND, 'hero-reset', {})).headers.location).toBe(`${PATH}?done=hero-reset`);
    expect(await app.sql("SELECT FROM service_state WHERE name = 'hero_secondary'")).toEqual([]);
  });
});

describe('/admin/browser-mappings/', () => {
  const PATH = '/admin/browser-mappings/';
  const KEY = { browser: 'chrome', extensionId: 'abc' };
  const EDIT = `${PATH}edit/?browser=chrome&extension=abc`;
  const mappings = () =>
    app.sql('SELECT browser, extension_id AS "extensionId", addon_guid AS "addonGuid" FROM browser_mapping');

  it('adds, edits and deletes a mapping, without overwriting that of another curator', async () => {
    const added = { ...KEY, addonGuid: 'a@x' };
    expect((await curator.submit(PATH, 'mapping-add', added)).status).toBe(303);
    for (const [field, value] of [
      ['extensionId', 'abc'],
      ['browser', 'Chrome 1'],
      ['addonGuid', 'x'.repeat(256)],
    ] as const) {
      const refused = await curator.submit(PATH, 'mapping-add', { ...added, addonGuid: 'b@x', [field]: value });
      expect([refused.status, documentOf(refused)(`#mapping-add-${field}`).attr('value')]).toEqual([422, value]);
      expect(documentOf(refused)(`#mapping-add-${field}-error`).length, field).toBe(1);
    }
    const outdated = await formFields(curator, EDIT, 'mapping');
    expect((await curator.submit(EDIT, 'mapping', { ...outdated, addonGuid: 'b@x' })).status).toBe(303);
    const lost = await curator.submit(EDIT, 'mapping', { ...outdated, addonGuid: 'c@x' });
    expect([lost.status, documentOf(lost)('#mapping-addonGuid').attr('value')]).toEqual([409, 'c@x']);
    expect(await mappings()).toEqual([{ ...KEY, addonGuid: 'b@x' }]);
    expect(textOf(await curator.get(`${PATH}?browser=chrome&extension=abc`))).toContain('b@x');
    expect(textOf(await curator.get(`${PATH}?browser=edge`))).toContain('No mapping matches.');
    expect((await curator.submit(EDIT, 'mapping-delete', KEY)).headers.location).toBe(`${PATH}?done=mapping-delete`);
    expect([await mappings(), (await curator.get(EDIT)).status]).toEqual([[], 404]);
    expect((await stranger.submit(PATH, 'mapping-add', added)).status).toBe(403);
  });
});

describe('concurrent changes', () => {
  it('create one object each, and no slug twice', async () => {
    const guids = ['shown@curation'];
    const range = { addonMinVersion: '1', addonMaxVersion: '2' };
    const application = { app: 'DESKTOP_BROWSER', minVersion: '57.0', maxVersion: '*' };
    const inputs: Record<string, Record<string, unknown>> = {
      upsertCollection: { path: 'race/same', guids },
      upsertReplacement: { guid: 'race@old', target: { guids } },
      upsertCompatOverride: { guid: 'race@over', versionRanges: [{ ...range, applications: [application] }] },
    };
    for (const [name, input] of Object.entries(inputs)) {
      const made = await Promise.all([1, 2, 3, 4].map(() => mutate(client, name, { ...input, isNew: true })));
      expect(
        made
          .map(({ __typename }) => __typename)
          .sort()
          .join(' '),
        name,
      ).toMatch(/^(InvalidInputError ){3}Upsert\w+$/);
    }
    const paths = ['a/b', 'a-b', 'a b', 'a.b', 'a+b', 'a!b'].map((end) => `race/${end}`);
    const made = await Promise.all(
      paths.map((path) => mutate(client, 'upsertCollection', { path, guids, isNew: true })),
    );
    expect(made.map(({ __typename }) => __typename)).toEqual(paths.map(() => 'UpsertCollectionPayload'));
    const slugs = await app.sql<{ slug: string }>("SELECT slug FROM collection WHERE path LIKE 'race/a%' ORDER BY id");
    expect(new Set(slugs.map(({ slug }) => slug)).size).toBe(paths.length);
    await app.sql("DELETE FROM collection WHERE path LIKE 'race/%'");
    await mutate(client, 'deleteReplacement', { guid: 'race@old' });
    await mutate(client, 'deleteCompatOverride', { guid: 'race@over' });
  });
});
