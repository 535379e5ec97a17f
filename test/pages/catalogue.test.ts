import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon, type MadeAddon } from '../support/factories.ts';
import { documentOf, textOf, Visitor, visitorOf } from '../support/pages.ts';

const app = setUpApp();
let anonymous: Visitor;
let author: Visitor;
let other: Visitor;
let reviewer: Visitor;
let shade: MadeAddon;
let hidden: MadeAddon;

const STORED = { isStored: true };
const HOSTILE = '<img src=x onerror=alert(1)> "\' \u202e';

async function makeCatalogue(owner: Client): Promise<void> {
  const authors = [Number(owner.accountId)];
  const usual = { app: 'desktop_browser', slug: 'appearance', name: { 'en-US': 'Appearance', de: 'Aussehen' } };
  shade = await addon({
    ...{ slug: 'shade', guid: 'shade@example', authors, tags: ['dark', 'night & day'], categories: [usual] },
    name: { 'en-US': 'Night Shade', de: 'Nachtschatten' },
    summary: { 'en-US': 'Turns pages dark.' },
    description: { 'en-US': '<p>Very <strong>dark</strong>, see <a href="https://elsewhere.example/">this</a>.</p>' },
    eula: { 'en-US': '<p>Be kind.</p>' },
    privacyPolicy: { he: '<p>לא נאסף דבר.</p>' },
    ratingCount: 3,
    ratingAverage: 4.5,
    averageDailyUsers: 1234,
    featured: [{ app: 'desktop_browser' }],
    versions: [
      {
        files: [{ ...STORED, permissions: ['storage'], platform: 'linux' }],
        compatibility: { mobile_browser: ['60.0', '*'] },
      },
      {
        releaseNotes: { 'en-US': '<p>Faster.</p>' },
        license: { builtin: 'MIT' },
        files: [
          {
            ...STORED,
            permissions: ['storage', 'tabs', 'https://*.example.com/*', 'unheardOf'],
            certificateSerial: 'abc123',
          },
        ],
      },
    ],
  });
  await addon({
    slug: 'plain',
    authors,
    name: { 'en-US': HOSTILE },
    summary: { 'en-US': HOSTILE },
    tags: ['dark'],
    versions: [{ files: [{ ...STORED, permissions: [] }] }],
  });
  await addon({ slug: 'sky', type: 'persona', name: { 'en-US': 'Evening sky' }, versions: [{ files: [] }] });
  await addon({ slug: 'pack', type: 'language', targetLocale: 'de', name: { 'en-US': 'German pack' } });
  await addon({ slug: 'words', type: 'dictionary', targetLocale: 'he', name: { 'en-US': 'Hebrew words' } });
  hidden = await addon({ slug: 'hidden', authors, isDisabledByDeveloper: true, name: { 'en-US': 'Hidden one' } });
}

beforeAll(async () => {
  anonymous = new Visitor(app);
});

/** The targets of the links whose text contains `text`. */
function linksWith(page: { text: string }, wanted: string): string[] {
  const $ = documentOf(page);
  const links = $('a[href]')
    .toArray()
    .filter((link) => textOf({ text: $(link).html() ?? '' }).includes(wanted));
  return links.map((link) => $(link).attr('href') ?? '');
}

describe('an empty catalogue', () => {
  it('shows how to begin', async () => {
    const page = await anonymous.get('/');
    expect(page.status).toBe(200);
    expect(textOf(page)).toContain('The catalogue is empty');
    expect(linksWith(page, 'Submit the first add-on')).toEqual(['/developers/submit/']);
  });
});

