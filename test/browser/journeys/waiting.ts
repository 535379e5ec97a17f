import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PAGES_EN as en } from '../../../src/texts/pages.en.ts';
import { xpi } from '../../support/packages.ts';
import { eventually, follow, type Journey, shows, type Traveller } from './journey.ts';
import { decide, openReview, submit } from './reviewing.ts';

/** Pages with parts that are not ready when they are opened. */
export const waitingJourneys: readonly Journey[] = [
  {
    name: 'a reviewer opens a version whose files are still compared, loads the page again and gets the rest',
    run: readLater,
  },
];

/** Texts without a line in common take the limit of time to compare: a second each, and the page waits for one and a half. */
const filesOf = (version: string): Record<string, string> =>
  Object.fromEntries(
    ['a.txt', 'b.txt', 'c.txt'].map((path) => [
      path,
      Array.from({ length: 20_000 }, (_, line) => `${path} ${version} ${line}`).join('\n'),
    ]),
  );

async function readLater(traveller: Traveller): Promise<void> {
  const [author, reviewer] = [await traveller.account(), await traveller.account('reviewer')];
  const review = await traveller.open(reviewer);
  const guid = `journey-later-${traveller.suffix}-${author.username}@example.org`;
  const name = `Later ${author.username}`;
  const packageOf = (version: string) => xpi({ guid, name, version, files: filesOf(version) });
  await submit(traveller, author, await packageOf('1.0'), guid);
  await openReview(review, name);
  await decide(review, 'approve', 'Only texts.');
  const addon = `/addon/${encodeURIComponent(guid)}/`;
  await eventually(async () => (await (await traveller.open('anonymous')).goto(addon))?.status() === 200);
  await submit(traveller, author, await packageOf('2.0'), guid);
  await openReview(review, name);
  await loadsAgain(review, traveller);
  assert.equal(await review.locator('main a[href$="/compare/1.0...2.0/"]').count(), 1);
  await shows(review, 'c.txt');
}

/** A script of the page renews the part that waits; without scripts, its link does. */
async function loadsAgain(page: Page, { hasScripts }: Traveller): Promise<void> {
  const section = page.locator('section:has(> #changes)');
  if (!hasScripts) {
    await shows(page, en['review.changes.reading']);
    const again = section.getByRole('link', { name: en['review.reading.again'] });
    await eventually(async () => {
      if ((await again.count()) > 0) assert.equal(await follow(page, again), 200);
      return (await again.count()) === 0;
    });
  }
  await eventually(async () => (await page.locator('#checks[data-events]').count()) === 0);
  assert.equal(await section.getByText(en['review.changes.reading']).count(), 0);
}
