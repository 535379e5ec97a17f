import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { brokenPackage, xpi } from '../../support/packages.ts';
import { download, eventually, follow, formNamed, type Journey, send, shows, verify } from './journey.ts';
import { approve, choosePackage, reaches, sendPackage, uploadOf } from './packages.ts';

/** From a broken package to a signed version. */
export const publishingJourneys: readonly Journey[] = [
  {
    name: 'a broken package is dropped, its report followed live, and the fixed one reviewed and signed',
    needsScripts: true,
    expects: /\/events returned 503$/,
    async run(traveller) {
      const author = await traveller.account();
      const page = await traveller.open(author);
      const guid = `journey-drop-${author.username}@example.org`;
      const form = await openUpload(page);
      const files = { 'noise.bin': randomBytes(NOISE_BYTES) };
      await choosePackage(form, { channel: 'LISTED', bytes: await brokenPackage({ guid, files }), isDropped: true });
      await interruptUpload(page, form);
      await sendPackage(page, form);
      await watch(page);
      await reaches(page, 'INVALID');
      await showsMistake(page);
      assert.equal(await isSameDocument(page), true);

      const repaired = await openUpload(page);
      await choosePackage(repaired, {
        channel: 'LISTED',
        bytes: await xpi({ guid, name: 'Dropped' }),
        isDropped: true,
      });
      await sendPackage(page, repaired);
      await reaches(page, 'VALID');
      await follow(page, page.locator('main a[href^="/developers/submit/"]').first());
      const submission = formNamed(page, 'hub-submit-addon');
      await submission.locator('[name=summary]').fill('It was broken once.');
      await submission.locator('[name=categories]').first().check();
      await submission.locator('[name=license]').selectOption({ index: 1 });
      await submission.locator('[name=warningsSeen]').check();
      assert.equal(await send(page, submission), 200);
      await followApproval(page, () => approve(traveller, author, uploadOf(page)));
    },
  },
  {
    name: 'a broken package is sent by form, its report refreshed, and the fixed one signed',
    async run(traveller) {
      const author = await traveller.account();
      const page = await traveller.open(author);
      const guid = `journey-form-${author.username}@example.org`;
      const form = await openUpload(page);
      await choosePackage(form, { channel: 'UNLISTED', bytes: await brokenPackage({ guid }) });
      await sendPackage(page, form);
      await reaches(page, 'INVALID');
      await showsMistake(page);
      await page.goto('/developers/');
      assert.equal(await follow(page, page.locator('#waiting-uploads a.button').first()), 200);
      await showsMistake(page);

      const repaired = await openUpload(page);
      await choosePackage(repaired, { channel: 'UNLISTED', bytes: await xpi({ guid, name: 'Sent by form' }) });
      await sendPackage(page, repaired);
      await reaches(page, 'VALID');
      await page.goto('/developers/');
      await follow(page, page.locator('#waiting-uploads a[href^="/developers/submit/"]').first());
      const submission = formNamed(page, 'hub-submit-addon');
      await submission.locator('[name=releaseNotes]').fill('The first one.');
      await submission.locator('[name=warningsSeen]').check();
      assert.equal(await send(page, submission), 200);
      // The overview follows the signing, and leads to the file.
      await page.locator('#progress a[href*="/developers/file/"]').first().waitFor({ timeout: SIGNING_MS });
      const versions = `${new URL(page.url()).pathname}versions`;
      await follow(page, page.locator('main a[href^="/validation/"]').first());
      await reaches(page, 'SIGNED');

      await page.goto(versions);
      await follow(page, page.locator('section[aria-labelledby=versions] th a').first());
      const href = (await page.locator('.facts a[href*="/developers/file/"]').first().getAttribute('href')) ?? '';
      const file = await download(page, href);
      assert.match(await verify(file, traveller), /the signature is valid/);
    },
  },
];

/** How long a signature may take, in milliseconds. */
const SIGNING_MS = 300_000;

/** Opens the form for a new add-on. Before the first package, it has the developer agreement in its place. */
async function openUpload(page: Page): Promise<Locator> {
  await page.goto('/developers/submit/');
  const agreement = formNamed(page, 'hub-agreement');
  if ((await agreement.count()) > 0) assert.equal(await send(page, agreement), 200);
  return formNamed(page, 'hub-upload');
}

/** The report names the mistake of a broken package, with its place and the line. */
async function showsMistake(page: Page): Promise<void> {
  await shows(page, /background\.js, line 2, column \d+/);
  await shows(page, 'const broken = ;');
}

const NOISE_BYTES = 300_000;
/** In bytes per second. */
const SLOW = 60_000;

/** Cancels a slow upload, then loses the connection during another. The form keeps what was chosen. */
async function interruptUpload(page: Page, form: Locator): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const network = (offline: boolean, uploadThroughput: number) => {
    const conditions = { offline, latency: 0, downloadThroughput: -1, uploadThroughput };
    return session.send('Network.emulateNetworkConditions', conditions);
  };
  const state = form.locator('.upload-state');
  const [bar, cancel, button] = [
    state.locator('progress'),
    state.locator('button'),
    form.locator('button[type=submit]'),
  ];
  const isFocused = (control: Locator) => control.evaluate((element) => element === document.activeElement);

  await network(false, SLOW);
  await button.click();
  await eventually(async () => {
    const sent = await bar.evaluate((element) => (element as HTMLProgressElement).value);
    return sent > 0 && sent < 100;
  });
  assert.deepEqual([await isFocused(cancel), await button.isDisabled()], [true, true]);
  await cancel.click();
  await state.locator('[data-stopped]').waitFor();
  assert.deepEqual([await bar.isVisible(), await cancel.isVisible(), await isFocused(button)], [false, false, true]);

  await network(true, -1);
  await button.click();
  await state.locator('[data-failed]').waitFor();
  assert.equal(await isFocused(button), true);
  await network(false, -1);
  await session.detach();
  assert.equal(new URL(page.url()).pathname, '/developers/submit/');
}

/** Marks the document of a page. */
const watch = (page: Page): Promise<void> => page.evaluate(() => void Object.assign(window, { isWatched: true }));

const isSameDocument = (page: Page): Promise<boolean> => page.evaluate(() => 'isWatched' in window);

/**
 * Follows a review on two pages: one loses its stream of events and connects again, one is refused the stream and looks from time to
 * time. Neither is loaded again.
 */
async function followApproval(page: Page, approved: () => Promise<void>): Promise<void> {
  const polling = await page.context().newPage();
  let connections = 0;
  await page.route('**/validation/*/events', (route) => {
    connections += 1;
    if (connections > 1) return route.continue();
    return route.fulfill({ contentType: 'text/event-stream', body: 'retry: 100\n\n' });
  });
  await polling.route('**/validation/*/events', (route) => route.fulfill({ status: 503, body: '' }));
  await follow(page, page.locator('main a[href^="/validation/"]').first());
  await polling.goto(page.url());
  for (const each of [page, polling]) {
    await reaches(each, 'AWAITING_REVIEW');
    await watch(each);
  }
  await eventually(async () => connections > 1);
  await approved();
  for (const each of [page, polling]) {
    await reaches(each, 'SIGNED');
    assert.equal(await isSameDocument(each), true);
    assert.equal(await each.locator('[data-events]').count(), 0);
  }
}
