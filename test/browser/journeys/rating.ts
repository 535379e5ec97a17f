import assert from 'node:assert/strict';
import { MAILS_EN } from '../../../src/texts/mails.en.ts';
import { PAGES_EN as en } from '../../../src/texts/pages.en.ts';
import { PAGES_HE as he } from '../../../src/texts/pages.he.ts';
import type { Account } from '../accounts.ts';
import {
  follow,
  followByKeys,
  formNamed,
  getsMail,
  isAccessible,
  type Journey,
  send,
  sendByKeys,
  shows,
  type Traveller,
} from './journey.ts';

const LIST = '/addon/reading-time/reviews/';
const INBOX = '/moderation/ratings/';

/** What visitors, authors and moderators do with ratings, by keyboard. */
export const ratingJourneys: readonly Journey[] = [
  { name: 'an add-on is rated, the rating is edited, answered and reported', run: rateAndReply },
  { name: 'a moderator keeps, hides and deletes ratings, and their writers get mails', run: decideAboutRatings },
  { name: 'a moderator ends a flood of bad ratings from the home page', run: endFlood },
];

async function rateAndReply(traveller: Traveller): Promise<void> {
  const { account, open, suffix } = traveller;
  const writer = await account();
  const page = await open(writer);
  await page.goto('/addon/reading-time/');
  assert.equal(await followByKeys(page, page.locator(`a[href="${LIST}"]`).first()), 200);
  await isAccessible(page, traveller);
  const words = `It counts too much, ${writer.username} ${suffix}`;
  assert.equal(await sendByKeys(page, formNamed(page, 'rate'), { score: '2', body: words }), 200);
  await shows(page, words);
  await isAccessible(page, traveller);
  const path = new URL(page.url()).pathname;
  const edited = `It counts footnotes twice, ${writer.username} ${suffix}`;
  assert.equal(await sendByKeys(page, formNamed(page, 'rating-edit'), { score: '3', body: edited }), 200);
  await shows(page, edited);

  const author = await open('developer');
  await author.goto('/developers/addon/reading-time/');
  assert.equal(await followByKeys(author, author.locator('dd a[href$="/reviews/?answered=no"]')), 200);
  const rated = author.locator('.rating-item', { hasText: edited });
  assert.equal(await followByKeys(author, rated.locator(`a[href="${path}#rating-reply"]`)), 200);
  const reply = `Fixed in </textarea><b>1.1</b> & "later", ${writer.username}.`;
  assert.equal(await sendByKeys(author, formNamed(author, 'rating-reply'), { body: reply }), 200);
  await getsMail(traveller, writer, reply);
  await report(traveller, path, [edited, reply]);
}

/** A reader of the Hebrew pages reports a rating and its reply to the moderators, who see the note. */
async function report(traveller: Traveller, path: string, texts: readonly string[]): Promise<void> {
  const { account, open, suffix } = traveller;
  const page = await open(await account(), { locale: 'he' });
  await page.goto(LIST);
  assert.equal(await page.locator('html').getAttribute('dir'), 'rtl');
  for (const text of texts) await shows(page, text);
  await isAccessible(page, traveller);
  assert.equal(await followByKeys(page, page.locator(`a[href="${path}#rating-flag"]`)), 200);
  const form = formNamed(page, 'rating-flag');
  assert.equal(await sendByKeys(page, form, { reason: 'OTHER', note: '' }), 422);
  const note = `זה לא על התוספת ${suffix}`;
  assert.equal(await sendByKeys(page, form, { note }), 200);
  await shows(page, he['done.rating-flag']);
  await isAccessible(page, traveller);

  const moderator = await open('moderator', { locale: 'he' });
  assert.equal((await moderator.goto(path))?.status(), 200);
  await shows(moderator, note);
  await isAccessible(moderator, traveller);
}

/** The part of a mail between its parameters. */
const sentenceOf = (key: 'notice.rating-deleted' | 'notice.rating-hidden'): string =>
  MAILS_EN[key].split(/\{\w+\}/)[1] ?? '';

