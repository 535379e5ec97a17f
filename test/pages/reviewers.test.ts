/* The queue of reviewers, and the page on which they decide. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon, type VersionFacts } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';
import { xpi } from '../support/packages.ts';
import { documentOf, type Visitor, visitorOf } from '../support/pages.ts';
import { storePackage } from '../support/store-package.ts';

let app: TestApp;
let author: Client;
const visitors = {} as Record<'reviewer' | 'unlistedReviewer' | 'themeReviewer' | 'author', Visitor>;
beforeAll(async () => {
  app = await startApp();
  author = await app.developer();
  visitors.author = await visitorOf(app, author);
  visitors.reviewer = await visitorOf(app, await app.memberWith('Addons:Review'));
  visitors.unlistedReviewer = await visitorOf(app, await app.memberWith('Addons:ReviewUnlisted'));
  visitors.themeReviewer = await visitorOf(app, await app.memberWith('Addons:ThemeReview'));
});
afterAll(() => app.close());

let addons = 0;

/** An add-on with a signed version 1.0 and a version 2.0 that waits. */
async function waiting(more: VersionFacts = {}, type = 'extension') {
  const slug = `waiting-${++addons}`;
  const [old, recent] = [
    await storePackage(await xpi({ version: '1.0' })),
    await storePackage(await xpi({ version: '2.0' })),
  ];
  const made = await addon({
    ...{ slug, type, name: { 'en-US': `Waits ${addons}` }, authors: [author.accountId ?? 0] },
    versions: [
      { version: '1.0', files: [old], ...(more.channel ? { channel: more.channel } : {}) },
      {
        version: '2.0',
        stage: 'awaiting_review',
        reviewed: null,
        files: [{ ...recent, status: 1, permissions: ['storage', 'tabs'] }],
        ...more,
      },
    ],
  });
  return { ...made, id: made.versions[1]?.id ?? 0, path: `/reviewers/review/${slug}/?version=2.0` };
}

const stageOf = async (id: number) =>
  (await app.sql<{ stage: string }>('SELECT stage FROM version WHERE id = $1', [id]))[0]?.stage;

const decide = (visitor: Visitor, { path, id }: { path: string; id: number }, decision: string, comments = '') =>
  visitor.submit(path, 'review-decision', { id: globalId('Version', id), decision, comments });

