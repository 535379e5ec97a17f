import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addonsToCollect, collectionRequests, collectionsPath, sendTo, slugsIn } from '../support/collections.ts';

const app = setUpApp();
let owner: Client;
let stranger: Client;
let curator: Client;
let made: Awaited<ReturnType<typeof addonsToCollect>>;

type Json = Record<string, unknown>;

const VERSIONS = ['v3', 'v4', 'v4dev'] as const;

const { own, create, put } = collectionRequests(() => owner);

beforeAll(async () => {
  [owner, stranger, curator] = [await app.developer(), await app.developer(), await app.memberWith('Admin:Curation')];
  made = await addonsToCollect();
});

describe.each(VERSIONS)('collections of %s', (version) => {
  it('are made, read, changed and deleted', async () => {
    const slug = `life-${version}`;
    const reply = await sendTo(owner, 'POST', own('', '', version), {
      ...{ slug, name: { 'en-US': 'Mine', de: 'Meine' }, description: { de: 'Für <b>mich</b>' } },
      ...{ default_locale: 'de', public: false, unknown: 1 },
    });
    expect(reply.status).toBe(201);
    const shown = reply.json as Json;
    expect(Object.keys(shown).join(' ')).toBe(
      'id addon_count author default_locale description modified name public slug url uuid',
    );
    expect(shown).toMatchObject({
      ...{ slug, addon_count: 0, default_locale: 'de', public: false, name: { 'en-US': 'Mine', de: 'Meine' } },
      ...{ description: { de: 'Für <b>mich</b>' }, author: { id: owner.accountId } },
      uuid: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const { username } = shown.author as { username: string };
    expect(shown.url).toBe(`${app.config.BASE_URL}/collections/${username}/${slug}/`);

    expect((await owner.get(own(slug, '', version))).json).toEqual(shown);
    expect((await owner.get(`${collectionsPath(username, version)}${slug.toUpperCase()}/`)).json).toEqual(shown);
    const german = (await owner.get(own(slug, '?lang=de', version))).json as Json;
    expect(german.name).toEqual(version === 'v4dev' ? { de: 'Meine' } : 'Meine');

    const changed = await sendTo(owner, 'PATCH', own(slug, '', version), {
      ...{ public: true, name: { de: null, fr: 'La mienne' }, description: null },
    });
    expect(changed.status).toBe(200);
    expect(changed.json).toMatchObject({ public: true, name: { 'en-US': 'Mine', fr: 'La mienne' }, description: null });
    expect((await app.anonymous.get(own(slug, '', version))).status).toBe(200);

    const deleted = await owner.request('DELETE', own(slug, '', version));
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await owner.get(own(slug, '', version))).status).toBe(404);
  });

  it('take one text as that of the current language, but not under v4dev', async () => {
    const slug = `text-${version}`;
    const path = `${own('', '', version)}?lang=de`;
    const reply = await sendTo(owner, 'POST', path, { slug, name: 'Meine', description: 'Alle' });
    if (version === 'v4dev') {
      const message = 'You must provide an object of {lang-code:value}.';
      expect([reply.status, reply.json]).toEqual([400, { name: [message], description: [message] }]);
    } else {
      expect(reply.json).toMatchObject({ name: { de: 'Meine' }, description: { de: 'Alle' } });
    }
  });

  it('have downloads of add-ons only in v3', async () => {
    const slug = `items-${version}`;
    await create(slug);
    const reply = await sendTo(owner, 'POST', own(slug, 'addons/', version), {
      ...{ addon: made.clock.id, notes: { 'en-US': 'Good' } },
    });
    expect(reply.status).toBe(201);
    const keys = version === 'v3' ? 'addon downloads notes' : 'addon notes';
    expect(Object.keys(reply.json as Json).join(' ')).toBe(keys);
    expect(reply.json).toMatchObject({ addon: { slug: 'clock', guid: 'clock@list' }, notes: { 'en-US': 'Good' } });
    expect(reply.json).not.toHaveProperty('addon.current_version.license');
    expect((await owner.get(own(slug, 'addons/clock/', version))).json).toEqual(reply.json);
    const withAddons = (await app.anonymous.get(own(slug, '?with_addons', version))).json as Json;
    expect(withAddons.addons).toEqual([reply.json]);
    expect(withAddons.addon_count).toBe(1);
    await put(slug, 'shade');
    expect(slugsIn(await app.anonymous.get(own(slug, 'addons/', version)))).toEqual(
      version === 'v3' ? ['clock'] : ['clock', 'shade'],
    );
  });
});

