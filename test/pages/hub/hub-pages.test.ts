/* The pages of the developer hub by role: status, what they show and must not. */
import { beforeAll, describe, expect, it } from 'vitest';
import { message } from '../../../src/texts/messages.ts';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { addNotes } from '../../support/notes.ts';
import { documentOf, englishIn, textOf, Visitor, visitorOf } from '../../support/pages.ts';
import { createUpload } from '../../support/uploads.ts';

const app = setUpApp();
let owner: Client;
let made: MadeAddon;
let waiting: MadeAddon;
const visitors: Record<string, Visitor> = {};

const HOSTILE = '<img src=x onerror=alert(1)>"\'&\u202E';

beforeAll(async () => {
  owner = await app.developer();
  const developer = await app.developer();
  const authors = [owner.accountId ?? 0, { id: developer.accountId ?? 0, role: 'developer' as const }];
  made = await addon({
    authors,
    slug: 'notes',
    name: { 'en-US': 'Notes', de: 'Notizen' },
    summary: { 'en-US': 'Keeps notes.' },
    description: { 'en-US': '<b>All</b> of them', de: 'Alle davon' },
    tags: ['pen'],
    categories: [{ app: 'desktop_browser', slug: 'tools' }],
    previews: [{ caption: { 'en-US': 'The window' } }, {}],
    versions: [
      { version: '1.0' },
      {
        version: '2.0',
        stage: 'invalid',
        reasonMessage: { ...message('validation.errors_found', { count: 3 }) },
        files: [{ status: 5 }],
      },
    ],
  });
  waiting = await addon({
    authors,
    slug: 'waits',
    status: 'nominated',
    name: { 'en-US': HOSTILE },
    versions: [{ stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] }],
  });
  await addNotes(app, waiting.versions[0]?.id ?? 0, [
    { action: 'more-information-requested', comments: `Why? ${HOSTILE}`, accountId: developer.accountId ?? null },
    { action: 'comment', comments: 'between reviewers' },
  ]);
  await app.sql('UPDATE review_queue SET is_information_requested = true WHERE addon_id = $1', [waiting.id]);
  await app.sql(
    `INSERT INTO upload (pk, addon_id, version_id, account_id, file_name)
     SELECT md5(id::text), addon_id, id, $1, 'x' FROM version WHERE addon_id = $2`,
    [owner.accountId, made.id],
  );
  visitors.owner = await visitorOf(app, owner);
  visitors.developer = await visitorOf(app, developer);
  visitors.stranger = await visitorOf(app, await app.developer());
  visitors.editor = await visitorOf(app, await app.memberWith('Addons:Edit'));
  visitors.anonymous = new Visitor(app);
});

const as = (name: string) => visitors[name] as Visitor;
const ADDON_PAGES = ['', 'edit', 'media', 'license', 'authors', 'versions', 'versions/new', 'activity', 'danger'];
const OWN_PAGES = ['/developers/submit/', '/developers/validate/', '/developers/themes/new/'];

describe('the pages of the developer hub', () => {
  it.each(OWN_PAGES)('%s are for signed-in visitors', async (path) => {
    const refused = await as('anonymous').get(path);
    expect([refused.status, refused.headers.location]).toEqual([303, `/login/?next=${encodeURIComponent(path)}`]);
    const page = await as('stranger').get(path);
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'private, no-store']);
    expect(page.text).toContain('<meta name="robots" content="noindex">');
  });

  it.each(ADDON_PAGES)('addon/<ref>/%s has a status for each role', async (rest) => {
    const isOwners = rest === 'license';
    const expected = {
      owner: 200,
      developer: isOwners ? 403 : 200,
      editor: rest.startsWith('versions') || ['activity', 'license'].includes(rest) ? 403 : 200,
      stranger: 403,
      anonymous: 303,
    };
    const found: Record<string, number> = {};
    for (const role of Object.keys(expected)) {
      found[role] = (await as(role).get(`/developers/addon/notes/${rest}`)).status;
    }
    expect(found).toEqual(expected);
    expect((await as('stranger').get(`/developers/addon/waits/${rest}`)).status).toBe(404);
    expect((await as('owner').get(`/developers/addon/no-such/${rest}`)).status).toBe(404);
    expect((await as('owner').get(`/developers/addon/waits/${rest}`)).status).toBe(200);
  });

  it.each(['en', 'de', 'he'])('are written in %s, and hostile texts stay texts', async (language) => {
    const paths = ['/developers/', ...OWN_PAGES, ...ADDON_PAGES.map((rest) => `/developers/addon/waits/${rest}`)];
    for (const path of paths) {
      const { status, text } = await as('owner').get(`${path}?lang=${language}`);
      expect([path, status]).toEqual([path, 200]);
      expect(text).toContain(`<html lang="${language}"`);
      expect(text).not.toContain('<img src=x');
      if (language === 'he') expect([path, ...englishIn(text.replaceAll('img src', ''))]).toEqual([path]);
    }
  });
});

