/* The further pages of reviewers: authors, log, canned responses, and the way through the queue. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon, type VersionFacts } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';
import { xpi } from '../support/packages.ts';
import { documentOf, type Visitor, visitorOf } from '../support/pages.ts';
import { storePackage } from '../support/store-package.ts';
import { decide, waitingVersion } from '../support/waiting-version.ts';

const app = setUpApp();
let author: Client;
let authorId: number;
const visitors = {} as Record<'reviewer' | 'unlistedReviewer' | 'author', Visitor>;
beforeAll(async () => {
  author = await app.developer();
  authorId = author.accountId ?? 0;
  visitors.author = await visitorOf(app, author);
  visitors.reviewer = await visitorOf(app, await app.memberWith('Addons:Review'));
  visitors.unlistedReviewer = await visitorOf(app, await app.memberWith('Addons:ReviewUnlisted'));
});

let addons = 0;

/** An add-on with a version 2.0 that waits. */
async function waiting(more: VersionFacts = {}) {
  const slug = `waits-${++addons}`;
  const version = { version: '2.0', stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }], ...more };
  const { versions } = await addon({ slug, authors: [authorId], status: 'nominated', versions: [version] });
  return { id: versions[0]?.id ?? 0, path: `/reviewers/review/${slug}/?version=2.0` };
}

describe('the pages of an author and of the log', () => {
  it('show what an author has and what reviewers did', async () => {
    const { id, path } = await waiting();
    await visitors.reviewer.submit(path, 'review-decision', {
      ...{ id: globalId('Version', id), decision: 'comment', comments: 'Known to reviewers.' },
    });
    const $ = documentOf(await visitors.reviewer.get(path));
    const href = $('main a[href^="/reviewers/author/"]').attr('href') ?? '';
    const shown = documentOf(await visitors.reviewer.get(href));
    expect(
      shown('table a')
        .map((_, link) => shown(link).attr('href'))
        .get(),
    ).toContain(path.replace(/\?.*/, ''));
    expect((await visitors.author.get(href)).status).toBe(403);
    expect((await visitors.reviewer.get('/reviewers/author/unknown/')).status).toBe(404);
    const log = await visitors.reviewer.get('/reviewers/log/?action=comment&from=2020-01-01&to=&reviewer=');
    expect(log.text).toContain('Known to reviewers.');
    expect(log.text).not.toContain('is not one of');
    const mine = documentOf(log)('.tabs a:contains("My decisions")').attr('href') ?? '';
    const own = documentOf(await visitors.reviewer.get(mine));
    expect(own('.tabs a[aria-current=page]').text()).toBe('My decisions');
    expect(own('main').text()).toContain('Known to reviewers.');
    const others = await visitorOf(app, await app.memberWith('Addons:Review'));
    const none = documentOf(await others.get('/reviewers/log/'))('.tabs a:contains("My decisions")').attr('href') ?? '';
    expect((await others.get(none)).text).toContain('No entries.');
    expect((await visitors.reviewer.get('/reviewers/log/?to=2020-01-01')).text).toContain('No entries.');
    const fields = async (query: string) => {
      const $ = documentOf(await visitors.reviewer.get(`/reviewers/log/${query}`));
      const form = $('main form[role=search]');
      return [form.find('details').attr('open') !== undefined, new URLSearchParams(form.serialize()).toString()];
    };
    expect(await fields('?action=comment&reviewer=x')).toEqual([false, 'reviewer=x&action=comment&addon=&from=&to=']);
    const folded = 'reviewer=&action=&addon=x&from=2020-01-01&to=';
    expect(await fields(`?${folded}`)).toEqual([true, folded]);
    expect((await visitors.reviewer.get('/reviewers/log/?addon=%00&from=2020-13-99&action=')).status).toBe(200);
    expect((await visitors.author.get('/reviewers/log/')).status).toBe(403);
  });
});