describe('the list of collections', () => {
  it('has the last changed first, in pages', async () => {
    const client = await app.developer();
    const path = collectionsPath(client.accountId);
    for (const slug of ['one', 'two', 'three']) {
      expect((await sendTo(client, 'POST', path, { slug, name: { 'en-US': slug } })).status).toBe(201);
    }
    await sendTo(client, 'POST', `${path}one/addons/`, { addon: 'clock' });
    const reply = await client.get(`${path}?page_size=2`);
    expect(reply.json).toMatchObject({ count: 3, page_size: 2, page_count: 2, previous: null });
    const results = (reply.json as { results: Json[] }).results.map(({ slug, addon_count }) => [slug, addon_count]);
    expect(results).toEqual([
      ['one', 1],
      ['three', 0],
    ]);
    expect((await client.get(`${path}?page=3&page_size=2`)).status).toBe(404);
  });

  it('is for the account itself, and for curators that of the operator', async () => {
    expect((await app.anonymous.get(own())).status).toBe(401);
    for (const account of [owner.accountId, 'nobody-has-this-name', 2_000_000_000]) {
      expect((await stranger.get(collectionsPath(account))).status).toBe(403);
      expect((await curator.get(collectionsPath(account))).status).toBe(403);
    }
    expect((await curator.get(collectionsPath('operator'))).status).toBe(200);
    expect((await stranger.get(collectionsPath('operator'))).status).toBe(403);
  });
});

describe('a collection that is not public', () => {
  it('is refused to all but its account, with its add-ons', async () => {
    await create('secret', { public: false });
    await put('secret', 'clock');
    for (const rest of ['', 'addons/', 'addons/clock/']) {
      expect((await owner.get(own('secret', rest))).status).toBe(200);
      expect((await app.anonymous.get(own('secret', rest))).status).toBe(401);
      for (const client of [stranger, curator]) expect((await client.get(own('secret', rest))).status).toBe(403);
    }
  });
});

describe('changes to collections', () => {
  it('are refused to others, whether the collection exists or not', async () => {
    await create('shared');
    await put('shared', 'clock');
    const changes: [string, string, Json | undefined][] = [
      ['POST', own(), { slug: 'foreign', name: 'x' }],
      ['PATCH', own('shared'), { slug: 'other' }],
      ['DELETE', own('shared'), undefined],
      ['DELETE', own('no-such'), undefined],
      ['POST', own('shared', 'addons/'), { addon: 'alarm' }],
      ['PATCH', own('shared', 'addons/clock/'), { notes: 'x' }],
      ['DELETE', own('shared', 'addons/clock/'), undefined],
    ];
    for (const [method, path, body] of changes) {
      expect((await sendTo(app.anonymous, method, path, body)).status).toBe(401);
      for (const client of [stranger, curator]) expect((await sendTo(client, method, path, body)).status).toBe(403);
    }
    expect((await owner.get(own('shared', '?with_addons'))).json).toMatchObject({ slug: 'shared', addon_count: 1 });
  });

  it.each<[string, Json, Json]>([
    ['nothing', {}, { name: ['This field is required.'], slug: ['This field is required.'] }],
    [
      'null',
      { name: null, slug: null },
      { name: ['This field may not be null.'], slug: ['This field may not be null.'] },
    ],
    [
      'empty texts',
      { name: '', slug: ' ' },
      { name: ['This field may not be blank.'], slug: ['This field may not be blank.'] },
    ],
    [
      'other characters in the slug',
      { name: 'x', slug: 'no/slash' },
      { slug: ['Enter a valid slug consisting of letters, numbers, underscores or hyphens.'] },
    ],
    [
      'other types',
      { name: 1, slug: 2, public: 'perhaps', default_locale: 3 },
      {
        name: ['You must provide an object of {lang-code:value}.'],
        slug: ['Not a valid string.'],
        public: ['Must be a valid boolean.'],
        default_locale: ['Not a valid string.'],
      },
    ],
    [
      'unknown languages',
      { name: { xx: 'x' }, slug: 'languages', default_locale: 'yy' },
      { name: ["The language code 'xx' is invalid."], default_locale: ["The language code 'yy' is invalid."] },
    ],
    [
      'long texts',
      { name: 'x'.repeat(256), slug: 's'.repeat(256) },
      {
        name: ['Ensure this field has no more than 255 characters.'],
        slug: ['Ensure this field has no more than 255 characters.'],
      },
    ],
  ])('name the fields at fault: %s', async (_what, body, fields) => {
    const reply = await sendTo(owner, 'POST', own(), body);
    expect([reply.status, reply.json]).toEqual([400, fields]);
  });

  it('keep slugs unique for an account, in any case', async () => {
    await create('Unique');
    await create('unique-2');
    const taken = { slug: ['This slug is already in use by another one of your collections.'] };
    const again = await sendTo(owner, 'POST', own(), { slug: 'uNIQUE', name: 'x' });
    expect([again.status, again.json]).toEqual([400, taken]);
    const moved = await sendTo(owner, 'PATCH', own('unique-2'), { slug: 'unique' });
    expect([moved.status, moved.json]).toEqual([400, taken]);
    expect((await sendTo(owner, 'PATCH', own('unique'), { slug: 'unique' })).json).toMatchObject({ slug: 'unique' });
    expect(
      (await sendTo(stranger, 'POST', collectionsPath(stranger.accountId), { slug: 'unique', name: 'x' })).status,
    ).toBe(201);
  });

  it('refuse bodies that are no object, and read forms', async () => {
    expect((await sendTo(owner, 'POST', own(), [1])).status).toBe(400);
    const text = await owner.request('POST', own(), { headers: { 'Content-Type': 'text/plain' }, body: 'x' });
    expect(text.status).toBe(415);
    const form = await owner.post(own(), { slug: 'form', name: 'Form', public: 'false' });
    expect([form.status, form.json]).toMatchObject([201, { name: { 'en-US': 'Form' }, public: false }]);
  });
});

