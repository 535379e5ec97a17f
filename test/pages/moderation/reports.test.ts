/* The inbox of moderators, the page of a report, and what the navigation says about them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';
import { documentOf, textOf, type Visitor } from '../../support/pages.ts';
import { rate } from '../../support/ratings.ts';
import { makeReportWorld, type ReportWorld } from '../../support/report-world.ts';
import { areConstant, statementsDuring } from '../../support/statements.ts';

const app = setUpApp();
let world: ReportWorld;
let visitors: ReportWorld['visitors'];
beforeAll(async () => {
  world = await makeReportWorld(app);
  visitors = world.visitors;
});

describe('the inbox of moderators', () => {
  const linksOf = async (query: string) => {
    const $ = documentOf(await visitors.moderator.get(`/moderation/${query}`));
    return $('table th > a')
      .map((_, link) => $(link).attr('href'))
      .get();
  };

  it('lists open reports, the oldest first, and others by their state', async () => {
    const [first, second] = [await world.report(), await world.report()];
    await app.sql("UPDATE abuse_report SET state = 'valid', decided = now() WHERE id = $1", [second.number]);
    const third = await world.report();
    const open = await linksOf('');
    expect(open.indexOf(first.path)).toBeGreaterThan(-1);
    expect(open.indexOf(first.path)).toBeLessThan(open.indexOf(third.path));
    expect(open).not.toContain(second.path);
    expect(await linksOf('?state=valid')).toEqual([second.path]);
    const all = await linksOf('?state=all');
    expect(all.indexOf(third.path)).toBeLessThan(all.indexOf(second.path));
  });

  it('has decided reports by the time of the decision, with who decided, and those of the viewer', async () => {
    const [first, second] = [await world.report(), await world.report()];
    const decide = (number: number, by: number, time: string) =>
      app.sql("UPDATE abuse_report SET state = 'dismissed', decided_by = $2, decided = $3 WHERE id = $1", [
        ...[number, by, time],
      ]);
    const username = documentOf(await visitors.moderator.get('/account/'))('.account-menu bdi').text();
    const [mine] = await app.sql<{ id: number }>('SELECT id FROM account WHERE username = $1', [username]);
    await decide(first.number, mine?.id ?? 0, '2020-01-02');
    await decide(second.number, world.reporter.accountId ?? 0, '2020-01-01');
    expect(await linksOf('?state=dismissed')).toEqual([first.path, second.path]);
    const $ = documentOf(await visitors.moderator.get('/moderation/?state=dismissed'));
    expect($(`tr:has(a[href="${first.path}"]) td`).last().text()).toMatch(/Dismissed.*by .*, Jan 2, 2020/);
    expect($(`a[href="${first.path}"]`).text()).toBe(`Report ${first.number}: Reported`);
    const own = $('nav.tabs a:contains("Decided by me")').attr('href') ?? '';
    expect(await linksOf(own.replace('/moderation/', ''))).toEqual([first.path]);
  });

  it('has tabs for reports and ratings with what waits there, and names the list of flagged ratings', async () => {
    const $ = documentOf(await visitors.moderator.get('/moderation/?target=rating'));
    const [open] = await app.sql<{ count: string }>("SELECT count(*) FROM abuse_report WHERE state = 'open'");
    const tab = (document: typeof $, path: string) => document(`nav.tabs a[href="${path}"]`);
    expect(tab($, '/moderation/').first().text()).toBe(`Reports ${open?.count}`);
    expect(tab($, '/moderation/ratings/').text()).toBe('Ratings 0');
    const ratingsLink = (document: typeof $) => document('.columns p a[href="/moderation/ratings/"]').text();
    expect(ratingsLink($)).toBe('');
    const rating = await rate(await app.developer(), world.target, 1, 'Spam.');
    await app.sql('UPDATE rating SET open_flags = 1 WHERE id = $1', [rating]);
    const waiting = documentOf(await visitors.moderator.get('/moderation/?target=rating'));
    expect(ratingsLink(waiting)).toContain('1 flagged rating');
    await app.sql('UPDATE rating SET open_flags = 0 WHERE id = $1', [rating]);
    const ratings = documentOf(await visitors.moderator.get('/moderation/ratings/?addon=reported'));
    expect(tab(ratings, '/moderation/').text()).toBe(`Reports ${open?.count}`);
    expect(tab(ratings, '/moderation/ratings/').attr('aria-current')).toBe('page');
  });

  it('says how long ago a report was sent', async () => {
    const made = await world.report();
    const ageOf = async (minutes: number) => {
      const created = new Date(Date.now() - minutes * 60_000);
      await app.sql('UPDATE abuse_report SET created = $2 WHERE id = $1', [made.number, created]);
      const $ = documentOf(await visitors.moderator.get('/moderation/'));
      return $(`tr:has(a[href="${made.path}"]) time`).first().text();
    };
    const texts: string[] = [];
    for (const minutes of [0, 1.5, 59.5, 60.5, 3000]) texts.push(await ageOf(minutes));
    expect(texts).toEqual(['just now', '1 minute', '59 minutes', '1 hour', '2 days']);
  });

  it('has filters by age and target in its address', async () => {
    const old = await world.report({ created: new Date('2020-01-01') });
    const unknown = await world.report({ addonGuid: 'unknown@example' });
    const account = await world.report({ accountId: world.reported.accountId ?? 0 });
    expect(await linksOf('?age=month')).toEqual([old.path]);
    expect(await linksOf('?target=unknown_addon')).toEqual([`${unknown.path}?target=unknown_addon`]);
    expect(await linksOf('?target=account')).toEqual([`${account.path}?target=account`]);
    const accounts = documentOf(await visitors.moderator.get('/moderation/?target=account'));
    expect(accounts('.filter-chips a').attr('href')).toBe('/moderation/');
    expect(accounts('tbody th').text()).toMatch(/Account/);
    expect(accounts('main').text()).toContain('Oldest first.');
    const another = await world.report({ accountId: world.reported.accountId ?? 0 });
    const done = await visitors.moderator.get(`${account.path}?target=account&done=moderation-decide`);
    const ways = documentOf(done)('[role=status] a').get();
    expect(ways.map(({ attribs }) => attribs['href']).slice(0, 2)).toEqual([
      ...[`${another.path}?target=account`, '/moderation/?target=account'],
    ]);
    await app.sql('DELETE FROM abuse_report WHERE id = $1', [another.number]);
    expect(await linksOf('?addon=UNKNOWN@example')).toEqual([unknown.path]);
    expect(await linksOf(`?user=${world.reported.accountId}`)).toEqual([account.path]);
    expect(await linksOf('?addon=reported')).toContain(old.path);
    for (const query of [
      '?decidedBy=%00',
      '?decidedBy=99999999999999',
      '?state=valid&after=x',
      '?addon=%00',
      '?user=%00&age=x',
      '?after=x&state=y&target=z',
      '?addon=99999999999999',
    ]) {
      expect((await visitors.moderator.get(`/moderation/${query}`)).status).toBeLessThan(500);
    }
  });

  it('has pages', async () => {
    const { db } = await import('../../../src/infra/db.ts');
    const rows = Array.from({ length: 60 }, () => ({ addonGuid: 'many@example', message: 'x' }));
    await db.abuseReport.createMany({ data: rows });
    const $ = documentOf(await visitors.moderator.get('/moderation/?addon=many@example'));
    expect($('tbody tr')).toHaveLength(50);
    const next = documentOf(await visitors.moderator.get($('.pager a[rel=next]').attr('href') ?? ''));
    expect(next('tbody tr')).toHaveLength(10);
  });

  it('is for moderators', async () => {
    expect((await visitors.anonymous.get('/moderation/')).headers.location).toBe('/login/?next=%2Fmoderation%2F');
    expect((await visitors.stranger.get('/moderation/')).status).toBe(403);
    for (const visitor of [visitors.moderator, visitors.staff, visitors.administrator]) {
      expect((await visitor.get('/moderation/')).status).toBe(200);
    }
  });

  it('leads to the version that the sender named, for its reviewers to their page, in a constant number of statements', async () => {
    await app.sql("UPDATE abuse_report SET state = 'dismissed', decided = now() WHERE state = 'open'");
    const [{ version = '' } = {}] = await app.sql<{ version: string }>(
      'SELECT version FROM version WHERE addon_id = $1',
      [world.target.id],
    );
    const named = async (addon_version: string, facts = {}) =>
      (await world.report({ details: { addon_version }, ...facts })).path;
    const unlisted = await addon({ slug: 'unlisted-only', versions: [{ version: '3.0', channel: 'unlisted' }] });
    const existing = await named(version);
    const unknown = await named('99.9');
    const hidden = await named('3.0', { addonGuid: unlisted.guid, addonId: unlisted.id });
    const elsewhere = await named(version, { addonGuid: 'elsewhere@example' });
    const links = async (visitor: Visitor, list: boolean) =>
      Promise.all(
        [existing, unknown, hidden, elsewhere].map(async (path) => {
          const $ = documentOf(await visitor.get(list ? '/moderation/' : path));
          const place = list ? $(`tr:has(a[href="${path}"]) th`) : $('main section[aria-labelledby=program] dd');
          const link = place.find('a').filter((_, each) => $(each).attr('href') !== path);
          return [place.find('bdi').last().text(), link.attr('href')];
        }),
      );
    const publicPage = `/addon/reported/versions/${version}/`;
    const others = [
      ['99.9', undefined],
      ['3.0', undefined],
      [version, undefined],
    ];
    const reviewPage = `/reviewers/review/reported/?version=${version}`;
    const administered = [
      ['99.9', undefined],
      ['3.0', '/reviewers/review/unlisted-only/?version=3.0'],
      [version, undefined],
    ];
    for (const list of [true, false]) {
      expect(await links(visitors.moderator, list)).toEqual([[version, publicPage], ...others]);
      expect(await links(visitors.administrator, list)).toEqual([[version, reviewPage], ...administered]);
    }
    const statements = () => statementsDuring(() => visitors.administrator.get('/moderation/'));
    const few = await statements();
    for (let more = 0; more < 12; more++) {
      const { id, guid } = await addon({ versions: [{ version: '4.0' }] });
      await named('4.0', { addonGuid: guid, addonId: id });
    }
    const many = await statements();
    expect(areConstant(few, many)).toBe(true);
  });
});

describe('the page of a report', () => {
  it('shows what was sent, the target and other reports, but no network address', async () => {
    const earlier = await world.report({ message: 'Reason: spam\n\nToo many <b>mails</b>.' });
    const details = { reason: 'damage', addon_version: '1.5', addon_install_source_url: 'https://x.example/?<i>' };
    const made = await world.report({ details, message: 'It is slow.\nVery slow.' });
    const { status, text } = await visitors.moderator.get(made.path);
    expect(status).toBe(200);
    const shown = textOf({ text });
    for (const part of ['It is slow.', '1.5', 'https://x.example/?<i>', world.target.guid, 'Public']) {
      expect(shown).toContain(part);
    }
    expect(text).not.toContain('192.0.2.77');
    const $ = documentOf({ text });
    expect($('#others').parent().find(`a[href="${earlier.path}"]`)).toHaveLength(1);
    expect($('#others').parent().find(`a[href="${made.path}"]`)).toHaveLength(0);
    expect($('aside a[href="/addon/reported/"]')).toHaveLength(1);
    const linksFor = async (visitor: Visitor) => {
      const shown = documentOf(await visitor.get(made.path))('aside .plain-list a').get();
      return shown.map(({ attribs }) => attribs['href']);
    };
    const rules = '/docs/agreement/';
    expect(await linksFor(visitors.moderator)).toEqual(['/addon/reported/versions/1.0/', rules]);
    expect(await linksFor(visitors.staff)).toEqual([
      ...['/addon/reported/versions/1.0/', '/developers/addon/reported/', rules],
    ]);
    expect((await linksFor(visitors.administrator))[0]).toBe('/reviewers/review/reported/?version=1.0');
    for (const path of await linksFor(visitors.administrator))
      expect((await visitors.administrator.get(path ?? '')).status).toBe(200);
    const other = textOf(await visitors.moderator.get(earlier.path));
    expect(other).toContain('It is spam or advertising');
    expect(other).not.toContain('Reason: spam');
  });

  it('says what has become of the target', async () => {
    const states = [
      [{ addonGuid: 'unknown@example' }, 'Not on this site'],
      [await disabledAddon(), 'Disabled by the operator'],
      [{ accountId: world.reported.accountId ?? 0 }, 'Active'],
    ] as const;
    for (const [facts, text] of states) {
      const { path } = await world.report(facts);
      expect(textOf(await visitors.moderator.get(path))).toContain(text);
    }
  });

  it('is not found for others, and without a report', async () => {
    const { path } = await world.report();
    expect((await visitors.anonymous.get(path)).status).toBe(303);
    expect((await visitors.stranger.get(path)).status).toBe(404);
    for (const none of ['0', 'x', '2000000000', '99999999999']) {
      expect((await visitors.moderator.get(`/moderation/${none}/`)).status).toBe(404);
    }
  });

  async function disabledAddon() {
    const { id, guid } = await addon({ status: 'disabled' });
    return { addonId: id, addonGuid: guid };
  }
});

describe('the navigation', () => {
  /** The links of the navigation that are for staff, with what waits there. */
  async function staffLinks(visitor: Visitor): Promise<string[]> {
    const $ = documentOf(await visitor.get('/docs/'));
    const links = $('.site-nav a').toArray().slice(5);
    return links.map((link) => `${$(link).attr('href')} ${$(link).find('.count').text()}`.trim());
  }

  it('leads staff to what waits for them, with its number', async () => {
    await app.sql("UPDATE abuse_report SET state = 'dismissed', decided = now() WHERE state = 'open'");
    expect(await staffLinks(visitors.moderator)).toEqual(['/moderation/']);
    await world.report();
    await world.report();
    expect(await staffLinks(visitors.moderator)).toEqual(['/moderation/ 2 reports']);
    const versions = [{ version: '2.0', stage: 'awaiting_review', reviewed: null }];
    await addon({ versions });
    expect(await staffLinks(visitors.administrator)).toEqual(['/reviewers/ 1', '/moderation/ 2 reports', '/admin/']);
    const { db } = await import('../../../src/infra/db.ts');
    const rows = Array.from({ length: 100 }, () => ({ addonGuid: 'many@example', message: 'x' }));
    await db.abuseReport.createMany({ data: rows });
    expect(await staffLinks(visitors.moderator)).toEqual(['/moderation/ 99+ reports']);
  });

  it('counts nothing for others, and in one statement for staff', async () => {
    expect(await staffLinks(visitors.stranger)).toEqual([]);
    expect(await staffLinks(visitors.anonymous)).toEqual([]);
    const counts = async (visitor: Visitor) =>
      (await statementsDuring(() => visitor.get('/docs/'))).filter((each) => each.includes('AS reports')).length;
    expect(await counts(visitors.stranger)).toBe(0);
    expect(await counts(visitors.administrator)).toBe(1);
  });
});

describe('in other languages', () => {
  it.each(['de', 'he'])('the pages are translated: %s', async (language) => {
    const { path } = await world.report();
    for (const address of ['/moderation/', path]) {
      const { status, text } = await visitors.moderator.get(`${address}?lang=${language}`);
      expect(status).toBe(200);
      expect(text).toContain(`<html lang="${language}"`);
      expect(textOf({ text })).not.toContain('Reports of abuse');
    }
  });
});