describe('the pages of canned responses', () => {
  it('are linked from the queue for keepers, and for reviewers while there are any', async () => {
    const keeper = await visitorOf(app, await app.memberWith('Admin:Review', 'Addons:Review'));
    const links = async () =>
      Promise.all(
        [keeper, visitors.reviewer].map(
          async (visitor) => documentOf(await visitor.get('/reviewers/'))('main a[href="/reviewers/canned/"]').length,
        ),
      );
    expect(await links()).toEqual([1, 0]);
    await app.sql(`INSERT INTO canned_response (name, text) VALUES ('Linked', '{"en-US": "Text."}')`);
    expect(await links()).toEqual([1, 1]);
    await app.sql("DELETE FROM canned_response WHERE name = 'Linked'");
  });

  it('lists them by topic and language, and lets keepers create, change and delete them', async () => {
    const keeper = await visitorOf(app, await app.memberWith('Admin:Review'));
    const offered = documentOf(await keeper.get('/reviewers/canned/new/'))('#canned-new textarea');
    expect(offered.map((_, field) => field.attribs.name).get()).toEqual(['text.en-US', 'text.de', 'text.he']);
    const made = await keeper.submit('/reviewers/canned/new/', 'canned-new', {
      ...{
        name: 'Privacy: remote code',
        'text.en-US': 'No remote code.',
        'text.de': 'Kein fremder Code.',
        'text.he': '',
      },
    });
    expect([made.status, made.headers.location]).toEqual([303, '/reviewers/canned/?done=canned']);
    const $ = documentOf(await keeper.get('/reviewers/canned/'));
    expect($('h2').text()).toContain('Privacy');
    expect(
      $('dd')
        .map((_, each) => $(each).text())
        .get(),
    ).toEqual(['Kein fremder Code.', 'No remote code.']);
    const href = $('a[href^="/reviewers/canned/"]:contains("Edit")').attr('href') ?? '';
    const edit = documentOf(await keeper.get(href));
    const id = edit('#canned-edit input[name=id]').attr('value') ?? '';
    const changed = await keeper.submit(href, 'canned-edit', {
      id,
      name: 'Other',
      'text.de': '',
      'text.en-US': 'New.',
    });
    expect(changed.status).toBe(303);
    const list = await visitors.reviewer.get('/reviewers/canned/');
    expect(list.text).toContain('New.');
    expect(list.text).not.toContain('Kein fremder Code.');
    expect(list.text).not.toContain(href);
    expect((await visitors.reviewer.get(href)).status).toBe(404);
    const refused = await keeper.submit('/reviewers/canned/new/', 'canned-new', {
      name: 'other',
      'text.en-US': 'Kept.',
    });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Kept.');
    expect((await visitors.author.get('/reviewers/canned/')).status).toBe(403);
    expect(
      (await visitors.reviewer.submit('/reviewers/canned/new/', 'canned-new', { name: 'x', 'text.de': 'x' })).status,
    ).toBe(403);
    expect((await keeper.submit(href, 'canned-delete', { id })).status).toBe(303);
    expect((await keeper.get(href)).status).toBe(404);
  });
});