describe('the queue of reviewers', () => {
  it('lists what a reviewer may decide about, with links', async () => {
    const listed = await waiting();
    const unlisted = await waiting({ channel: 'unlisted' });
    const theme = await waiting({}, 'statictheme');
    const linksOf = async (visitor: Visitor) => {
      const $ = documentOf(await visitor.get('/reviewers/'));
      return $('table a')
        .map((_, link) => $(link).attr('href'))
        .get();
    };
    expect(await linksOf(visitors.reviewer)).toContain(listed.path);
    expect(await linksOf(visitors.reviewer)).not.toContain(unlisted.path);
    expect(await linksOf(visitors.unlistedReviewer)).toContain(unlisted.path);
    expect(await linksOf(visitors.themeReviewer)).toEqual([theme.path]);
  });

  it('has filters in its address', async () => {
    await waiting();
    const sum = async (query: string) => {
      const $ = documentOf(await visitors.reviewer.get(`/reviewers/${query}`));
      return $('main > p').first().text();
    };
    expect(await sum('?claimed=me')).toBe('0 versions wait.');
    expect(await sum('?channel=unlisted')).toBe('0 versions wait.');
    expect(await sum('?author=unknown')).toBe('0 versions wait.');
    expect(await sum('?first=1')).toBe('0 versions wait.');
    expect(await sum('?type=extension&claimed=no&age=')).not.toContain('0 versions wait.');
    const $ = documentOf(await visitors.reviewer.get('/reviewers/queue/listed/?sort=newest&claimed=no'));
    const filter = $('.filter-list a:contains("Oldest first")').attr('href');
    expect(filter).toBe('/reviewers/queue/listed/?sort=oldest&claimed=no');
    expect((await visitors.reviewer.get('/reviewers/?claimed=x&type=y&age=z&sort=a&after=b')).status).toBeLessThan(500);
  });

  it('has parts with their numbers and oldest age, of what the reviewer reviews', async () => {
    await waiting({ created: new Date(Date.now() - 3 * 86_400_000) }, 'statictheme');
    const all = documentOf(await visitors.themeReviewer.get('/reviewers/'));
    const found = all('.tabs a').map((_, link) => all(link).text());
    expect(found.get()).toEqual(['All 2', 'Themes 2', 'Information requested 0', 'Referred 0']);
    const $ = documentOf(await visitors.themeReviewer.get('/reviewers/queue/themes/'));
    expect($('.tabs [aria-current]').text()).toBe('Themes 2');
    expect($('main').text()).toMatch(/The oldest has waited for [\d,]+ days\./);
    expect((await visitors.reviewer.get('/reviewers/queue/other/')).status).toBe(404);
    expect((await visitors.author.get('/reviewers/queue/listed/')).status).toBe(403);
  });

  it('claims and releases a version in its row', async () => {
    const { id, path } = await waiting();
    const claim = (release: string) =>
      visitors.reviewer.submit('/reviewers/queue/listed/?sort=newest', 'queue-claim', {
        id: globalId('Version', id),
        release,
      });
    const { status, headers } = await claim('');
    expect([status, headers.location]).toEqual([303, '/reviewers/queue/listed/?sort=newest&done=queue-claim']);
    const row = async () => {
      const $ = documentOf(await visitors.reviewer.get('/reviewers/?sort=newest'));
      return $(`tr:has(a[href="${path}"])`);
    };
    expect((await row()).find('input[name=release]').attr('value')).toBe('1');
    expect((await visitors.reviewer.get('/reviewers/?claimed=me')).text).toContain(path.replace('&', '&amp;'));
    expect((await claim('1')).status).toBe(303);
    expect((await row()).find('input[name=release]').attr('value')).toBe('');
    const other = await visitorOf(app, await app.memberWith('Addons:Review'));
    await other.submit('/reviewers/', 'queue-claim', { id: globalId('Version', id), release: '' });
    expect((await row()).find('form')).toHaveLength(0);
    expect((await claim('')).status).toBe(422);
  });

  it('is for reviewers, whose navigation leads to it', async () => {
    expect((await visitors.author.get('/reviewers/')).status).toBe(403);
    expect((await visitors.author.get('/')).text).not.toContain('href="/reviewers/"');
    expect((await visitors.reviewer.get('/')).text).toContain('href="/reviewers/"');
  });
});

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
    ['approve', '', 'signing'],
    ['reject', 'It sends data.', 'rejected'],
    ['request', 'Why?', 'awaiting_review'],
    ['refer', '', 'awaiting_review'],
    ['reply', 'Thank you.', 'awaiting_review'],
    ['comment', 'Looks good.', 'awaiting_review'],
  ])('sends a decision: %s', async (decision, comments, stage) => {
    const made = await waiting();
    const { status, headers } = await decide(visitors.reviewer, made, decision, comments);
    expect([status, headers.location]).toEqual([303, `${made.path}&done=review-decision`]);
    expect(await stageOf(made.id)).toBe(stage);
    const shown = documentOf(await visitors.reviewer.get(made.path))('main').text();
    if (comments !== '') expect(shown).toContain(comments);
  });

  it('keeps what was typed when the decision is refused', async () => {
    const made = await waiting();
    const { status, text } = await decide(visitors.reviewer, made, 'reject');
    expect(status).toBe(422);
    expect(await stageOf(made.id)).toBe('awaiting_review');
    const $ = documentOf({ text });
    expect($('input[name=decision][value=reject]').attr('checked')).toBeDefined();
    const other = await waiting();
    await decide(visitors.reviewer, other, 'approve');
    const late = await decide(visitors.reviewer, other, 'reject', 'Too late.');
    expect(late.status).toBe(422);
    expect(documentOf(late)('#thread').parent().text()).toContain('Approved');
    expect(documentOf(late)('textarea[name=comments]').text().trim()).toBe('Too late.');
    expect(await stageOf(other.id)).not.toBe('rejected');
  });

  it('offers replies and comments only when nothing waits', async () => {
    const { path } = await waiting();
    const $ = documentOf(await visitors.reviewer.get(path.replace('2.0', '1.0')));
    const values = $('input[name=decision]').map((_, input) => $(input).attr('value'));
    expect(values.get()).toEqual(['reply', 'comment']);
  });

  it('claims a version and ends the claim', async () => {
    const made = await waiting();
    const claim = (release: string) =>
      visitors.reviewer.submit(made.path, 'review-claim', { id: globalId('Version', made.id), release });
    expect((await claim('')).status).toBe(303);
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
