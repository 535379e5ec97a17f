import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PAGES_EN as en } from '../../../src/texts/pages.en.ts';
import { xpi } from '../../support/packages.ts';
import type { Account } from '../accounts.ts';
import { eventually, follow, formNamed, type Journey, send, shows, type Traveller } from './journey.ts';
import { commentByKeys, decideByKeys, movesOf } from './review-keys.ts';

/** From the queue to a decision. */
export const reviewingJourneys: readonly Journey[] = [
  {
    name: 'a reviewer reads the changes of a version, asks, gets an answer and approves',
    async run(traveller) {
      const [author, reviewer] = [await traveller.account(), await traveller.account('reviewer')];
      const [mine, review] = [await traveller.open(author), await traveller.open(reviewer)];
      const guid = `journey-review-${traveller.suffix}-${author.username}@example.org`;
      const name = `Read ${author.username}`;
      const hub = `/developers/addon/${encodeURIComponent(guid)}/activity`;
      await submit(traveller, author, await xpi({ guid, name, version: '1.0' }), guid);
      await openReview(review, name);
      await decide(review, 'approve', 'Small and clear.');
      await shows(review, 'Small and clear.');

      const files = { 'background.js': 'browser.storage.local.set({ started: false });\neval("true");\n' };
      await submit(traveller, author, await xpi({ guid, name, version: '2.0', files }), guid);
      await openReview(review, name);
      const page = review.url();
      assert.equal(await follow(review, review.locator('main a[href$="/compare/1.0...2.0/"]')), 200);
      // The first file that differs.
      await shows(review, 'browser.storage.local.set({ started: false });');
      assert.equal(await review.locator('.code-table tr.deleted').count(), 1);
      // The message of the validator is below its line.
      assert.equal(await review.locator('tr.inserted:has-text("eval") + tr.code-note .message-list li').count(), 1);

      await review.goto(page);
      await decide(review, 'request', 'Why is it off now?');
      await mine.goto(hub);
      await shows(mine, 'Why is it off now?');
      const reply = formNamed(mine, 'hub-reply');
      await reply.locator('[name=comments]').fill('Users switch it on.');
      assert.equal(await send(mine, reply), 200);
      await review.goto(page);
      await shows(review, 'Users switch it on.');
      await decide(review, 'approve', '');
      await mine.goto(hub);
      await shows(mine, /Approved.*Users switch it on\./s);
      await eventually(async () => {
        await mine.goto(`/addon/${encodeURIComponent(guid)}/versions/2.0/`);
        return (await mine.locator('#files + .facts', { hasText: en['addon.signed'] }).count()) === 1;
      });
    },
  },
  {
    name: 'two reviewers decide about one version: the second one gets the decision of the first',
    expects: / returned 409$/,
    async run(traveller) {
      const [author, one, other] = [
        await traveller.account(),
        await traveller.account('reviewer'),
        await traveller.account('reviewer'),
      ];
      const [first, second] = [await traveller.open(one), await traveller.open(other)];
      const guid = `journey-both-${traveller.suffix}-${author.username}@example.org`;
      const name = `Both ${author.username}`;
      await submit(traveller, author, await xpi({ guid, name, version: '1.0' }), guid);
      await openReview(first, name);
      await openReview(second, name);
      await decide(first, 'approve', 'Clear code.');
      const form = formNamed(second, 'review-decision');
      await form.locator('[name=decision][value=reject]').check();
      await form.locator('[name=comments]').fill('It sends data.');
      await second.locator('a[href="#decision"]').click();
      assert.equal(await send(second, form), 409);
      await landsAt(second, '.error-summary');
      await shows(second, /has approved version 1\.0.*Clear code\./s);
      assert.equal(await form.locator('[name=comments]').inputValue(), 'It sends data.');
      assert.equal(await form.locator('[name=decision][value=reject]').count(), 0);
      await form.locator('[name=decision][value=comment]').check();
      assert.equal(await send(second, form), 200);
      await shows(second, 'It sends data.');
    },
  },
  {
    name: 'a reviewer comments on a line, sends it with a question, and the author replies',
    async run(traveller) {
      const [author, reviewer] = [await traveller.account(), await traveller.account('reviewer')];
      const [mine, review] = [await traveller.open(author), await traveller.open(reviewer)];
      const guid = `journey-line-${traveller.suffix}-${author.username}@example.org`;
      const name = `Line ${author.username}`;
      const files = { 'background.js': 'let started = true;\nfetch("https://x.example");\n' };
      await submit(traveller, author, await xpi({ guid, name, version: '1.0', files }), guid);
      await openReview(review, name);
      const page = review.url();
      assert.equal(await follow(review, review.locator('main a[href$="/versions/1.0/files/"]')), 200);
      assert.equal(await follow(review, review.locator('main a', { hasText: 'background.js' }).first()), 200);
      const file = review.url();
      assert.equal(await follow(review, review.locator('#file-L2 .code-action a')), 200);
      await formNamed(review, 'line-comment').locator('[name=text]').fill('Wy this host?');
      assert.equal(await send(review, formNamed(review, 'line-comment')), 200);
      await shows(review, 'Wy this host?');

      await review.goto(page);
      const decision = formNamed(review, 'review-decision');
      const typed = 'Typed while a draft is edited.';
      await decision.locator('[name=comments]').fill(typed);
      await decision.locator('[name=decision][value=request]').check();
      assert.equal(await follow(review, review.locator('.line-list a.button')), 200);
      await formNamed(review, 'review-draft').locator('[name=text]').fill('Why this host?');
      assert.equal(await send(review, formNamed(review, 'review-draft')), 200);
      assert.equal(await send(review, formNamed(review, 'review-subscription')), 200);
      if (traveller.hasScripts) {
        assert.equal(await decision.locator('[name=comments]').inputValue(), typed);
        assert.ok(await decision.locator('[name=decision][value=request]').isChecked());
      }
      await decide(review, 'request', '');

      await mine.goto(`/developers/addon/${encodeURIComponent(guid)}/activity/`);
      await shows(mine, /background\.js:2.*fetch\("https:\/\/x\.example"\);.*Why this host\?/s);
      const reply = formNamed(mine, 'hub-reply');
      await reply.locator('[name=comments]').fill('It has the word list.');
      assert.equal(await send(mine, reply), 200);
      await mine.goto(file);
      await shows(mine, 'Why this host?');
      assert.equal(await mine.locator('.code-action').count(), 0);
      await review.goto(page);
      await shows(review, /Why this host\?.*It has the word list\./s);
    },
  },
  {
    name: 'a reviewer decides about three versions by keyboard only',
    // Another journey would decide about the next entry of the queue.
    isAlone: true,
    async run(traveller) {
      const [author, reviewer] = [await traveller.account(), await traveller.account('reviewer')];
      const nameOf = (number: number) => `Keys ${number} ${author.username}`;
      const guidOf = (number: number) => `journey-keys-${number}-${traveller.suffix}-${author.username}@example.org`;
      const submitted = async (number: number, version: string, script: string) => {
        const files = { 'background.js': script };
        const bytes = await xpi({ guid: guidOf(number), name: nameOf(number), version, files });
        await submit(traveller, author, bytes, guidOf(number));
      };
      const other = await traveller.open(reviewer);
      await submitted(1, '1.0', 'let started = true;\nlet ended = false;\n');
      await openReview(other, nameOf(1));
      await decide(other, 'approve', '');
      await submitted(1, '2.0', 'let started = true;\neval("started = false");\n');
      for (const number of [2, 3]) await submitted(number, '1.0', 'let started = true;\n');
      await openReview(other, nameOf(3));

      const page = await traveller.open(reviewer);
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') sent.push(request.url());
      });
      const moves = movesOf(page, traveller.hasScripts);
      const openByKeys = async (number: number) => {
        await moves.open('g q', page.locator('.site-nav a[href="/reviewers/"]'));
        await moves.reach('j', page.locator('main table a', { hasText: nameOf(number) }));
        await moves.open('Enter', null);
        await shows(page, nameOf(number));
      };
      await page.goto('/');
      await openByKeys(1);
      const review = page.url();
      await commentByKeys(page, moves, 'Why eval? j n g q');
      assert.equal(sent.length, 1);
      await moves.open('d', page.locator('.shortcut-links a[href$="#decision"]'));
      assert.equal(page.url(), `${review}#decision`);

      await decideByKeys(page, moves, { place: 1, comments: 'It runs any text.' });
      await shows(page, 'Why eval? j n g q');
      // The version that has waited longest is one of the demo.
      await moves.open('g n', page.locator('[data-key="g n"]'));
      assert.match(page.url(), /\/reviewers\/review\//);
      assert.notEqual(page.url(), review);
      await openByKeys(2);
      // The keys work from a radio button, too.
      await moves.reach('d', formNamed(page, 'review-decision').locator('[name=decision]').first());
      await openByKeys(2);
      await decideByKeys(page, moves, { place: 0, comments: 'Small and clear.' });
      await openByKeys(3);
      await decideByKeys(page, moves, { place: 2, comments: 'What is it for?' });
      assert.equal(sent.length, 4);
    },
  },
];

