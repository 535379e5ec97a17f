import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PAGES_EN as en } from '../../../src/texts/pages.en.ts';
import { HOSTILE_COLLECTION, HOSTILE_SLUG, LONG_SLUG } from '../hostile.ts';
import { followByKeys, formNamed, isAccessible, type Journey, sendByKeys, shows, type Traveller } from './journey.ts';

/** What visitors do with collections, by keyboard. */
export const collectingJourneys: readonly Journey[] = [
  { name: 'an add-on is collected, the collection is shared, followed and deleted', run: collectAndShare },
];

async function collectAndShare(traveller: Traveller): Promise<void> {
  const { account, open, suffix } = traveller;
  const page = await open(await account());
  const name = `Writing ${suffix}`;
  await page.goto('/addon/tab-notes/');
  assert.equal(await followByKeys(page, page.locator('a[href="/addon/tab-notes/collect/"]').first()), 200);
  await isAccessible(page, traveller);
  const fields = { name, description: `For drafts, and for letters ${suffix}`, isPublic: '' };
  assert.equal(await sendByKeys(page, formNamed(page, 'collect-new'), fields), 200);
  await addTo(page, `For drafts ${suffix}`);
  await isAccessible(page, traveller);
  const own = new URL(page.url()).pathname;
  assert.equal(own, `/account/collections/writing-${suffix}/`);
  const shared = await page.locator('main a[href^="/collections/"]').first().getAttribute('href');

  const visitor = await open(await account(), { locale: 'he' });
  assert.equal((await visitor.goto(shared ?? ''))?.status(), 403);
  assert.equal(await sendByKeys(page, formNamed(page, 'collection-change'), { isPublic: 'true' }), 200);
  assert.equal((await visitor.reload())?.status(), 200);
  assert.equal(await visitor.locator('html').getAttribute('dir'), 'rtl');
  await shows(visitor, name);
  await shows(visitor, `For drafts ${suffix}`);
  await isAccessible(visitor, traveller);
  const feed = (await visitor.locator('main a[href$="feed.atom"]').getAttribute('href')) ?? '';
  assert.deepEqual(await entriesOf(visitor, feed), ['tab-notes']);
  const hostile = await entriesOf(visitor, `/collections/${HOSTILE_COLLECTION}/feed.atom`);
  assert.deepEqual(hostile.toSorted(), [HOSTILE_SLUG, LONG_SLUG]);

  await page.goto('/addon/reading-time/collect/');
  await addTo(page, '');
  assert.deepEqual(await entriesOf(visitor, feed), ['reading-time', 'tab-notes']);
  await visitor.reload();
  assert.equal(await followByKeys(visitor, visitor.locator('main a[href$="/addon/reading-time/"]').first()), 200);

  await page.goto('/account/collections/');
  await isAccessible(page, traveller);
  assert.equal(await followByKeys(page, page.locator(`tbody a[href="${own}"]`)), 200);
  assert.equal(await sendByKeys(page, formNamed(page, 'collection-remove'), {}), 200);
  await shows(page, en['done.collection-remove']);
  assert.equal(await page.locator(`main a[href="${own}"]`).count(), 0);
  for (const gone of [shared ?? '', feed]) assert.equal((await visitor.request.get(gone)).status(), 404);
}

/** Adds the add-on of the page to the collection that was changed last. */
async function addTo(page: Page, notes: string): Promise<void> {
  assert.equal(await sendByKeys(page, formNamed(page, 'collect'), notes === '' ? {} : { notes }), 200);
  await shows(page, en['done.collect']);
}

/** The slugs of the add-ons in a feed, which must be well-formed, in its order. */
async function entriesOf(page: Page, feed: string): Promise<string[]> {
  // Callbacks do not run where scripts are off.
  const slugs = await page.evaluate((address) => {
    const request = new XMLHttpRequest();
    request.open('GET', address, false);
    request.send();
    const links = request.responseXML?.querySelectorAll('entry > link[rel=alternate]');
    return links && [...links].map((link) => link.getAttribute('href')?.split('/').at(-2) ?? '');
  }, feed);
  assert.ok(slugs, `${feed} is not well-formed`);
  return slugs;
}
