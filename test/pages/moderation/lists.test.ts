/* The lists of the inbox of moderators, and what the navigation says of what waits. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';
import { documentOf, formFields, type Visitor } from '../../support/pages.ts';
import { rate } from '../../support/ratings.ts';
import { makeReportWorld, type ReportWorld } from '../../support/report-world.ts';

const app = setUpApp();
let world: ReportWorld;
let visitors: ReportWorld['visitors'];
beforeAll(async () => {
  world = await makeReportWorld(app);
  visitors = world.visitors;
});

const TABS = 'main nav.tabs';

async function listAt(path: string, visitor: Visitor = visitors.moderator) {
  const $ = documentOf(await visitor.get(path));
  const links = $(TABS).last().find('a').get();
  const counts = Object.fromEntries(
    links.map((link) => {
      const count = $(link).find('.count').remove().text();
      return [$(link).text().trim(), Number(count)];
    }),
  );
  return {
    ...{ $, counts },
    hrefs: Object.fromEntries(links.map((link) => [$(link).text().trim(), link.attribs['href'] ?? ''])),
    current: $(TABS).last().find('a[aria-current=page]').text().trim(),
    reports: $('tbody th > a:first-child')
      .map((_, link) => link.attribs['href'])
      .get(),
    sum: $('.columns p').first().text(),
  };
}

async function decide(visitor: Visitor, path: string, state: string) {
  const fields = { ...(await formFields(visitor, path, 'moderation-decide')), state };
  expect((await visitor.submit(path, 'moderation-decide', fields)).status).toBe(303);
}

describe('the lists of the inbox', () => {
  it('say what they show, and have the decisions of the viewer as a list of its own', async () => {
    const made = [await world.report(), await world.report(), await world.report(), await world.report()] as const;
    await decide(visitors.moderator, made[0].path, 'VALID');
    await decide(visitors.moderator, made[1].path, 'DISMISSED');
    await decide(visitors.other, made[2].path, 'VALID');
    const open = await listAt('/moderation/');
    expect([open.current, open.sum]).toEqual(['Open', '1 report waits for a decision. Oldest first.']);
    expect(Object.keys(open.hrefs)).toEqual([
      ...['Open', 'Decided by me', 'Confirmed', 'Dismissed', 'Covered by another report', 'All'],
    ]);
    expect(Object.values(open.counts)).toEqual([1, 2, 2, 1, 0, 4]);
    const mine = await listAt(open.hrefs['Decided by me'] ?? '');
    expect([mine.current, mine.sum]).toEqual([
      'Decided by me',
      '2 reports that you have decided about. Latest decision first.',
    ]);
    expect(mine.reports).toEqual([made[1].path, made[0].path]);
    expect(mine.$('.filter-chips')).toHaveLength(0);
    const covered = await listAt(mine.hrefs['Covered by another report'] ?? '');
    expect([covered.current, covered.sum]).toEqual([
      'Covered by another report',
      'There are no such reports here. Search in all reports, open and decided: 4',
    ]);
    expect(covered.$('.columns p a').attr('href')).toBe(covered.hrefs['All']);
    const confirmed = await listAt(mine.hrefs['Confirmed'] ?? '');
    expect(confirmed.sum).toContain('2 confirmed reports, by any moderator.');
    expect(confirmed.reports).toEqual([made[2].path, made[0].path]);
    expect((await listAt(confirmed.hrefs['Open'] ?? '')).current).toBe('Open');
    expect((await listAt(confirmed.hrefs['All'] ?? '')).reports).toHaveLength(4);
  });

  it('keep further filters, and no filter leads to another list', async () => {
    const mine = await listAt((await listAt('/moderation/?target=addon')).hrefs['Decided by me'] ?? '');
    expect(mine.current).toBe('Decided by me');
    expect(mine.$('.filter-chips a').text()).toContain('Add-ons of this site');
    const filters = mine.$('.filter-list nav a').get();
    expect(filters.length).toBeGreaterThan(5);
    for (const { attribs } of filters) expect((await listAt(attribs['href'] ?? '')).current).toBe('Decided by me');
    const confirmed = mine.$('.filter-list a:contains("Confirmed")').attr('href') ?? '';
    const chosen = await listAt(confirmed);
    expect(chosen.reports).toHaveLength(1);
    expect(chosen.$('.filter-chips a').first().text()).toContain('Confirmed');
    for (const { attribs } of (await listAt('/moderation/')).$('.filter-list nav a').get())
      expect((await listAt(attribs['href'] ?? '')).current).toBe('Open');
  });

  it('have the decisions of another moderator as a filter that can be removed', async () => {
    const username = documentOf(await visitors.other.get('/account/'))('.account-menu bdi').text();
    const theirs = await listAt(`/moderation/?decidedBy=${username}`);
    expect([theirs.current, theirs.reports.length]).toEqual(['All', 1]);
    expect(theirs.$('.filter-chips a').text()).toContain(username);
    expect(theirs.hrefs['Open']).toBe('/moderation/');
  });

  it('say which open reports are not counted for the viewer', async () => {
    const client = await app.memberWith('AbuseReports:Edit');
    const { visitorOf } = await import('../../support/pages.ts');
    const author = await visitorOf(app, client);
    const { id, guid } = await addon({ authors: [client.accountId ?? 0] });
    await world.report({ addonId: id, addonGuid: guid });
    const sentence = '1 of them is about you or an add-on of yours.';
    expect((await listAt('/moderation/', author)).$('main').text()).toContain(sentence);
    expect((await listAt('/moderation/?target=addon', author)).$('main').text()).not.toContain(sentence);
    expect((await listAt('/moderation/')).$('main').text()).not.toContain(sentence);
  });
});

describe('the navigation', () => {
  it('says what it counts: in words where there are several kinds, and in the title', async () => {
    await app.sql("UPDATE abuse_report SET state = 'dismissed', decided = now() WHERE state = 'open'");
    const made = await addon();
    const count = async (visitor: Visitor, href: string) => {
      const link = documentOf(await visitor.get('/docs/'))(`.site-nav a[href="${href}"]`);
      return [link.find('.count').text(), link.find('.count').attr('title'), link.find('.visually-hidden').text()];
    };
    await world.report();
    await world.report();
    const reports = 'waiting: 2 reports';
    expect(await count(visitors.moderator, '/moderation/')).toEqual(['2 reports', reports, `, ${reports}`]);
    const rating = await rate(await app.developer(), made, 1, 'Bad.');
    await app.sql('UPDATE rating SET open_flags = 1 WHERE id = $1', [rating]);
    const both = 'waiting: 2 reports, 1 rating';
    expect(await count(visitors.moderator, '/moderation/')).toEqual(['2 reports, 1 rating', both, `, ${both}`]);
    await addon({ versions: [{ version: '2.0', stage: 'awaiting_review', reviewed: null }] });
    const versions = 'waiting: 1 version';
    expect(await count(visitors.administrator, '/reviewers/')).toEqual(['1', versions, `, ${versions}`]);
  });
});