async function decideAboutRatings(traveller: Traveller): Promise<void> {
  const { account, open } = traveller;
  const reporter = await account();
  const cases = [
    { decision: 'KEEP', status: 200, mail: null, message: 'done.rating-kept' },
    { decision: 'HIDE', status: 200, mail: sentenceOf('notice.rating-hidden'), message: 'done.rating-hidden' },
    { decision: 'DELETE', status: 404, mail: sentenceOf('notice.rating-deleted'), message: 'done.rating-removed' },
  ] as const;
  const moderator = await open('moderator');
  await moderator.goto('/');
  assert.equal(await followByKeys(moderator, moderator.locator('.site-nav a[href="/moderation/"]')), 200);
  for (const { decision, status, mail, message } of cases) {
    const writer = await account();
    const text = `${decision} ${writer.username}`;
    const id = await rateElsewhere(traveller, writer, text);
    await callRatings(traveller, reporter, `${id}/flag/`, { flag: 'review_flag_reason_spam' });
    await moderator.goto('/moderation/');
    assert.equal(await followByKeys(moderator, moderator.locator(`main a[href="${INBOX}"]`)), 200);
    await isAccessible(moderator, traveller);
    assert.equal(await followByKeys(moderator, moderator.locator('tbody a', { hasText: text })), 200);
    await shows(moderator, en['reviews.flag.SPAM']);
    await isAccessible(moderator, traveller);
    const form = formNamed(moderator, 'rating-decide');
    assert.equal(await sendByKeys(moderator, form, { decision, note: `Read ${text}` }), 200);
    assert.equal(new URL(moderator.url()).pathname, INBOX);
    await shows(moderator, en[message]);
    assert.equal(await moderator.locator('tbody a', { hasText: text }).count(), 0);

    const page = await open(writer);
    assert.equal((await page.goto(`/ratings/${id}/`))?.status(), status);
    if (decision === 'HIDE') await shows(page, en['reviews.on-hold']);
    const others = await open('anonymous');
    await others.goto(LIST);
    assert.equal(await others.locator('.rating-item', { hasText: text }).count(), decision === 'KEEP' ? 1 : 0);
    if (mail !== null) await getsMail(traveller, writer, mail);
  }
}

/** By mouse, as a moderator in a hurry: two links, a choice and a button. One rating was decided before and stays. */
async function endFlood(traveller: Traveller): Promise<void> {
  const { account, open, hasScripts } = traveller;
  const slug = hasScripts ? 'shortcuts-sorter' : 'fonts-cleaner';
  const ids: number[] = [];
  for (const text of ['Honest: it stopped working.', 'Bad!', 'BAD!', 'bad.'])
    ids.push(await rateElsewhere(traveller, await account(), text, { slug, score: 1 }));
  const moderator = await open('moderator');
  await moderator.goto(`/ratings/${ids[0]}/`);
  assert.equal(await sendByKeys(moderator, formNamed(moderator, 'rating-decide'), { decision: 'KEEP' }), 200);

  await moderator.goto('/');
  const inbox = moderator.locator('.site-nav a[href="/moderation/"]');
  // With the number of reports before it, where there are any.
  const count = /(\d+)\D*$/.exec((await inbox.locator('.count').textContent()) ?? '')?.[1];
  assert.ok(Number(count) >= 3);
  assert.equal(await follow(moderator, inbox), 200);
  await isAccessible(moderator, traveller);
  assert.equal(await follow(moderator, moderator.locator(`main a[href="${INBOX}?addon=${slug}#flood"]`)), 200);
  assert.equal(await moderator.locator('tbody tr').count(), 3);
  assert.equal(await moderator.locator(`tbody a[href="/addon/${slug}/"]`).count(), 3);
  await isAccessible(moderator, traveller);
  const form = formNamed(moderator, 'flood-decide');
  await form.locator('[name=decision][value=DELETE]').check();
  assert.equal(await send(moderator, form), 200);
  assert.equal(new URL(moderator.url()).searchParams.get('addon'), slug);
  await shows(moderator, en['done.flood-decide']);
  assert.equal(await moderator.locator('tbody tr').count(), 0);

  const others = await open('anonymous');
  await others.goto(`/addon/${slug}/reviews/?score=1`);
  assert.equal(await others.locator('.rating-item').count(), 1);
  await shows(others, 'Honest: it stopped working.');
}

/** Rates the current version of an add-on, as a program of the account. Returns the id. */
export async function rateElsewhere(
  traveller: Traveller,
  writer: Account,
  body: string,
  { slug, score } = { slug: 'reading-time', score: 2 },
): Promise<number> {
  const response = await fetch(`${traveller.setting.service.url}/api/v4/addons/addon/${slug}/`);
  const { id: addon, current_version: current } = (await response.json()) as {
    id: number;
    current_version: { id: number };
  };
  const rating = await callRatings(traveller, writer, '', { addon, version: current.id, score, body });
  return rating.id ?? 0;
}

async function callRatings({ setting }: Traveller, { authorization }: Account, path: string, body: object) {
  const response = await fetch(`${setting.service.url}/api/v4/ratings/rating/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.ok(response.ok, text);
  return JSON.parse(text) as { id?: number };
}
