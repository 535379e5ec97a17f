import { SaxesParser } from 'saxes';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { documentOf, textOf, Visitor, visitorOf } from '../../support/pages.ts';

const NOTES = '<b>First</b> of <a href="https://elsewhere.example/">all</a>';
const HOSTILE = 'A <b>name</b> & "more" \u{7}';

const app = setUpApp();
let anonymous: Visitor;
let owner: Visitor;
let shown: MadeAddon;
let theme: MadeAddon;
let hidden: MadeAddon;

beforeAll(async () => {
  anonymous = new Visitor(app);
  const developer = await app.developer();
  owner = await visitorOf(app, developer);
  const authors = [Number(developer.accountId)];
  shown = await addon({
    authors,
    slug: 'shown',
    name: { 'en-US': HOSTILE, de: 'Ein Name' },
    summary: { 'en-US': 'A <i>summary</i> & more' },
    created: new Date('2025-01-01T00:00:00Z'),
    lastUpdated: new Date('2026-03-01T00:00:00Z'),
    categories: [{ app: 'desktop_browser', slug: 'tabs' }],
    versions: [
      { version: '1.0', reviewed: new Date('2025-01-02T00:00:00Z'), releaseNotes: { 'en-US': NOTES } },
      { version: '1.1', reviewed: new Date('2026-03-01T00:00:00Z'), releaseNotes: { 'en-US': 'Faster.' } },
      { version: '1.2', channel: 'unlisted' },
    ],
  });
  theme = await addon({
    authors,
    type: 'statictheme',
    slug: 'a-theme',
    created: new Date('2025-06-01T00:00:00Z'),
    lastUpdated: new Date('2025-06-02T00:00:00Z'),
  });
  hidden = await addon({ authors, slug: 'withdrawn', isDisabledByDeveloper: true });
});

