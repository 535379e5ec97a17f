/* The page on which reviewers decide. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon, type VersionFacts } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';
import { xpi } from '../support/packages.ts';
import { documentOf, type Visitor, visitorOf } from '../support/pages.ts';
import { storePackage } from '../support/store-package.ts';
import { decide, sent, waitingVersion } from '../support/waiting-version.ts';

const app = setUpApp();
let author: Client;
const visitors = {} as Record<'reviewer' | 'otherReviewer' | 'unlistedReviewer' | 'themeReviewer' | 'author', Visitor>;
beforeAll(async () => {
  author = await app.developer();
  visitors.author = await visitorOf(app, author);
  visitors.reviewer = await visitorOf(app, await app.memberWith('Addons:Review'));
  visitors.otherReviewer = await visitorOf(app, await app.memberWith('Addons:Review'));
  visitors.unlistedReviewer = await visitorOf(app, await app.memberWith('Addons:ReviewUnlisted'));
  visitors.themeReviewer = await visitorOf(app, await app.memberWith('Addons:ThemeReview'));
});

const waiting = (more?: VersionFacts, type?: string) => waitingVersion(author, more, type);

const stageOf = async (id: number) =>
  (await app.sql<{ stage: string }>('SELECT stage FROM version WHERE id = $1', [id]))[0]?.stage;

const MAILED = 'Its developers and the other reviewers in its thread get a mail.';

describe('the page of a version in review', () => {
  it('shows facts, new permissions, changes since the last approved version and the thread', async () => {
    const made = await waiting();
    await app.sql("UPDATE version SET approval_notes = 'Sign in as demo.' WHERE id = $1", [made.id]);
    const { status, text } = await visitors.reviewer.get(made.path);
    expect(status).toBe(200);
    const $ = documentOf({ text });
    expect($('h1').text()).toContain('2.0');
    expect($('main').text()).toContain('Sign in as demo.');
    expect($('a[href$="/compare/1.0...2.0/"]').text()).toBe('Changes since 1.0');
    expect($('a[href$="/versions/2.0/files/"]')).toHaveLength(1);
    expect($('#permissions').parent().text()).toContain('tabs');
  });

  it('is reached without a version number, by the newest that waits', async () => {
    const { path } = await waiting();
    const { status, headers } = await visitors.reviewer.get(path.replace(/\?.*/, ''));
    expect([status, headers.location]).toEqual([302, path]);
  });

  it.each([
    ['approve', '', 'signing', 'Approved', `Once it is signed, ${MAILED.replace('Its', 'its')}`],
    ['reject', 'It sends data.', 'rejected', 'Rejected', MAILED],
    ['request', 'Why?', 'awaiting_review', 'Information requested', MAILED],
    ['refer', '', 'awaiting_review', 'Super review requested', 'No mail is sent.'],
    ['reply', 'Thank you.', 'awaiting_review', 'Reply of a reviewer', MAILED],
    ['comment', 'Looks good.', 'awaiting_review', 'Comment', 'No mail is sent.'],
  ])('sends a decision, which the page then names: %s', async (decision, comments, stage, noted, mailed) => {
    const made = await waiting();
    const { status, headers } = await decide(visitors.reviewer, made, decision, comments);
    expect([status, headers.location]).toEqual([303, `${made.path}&done=review-decision`]);
    expect(await stageOf(made.id)).toBe(stage);
    const shown = documentOf(await visitors.reviewer.get(made.path))('main').text();
    if (comments !== '') expect(shown).toContain(comments);
    if (decision === 'reply') await decide(visitors.otherReviewer, made, 'comment', 'Another opinion.');
    const $ = documentOf(await visitors.reviewer.get(headers.location ?? ''));
    expect($('#result a[href="/reviewers/"]')).toHaveLength(1);
    expect($('#result').text()).toContain(`Version 2.0: ${noted}. ${mailed}`);
    const version = `after=${made.id}`;
    expect(
      $('#result a.primary')
        .map((_, link) => [[$(link).attr('href'), $(link).text()]])
        .get(),
    ).toEqual([[`/reviewers/next/?${version}`, expect.stringMatching(/^Next version \(\d+\+? waiting\)$/)]]);
    const isDecided = stage !== 'awaiting_review';
    expect($('details form#review-decision')).toHaveLength(isDecided ? 1 : 0);
    expect($('a[href$="#decision"]')).toHaveLength(isDecided ? 0 : 1);
    expect($('.addon-head').text().replace(/\s+/g, ' ').includes(`${noted} on `)).toBe(isDecided);
    expect($('form#review-decision').attr('action')).toBe('#result');
  });

  it('keeps what was typed when the decision is refused', async () => {
    const made = await waiting();
    const { status, text } = await decide(visitors.reviewer, made, 'reject');
    expect(status).toBe(422);
    expect(await stageOf(made.id)).toBe('awaiting_review');
    const $ = documentOf({ text });
    expect($('input[name=decision][value=reject]').attr('checked')).toBeDefined();
    expect($('.error-summary').attr('id')).toBe('result');
  });

  it('shows the decision that another reviewer made in the meantime, and keeps what was typed', async () => {
    const made = await waiting();
    const expected = { [`expected.newestNote.${globalId('Version', made.id)}`]: '' };
    const send = (visitor: Visitor, decision: string, comments: string) =>
      visitor.submit(made.path, 'review-decision', { ...sent(made.id), ...expected, decision, comments });
    const $ = documentOf(await visitors.reviewer.get(made.path));
    expect($(`input[name="${Object.keys(expected)[0]}"]`).val()).toBe('');
    const replies = await Promise.all([
      send(visitors.reviewer, 'approve', 'Clear code.'),
      send(visitors.otherReviewer, 'reject', 'It sends data.'),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 409]);
    const isApproved = replies[0].status === 303;
    expect(await stageOf(made.id)).toBe(isApproved ? 'signing' : 'rejected');
    const late = documentOf(replies[isApproved ? 1 : 0]);
    const shown = late('section[aria-labelledby=decision]');
    expect(shown.text()).toContain(isApproved ? 'Clear code.' : 'It sends data.');
    expect(late('main').text()).toContain(`has ${isApproved ? 'approved' : 'rejected'} version 2.0`);
    expect(late('textarea[name=comments]').text().trim()).toBe(isApproved ? 'It sends data.' : 'Clear code.');
    expect(
      late('input[name=decision]')
        .map((_, input) => late(input).val())
        .get(),
    ).toEqual(['reply', 'comment']);
  });

  it('sends a decision after the notes that were written in the meantime are shown', async () => {
    const made = await waiting();
    const name = `expected.newestNote.${globalId('Version', made.id)}`;
    await decide(visitors.otherReviewer, made, 'comment', 'Look at the icon.');
    const send = (note: string) =>
      visitors.reviewer.submit(made.path, 'review-decision', { ...sent(made.id), [name]: note, decision: 'approve' });
    const refused = await send('');
    expect(refused.status).toBe(409);
    const $ = documentOf(refused);
    expect($('section[aria-labelledby=decision]').text()).toContain('Look at the icon.');
    expect($('input[name=decision][value=approve]').attr('checked')).toBeDefined();
    expect((await send(String($(`input[name="${name}"]`).val()))).status).toBe(303);
    expect(await stageOf(made.id)).toBe('signing');
  });

  it.each([
    ['en', 'Reply of a reviewer'],
    ['de', 'Antwort eines Prüfers'],
    ['he', 'תשובה של סוקר'],
  ])('calls the reply of a reviewer the same in the thread and in a refused form: %s', async (language, title) => {
    const made = await waiting();
    await decide(visitors.otherReviewer, made, 'reply', 'Thanks for the file.');
    const path = `${made.path}&lang=${language}`;
    const values = {
      ...sent(made.id),
      [`expected.newestNote.${globalId('Version', made.id)}`]: '',
      decision: 'approve',
    };
    const $ = documentOf(await visitors.reviewer.submit(path, 'review-decision', values));
    const notes = $('main :is(.notice, .thread > li):contains("Thanks for the file.")').toArray();
    expect(notes.map((note) => $(note).find('p strong, strong').last().text())).toEqual([title, title]);
  });

  it('takes the ticked ones of several waiting versions, or none', async () => {
    const wait = { stage: 'awaiting_review', reviewed: null };
    const files = async (version: string) => [{ ...(await storePackage(await xpi({ version }))), status: 1 }];
    const versions = await Promise.all(
      ['1.0', '2.0', '3.0'].map(async (version) => ({ version, ...wait, files: await files(version) })),
    );
    const slug = `several-at-once`;
    const made = await addon({ slug, authors: [author.accountId ?? 0], versions });
    const [first = 0, second = 0, third = 0] = made.versions.map(({ id }) => id);
    const path = `/reviewers/review/${slug}/?version=3.0`;
    const $ = documentOf(await visitors.reviewer.get(path));
    expect($('main').text()).toContain('Also waiting: 2.0, 1.0');
    const oldest = documentOf(await visitors.reviewer.get(path.replace('3.0', '1.0')));
    const newer = oldest('.notice.warning:contains("A newer version waits for review") a');
    expect(newer.map((_, link) => oldest(link).attr('href')).get()).toEqual([path, path.replace('3.0', '2.0')]);
    expect(oldest('main').text()).not.toContain('Also waiting');
    const middle = documentOf(await visitors.reviewer.get(path.replace('3.0', '2.0')));
    expect(middle('.notice.warning').text()).toContain('A newer version waits for review: 3.0');
    expect(middle('main').text()).toContain('Also waiting: 1.0');
    const unpublished = middle('section:has(> #changes) a[href*="/compare/"]');
    expect(unpublished.text()).toBe('Compare with 1.0, which is not published');
    expect((await visitors.reviewer.get(unpublished.attr('href') ?? '')).status).toBe(200);
    expect(oldest('section:has(> #changes) a[href*="/compare/"]')).toHaveLength(0);
    const ids = $('input[name=versions]')
      .map((_, box) => $(box).val())
      .get();
    expect(ids).toEqual([third, second, first].map((id) => globalId('Version', id)));
    expect(
      $('input[name=versions][checked]')
        .map((_, box) => $(box).val())
        .get(),
    ).toEqual([globalId('Version', third)]);
    const send = (chosen: readonly number[], decision: string, comments = '') =>
      visitors.reviewer.submit(path, 'review-decision', {
        ...{ id: globalId('Version', third), decision, comments },
        versions: chosen.map((id) => globalId('Version', id)),
      });
    expect((await send([], 'approve')).status).toBe(422);
    expect((await send([second, third], 'reject')).status).toBe(422);
    expect((await send([second, third], 'reject', 'Obfuscated.')).status).toBe(303);
    expect(await Promise.all([first, second, third].map(stageOf))).toEqual(['awaiting_review', 'rejected', 'rejected']);
    const late = await send([first, second], 'reject', 'Obfuscated.');
    expect(late.status).toBe(422);
    expect(documentOf(late)('main').text()).toContain('version 2.0 was refused');
    expect(await stageOf(first)).toBe('awaiting_review');
  });

  it('offers replies and comments only when nothing waits, and nothing about older versions', async () => {
    const made = await waiting();
    const values = async (path: string) => {
      const $ = documentOf(await visitors.reviewer.get(path));
      return $('input[name=decision]')
        .map((_, input) => $(input).attr('value'))
        .get();
    };
    expect(await values(made.path.replace('2.0', '1.0'))).toEqual([]);
    await decide(visitors.reviewer, made, 'approve');
    expect(await values(made.path)).toEqual(['reply', 'comment']);
  });

  it('claims a version and ends the claim', async () => {
    const made = await waiting();
    const claim = (release: string) =>
      visitors.reviewer.submit(made.path, 'review-claim', { id: globalId('Version', made.id), release });
    const button = async (visitor: Visitor) =>
      documentOf(await visitor.get(made.path))('form:has(input[value=review-claim]) button').text();
    expect(await button(visitors.reviewer)).toBe('Claim');
    expect((await claim('')).status).toBe(303);
    expect([await button(visitors.reviewer), await button(visitors.otherReviewer)]).toEqual(['End the claim', '']);
    expect((await visitors.reviewer.get('/reviewers/?claimed=yes')).text).toContain(made.path.replace('&', '&amp;'));
    expect((await claim('1')).status).toBe(303);
    expect((await visitors.reviewer.get('/reviewers/?claimed=yes')).text).not.toContain(made.path);
  });

  it.each(['author', 'themeReviewer', 'unlistedReviewer'] as const)(
    'is not found for another role: %s',
    async (role) => {
      const made = await waiting();
      expect((await visitors[role].get(made.path)).status).toBe(404);
      expect((await decide(visitors[role], made, 'approve')).status).toBeGreaterThan(399);
      expect(await stageOf(made.id)).toBe('awaiting_review');
    },
  );
});
