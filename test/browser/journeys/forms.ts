import assert from 'node:assert/strict';
import type { Page, Response } from 'playwright-core';
import { PAGES_EN } from '../../../src/texts/pages.en.ts';
import { brokenPackage, xpi } from '../../support/packages.ts';
import { axeViolations } from '../axe.ts';
import { PHONE } from '../chromium.ts';
import { waitingUpload } from '../uploads.ts';
import { eventually, formNamed, type Journey, send, shows } from './journey.ts';
import { makeAddon } from './packages.ts';

/** Forms that are sent twice, and answers to what others started. */
export const formJourneys: readonly Journey[] = [
  {
    name: 'a double click makes one key, and its page sent again makes none',
    expects: /\/account\/keys\/ returned 409$/,
    async run({ account, open, suffix }) {
      const page = await open(await account());
      await page.goto('/account/keys/');
      const form = formNamed(page, 'new-key');
      const label = `Twice ${suffix}`;
      await form.locator('[name=label]').fill(label);
      const agreement = form.locator('[name=acceptDeveloperAgreement]');
      if ((await agreement.count()) > 0) await agreement.check();
      const button = form.locator('button[type=submit], button:not([type])').last();
      await Promise.all([page.waitForResponse(isPost), button.dblclick({ noWaitAfter: true })]);
      await eventually(async () => /Twice/.test(await page.locator('main').innerText()));
      await page.reload();
      await shows(page, 'was shown once');
      await page.goto('/account/keys/');
      assert.equal(await page.locator('tr', { hasText: label }).count(), 1);
    },
  },
  {
    name: 'a report is sent once by reload and by the history of the browser',
    async run({ account, open, suffix }) {
      const page = await open(await account());
      await page.goto('/addon/tab-notes/report/');
      const form = formNamed(page, 'report');
      await form.locator('[name=reason]').first().check();
      await form.locator('[name=message]').fill(`Sent twice, ${suffix}.`);
      assert.equal(await send(page, form), 200);
      const sent = new URL(page.url());
      await page.reload();
      assert.equal(new URL(page.url()).pathname, sent.pathname);
      await page.goBack();
      const again = formNamed(page, 'report');
      await again.locator('[name=reason]').first().check();
      await again.locator('[name=message]').fill(`Sent twice, ${suffix}.`);
      assert.equal(await send(page, again), 200);
      assert.match(new URL(page.url()).pathname, /^\/report\/\d+\/$/);
    },
  },
  {
    name: 'a way to sign in that the operator linked is seen and removed, but not the last one',
    async run({ account, open, hasScripts, setting }) {
      const visitor = await account();
      for (const subject of ['first', 'second']) {
        const words = [
          'user',
          'link',
          visitor.username,
          '--issuer',
          'https://id.example',
          '--subject',
          `${visitor.username}-${subject}`,
        ];
        await setting.service.run(...words);
      }
      const page = await open(visitor);
      await page.goto('/account/identities/');
      const rows = page.locator('#remove-identity tbody tr');
      assert.equal(await rows.count(), 2);
      if (hasScripts) assert.deepEqual(await axeViolations(page), []);
      await keepsInView(page, rows.first().locator('button'));
      await Promise.all([page.waitForURL(/done=remove-identity/), rows.first().locator('button').click()]);
      assert.equal(await rows.count(), 1);
      await shows(page, PAGES_EN['account.identities.only']);
      assert.equal(await rows.locator('button').count(), 0);
    },
  },
  {
    name: 'an invited author declines, is invited again and accepts',
    async run(traveller) {
      const [owner, invited] = [await traveller.account(), await traveller.account()];
      const hub = await makeAddon(traveller, owner, 'invitations');
      const [page, other] = [await traveller.open(owner), await traveller.open(invited)];
      for (const answer of ['decline-invitation', 'accept-invitation'] as const) {
        await page.goto(`${hub}authors/`);
        const form = formNamed(page, 'hub-author-invite');
        await form.locator('[name=account]').fill(invited.username);
        assert.equal(await send(page, form), 200);
        assert.equal((await other.goto(hub))?.status(), 404);
        await other.goto('/account/invitations/');
        if (traveller.hasScripts) assert.deepEqual(await axeViolations(other), []);
        for (const each of await other.locator('#main [name=form][value$=invitation] ~ button').all())
          await keepsInView(other, each);
        assert.equal(await send(other, formNamed(other, answer)), 200);
        await shows(other, PAGES_EN[`done.${answer}`]);
        await shows(other, PAGES_EN['account.invitations.none']);
      }
      assert.equal((await other.goto(hub))?.status(), 200);
      await page.goto(`${hub}authors/`);
      await shows(page, invited.username);
    },
  },
  {
    name: 'uploads that wait keep their button in view on a phone',
    async run({ account, open, hasScripts, setting }) {
      const visitor = await account();
      const origin = setting.service.url;
      const guid = (name: string) => `${name}-${visitor.username}@a-rather-long-name.example.org`;
      await waitingUpload(origin, visitor.authorization, await xpi({ guid: guid('valid') }));
      await waitingUpload(origin, visitor.authorization, await brokenPackage({ guid: guid('broken') }));
      const page = await open(visitor);
      for (const language of ['en', 'de', 'he']) {
        await page.goto(`/developers/?lang=${language}`);
        if (hasScripts) assert.deepEqual(await axeViolations(page), []);
        const items = page.locator('#waiting-uploads li');
        assert.equal(await items.count(), 2);
        for (const control of ['a.button', '.badge']) {
          await keepsInView(page, items.nth(0).locator(control));
          await keepsInView(page, items.nth(1).locator(control));
        }
      }
    },
  },
];

const isPost = (response: Response): boolean => response.request().method() === 'POST';

/** Whether an element is visible between the edges of a narrow window, and not cut by a box that scrolls. */
async function keepsInView(page: Page, element: ReturnType<Page['locator']>): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize(PHONE);
  const { left, right, edges } = await element.evaluate((found) => {
    const box = found.getBoundingClientRect();
    const around = (found.closest('.data-table') ?? document.documentElement).getBoundingClientRect();
    return { left: box.left, right: box.right, edges: [around.left, around.right] as const };
  });
  assert.ok(left >= edges[0] - 1 && right <= edges[1] + 1, `${await element.innerText()}: ${left} to ${right}`);
  if (before !== null) await page.setViewportSize(before);
}