/** Parses a document, and returns the texts of its elements in the order of the document. @throws unless it is well-formed. */
function elementsOf(xml: string): { path: string; text: string }[] {
  const found: { path: string; text: string }[] = [];
  const open: { path: string; text: string }[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ local }) => {
    const element = { path: [...open.map(({ path }) => path.split('/').at(-1)), local].join('/'), text: '' };
    open.push(element);
    found.push(element);
  });
  parser.on('text', (text) => {
    const current = open.at(-1);
    if (current) current.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return found;
}

const textsAt = (xml: string, path: string): string[] =>
  elementsOf(xml)
    .filter((element) => element.path === path)
    .map(({ text }) => text);

describe('/feeds/new.atom', () => {
  it('lists public add-ons, newest first, with stable ids and dates', async () => {
    const { status, headers, text } = await anonymous.get('/feeds/new.atom');
    expect([status, headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    const host = new URL(app.config.BASE_URL).hostname;
    expect(textsAt(text, 'feed/entry/id')).toEqual([theme, shown].map(({ id }) => `tag:${host},2026:addon/${id}`));
    expect(textsAt(text, 'feed/updated')).toEqual(['2025-06-01T00:00:00Z']);
    expect(textsAt(text, 'feed/entry/updated')).toEqual(['2025-06-01T00:00:00Z', '2025-01-01T00:00:00Z']);
    expect(textsAt(text, 'feed/entry/title')).toContain('A <b>name</b> & "more" ');
    expect(textsAt(text, 'feed/entry/summary')).toContain('A <i>summary</i> & more');
    expect(text).toContain(`href="${app.config.BASE_URL}/addon/shown/"`);
    expect(text).not.toContain('withdrawn');
    expect((await anonymous.get('/feeds/new.atom', { 'If-None-Match': String(headers.etag) })).status).toBe(304);
  });

  it('is filtered by type and category, and refuses unknown types', async () => {
    expect(textsAt((await anonymous.get('/feeds/new.atom?type=statictheme')).text, 'feed/entry/id')).toHaveLength(1);
    const tabs = await anonymous.get('/feeds/new.atom?type=extension&category=tabs');
    expect(textsAt(tabs.text, 'feed/entry/title')).toHaveLength(1);
    expect(tabs.text).toContain('<category term="tabs"/>');
    const empty = await anonymous.get('/feeds/new.atom?type=dictionary');
    expect(textsAt(empty.text, 'feed/updated')).toEqual(['1970-01-01T00:00:00Z']);
    for (const type of ['nonsense', '__proto__', 'constructor']) {
      expect((await anonymous.get(`/feeds/new.atom?type=${type}`)).status).toBe(400);
    }
    expect((await anonymous.get('/feeds/new.atom?category=%00&type=extension')).status).toBe(400);
  });

  it('is in the language of the reader', async () => {
    const { text } = await anonymous.get('/feeds/new.atom?lang=de');
    expect(textsAt(text, 'feed/entry/title')).toContain('Ein Name');
    expect(textsAt(text, 'feed/title')).toEqual([`Neue Add-ons – ${app.config.SITE_NAME}`]);
    expect(text).toContain('xml:lang="de"');
  });
});

describe('/feeds/updated.atom', () => {
  it('is in the order of the last change', async () => {
    const { text } = await anonymous.get('/feeds/updated.atom');
    expect(textsAt(text, 'feed/entry/updated')).toEqual(['2026-03-01T00:00:00Z', '2025-06-02T00:00:00Z']);
  });
});

describe('/addon/<ref>/feed.atom', () => {
  it('lists public versions, newest first', async () => {
    const { status, text } = await anonymous.get('/addon/shown/feed.atom');
    expect(status).toBe(200);
    expect(textsAt(text, 'feed/entry/updated')).toEqual(['2026-03-01T00:00:00Z', '2025-01-02T00:00:00Z']);
    // Notes are HTML, with the links of a page.
    const [, first = ''] = textsAt(text, 'feed/entry/summary');
    expect(textsAt(text, 'feed/entry/summary')).toEqual([
      'Faster.',
      expect.stringMatching(/^<b>First<\/b> of <a href="/),
    ]);
    expect(first).toContain('/outgoing/');
    expect(text.match(/<summary type="html"/g)).toHaveLength(2);
    expect((await anonymous.get(`/addon/${shown.id}/feed.atom`)).text).toBe(text);
  });

  it('hides add-ons that are not public from all but their developers', async () => {
    expect((await anonymous.get('/addon/withdrawn/feed.atom')).status).toBe(404);
    expect((await anonymous.get('/addon/no-such-addon/feed.atom')).status).toBe(404);
    const stranger = await visitorOf(app, await app.developer());
    expect((await stranger.get(`/addon/${hidden.id}/feed.atom`)).status).toBe(404);
    const own = await owner.get('/addon/withdrawn/feed.atom');
    expect([own.status, own.headers['cache-control']]).toEqual([200, 'private, no-store']);
  });
});

describe('/robots.txt', () => {
  it('names the sitemap and what crawlers leave out', async () => {
    const { headers, text } = await anonymous.get('/robots.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toMatch(/^User-agent: \*\n(Disallow: \/\S+\n)+Sitemap: \S+\/sitemap\.xml\n$/);
    for (const path of ['/search/', '/developers/', '/account/']) expect(text).toContain(`Disallow: ${path}\n`);
  });
});

describe('/sitemap.xml', () => {
  it('is an index of parts that list every public add-on', async () => {
    await addon({ id: 30_000, slug: 'far' });
    const index = await anonymous.get('/sitemap.xml');
    expect(index.headers['content-type']).toBe('application/xml; charset=utf-8');
    const parts = textsAt(index.text, 'sitemapindex/sitemap/loc');
    expect(parts.map((url) => new URL(url).pathname)).toEqual([
      '/sitemap/pages.xml',
      '/sitemap/addons/0.xml',
      '/sitemap/addons/2.xml',
    ]);
    const [, first = '', second = ''] = await Promise.all(
      parts.map(async (url) => (await anonymous.get(new URL(url).pathname)).text),
    );
    expect(textsAt(first, 'urlset/url/loc')).toEqual(
      ['shown', 'a-theme'].map((slug) => `${app.config.BASE_URL}/addon/${slug}/`),
    );
    expect(textsAt(first, 'urlset/url/lastmod')[0]).toBe('2026-03-01T00:00:00Z');
    expect(textsAt(second, 'urlset/url/loc')).toEqual([`${app.config.BASE_URL}/addon/far/`]);
  });

  it.each(['1.xml', '99999.xml', '999999999.xml', '-1.xml', '0', 'x.xml', '0.xml.gz'])(
    'has no part %s',
    async (part) => {
      expect((await anonymous.get(`/sitemap/addons/${part}`)).status).toBe(404);
    },
  );
});

describe('the description of the search, and the icon', () => {
  it('are what the pages link', async () => {
    const page = await anonymous.get('/preferences/');
    expect(page.text).toContain('href="/opensearch.xml"');
    const search = await anonymous.get('/opensearch.xml');
    expect(search.headers['content-type']).toBe('application/opensearchdescription+xml; charset=utf-8');
    expect(search.text).toContain(`template="${app.config.BASE_URL}/search/?q={searchTerms}"`);
    expect(textsAt(search.text, 'OpenSearchDescription/InputEncoding')).toEqual(['UTF-8']);
    const icon = await anonymous.get('/favicon.svg');
    expect([icon.status, icon.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(elementsOf(icon.text).map(({ path }) => path)).toEqual(['svg', 'svg/rect', 'svg/path']);
  });
});

/** The slugs of the add-ons that links of a page lead to. */
function slugsIn(text: string, selector: string): (string | undefined)[] {
  const $ = documentOf({ text });
  const links = $(selector)
    .toArray()
    .map((link) => /\/addon\/([^/]+)\/$/.exec($(link).attr('href') ?? ''));
  return links.flatMap((match) => (match ? [match[1]] : []));
}

describe('/collections/<path>/', () => {
  beforeAll(async () => {
    const { db } = await import('../../../src/infra/db.ts');
    await db.collection.create({ data: { path: 'Someone/The List', guids: [hidden.guid, theme.guid, shown.guid] } });
    await db.collection.create({ data: { path: 'empty', guids: [hidden.guid] } });
    await db.replacement.create({ data: { guid: 'Old@legacy.example', guids: [shown.guid, hidden.guid] } });
    await db.replacement.create({
      data: { guid: 'gone@legacy.example', path: 'https://elsewhere.example/', guids: [] },
    });
  });

  it('shows the public add-ons in their order', async () => {
    const { status, text } = await anonymous.get('/collections/someone/the%20list/');
    expect(status).toBe(200);
    expect(slugsIn(text, 'h2 > a')).toEqual(['a-theme', 'shown']);
    expect(text).toContain(`<link rel="canonical" href="${app.config.BASE_URL}/collections/Someone/The%20List/">`);
    expect(text).not.toContain('withdrawn');
    expect(textOf({ text })).toContain('2 add-ons');
  });

  it('states when none is public, and returns 404 otherwise', async () => {
    const { text } = await anonymous.get('/collections/empty/');
    expect(textOf({ text })).toContain('None of its add-ons is public at the moment.');
    for (const path of ['none', 'someone', 'a/b/c', 'a/b/c/d', '%00']) {
      expect((await anonymous.get(`/collections/${path}/`)).status).toBe(404);
    }
  });
});

describe('/replacements/', () => {
  it('has a form, and shows the public replacements of a guid in any case', async () => {
    const form = await anonymous.get('/replacements/');
    expect([form.status, form.text.includes('robots')]).toEqual([200, false]);
    const { text } = await anonymous.get('/replacements/?guid=+OLD@legacy.example');
    expect(text).toContain('value="OLD@legacy.example"');
    expect(slugsIn(text, 'h3 > a')).toEqual(['shown']);
  });

  it.each(['gone@legacy.example', 'unknown@legacy.example', '"><script>alert(1)</script>', 'x'.repeat(5_000)])(
    'leads to the search for %s',
    async (guid) => {
      const { status, text } = await anonymous.get(`/replacements/?guid=${encodeURIComponent(guid)}`);
      expect(status).toBe(200);
      expect(text).toContain('<a href="/search/">');
      expect(text).not.toContain('<script>alert');
    },
  );

  it('leaves out a NUL, and says so', async () => {
    expect(textOf(await anonymous.get('/replacements/?guid=%00'))).toContain('ignored: guid=');
  });
});
