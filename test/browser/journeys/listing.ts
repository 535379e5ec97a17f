import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PAGES_EN as en } from '../../../src/texts/pages.en.ts';
import { xpi } from '../../support/packages.ts';
import type { Account } from '../accounts.ts';
import { eventually, follow, formNamed, type Journey, send, shows } from './journey.ts';
import { approve, choosePackage, makeAddon, reaches, sendPackage } from './packages.ts';

/** What authors do with the listing of an add-on, and with each other. */
export const listingJourneys: readonly Journey[] = [
  {
    name: 'a listing is written in three languages and edited by two authors at once',
    async run(traveller) {
      const [owner, other] = [await traveller.account(), await traveller.account()];
      const hub = await makeAddon(traveller, owner, 'languages');
      const page = await traveller.open(owner);
      await addAuthor(page, await traveller.open(other), hub, other);
      await page.goto(`${hub}edit/`);
      await fillTexts(page, { 'summary.en-US': 'Counts birds.' });
      await addLanguage(page, 'de');
      await fillTexts(page, { 'name.de': 'Vogelzähler', 'summary.de': 'Zählt Vögel.' });
      await addLanguage(page, 'he');
      assert.equal(await page.locator('[name="summary.he"]').getAttribute('dir'), 'rtl');
      await saveTexts(page, { 'name.he': 'סופר ציפורים', 'summary.he': 'סופר ציפורים בגן.' });
      for (const [language, name] of [['de', 'Vogelzähler'] as const, ['he', 'סופר ציפורים'] as const]) {
        await page.goto(`${hub}?lang=${language}`);
        assert.equal(await page.locator('h1').innerText(), name);
      }
      await editTogether(page, await traveller.open(other), `${hub}edit/?lang=en`);
    },
  },
  {
    name: 'an add-on that is not visible becomes public',
    async run(traveller) {
      const author = await traveller.account();
      const hub = await makeAddon(traveller, author, 'hidden');
      const guid = decodeURIComponent(hub.split('/')[3] ?? '');
      const page = await traveller.open(author);
      const why = page.locator('#visibility');
      await page.goto(hub);
      await shows(page, en['hub.overview.self-distributed']);
      assert.equal(await why.locator('a').count(), 0);
      await follow(page, page.locator('main a.button[href$="/versions/new"]').first());
      assert.equal(await send(page, formNamed(page, 'hub-agreement')), 200);

      const form = formNamed(page, 'hub-version');
      const bytes = await xpi({ guid, version: '1.1' });
      await choosePackage(form, { channel: 'LISTED', bytes });
      const pk = await sendPackage(page, form);
      await reaches(page, 'VALID');
      await follow(page, page.locator('main a[href^="/developers/submit/"]').first());
      const submission = formNamed(page, 'hub-submit-version');
      await submission.locator('[name=categories]').first().check();
      await submission.locator('[name=license]').selectOption({ index: 1 });
      await submission.locator('[name=warningsSeen]').check();
      assert.equal(await send(page, submission), 200);
      await completeListing(page);
      await page.goto(hub);
      await shows(page, 'Version 1.1 awaits review.');
      assert.equal(await why.locator('a').count(), 0);

      await approve(traveller, author, pk);
      await eventually(async () => {
        await page.reload();
        return (await why.innerText()).includes(en['hub.overview.visible']);
      });
      assert.equal(await follow(page, page.locator('main a.button[href^="/addon/"]').first()), 200);
      const anonymous = await traveller.open('anonymous');
      assert.equal((await anonymous.goto(page.url()))?.status(), 200);
      await shows(anonymous, 'Is visible now.');
    },
  },
  {
    name: 'an author leaves, the last owner cannot',
    async run(traveller) {
      const [owner, other] = [await traveller.account(), await traveller.account()];
      const hub = await makeAddon(traveller, owner, 'authors');
      const [page, otherPage] = [await traveller.open(owner), await traveller.open(other)];
      assert.equal((await otherPage.goto(hub))?.status(), 404);
      await addAuthor(page, otherPage, hub, other);
      await otherPage.goto('/developers/');
      assert.equal(await follow(otherPage, otherPage.locator('.hub-item h2 a').first()), 200);
      assert.equal((await otherPage.goto(`${hub}license/`))?.status(), 403);
      assert.equal(await remove(otherPage, hub, other), 200);
      await shows(otherPage, en['done.hub-author-leave']);
      assert.equal((await otherPage.goto(hub))?.status(), 404);
      await addAuthor(page, otherPage, hub, other);

      await staysAsOwner(page, hub, owner);
      const change = rowOf(page, other).locator('form', { has: page.locator('[value=hub-author-change]') });
      await change.locator('[name=role]').selectOption('OWNER');
      assert.equal(await send(page, change), 200);
      assert.equal(await remove(page, hub, owner), 200);
      assert.equal(new URL(page.url()).pathname, '/developers/');
      assert.equal((await page.goto(hub))?.status(), 404);

      await staysAsOwner(otherPage, hub, other);
      assert.equal(await otherPage.locator('section[aria-labelledby=authors] tbody tr').count(), 1);
    },
  },
];