describe('the moves of reviewers', () => {
  it('lead to the next entry of the queue that no other has claimed, by links and keys', async () => {
    const [first, second] = [await waiting({ channel: 'unlisted' }), await waiting({ channel: 'unlisted' })];
    const { unlistedReviewer } = visitors;
    const follow = async (after: number) => {
      const { status, headers } = await unlistedReviewer.get(`/reviewers/next/?after=${after}`);
      expect(status).toBe(303);
      return headers.location;
    };
    expect(await follow(first.id)).toBe(second.path);
    expect(await follow(second.id)).not.toBe(second.path);
    // An older version that waits is not left out after a decision about a newer one.
    await app.sql("UPDATE version SET stage = 'rejected', reviewed = now() WHERE id = $1", [second.id]);
    expect(await follow(second.id)).toBe(documentOf(await unlistedReviewer.get('/reviewers/'))('table a').attr('href'));
    await app.sql("UPDATE version SET stage = 'awaiting_review', reviewed = NULL WHERE id = $1", [second.id]);
    await app.sql("UPDATE version SET stage = 'rejected', reviewed = now() WHERE id = $1", [first.id]);
    expect(await follow(first.id)).toBe(second.path);
    await app.sql("UPDATE version SET stage = 'awaiting_review', reviewed = NULL WHERE id = $1", [first.id]);
    const $ = documentOf(await unlistedReviewer.get(first.path));
    expect($('[data-key="g n"]').attr('href')).toBe(`/reviewers/next/?after=${first.id}`);
    for (const page of [$, documentOf(await unlistedReviewer.get('/'))]) {
      expect(page('script[src$="/keys.js"]')).toHaveLength(1);
      const keys = page('dialog.shortcuts dt').toArray();
      expect(keys.map((each) => page(each).text()).join(', ')).toMatch(/^j or k, .* c, g then q, g then n, \?$/);
      expect(page('.site-nav [data-key="g q"]').attr('href')).toBe('/reviewers/');
    }
    expect((await visitors.author.get('/')).text).not.toContain('keys.js');
    const other = await visitorOf(app, await app.memberWith('Addons:ReviewUnlisted'));
    await other.submit('/reviewers/', 'queue-claim', { id: globalId('Version', second.id), release: '' });
    expect(await follow(first.id)).not.toBe(second.path);
    expect((await visitors.author.get('/reviewers/next/')).status).toBe(403);
  });

  it('count after a decision what waits, and lead on while a version waits that no other has claimed', async () => {
    const reviewer = await visitorOf(app, await app.memberWith('Addons:Review'));
    const other = await visitorOf(app, await app.memberWith('Addons:Review'));
    await app.sql("UPDATE version SET stage = 'rejected', reviewed = now() WHERE stage = 'awaiting_review'");
    const [decided, free, claimed, asked] = [await waiting(), await waiting(), await waiting(), await waiting()];
    const decideOn = (version: typeof decided, decision: string) => decide(reviewer, version, decision, 'Text.');
    const links = async (path = decided.path) => {
      const $ = documentOf(await reviewer.get(`${path}${path.includes('?') ? '&' : '?'}done=review-decision`));
      return $('#result a')
        .toArray()
        .map((link) => [$(link).text(), $(link).attr('href')]);
    };
    const next = `/reviewers/next/?after=${decided.id}`;
    const queue = ['Review queue', '/reviewers/'];
    const claim = { id: globalId('Version', claimed.id), release: '' };
    expect((await other.submit('/reviewers/', 'queue-claim', claim)).status).toBe(303);
    expect((await decideOn(asked, 'request')).status).toBe(303);
    expect((await decideOn(decided, 'comment')).status).toBe(303);
    expect(await links()).toEqual([['Next version (3 waiting)', next], queue]);
    expect((await decideOn(decided, 'reject')).status).toBe(303);
    expect(await links()).toEqual([['Next version (2 waiting)', next], queue]);
    expect(await links('/reviewers/')).toEqual([['Next version (2 waiting)', '/reviewers/next/']]);
    expect((await reviewer.get(next)).headers.location).toBe(free.path);
    expect((await decideOn(free, 'reject')).status).toBe(303);
    expect(await links()).toEqual([queue]);
    expect((await reviewer.get(next)).headers.location).toBe('/reviewers/');
    expect((await other.get(next)).headers.location).toBe(claimed.path);
  });

  it('lead to the code, and back, for those who may do something about the version', async () => {
    const slug = 'with-code';
    const path = `/reviewers/review/${slug}/?version=2.0`;
    const files = [await storePackage(await xpi())];
    const recent = { stage: 'awaiting_review', reviewed: null, files: files.map((file) => ({ ...file, status: 1 })) };
    await addon({ slug, authors: [authorId], versions: [{ files }, recent] });
    const pages = [`/addon/${slug}/versions/2.0/files/`, `/addon/${slug}/compare/1.0...2.0/`];
    const linksOf = async (visitor: Visitor, page: string) =>
      documentOf(await visitor.get(page))(`main a[href="${path}"]`);
    const $ = documentOf(await visitors.reviewer.get(path));
    for (const page of pages) {
      expect($(`main a[href="${page}"]`)).toHaveLength(1);
      expect((await linksOf(visitors.reviewer, page)).text()).toContain('Review of 2.0');
      expect(await linksOf(visitors.author, page)).toHaveLength(0);
    }
  });

  it('have no keys for reviewers who have switched them off', async () => {
    const sent = { language: 'en', theme: '', shortcuts: 'off', next: '/reviewers/' };
    const { headers } = await visitors.reviewer.submit('/preferences/', 'preferences', sent);
    expect(String(headers['set-cookie'])).toContain('addons_shortcuts=off');
    expect((await visitors.reviewer.get('/reviewers/')).text).toContain('<select name="shortcuts">');
    expect((await visitors.author.get('/')).text).not.toContain('name="shortcuts"');
    expect((await visitors.author.get('/')).text).not.toContain('class="shortcuts"');
  });
});