/** Submits a listed version, as a program of its author, and waits until it is in the queue. */
export async function submit(
  { setting }: Traveller,
  { authorization }: Account,
  bytes: Buffer,
  guid: string,
): Promise<void> {
  const api = `${setting.service.url}/api/v5/addons`;
  const call = async (path: string, init: RequestInit) => {
    const response = await fetch(`${api}/${path}`, { ...init, headers: { ...init.headers, authorization } });
    const text = await response.text();
    assert.ok(response.ok, text);
    return JSON.parse(text) as { uuid: string; valid: boolean };
  };
  const body = new FormData();
  body.set('channel', 'listed');
  body.set('upload', new Blob([new Uint8Array(bytes)]), 'addon.xpi');
  const { uuid } = await call('upload/', { method: 'POST', body });
  await eventually(async () => (await call(`upload/${uuid}/`, {})).valid);
  const listing = { summary: { 'en-US': 'Read by a reviewer.' }, categories: { firefox: ['other'] } };
  const version = { upload: uuid, license: 'MIT' };
  await call(`addon/${encodeURIComponent(guid)}/`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...listing, version }),
  });
}

/** Opens the page of the newest version of an add-on from the queue. */
export async function openReview(page: Page, name: string): Promise<void> {
  const entry = page.locator('main table a', { hasText: name });
  await eventually(async () => {
    await page.goto('/reviewers/?type=extension&channel=listed');
    return (await entry.count()) > 0;
  });
  assert.equal(await follow(page, entry.first()), 200);
}

/** Decides by way of the link to the form, and lands at the message with the way on, not at the form again. */
export async function decide(page: Page, decision: string, comments: string): Promise<void> {
  const form = formNamed(page, 'review-decision');
  await page.locator('a[href="#decision"]').click();
  await form.locator(`[name=decision][value=${decision}]`).check();
  await form.locator('[name=comments]').fill(comments);
  assert.equal(await send(page, form), 200);
  await landsAt(page, '.notice.ok a[href="/reviewers/"]');
}

/** @throws {AssertionError} unless the page was opened where one sees the element. */
async function landsAt(page: Page, selector: string): Promise<void> {
  const box = await page.locator(selector).boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  assert.ok(box !== null && box.y >= 0 && box.y + box.height <= height, `${selector} of ${page.url()} is at ${box?.y}`);
}