describe('the catalogue', () => {
  beforeAll(async () => {
    const owner = await app.developer();
    await makeCatalogue(owner);
    author = await visitorOf(app, owner);
    other = await visitorOf(app, await app.developer());
    reviewer = await visitorOf(app, await app.reviewer());
  });

  it('shows shelves of an application on the start page, in the language of the visitor', async () => {
    const page = await anonymous.get('/', { 'Accept-Language': 'de' });
    expect(page.status).toBe(200);
    expect(textOf(page)).toMatch(/Empfohlen .*Nachtschatten .*1\.234 Nutzer/);
    expect(linksWith(page, 'Aussehen')).toEqual(['/category/extension/appearance/?app=desktop_browser']);
    expect(textOf(page)).not.toContain('Hidden one');
    const mobile = textOf(await anonymous.get('/?app=mobile_browser'));
    expect(mobile).not.toContain('Night Shade');
    const toaster = await anonymous.get('/?app=toaster');
    expect([toaster.status, textOf(toaster)]).toEqual([
      200,
      expect.stringMatching(/ignored: app=toaster .*Night Shade/),
    ]);
  });

  it('is searched with filters that the address holds', async () => {
    const all = await anonymous.get('/search/?q=dark');
    expect(textOf(all)).toMatch(/Results for “ ?dark ?”/);
    const page = await anonymous.get('/search/?tag=dark&type=extension&sort=users');
    expect(textOf(page)).toMatch(/2 add-ons .*Night Shade/);
    // A facet adds a value and keeps the others; a chip removes one.
    expect(linksWith(page, 'night & day')).toEqual(['/search/?tag=dark,night+%26+day&type=extension&sort=users']);
    expect(linksWith(page, 'Remove filter: Tag: dark')).toEqual(['/search/?type=extension&sort=users']);
    expect(linksWith(page, 'Remove filter: Extensions')).toEqual(['/search/?tag=dark&sort=users']);
    expect(page.text).toMatch(/aria-current="true"[^>]*>Users</);
    const narrow = await anonymous.get(
      '/search/?tag=dark,night+%26+day&app=desktop_browser&type=extension&category=appearance',
    );
    expect(textOf(narrow)).toMatch(/1 add-on .*Remove filter: Appearance/);
  });

  it('offers searches with one filter less when nothing is found', async () => {
    const page = await anonymous.get('/search/?q=nightshadow&platform=mac&author=x&appversion=&type=');
    expect(page.status).toBe(200);
    expect(textOf(page)).toContain('Nothing found');
    expect(linksWith(page, 'Without macOS')).toEqual(['/search/?q=nightshadow&author=x&appversion=&type=']);
    expect(linksWith(page, 'Without By x')).toEqual(['/search/?q=nightshadow&platform=mac&appversion=&type=']);
  });

  it('suggests names as a list of links', async () => {
    const page = await anonymous.get('/search/suggest?q=nig');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(linksWith(page, 'Night Shade')).toEqual([`${app.config.BASE_URL}/addon/shade/`]);
    expect((await anonymous.get('/search/suggest')).status).toBe(200);
  });

  it('escapes what developers wrote', async () => {
    for (const path of ['/addon/plain/', '/', '/search/?tag=dark', '/search/suggest?q=img', '/addon/plain/versions/']) {
      const { status, text } = await anonymous.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toContain('<img src=x');
    }
  });

  it('leads from tags to the search and lists the categories', async () => {
    const tag = await anonymous.get('/tag/night%20%26%20day/');
    expect([tag.status, tag.headers.location]).toEqual([301, '/search/?tag=night+%26+day']);
    const page = await anonymous.get('/categories/');
    expect(linksWith(page, 'Appearance')).toEqual(['/category/extension/appearance/?app=desktop_browser']);
    const category = await anonymous.get('/category/extension/appearance/');
    expect(textOf(category)).toMatch(/Appearance .*1 add-on .*Night Shade/);
    for (const path of [
      '/category/extension/nowhere/',
      '/category/toaster/appearance/',
      '/category/theme/appearance/',
    ]) {
      expect((await anonymous.get(path)).status).toBe(404);
    }
  });

  it('lists dictionaries and language packs, those of the own language first', async () => {
    const page = await anonymous.get('/language-tools/', { 'Accept-Language': 'de' });
    expect(textOf(page)).toMatch(/Deutsch de German pack .*Hebräisch he – Hebrew words/);
    const hebrew = await anonymous.get('/language-tools/?app=desktop_browser&appversion=60.0&lang=he');
    expect(textOf(hebrew)).toMatch(/Hebrew words .*German pack 1\.0/);
    expect(textOf(await anonymous.get('/language-tools/?app=mail_client'))).toContain('There are no dictionaries');
  });
});

describe('the page of an add-on', () => {
  it('shows what a visitor needs to judge and install it', async () => {
    const page = await anonymous.get('/addon/shade/');
    const text = textOf(page);
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'public, no-cache']);
    expect(text).toMatch(/Night Shade .*Turns pages dark\. .*About .*Versions 2/);
    expect(text).toMatch(/Read and change data of https:\/\/\*\.example\.com\/\* New in this version/);
    expect(text).toMatch(/Store its own data on your device storage (?!New)/);
    expect(text).toMatch(/unheardOf New in this version/);
    // The agreement comes first.
    expect(linksWith(page, 'Install')).toContain('/addon/shade/eula/');
    expect(page.text).not.toContain('type="application/x-xpinstall"');
    // Links to other sites are wrapped.
    expect(page.text).not.toContain('href="https://elsewhere.example/');
    expect(page.text).toContain('elsewhere.example');
    expect(linksWith(page, 'abc123')).toEqual(['/signing/log/abc123']);
  });

  it('leads from id, guid and other spellings to the slug', async () => {
    for (const ref of [String(shade.id), 'shade@example', 'SHADE']) {
      const { status, headers } = await anonymous.get(`/addon/${ref}/?src=mail`);
      expect([ref, status, headers.location]).toEqual([ref, 301, '/addon/shade/?src=mail']);
    }
    expect((await anonymous.get('/addon/nothing/')).status).toBe(404);
  });

  it('links to a package that browsers install, or save on request', async () => {
    const page = await anonymous.get('/addon/plain/');
    const [install = ''] = linksWith(page, 'Install');
    expect(page.text).toContain('type="application/x-xpinstall"');
    expect(install).toMatch(/\/downloads\/file\/\d+\/[\w.-]+\?src=addondetail$/);
    expect(textOf(page)).toContain('Needs no special permissions');
    expect(linksWith(page, 'save the file')).toEqual([`${install}&download=1`]);
  });

  it('shows developers and reviewers why others do not see it', async () => {
    for (const visitor of [anonymous, other]) expect((await visitor.get('/addon/hidden/')).status).toBe(404);
    for (const visitor of [author, reviewer]) {
      const page = await visitor.get('/addon/hidden/');
      expect([page.status, page.headers['cache-control']]).toEqual([200, 'private, no-store']);
      expect(textOf(page)).toContain('Only its developers and reviewers see this add-on');
    }
    expect(linksWith(await author.get('/addon/hidden/'), 'Fix this')).toEqual(['/developers/addon/hidden/danger']);
    expect(linksWith(await reviewer.get('/addon/hidden/'), 'Fix this')).toEqual([]);
    expect(textOf(await author.get('/addon/shade/'))).not.toContain('Only its developers');
  });
});

