import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon } from '../support/factories.ts';
import { xpi } from '../support/packages.ts';
import { documentOf, textOf, Visitor, visitorOf } from '../support/pages.ts';
import { storePackage } from '../support/store-package.ts';

const app = setUpApp();
let client: Client;
let owner: Visitor;
let anonymous: Visitor;
let username: string;

const LIST = '/account/collections/';
const VALUES = { locale: 'en-US', name: 'For <school>', slug: 'school', description: 'A & B', isPublic: 'true' };

beforeAll(async () => {
  client = await app.developer();
  owner = await visitorOf(app, client);
  anonymous = new Visitor(app);
  const [row] = await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', [client.accountId]);
  username = row?.username ?? '';
  const versions = [{ files: [await storePackage(await xpi())] }];
  await addon({ slug: 'clock', guid: 'clock@page', name: { 'en-US': 'Clock' }, versions });
  await addon({ slug: 'bells', guid: 'bells@page', name: { 'en-US': 'Bells' } });
});

describe('the collections of an account', () => {
  it('lead anonymous visitors to the sign-in', async () => {
    for (const path of [LIST, `${LIST}school/`, '/addon/clock/collect/']) {
      expect((await anonymous.get(path)).status).toBe(303);
    }
  });

  it('are made in a form that keeps what was typed', async () => {
    const refused = await owner.submit(LIST, 'collection-new', { ...VALUES, slug: 'no slash/' });
    expect(refused.status).toBe(422);
    const $ = documentOf(refused);
    expect($('#collection-new input[name=name]').attr('value')).toBe('For <school>');
    expect(textOf(refused)).toContain('Enter a valid slug');
    const made = await owner.submit(LIST, 'collection-new', VALUES);
    expect([made.status, made.headers.location]).toEqual([303, `${LIST}school/?done=collection-new`]);
    expect(textOf(await owner.get(LIST))).toContain('For <school>');
    const taken = await owner.submit(LIST, 'collection-new', VALUES);
    expect([taken.status, textOf(taken)]).toEqual([422, expect.stringContaining('This slug is already in use')]);
  });

  it('get add-ons on their pages, with notes', async () => {
    expect(documentOf(await anonymous.get('/addon/clock/'))('a[href="/addon/clock/collect/"]').length).toBe(1);
    const $ = documentOf(await owner.get('/addon/clock/collect/'));
    const collection = $('select[name=collection] option').last().attr('value') ?? '';
    const added = await owner.submit('/addon/clock/collect/', 'collect', {
      ...{ collection, locale: 'en-US', notes: 'Shows <time>' },
    });
    expect([added.status, added.headers.location]).toEqual([303, `${LIST}school/?done=collect`]);
    expect(textOf(await owner.get('/addon/clock/collect/'))).toContain('of your collections');
    const again = await owner.submit('/addon/clock/collect/', 'collect', { collection, locale: 'en-US', notes: '' });
    expect([again.status, textOf(again)]).toEqual([422, expect.stringContaining('already belongs')]);
    await owner.submit('/addon/bells/collect/', 'collect', { collection, locale: 'en-US', notes: '' });
  });

  it('are made on the page of the add-on, with the words of their names as address', async () => {
    const made = async (name: string) => {
      const sent = await owner.submit('/addon/clock/collect/', 'collect-new', { ...VALUES, name, slug: '' });
      expect([sent.status, sent.headers.location]).toEqual([303, '/addon/clock/collect/?done=collect-new']);
      const $ = documentOf(await owner.get('/addon/clock/collect/'));
      expect($('select[name=collection] option').first().text()).toBe(name);
    };
    await made('Été à Paris!');
    await made('שעונים');
    const slugs = await app.sql<{ slug: string }>("SELECT slug FROM collection WHERE slug <> 'school' ORDER BY id");
    expect(slugs.map(({ slug }) => slug)).toEqual(['ete-a-paris', expect.stringMatching(/^collection-[0-9a-f]{8}$/)]);
    const refused = await owner.submit('/addon/clock/collect/', 'collect-new', { ...VALUES, slug: 'school' });
    expect([refused.status, documentOf(refused)('details[open] #collect-new').length]).toEqual([422, 1]);
    await app.sql("DELETE FROM collection WHERE slug <> 'school'");
  });

  it('are shown on a page for everybody, with links that are counted for them', async () => {
    const path = `/collections/${username}/school/`;
    const page = await anonymous.get(path);
    expect(page.status).toBe(200);
    expect(textOf(page)).toContain('For <school>');
    expect(textOf(page)).toContain('A & B');
    expect(textOf(page)).toContain('Shows <time>');
    const $ = documentOf(page);
    expect($('a[href^="/report/collection/"]').length).toBe(1);
    const [row] = await app.sql<{ uuid: string }>(
      "SELECT replace(uuid::text, '-', '') AS uuid FROM collection WHERE slug = 'school'",
    );
    const uuid = row?.uuid ?? '';
    const href = $(`a[href*="collection_id=${uuid}"]`).first().attr('href') ?? '';
    expect(href).toContain('src=collection');
    const { countDownload, flushDownloadCounts } = await import('../../src/domain/versions/download-counts.ts');
    const [file] = await app.sql<{ id: number; addon_id: number }>(
      "SELECT f.id, a.id AS addon_id FROM file f JOIN version v ON v.id = f.version_id JOIN addon a ON a.id = v.addon_id WHERE a.slug = 'clock'",
    );
    const download = {
      addonId: file?.addon_id ?? 0,
      fileId: file?.id ?? 0,
      source: 'collection',
      address: '192.0.2.7',
    };
    countDownload({ ...download, collection: uuid });
    countDownload({ ...download, address: '198.51.100.7', collection: 'no-uuid' });
    await flushDownloadCounts();
    expect(await app.sql('SELECT guid, downloads FROM collection_item ORDER BY guid')).toEqual([
      { guid: 'bells@page', downloads: 0 },
      { guid: 'clock@page', downloads: 1 },
    ]);
    expect(await app.sql('SELECT source, count FROM download_count')).toEqual([{ source: 'collection', count: 2 }]);
    const api = await app.anonymous.get(`/api/v3/accounts/account/${username}/collections/school/addons/clock/`);
    expect(api.json).toMatchObject({ downloads: 1 });
  });

  it('have a feed', async () => {
    const feed = await anonymous.get(`/collections/${username}/school/feed.atom`);
    expect([feed.status, feed.headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    expect(feed.text).toMatch(/<entry>[\s\S]*<title>Bells<\/title>[\s\S]*<title>Clock<\/title>/);
    expect(feed.text).toContain('Shows &lt;time&gt;');
  });

  it('are reported, with the account that has made them', async () => {
    const $ = documentOf(await anonymous.get(`/collections/${username}/school/`));
    const report = $('a[href^="/report/collection/"]').attr('href') ?? '';
    expect((await anonymous.get(report)).status).toBe(200);
    const sent = await anonymous.submit(report, 'report', { reason: 'spam', message: 'Look.' });
    expect(sent.status).toBe(303);
    expect(textOf(await anonymous.get(String(sent.headers.location)))).toContain(`${username}/school`);
    const moderator = await visitorOf(app, await app.memberWith('AbuseReports:Edit'));
    const inbox = await moderator.get('/moderation/?target=collection');
    expect(textOf(inbox)).toContain('For <school>');
    const number = /\/report\/(\d+)\//.exec(String(sent.headers.location))?.[1];
    expect(textOf(await moderator.get(`/moderation/${number}/`))).toContain(username);
  });

  it('are changed, emptied and deleted by their account alone', async () => {
    const path = `${LIST}school/`;
    const $ = documentOf(await owner.get(path));
    const id = $('#collection-change input[name=id]').attr('value') ?? '';
    const addonId = $('input[name=addon]').first().attr('value') ?? '';
    expect((await owner.get(`${path}?notes=${addonId}`)).text).toContain('name="notes"');
    const noted = await owner.submit(path, 'collection-notes', { id, addon: addonId, locale: 'en-US', notes: 'New' });
    expect(noted.headers.location).toBe(`${path}?done=collection-notes`);
    const stranger = await visitorOf(app, await app.developer());
    const { isPublic: _public, ...hidden } = VALUES;
    const foreign = await stranger.submit(LIST, 'collection-new', { ...VALUES, slug: 'school' });
    expect(foreign.status).toBe(303);
    expect((await stranger.submit(path, 'collection-change', { id, ...VALUES })).status).toBe(403);
    const changed = await owner.submit(path, 'collection-change', { id, ...hidden, slug: 'school-2' });
    expect(changed.headers.location).toBe(`${LIST}school-2/?done=collection-change`);
    expect((await anonymous.get(`/collections/${username}/school-2/`)).status).toBe(303);
    expect((await stranger.get(`/collections/${username}/school-2/`)).status).toBe(403);
    expect((await owner.get(`/collections/${username}/school-2/`)).status).toBe(200);
    const taken = await owner.submit(`${LIST}school-2/`, 'collection-take', { id, addon: addonId });
    expect(taken.headers.location).toBe(`${LIST}school-2/?done=collection-take`);
    expect(await app.sql('SELECT FROM collection_item')).toHaveLength(1);
    const removed = await owner.submit(`${LIST}school-2/`, 'collection-remove', { id });
    expect(removed.headers.location).toBe(`${LIST}?done=collection-remove`);
    expect((await owner.get(`${LIST}school-2/`)).status).toBe(404);
  });
});

describe('POST abuse/report/collection/', () => {
  it.each(['v3', 'v4', 'v4dev', 'v5'])('reports a public collection in %s', async (version) => {
    const path = `/api/v4/accounts/account/${client.accountId}/collections/`;
    const headers = { 'Content-Type': 'application/json' };
    const made = await client.request('POST', path, {
      headers,
      body: JSON.stringify({ slug: `bad-${version}`, name: { 'en-US': 'Bad' } }),
    });
    const { id, uuid } = made.json as { id: number; uuid: string };
    const report = (body: object) =>
      app.anonymous.request('POST', `/api/${version}/abuse/report/collection/`, {
        headers,
        body: JSON.stringify(body),
      });
    for (const collection of [id, String(id), uuid, `${username}/bad-${version}`]) {
      const reply = await report({ collection, message: 'Look.' });
      expect([reply.status, reply.json]).toEqual([201, { reporter: null, collection: { id }, message: 'Look.' }]);
    }
    const refused = await report({});
    expect([refused.status, refused.json]).toEqual([
      400,
      { collection: ['This field is required.'], message: ['This field is required.'] },
    ]);
    expect((await report({ collection: 2_000_000_000, message: 'x' })).status).toBe(404);
  });
});
