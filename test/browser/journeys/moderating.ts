import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { MESSAGES_EN } from '../../../src/texts/messages.en.ts';
import { PAGES_DE as de } from '../../../src/texts/pages.de.ts';
import { PAGES_EN as en } from '../../../src/texts/pages.en.ts';
import type { Account } from '../accounts.ts';
import {
  eventually,
  follow,
  formNamed,
  getsMail,
  isAccessible,
  type Journey,
  send,
  shows,
  type Traveller,
} from './journey.ts';
import { rateElsewhere } from './rating.ts';

/** From a report to the decision, and the operator's switch. */
export const moderatingJourneys: readonly Journey[] = [
  {
    name: 'a report is sent from the page of an add-on, decided, and its sender gets a mail',
    async run(traveller) {
      const { account, open, suffix } = traveller;
      const sender = await account();
      const page = await open(sender);
      await page.goto('/addon/reading-time/');
      assert.equal(await follow(page, page.locator('a[href$="/report/"]').first()), 200);
      const report = formNamed(page, 'report');
      await report.locator('[name=reason][value=privacy]').check();
      const words = `It sends my history ${sender.username} ${suffix}`;
      await report.locator('[name=message]').fill(words);
      assert.equal(await send(page, report), 200);
      const status = page.url();

      const moderator = await open('moderator');
      await moderator.goto('/');
      assert.equal(await follow(moderator, moderator.locator('.site-nav a[href="/moderation/"]')), 200);
      await moderator.goto(`/moderation/${/\/report\/(\d+)\//.exec(status)?.[1]}/`);
      await shows(moderator, words);
      await shows(moderator, en['report.reason.privacy']);
      await isInView(moderator);
      const decision = formNamed(moderator, 'moderation-decide');
      assert.equal(await send(moderator, decision), 422);
      await shows(moderator, MESSAGES_EN['abuse.nothing_decided']);
      await isAccessible(moderator, traveller);
      await decision.locator('[name=state][value=VALID]').check();
      await decision.locator('[name=note]').fill(`Seen ${suffix}`);
      await decision.locator('[name="reply.text"]').fill(`We look into it, ${sender.username}.`);
      assert.equal(await send(moderator, decision), 200);
      await shows(moderator, `Seen ${suffix}`);
      await shows(moderator, en['done.moderation-reply']);
      assert.equal(await moderator.locator('[aria-labelledby=history] ol.thread > li').count(), 2);
      await decide(moderator, 'OPEN', 200);
      await shows(moderator, 'A different decision needs another reply.');
      await isInView(moderator);
      await isAccessible(moderator, traveller);
      const german = await open('moderator', { locale: 'de' });
      await german.goto(new URL(moderator.url()).pathname);
      await isInView(german, de);
      await decide(moderator, 'VALID', 200);

      // The address has the fragment of the result, so that going there again would not load the page.
      await page.reload();
      await shows(page, en['report.state.VALID']);
      await getsMail(traveller, sender, `We look into it, ${sender.username}.`);
    },
    expects: /^POST \S+ returned 422$/,
  },
  {
    name: 'a report of a browser about an add-on that is unknown here is found and dismissed',
    async run(traveller) {
      const { account, open, setting, suffix, hasScripts } = traveller;
      const guid = `unknown-${suffix}@elsewhere.example`;
      // Browsers have an account or none.
      const sender = hasScripts ? await account() : null;
      const facts = { addon_version: '3.1', addon_install_method: 'link', app: 'firefox', lang: 'de' };
      const response = await fetch(`${setting.service.url}/api/v4/abuse/report/addon/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(sender && { authorization: sender.authorization }) },
        body: JSON.stringify({ addon: guid, message: 'It came with another program.', reason: 'unwanted', ...facts }),
      });
      assert.equal(response.status, 201);
      const page = await open('moderator');
      await page.goto('/moderation/?target=unknown_addon');
      assert.equal(await follow(page, page.locator('tbody a', { hasText: guid })), 200);
      await shows(page, '3.1');
      await shows(page, en['moderation.addon-state.UNKNOWN']);
      if (sender === null) await shows(page, en['moderation.no-reply']);
      const [first, second] = [page, await open('moderator')];
      await second.goto(page.url());
      await decide(first, 'DISMISSED', 200);
      await decide(second, 'VALID', 409);
      await shows(second, en['report.state.DISMISSED']);
      if (sender === null) return;
      const again = formNamed(first, 'moderation-decide');
      await again.locator('[name="reply.text"]').fill(`It is not from here, ${sender.username}.`);
      assert.equal(await send(first, again), 200);
      await getsMail(traveller, sender, `It is not from here, ${sender.username}.`);
    },
    expects: /^POST \S+ returned 409$/,
  },
  {
    name: 'a moderator decides about three reports on their pages, finds them again and replies',
    run: decideAboutThree,
  },
  {
    name: 'an administrator switches read-only mode on its page, and texts of others are kept',
    isAlone: true,
    expects: /^POST \S+ returned 503$/,
    run: switchReadOnly,
  },
];

/** Each report is judged by what its page shows, without another page. */
async function decideAboutThree(traveller: Traveller): Promise<void> {
  const { account, open, suffix } = traveller;
  const sender = await account();
  const words = `Please look at it, ${sender.username} ${suffix}`;
  const rated = `Not what it says, ${sender.username} ${suffix}`;
  const rating = await rateElsewhere(traveller, await account(), rated, { slug: 'cookies-guard', score: 3 });
  const cases = [
    { kind: 'addon', about: { addon: 'reading-time' }, evidence: en['addon.permissions'], state: 'DISMISSED' },
    { kind: 'account', about: { user: 'paper-kite' }, evidence: en['moderation.reported.biography'], state: 'VALID' },
    { kind: 'rating', about: { rating }, evidence: rated, state: 'VALID' },
  ] as const;
  for (const { kind, about } of cases)
    await reportElsewhere(traveller, sender, kind === 'account' ? 'user' : kind, { ...about, message: words });
  const page = await open('moderator');
  const reported = page.locator('tbody tr', { hasText: words });
  for (const { kind, evidence, state } of cases) {
    await page.goto('/moderation/');
    const filter = page.locator(`.filter-list a[href="/moderation/?target=${kind}"]`);
    if (!(await filter.isVisible())) await page.locator('.filter-list > summary').click();
    assert.equal(await follow(page, filter), 200);
    assert.equal(await follow(page, reported.locator('th a').first()), 200);
    await isAccessible(page, traveller);
    assert.ok((await page.locator('section[aria-labelledby=reported]').innerText()).includes(evidence), kind);
    await shows(page, en['moderation.reply']);
    await decide(page, state, 200);
    await shows(page, en[`report.state.${state}`]);
  }

  // The three decisions are in one list; a reply goes to the address of the sender.
  const own = page.locator('[role=status]').getByRole('link', { name: en['moderation.decided-by-me'] });
  assert.equal(await follow(page, own), 200);
  await isAccessible(page, traveller);
  assert.equal(await reported.count(), 3);
  // They are found by the name of their sender, as the list shows it.
  const name = await reported.first().locator('a[href*="sender="]').innerText();
  await page.locator('#about-sender').fill(name);
  assert.equal(await follow(page, page.locator('main form[role=search] button')), 200);
  await isAccessible(page, traveller);
  assert.equal(await page.locator('tbody tr').count(), 3);
  assert.equal(await follow(page, reported.first().locator('th a').first()), 200);
  const text = `It is dealt with, ${sender.username}.`;
  const form = formNamed(page, 'moderation-decide');
  await form.locator('[name="reply.text"]').fill(text);
  assert.equal(await send(page, form), 200);
  await getsMail(traveller, sender, text);
}

/** Reports something, as a program of the account. */
async function reportElsewhere(
  { setting }: Traveller,
  { authorization }: Account,
  kind: 'addon' | 'user' | 'rating',
  report: object,
): Promise<void> {
  const response = await fetch(`${setting.service.url}/api/v4/abuse/report/${kind}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify(report),
  });
  assert.equal(response.status, 201, await response.text());
}

/** The button of the decision is in a small window that the link to the decision has scrolled. */
async function isInView(page: Page, texts: Record<'moderation.to-decision', string> = en): Promise<void> {
  const before = page.viewportSize();
  const window = { width: 1280, height: 800 };
  await page.setViewportSize(window);
  await page.getByRole('link', { name: texts['moderation.to-decision'] }).click();
  const button = formNamed(page, 'moderation-decide').locator('button[type=submit]');
  const box = await button.boundingBox();
  assert.ok(box !== null && box.y > 0 && box.y + box.height <= window.height, `the button is at ${box?.y}`);
  if (before !== null) await page.setViewportSize(before);
}

async function decide(page: Page, state: string, status: number): Promise<void> {
  const form = formNamed(page, 'moderation-decide');
  await form.locator(`[name=state][value=${state}]`).check();
  assert.equal(await send(page, form), status);
}

async function switchReadOnly({ account, open, setting, suffix }: Traveller): Promise<void> {
  const [person, operator] = [await open(await account()), await open('administrator')];
  await person.goto('/account/');
  const profile = formNamed(person, 'profile');
  await profile.locator('[name=biography]').fill(`Typed before the switch ${suffix}`);
  await operator.goto('/admin/read-only/');
  const form = () => formNamed(operator, 'admin-read-only');
  try {
    await form().locator('[name=reason]').fill(`Maintenance ${suffix}`);
    assert.equal(await send(operator, form()), 200);
    await shows(operator, `Maintenance ${suffix}`);
    assert.equal(await send(person, profile), 503);
    assert.ok((await person.content()).includes(`Typed before the switch ${suffix}`));
    assert.equal(await send(operator, form()), 200);
    await shows(operator, en['admin.health.writable']);
  } finally {
    await setting.service.run('read-only', 'off');
  }
  await eventually(async () => {
    const again = person.locator('main form', { has: person.locator('[name=biography]') });
    return (await send(person, again)) === 200;
  });
  await person.goto('/account/');
  assert.equal(
    await formNamed(person, 'profile').locator('[name=biography]').inputValue(),
    `Typed before the switch ${suffix}`,
  );
}