describe('collections of the operator', () => {
  it('are those that curators made by path, and change with their guids', async () => {
    const upsert = `mutation($input: UpsertCollectionInput!) { upsertCollection(input: $input) {
      ... on UpsertCollectionPayload { collection { path slug guids addonCount author { username } } } } }`;
    const guids = ['bells@list', 'not-here@list', 'clock@list'];
    const { upsertCollection } = await curator.graphql<{ upsertCollection: { collection: Json } }>(upsert, {
      input: { path: 'editor/For-Time', guids },
    });
    expect(upsertCollection.collection).toEqual({
      ...{ path: 'editor/For-Time', slug: 'editor-For-Time', guids, addonCount: 2 },
      author: { username: 'operator' },
    });
    const path = `${collectionsPath('operator')}editor-for-time/`;
    const shown = (await app.anonymous.get(`${path}?with_addons`)).json as Json;
    expect(shown).toMatchObject({
      ...{ name: { 'en-US': 'editor/For-Time' }, url: `${app.config.BASE_URL}/collections/editor/For-Time/` },
      author: { id: -2, name: app.config.SITE_NAME, url: null, username: 'operator' },
    });
    expect((await sendTo(curator, 'POST', `${path}addons/`, { addon: 'alarm' })).status).toBe(201);
    expect((await curator.request('DELETE', `${path}addons/bells/`)).status).toBe(204);
    expect((await sendTo(curator, 'PATCH', path, { name: { de: 'Zeit' } })).status).toBe(200);
    const [row] = await app.sql("SELECT guids FROM collection WHERE path = 'editor/for-time'");
    expect(row).toEqual({ guids: ['not-here@list', 'clock@list', 'alarm@list'] });
    const audit = await app.sql("SELECT details FROM audit_entry WHERE action = 'collection-changed' ORDER BY id");
    expect(audit.map(({ details }) => (details as Json).change)).toEqual(['addon-added', 'addon-removed', 'changed']);
    // A process of release 0.1.0 writes guids alone.
    await app.sql("UPDATE collection SET guids = '{shade@list,CLOCK@list}' WHERE path = 'editor/for-time'");
    expect(slugsIn(await app.anonymous.get(`${path}addons/?sort=added`))).toEqual(['clock', 'shade']);
  });

  it('are made by curators in the name of the setting', async () => {
    app.config.OPERATOR_ACCOUNT = 'keepers';
    const path = collectionsPath('keepers');
    expect((await sendTo(stranger, 'POST', path, { slug: 'mine', name: 'x' })).status).toBe(403);
    const reply = await sendTo(curator, 'POST', path, { slug: 'picks', name: 'Our picks' });
    expect([reply.status, reply.json]).toMatchObject([201, { author: { username: 'keepers' }, slug: 'picks' }]);
    expect((await app.anonymous.get(`${path}picks/`)).status).toBe(200);
    app.config.OPERATOR_ACCOUNT = 'operator';
  });
});
