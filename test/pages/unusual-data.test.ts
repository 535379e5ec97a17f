/* Pages about data that imports and long histories have, and most add-ons have not. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon } from '../support/factories.ts';
import { addNotes } from '../support/notes.ts';
import { documentOf, textOf, Visitor, visitorOf } from '../support/pages.ts';

const app = setUpApp();
let anonymous: Visitor;
let developer: Client;
let owner: Visitor;
let authors: number[];

beforeAll(async () => {
  anonymous = new Visitor(app);
  developer = await app.developer();
  owner = await visitorOf(app, developer);
  authors = [Number(developer.accountId)];
});

const headingOf = (page: { text: string }): string => textOf({ text: documentOf(page)('h1').html() ?? '' });

describe('an add-on without a name', () => {
  it('is called by its id in the developer hub', async () => {
    await addon({ authors, slug: 'nameless', guid: 'nameless@example', name: {} });
    const root = await owner.get('/developers/');
    expect(root.text).toContain('href="/developers/addon/nameless/"><bdi dir="ltr">nameless@example</bdi></a>');
    const overview = await owner.get('/developers/addon/nameless/');
    expect(headingOf(overview)).toBe('nameless@example');
    expect(overview.text).toContain('<title>nameless@example – ');
  });

  it('is called by its slug in feeds, whose entries need a title', async () => {
    await addon({ slug: 'untitled', name: {} });
    expect((await anonymous.get('/feeds/new.atom')).text).toContain('<title>untitled</title>');
    expect((await anonymous.get('/addon/untitled/feed.atom')).text).toContain('<title>untitled 1.0</title>');
  });
});

describe('an add-on with a name in another language', () => {
  it('has the language of its name in the headings of its pages', async () => {
    const text = { 'en-US': '<p>A text.</p>' };
    await addon({
      slug: 'hebrew-only',
      ...{ defaultLocale: 'he', name: { he: 'עט' }, eula: text, privacyPolicy: text },
      versions: [{ license: { name: { he: 'רישיון' }, text }, files: [{ isStored: true }] }],
    });
    for (const page of ['versions', 'license', 'eula', 'privacy']) {
      const { text: html } = await anonymous.get(`/addon/hebrew-only/${page}/`);
      expect([page, documentOf({ text: html })('h1').html()]).toEqual([
        page,
        expect.stringContaining('<bdi lang="he" dir="rtl">עט</bdi>'),
      ]);
    }
    const { text: license } = await anonymous.get('/addon/hebrew-only/license/');
    expect(license).toContain('<p class="lead"><bdi lang="he" dir="rtl">רישיון</bdi></p>');
  });
});

describe('the versions of an add-on', () => {
  it('end with the last page', async () => {
    await addon({ slug: 'few', versions: [{}, {}] });
    await addon({ slug: 'without-versions', type: 'persona', versions: [] });
    const statuses = async (slug: string) =>
      Promise.all(
        ['1', '2', '999999'].map(async (n) => (await anonymous.get(`/addon/${slug}/versions/?page=${n}`)).status),
      );
    expect(await statuses('few')).toEqual([200, 404, 404]);
    expect(await statuses('without-versions')).toEqual([200, 404, 404]);
  });

  it('have each their own licence', async () => {
    const own = (text: string) => ({ name: { 'en-US': `Terms ${text}` }, text: { 'en-US': `<p>${text}</p>` } });
    await addon({
      slug: 'relicensed',
      versions: [{ license: own('of old') }, { license: {} }, { license: own('of today') }],
    });
    const list = await anonymous.get('/addon/relicensed/versions/');
    const $ = documentOf(list);
    const links = $('a[href$="#license"]')
      .toArray()
      .map((link) => [$(link).attr('href'), $(link).text()]);
    expect(links).toEqual([
      ['/addon/relicensed/versions/3.0/#license', 'Terms of today'],
      ['/addon/relicensed/versions/2.0/#license', 'Licence of the authors'],
      ['/addon/relicensed/versions/1.0/#license', 'Terms of old'],
    ]);
    const old = await anonymous.get('/addon/relicensed/versions/1.0/');
    expect(old.text).toContain('<h2 id="license">');
    expect(textOf(old)).toContain('Terms of old of old');
    expect(textOf(old)).not.toContain('of today');
  });
});

describe('a category that only one application has', () => {
  it('has an address of its own for search engines', async () => {
    await addon({
      slug: 'for-phones',
      categories: [{ app: 'mobile_browser', slug: 'phones' }],
      versions: [{ compatibility: { mobile_browser: ['60.0', '*'] } }],
    });
    const { text } = await anonymous.get('/category/extension/phones/?app=mobile_browser&x=1');
    const canonical = documentOf({ text })('link[rel=canonical]').attr('href') ?? '';
    expect(canonical).toBe(`${app.config.BASE_URL}/category/extension/phones/?app=mobile_browser`);
    expect((await anonymous.get(new URL(canonical).pathname + new URL(canonical).search)).status).toBe(200);
  });
});

describe('the category "Other" of lightweight themes', () => {
  it('has its name in the language of the interface', async () => {
    await addon({
      type: 'persona',
      versions: [],
      categories: [{ app: 'desktop_browser', slug: 'other', name: { 'en-US': 'Other' } }],
    });
    const { text } = await owner.get('/developers/themes/new/?lang=de');
    expect(documentOf({ text })('option[value]:contains("Sonstiges")').text()).toMatch(/^Sonstiges(?: \(.+\))?$/);
  });
});

describe('a question about a version with many newer ones', () => {
  it('is replied to with that version', async () => {
    const waiting = { stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] };
    const newer = Array.from({ length: 30 }, () => ({}));
    const made = await addon({ authors, slug: 'long-lived', versions: [waiting, ...newer] });
    const [first] = made.versions;
    await addNotes(app, first?.id ?? 0, [{ action: 'more-information-requested', comments: `${'x'.repeat(199)}😀 y` }]);
    await app.sql('UPDATE review_queue SET is_information_requested = true WHERE version_id = $1', [first?.id]);
    const { text } = await owner.get('/developers/addon/long-lived/activity');
    expect(documentOf({ text })('main option[selected]').first().text()).toBe('1.0 (On this site)');
    // A quote is cut between characters.
    expect((await owner.get('/developers/')).text).toContain(`<q dir="auto">${'x'.repeat(199)}😀…</q>`);
  });
});
