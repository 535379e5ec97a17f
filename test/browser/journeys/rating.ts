import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PAGES_EN as en } from '../../../src/texts/pages.en.ts';
import type { Account } from '../accounts.ts';
import { download, follow, formNamed, type Journey, send, shows, type Traveller } from './journey.ts';

const LIST = '/addon/reading-time/reviews/';

/** What visitors do with add-ons that others may read: ratings and collections. */
export const ratingJourneys: readonly Journey[] = [
  { name: 'an add-on is rated, the rating is edited, and its author replies', run: rateAndReply },
  { name: 'an add-on is collected, the collection is shared and followed', run: collectAndShare },
];

async function rateAndReply({ account, open, suffix }: Traveller): Promise<void> {
  const writer = await account();
  const page = await open(writer);
  const path = await rate(page, writer, suffix);
  const edited = `It counts footnotes twice, ${writer.username} ${suffix}`;
  await page.goto(path);
  const edit = formNamed(page, 'rating-edit');
  await edit.locator('[name=score][value="3"]').check();
  await edit.locator('[name=body]').fill(edited);
  assert.equal(await send(page, edit), 200);
  await shows(page, edited);

  const author = await open('developer');
  await author.goto('/developers/addon/reading-time/');
  assert.equal(await follow(author, author.locator('dd a[href$="/reviews/?answered=no"]')), 200);
  const rated = author.locator('.rating-item', { hasText: edited });
  assert.equal(await follow(author, rated.locator(`a[href="${path}#rating-reply"]`)), 200);
  const reply = formNamed(author, 'rating-reply');
  await reply.locator('[name=body]').fill(`Fixed in the next version, ${writer.username}.`);
  assert.equal(await send(author, reply), 200);
  await page.goto(LIST);
  await shows(page, `Fixed in the next version, ${writer.username}.`);
}

/** Rates by the link of the page of the add-on. Returns the path of the rating. */
async function rate(page: Page, { username }: Account, suffix: string): Promise<string> {
  await page.goto('/addon/reading-time/');
  assert.equal(await follow(page, page.locator(`a[href="${LIST}"]`).first()), 200);
  const form = formNamed(page, 'rate');
  await form.locator('[name=score][value="2"]').check();
  await form.locator('[name=body]').fill(`It counts too much, ${username} ${suffix}`);
  assert.equal(await send(page, form), 200);
  await shows(page, `It counts too much, ${username} ${suffix}`);
  return new URL(page.url()).pathname;
}

async function collectAndShare({ account, open, suffix }: Traveller): Promise<void> {
  const page = await open(await account());
  await page.goto('/addon/tab-notes/');
  assert.equal(await follow(page, page.locator('a[href="/addon/tab-notes/collect/"]').first()), 200);
  assert.equal(await follow(page, page.locator('main a[href="/account/collections/#new"]')), 200);
  const made = formNamed(page, 'collection-new');
  await made.locator('[name=name]').fill(`Writing ${suffix}`);
  await made.locator('[name=slug]').fill(`writing-${suffix}`);
  await made.locator('[name=isPublic]').check();
  assert.equal(await send(page, made), 200);
  await page.goto('/addon/tab-notes/collect/');
  const collect = formNamed(page, 'collect');
  await collect.locator('[name=collection]').selectOption({ label: `Writing ${suffix}` });
  await collect.locator('[name=notes]').fill(`For drafts ${suffix}`);
  assert.equal(await send(page, collect), 200);
  assert.equal(await follow(page, page.getByRole('link', { name: en['account.collections.open'], exact: true })), 200);

  const visitor = await open('anonymous');
  await visitor.goto(new URL(page.url()).pathname);
  await shows(visitor, `Writing ${suffix}`);
  await shows(visitor, `For drafts ${suffix}`);
  const feed = (await visitor.locator('main a[href$="feed.atom"]').getAttribute('href')) ?? '';
  assert.match((await download(visitor, feed)).toString(), /<entry>[\s\S]*\/addon\/tab-notes\//);
  assert.equal(await follow(visitor, visitor.locator('main a[href$="/addon/tab-notes/"]').first()), 200);
}