const rowOf = (page: Page, { username }: Account) => page.locator('tr', { hasText: username });

/** Invites an account, which has no rights until it accepts. */
async function addAuthor(page: Page, invited: Page, hub: string, { username }: Account): Promise<void> {
  await page.goto(`${hub}authors/`);
  const form = formNamed(page, 'hub-author-invite');
  await form.locator('[name=account]').fill(username);
  assert.equal(await send(page, form), 200);
  await shows(page, en['done.hub-author-invite']);
  await shows(page, en['hub.authors.invitations']);
  assert.equal((await invited.goto(hub))?.status(), 404);
  await invited.goto('/account/invitations/');
  const answer = invited.locator('form', { has: invited.locator('[value=accept-invitation]') });
  assert.equal(await send(invited, answer), 200);
  await shows(invited, en['done.accept-invitation']);
}

/** The only owner sees why this account cannot be removed, and no link to do so. */
async function staysAsOwner(page: Page, hub: string, owner: Account): Promise<void> {
  await page.goto(`${hub}authors/`);
  assert.equal(await rowOf(page, owner).locator('a[href*="remove="]').count(), 0);
  assert.ok((await rowOf(page, owner).innerText()).includes(en['hub.authors.only-owner']));
}

/** Removes an author. Returns the status of the page that follows. */
async function remove(page: Page, hub: string, author: Account): Promise<number> {
  await page.goto(`${hub}authors/`);
  const leave = page.locator('a.danger[href*="remove="]');
  const link = (await leave.count()) > 0 ? leave : rowOf(page, author).locator('a[href*="remove="]');
  await follow(page, link);
  return send(page, formNamed(page, 'hub-author-remove'));
}

/** Adds the fields of a language to the form of the listing, which keeps what was typed. */
async function addLanguage(page: Page, language: string): Promise<void> {
  await page.locator('#add-language').selectOption(language);
  assert.equal(await follow(page, page.locator('.hub-add-language button')), 200);
}

/** Types texts into the form of the listing, and saves it. */
async function saveTexts(page: Page, texts: Record<string, string>): Promise<void> {
  await fillTexts(page, texts);
  assert.equal(await send(page, formNamed(page, 'hub-edit')), 200);
}

async function fillTexts(page: Page, texts: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(texts)) await page.locator(`#hub-edit [name="${name}"]`).fill(text);
}

/** Two authors open the form at once: changes of different texts are both kept, of the same text the second author sees both. */
async function editTogether(page: Page, other: Page, address: string): Promise<void> {
  for (const each of [page, other]) await each.goto(address);
  await saveTexts(page, { 'summary.de': 'Zählt alle Vögel.' });
  await saveTexts(other, { 'name.de': 'Vogelzählerin' });

  for (const each of [page, other]) await each.goto(address);
  await saveTexts(page, { 'summary.he': 'גרסה ראשונה' });
  await fillTexts(other, { 'summary.he': 'גרסה שנייה' });
  assert.equal(await send(other, formNamed(other, 'hub-edit')), 409);
  assert.deepEqual(await other.locator('.hub-versions pre').allInnerTexts(), ['גרסה שנייה', 'גרסה ראשונה']);
  assert.equal(await send(other, formNamed(other, 'hub-edit')), 200);

  await page.goto(address);
  const stored = (name: string) => page.locator(`#hub-edit [name="${name}"]`).inputValue();
  const names = ['name.de', 'summary.de', 'summary.he', 'summary.en-US'];
  assert.deepEqual(await Promise.all(names.map(stored)), [
    'Vogelzählerin',
    'Zählt alle Vögel.',
    'גרסה שנייה',
    'Counts birds.',
  ]);
}

/** Replaces the summary of the package in the listing. */
async function completeListing(page: Page): Promise<void> {
  await follow(page, page.locator('main nav a[href$="/edit"]').first());
  await fillTexts(page, { 'summary.en-US': 'Is visible now.' });
  assert.equal(await send(page, formNamed(page, 'hub-edit')), 200);
}
