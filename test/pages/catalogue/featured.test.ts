import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';
import { documentOf, textOf, Visitor } from '../../support/pages.ts';

const app = setUpApp();
let visitor: Visitor;

const CATEGORY = { app: 'desktop_browser', slug: 'tabs' };

async function feature(slug: string, locale: string | null): Promise<void> {
  const place = { app: 'desktop_browser', locale };
  const featured = [place, { ...place, category: 'tabs' }];
  await addon({ slug, name: { 'en-US': slug }, categories: [CATEGORY], featured });
}

beforeAll(async () => {
  visitor = new Visitor(app);
  await feature('for-all', null);
  await feature('for-german', 'de');
  await feature('for-dutch', 'nl');
});

const IN_GERMAN = { 'Accept-Language': 'de' };
/** A language that the interface does not have. */
const IN_DUTCH = { 'Accept-Language': 'nl' };
const IN_ENGLISH = { 'Accept-Language': 'en-US' };

/** The slugs of the add-ons that the shelf of featured ones links. */
async function shelfOf(path: string, headers: Record<string, string>): Promise<string[]> {
  const $ = documentOf(await visitor.get(path, headers));
  const links = $('section[aria-labelledby="featured"] a[href*="/addon/"]').toArray();
  return [...new Set(links.map((link) => String($(link).attr('href')).split('/').at(-2) ?? ''))].sort();
}

describe('featured add-ons', () => {
  it.each(['/', '/category/extension/tabs/?app=desktop_browser'])(
    'are those for all languages and for that of the visitor on %s',
    async (path) => {
      expect(await shelfOf(path, IN_ENGLISH)).toEqual(['for-all']);
      expect(await shelfOf(path, IN_GERMAN)).toEqual(['for-all', 'for-german']);
      expect(await shelfOf(path, IN_DUTCH)).toEqual(['for-all', 'for-dutch']);
    },
  );

  it('are counted for the language of the visitor in the list of all', async () => {
    const path = '/search/?featured=true&app=desktop_browser';

    expect(textOf(await visitor.get(path, IN_ENGLISH))).toMatch(/All add-ons 1 add-on /);
    const german = textOf(await visitor.get(path, IN_GERMAN));
    expect(german).toContain('for-german');
    expect(german).not.toContain('for-dutch');
  });

  it('are those for any language in the API without a language', async () => {
    const { json } = await app.anonymous.get('/api/v4/addons/featured/?app=desktop_browser', IN_ENGLISH);

    expect((json as { results: unknown[] }).results).toHaveLength(3);
  });
});