describe('the root', () => {
  it('shows three steps to newcomers', async () => {
    const visitor = await visitorOf(app, await app.developer());
    expect(textOf(await visitor.get('/developers/'))).toContain('Publish your first add-on in three steps');
  });

  it('shows each add-on with its channels, the next step and open questions', async () => {
    const page = await as('owner').get('/developers/');
    expect(textOf(page)).toContain('Reviewers wait for your reply');
    expect(page.text).toContain('<a href="/developers/addon/waits/activity">Reply</a>');
    expect(page.text).toMatch(/class="button primary" href="\/validation\/[0-9a-f]{32}\/">See the report</);
    expect(textOf(page)).toContain(
      'On this site: 2.0 Did not pass validation Validation found 3 errors. Users get 1.0 .',
    );
  });

  it('is filtered and sorted by its address', async () => {
    const page = await as('owner').get('/developers/?state=waiting&sort=name');
    expect(textOf(page)).toContain('You have no add-on in this state.');
    expect(page.text).toContain('href="/developers/?state=action&amp;sort=name"');
    expect((await as('owner').get('/developers/?state=x&sort=y&page=-1')).status).toBe(200);
  });
});

describe('the overview', () => {
  it('shows why an add-on is not visible, with a link to fix each reason', async () => {
    const page = await as('owner').get('/developers/addon/waits/');
    expect(textOf(page)).toContain('Why it is not visible');
    const fixes = documentOf(page)('a[href^="/developers/addon/waits/activity"]').toArray();
    expect(fixes.map((link) => documentOf(page)(link).text())).toContain('Fix this');
    expect(page.text).not.toContain('between reviewers');
    expect(textOf(await as('owner').get('/developers/addon/notes/'))).toContain('Visible in the catalogue');
  });

  it('leads to the pages that the viewer may use', async () => {
    const links = async (role: string) => (await as(role).get('/developers/addon/notes/')).text;
    const tabs = async (role: string) => documentOf({ text: await links(role) })('nav.tabs').html();
    expect(await tabs('owner')).toContain('/developers/addon/notes/license"');
    expect(await tabs('developer')).not.toContain('/developers/addon/notes/license"');
    expect(await tabs('developer')).toContain('/developers/addon/notes/authors"');
    expect(await links('developer')).toContain('/developers/addon/notes/versions/new"');
    expect(await links('editor')).not.toContain('/developers/addon/notes/versions/new"');
    expect(await links('owner')).toContain('<a href="/developers/addon/notes/license">Fix this</a>');
    expect(await links('developer')).not.toContain('license">Fix this');
    expect(await links('developer')).toContain('Only owners can change this.');
  });

  it('has versions and failed uploads with their reasons', async () => {
    const page = await as('owner').get('/developers/addon/notes/versions');
    const text = textOf(page);
    expect(text).toContain('1.0 On this site Available');
    expect(text).toContain('2.0 On this site Did not pass validation Validation found 3 errors.');
    const [first] = made.versions;
    expect(page.text).toContain(`href="/developers/addon/notes/versions/${first?.id}"`);
    expect((await as('owner').get(`/developers/addon/notes/versions/${first?.id}`)).status).toBe(200);
    expect((await as('owner').get(`/developers/addon/notes/versions/${first?.id}?delete=1`)).status).toBe(200);
    expect((await as('owner').get('/developers/addon/notes/versions/2000000000')).status).toBe(404);
    expect((await as('stranger').get(`/developers/addon/notes/versions/${first?.id}`)).status).toBe(403);
  });
});

describe('a page of a checked package', () => {
  it('leads on or back, and only its sender opens it', async () => {
    const { pk } = await createUpload(owner, { guid: 'checked@example' }, 'LISTED');
    const path = `/developers/submit/${pk}/`;
    const early = await as('owner').get(path);
    expect([early.status, early.headers.location]).toEqual([303, `/validation/${pk}/`]);
    await app.runJobs();
    expect((await as('owner').get(path)).text).toContain('name="categories"');
    expect((await as('stranger').get(path)).status).toBe(404);
    expect((await as('owner').get('/developers/submit/none/')).status).toBe(404);
    expect((await as('owner').get('/developers/submit/')).text).toContain(`href="${path}"`);
  });
});