it('states on the page of a lightweight theme that there is no file, with a link to themes that have one', async () => {
  const page = await anonymous.get('/addon/sky/');
  expect(textOf(page)).toContain('Lightweight themes have no file to install');
  expect(linksWith(page, 'Show themes')).toEqual(['/search/?type=statictheme&sort=users']);
});

describe('the other pages of an add-on', () => {
  it('list its versions and show one', async () => {
    const list = await anonymous.get('/addon/shade/versions/');
    expect(textOf(list)).toMatch(
      /Version 2\.0 .*Faster\. .*Version 1\.0 .*No release notes .*Mobile browser 60\.0 and later/,
    );
    const newest = await anonymous.get('/addon/shade/versions/2.0/');
    expect(textOf(newest)).toMatch(/Version 2\.0 .*Faster/);
    expect(textOf(newest)).not.toContain('This is not the current version');
    const older = await anonymous.get('/addon/shade/versions/1.0/');
    expect(linksWith(older, '2.0')).toEqual(['/addon/shade/versions/2.0/']);
    const byId = await anonymous.get(`/addon/${shade.id}/versions/1.0/`);
    expect([byId.status, byId.headers.location]).toEqual([301, '/addon/shade/versions/1.0/']);
    expect((await anonymous.get('/addon/shade/versions/9.9/')).status).toBe(404);
    expect((await anonymous.get('/addon/shade/versions/?page=2')).status).toBe(404);
  });

  it('lead to the newest file, or name the applications that have one', async () => {
    const fits = await anonymous.get('/addon/shade/latest/?app=desktop_browser');
    expect([fits.status, fits.headers.location]).toEqual([302, expect.stringMatching(/^\/downloads\/file\//)]);
    const none = await anonymous.get('/addon/shade/latest/?app=mail_client');
    expect(none.status).toBe(404);
    expect(textOf(none)).toMatch(/No matching file of Night Shade .*Desktop browser 57\.0 and later/);
  });

  it('show the agreement with the link that installs, the privacy policy in its language, the licence', async () => {
    const agreement = await anonymous.get('/addon/shade/eula/');
    expect(textOf(agreement)).toContain('Be kind.');
    expect(linksWith(agreement, 'Accept and install')[0]).toMatch(/\?src=addondetail$/);
    expect((await anonymous.get('/addon/shade/privacy/')).text).toContain('lang="he" dir="rtl"');
    expect(textOf(await anonymous.get('/addon/shade/license/'))).toContain('MIT');
    for (const kind of ['eula', 'privacy', 'license']) {
      expect((await anonymous.get(`/addon/plain/${kind}/`)).status).toBe(404);
    }
  });

  it('are not shown of an add-on that is not public', async () => {
    for (const rest of ['versions/', 'versions/1.0/', 'latest/', 'license/', 'eula/', 'privacy/']) {
      const { status } = await other.get(`/addon/${hidden.slug}/${rest}`);
      expect([rest, status]).toEqual([rest, 404]);
    }
  });
});

describe('a version whose file is not stored', () => {
  beforeAll(async () => {
    await addon({ slug: 'described', name: { 'en-US': 'Described' }, versions: [{}] });
  });

  it.each([
    ['en', 'The file of this version is not stored here'],
    ['de', 'Die Datei dieser Version ist hier nicht gespeichert'],
    ['he', 'הקובץ של גרסה זו אינו שמור כאן'],
  ])('has no link to it, and pages in %s say why', async (lang, why) => {
    for (const rest of ['', 'versions/', 'versions/1.0/', 'latest/']) {
      const page = await anonymous.get(`/addon/described/${rest}?lang=${lang}`);
      expect([rest, page.status]).toEqual([rest, rest === 'latest/' ? 404 : 200]);
      expect(textOf(page)).toContain(why);
      expect(page.text).not.toContain('/downloads/');
    }
  });

  it('is marked in GraphQL', async () => {
    for (const [slug, isStored] of Object.entries({ described: false, plain: true })) {
      const found = await app.anonymous.graphql(
        `{ addon(by: { slug: "${slug}" }) { currentVersion { files { isStored } } } }`,
      );
      expect(found).toEqual({ addon: { currentVersion: { files: [{ isStored }] } } });
    }
  });
});
