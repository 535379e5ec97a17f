/* The queue of reviewers. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import type { VersionFacts } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';
import { documentOf, type Visitor, visitorOf } from '../support/pages.ts';
import { decide, waitingVersion } from '../support/waiting-version.ts';

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

describe('the queue of reviewers', () => {
  it('lists what a reviewer may decide about, with links', async () => {
    const listed = await waiting();
    const unlisted = await waiting({ channel: 'unlisted' });
    const theme = await waiting({}, 'statictheme');
    const linksOf = async (visitor: Visitor) => {
      const $ = documentOf(await visitor.get('/reviewers/'));
      const links = $('table a[href^="/reviewers/review/"]').toArray();
      return links.map((link) => $(link).attr('href'));
    };
    expect(await linksOf(visitors.reviewer)).toContain(listed.path);
    expect(await linksOf(visitors.reviewer)).not.toContain(unlisted.path);
    expect(await linksOf(visitors.unlistedReviewer)).toContain(unlisted.path);
    expect(await linksOf(visitors.themeReviewer)).toEqual([theme.path]);
  });

  it('says how earlier versions of the authors were decided about', async () => {
    const [made, other] = [await waiting(), await waiting()];
    await decide(visitors.reviewer, other, 'reject', 'No.');
    const $ = documentOf(await visitors.reviewer.get('/reviewers/?sort=newest'));
    const row = $(`tr:has(a[href="${made.path}"])`);
    expect(row.text()).toMatch(/by user-\w+ · \d+ approvals? · [1-9]\d* rejections?/);
  });

  it('has filters in its address', async () => {
    await waiting();
    const sum = async (query: string) =>
      documentOf(await visitors.reviewer.get(`/reviewers/${query}`))('.list-tools > p').text();
    for (const query of ['?claimed=me', '?channel=unlisted', '?author=unknown', '?first=1'])
      expect(await sum(query), query).toMatch(/^0 versions wait\./);
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
    expect(found.get()).toEqual(['To decide 2', 'Themes 2', 'Information requested 0', 'Referred 0']);
    const $ = documentOf(await visitors.themeReviewer.get('/reviewers/queue/themes/'));
    expect($('.tabs [aria-current]').text()).toBe('Themes 2');
    expect($('main').text()).toMatch(/The oldest has waited for [\d,]+ days\./);
    expect((await visitors.reviewer.get('/reviewers/queue/other/')).status).toBe(404);
    expect((await visitors.author.get('/reviewers/queue/listed/')).status).toBe(403);
  });

  it('counts what waits for the reviewer as the navigation does, and apart what waits for others', async () => {
    const [reviewer, more] = [await visitorOf(app, await app.memberWith('Addons:Review')), await waiting()];
    const [asked, referred] = [await waiting(), await waiting()];
    const numbers = async () => {
      const $ = documentOf(await reviewer.get('/reviewers/'));
      const tab = (name: string) => Number($(`.tabs a:contains("${name}") .count`).text());
      const navigation = Number($('.site-nav a[href="/reviewers/"] .count').text());
      const sum = Number(/^\d+/.exec($('.list-tools > p').text())?.[0]);
      return { navigation, sum, toDecide: tab('To decide'), asked: tab('Information'), referred: tab('Referred') };
    };
    const before = await numbers();
    const rows = documentOf(await reviewer.get('/reviewers/'))('table tbody tr').length;
    expect([before.sum, before.toDecide, rows]).toEqual(Array(3).fill(before.navigation));
    await decide(reviewer, asked, 'request', 'Why?');
    await decide(reviewer, referred, 'refer', '');
    const left = before.navigation - 2;
    expect(await numbers()).toEqual({
      ...{ navigation: left, sum: left, toDecide: left },
      ...{ asked: before.asked + 1, referred: before.referred + 1 },
    });
    const listed = async (path: string) => {
      const $ = documentOf(await reviewer.get(path));
      return [more, asked, referred].map(({ path: each }) => $(`table a[href="${each}"]`).length);
    };
    expect(await listed('/reviewers/')).toEqual([1, 0, 0]);
    expect(await listed('/reviewers/queue/information/')).toEqual([0, 1, 0]);
    expect(await listed('/reviewers/queue/super/')).toEqual([0, 0, 1]);
    const done = documentOf(await reviewer.get(`${asked.path}&done=review-decision`));
    expect(done('#result a.primary').text()).toBe(`Next version (${left} waiting)`);
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
    // Where rows are blocks, cells have the headings of their columns, and buttons need none.
    const labels = (await row()).find('td').toArray();
    expect(labels.map((cell) => cell.attribs['data-label'])).toEqual([
      'Type',
      'Daily users',
      'Waiting',
      'State',
      undefined,
    ]);
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