describe('the head of the page of a version', () => {
  it('says what the add-on is, and whose turn it is, as the queue does', async () => {
    const made = await waitingVersion(author);
    const read = async (part = '') => {
      const queue = documentOf(await visitors.reviewer.get(`/reviewers/${part}?sort=newest`));
      const marks = queue(`tr:has(a[href="${made.path}"]) .badge`);
      return {
        $: documentOf(await visitors.reviewer.get(made.path)),
        marks: marks.map((_, mark) => queue(mark).text()).get(),
      };
    };
    const first = await read();
    expect(first.marks).toEqual(['Update of 1.0']);
    expect(first.$('.addon-head').text()).toMatch(/2\.0\s+Extension · On this site · by user-/);
    expect(first.$('main > p').first().text()).toBe('Counts words.');
    expect(first.$('details').first().text()).toContain('Counts the words of a page.');
    expect(first.$('main > .notice')).toHaveLength(0);
    await decide(visitors.reviewer, made, 'request', 'Which pages?');
    const asked = await read('queue/information/');
    expect(asked.marks).toEqual(['Update of 1.0', 'Waits for the developer']);
    const question = asked.$('main > .notice a').attr('href');
    expect(asked.$(`.thread ${question}`).text()).toContain('Which pages?');
    await author.graphql('mutation($input: ReplyToReviewInput!) { replyToReview(input: $input) { __typename } }', {
      input: { id: globalId('Version', made.id), comments: 'All of them.' },
    });
    const { $, marks } = await read();
    expect(marks).toEqual(['Update of 1.0', 'Answered']);
    expect($('main > .notice').text()).toContain('it is your turn');
    const answer = $(`.thread ${$('main > .notice a').attr('href')}`);
    expect(answer.text()).toMatch(/Reply of a developer – .*All of them\./s);
    expect(answer.prevAll().text()).toContain('Which pages?');
  });

  it('is short on pages of its code, where drafts are deleted in their place', async () => {
    const made = await waitingVersion(author);
    const path = `${made.path.replace('/reviewers/review/', '/addon/').replace('?version=', 'versions/')}/files/?file=manifest.json`;
    const comment = {
      version: globalId('Version', made.id),
      path: 'manifest.json',
      line: '1',
      at: '1',
      text: 'Why so?',
    };
    const saved = await visitors.reviewer.submit(path, 'line-comment', comment);
    expect(saved.status).toBe(303);
    const $ = documentOf(await visitors.reviewer.get(path));
    expect($('.site-nav [aria-current]').text()).toMatch(/^Review/);
    const primary = [...$(`main a.primary[href="${made.path}#decision"]`)].map((link) => $(link).text());
    expect(primary).toEqual(['Decide', 'Continue to the decision']);
    expect($('main a.primary[data-key=d]').text()).toBe('Decide');
    expect($('main h1').text()).toMatch(/^Waits \d+: /);
    expect($('.addon-head, main > .tabs')).toHaveLength(0);
    const id = String($('.line-comment form [name=id]').val());
    const deleted = await visitors.reviewer.submit(path, 'review-draft-delete', { id });
    expect([deleted.status, deleted.headers.location]).toEqual([303, `${path}&done=review-draft-delete`]);
    expect(documentOf(await visitors.reviewer.get(path))('.line-comment')).toHaveLength(0);
    expect(documentOf(await visitors.author.get(path))('.addon-head')).toHaveLength(1);
  });

  it('is reached from the box that says why an add-on is not public', async () => {
    const { path } = await waiting();
    const reviewed = path.replace(/\?.*/, '');
    const linksOf = async (visitor: Visitor) =>
      documentOf(await visitor.get(reviewed.replace('/reviewers/review/', '/addon/')))(`.notice a[href="${reviewed}"]`);
    expect((await linksOf(visitors.reviewer)).text()).toBe('Review it');
    expect(await linksOf(visitors.author)).toHaveLength(0);
  });
});
