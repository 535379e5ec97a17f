/* The find forms of moderators: what they accept, what they say about a text that names nothing, and lists without an entry. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { documentOf, type Visitor, visitorOf } from '../../support/pages.ts';
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

const idOf = ({ accountId }: Client): number => accountId ?? 0;

const pathWith = (query: Record<string, string>, path = '/moderation/') => `${path}?${new URLSearchParams(query)}`;

async function listAt(path: string, visitor: Visitor = visitors.moderator) {
  const $ = documentOf(await visitor.get(path));
  const links = $('.columns p a').get();
  return {
    $,
    text: $('.columns p').first().text(),
    hrefs: links.map(({ attribs }) => attribs['href']),
    chips: $('.filter-chips a')
      .map((_, chip) => $(chip).text().replace('Remove filter:', '').trim())
      .get(),
    entries: $('tbody th > a:first-child')
      .map((_, link) => link.attribs['href'])
      .get(),
  };
}

describe('the find form of reports', () => {
  it('finds an add-on by the name that the list shows, and says which names nothing', async () => {
    const made = await addon({ slug: 'courier', name: { 'en-US': 'Download Courier' } });
    const { path } = await world.report({ addonGuid: made.guid, addonId: made.id });
    const found = await listAt(pathWith({ addon: 'download courier' }));
    expect([found.entries, found.chips]).toEqual([[path], ['Download Courier']]);
    const unknown = await listAt(pathWith({ addon: 'Nothing of this name' }));
    expect([unknown.entries, unknown.chips]).toEqual([[], []]);
    expect(unknown.text).toBe(
      'There is no add-on that you may see with the name, short name or id “Nothing of this name”.',
    );
    expect(unknown.$('#about-addon').attr('value')).toBe('Nothing of this name');
    const similar = await listAt(pathWith({ addon: 'Download' }));
    expect(similar.text).toContain('Did you mean Download Courier (courier)?');
    expect((await listAt(similar.hrefs[0] ?? '')).entries).toEqual([path]);
    const elsewhere = (await world.report({ addonGuid: 'elsewhere@example' })).path;
    const { entries, chips } = await listAt(pathWith({ addon: 'elsewhere@example' }));
    expect([entries, chips]).toEqual([[elsewhere], ['elsewhere@example']]);
  });

  it('offers each of several with one name', async () => {
    const paths: string[] = [];
    for (const slug of ['twin-one', 'twin-two']) {
      const { guid, id } = await addon({ slug, name: { 'en-US': 'Twin' } });
      paths.push((await world.report({ addonGuid: guid, addonId: id })).path);
    }
    const twins = await listAt(pathWith({ addon: 'Twin', target: 'addon' }));
    expect(twins.text).toBe('Several have the name “Twin”. Choose one: Twin (twin-one), Twin (twin-two)');
    expect([twins.entries, twins.chips]).toEqual([[], ['Add-ons of this site']]);
    const chosen = await listAt(twins.hrefs[1] ?? '');
    expect(chosen.entries).toEqual([`${paths[1]}?target=addon`]);
  });

  it('finds reports about an account by its displayed name, and those by a sender', async () => {
    const kite = await app.developer();
    await app.sql("UPDATE account SET display_name = 'Paper Kite Studio', username = 'paper-kite' WHERE id = $1", [
      idOf(kite),
    ]);
    const about = (await world.report({ accountId: idOf(kite) })).path;
    const by = (await world.report({ reporterId: idOf(kite) })).path;
    const reported = await listAt(pathWith({ user: 'Paper Kite Studio' }));
    expect([reported.entries, reported.chips]).toEqual([[about], ['Reported account: Paper Kite Studio']]);
    const sent = await listAt(pathWith({ sender: 'paper kite studio' }));
    expect([sent.entries, sent.chips]).toEqual([[by], ['Sent by: Paper Kite Studio']]);
    const beginning = await listAt(pathWith({ sender: 'paper' }));
    expect(beginning.text).toContain('Did you mean Paper Kite Studio (paper-kite)?');
    expect((await listAt(beginning.hrefs[0] ?? '')).entries).toEqual([by]);
    expect(reported.$('#about-user-hint').text()).toBe('Name, username or number');
    const $ = documentOf(await visitors.staff.get('/moderation/'));
    expect($('#about-user-hint').text()).toContain('e-mail address');
  });

  it('is filled by the name of each sender whom the viewer sees', async () => {
    const [sender, subject] = [await app.developer(), await app.memberWith('AbuseReports:Edit')];
    const visitor = await visitorOf(app, subject);
    const hidden = await world.report({ reporterId: idOf(sender), accountId: idOf(subject) });
    const shown = await world.report({ reporterId: idOf(sender) });
    const links = async (path: string, who: Visitor) =>
      documentOf(await who.get(path))(`main a[href$="sender=${sender.accountId}"]`).length;
    expect(await links(shown.path, visitor)).toBe(2);
    expect(await links(hidden.path, visitor)).toBe(0);
    expect(await links(hidden.path, visitors.moderator)).toBe(2);
    const href = `/moderation/?state=all&sender=${sender.accountId}`;
    expect((await listAt('/moderation/', visitor)).$(`tbody a[href="${href}"]`)).toHaveLength(1);
    expect((await listAt(href)).entries).toEqual([shown.path, hidden.path]);
    const own = await listAt(href, visitor);
    expect([own.entries, own.$('nav.tabs').last().find('.count').last().text()]).toEqual([[shown.path], '1']);
  });

  it('takes a constant number of statements', async () => {
    const path = pathWith({ addon: 'Download Courier', user: 'Paper Kite Studio', sender: 'Paper Kite Studio' });
    const few = await statementsDuring(() => visitors.moderator.get(path));
    for (let more = 0; more < 5; more++) {
      const account = await app.developer();
      await world.report({ accountId: idOf(account), reporterId: idOf(account) });
      await addon({ name: { 'en-US': `Courier ${more}` } });
    }
    expect(areConstant(few, await statementsDuring(() => visitors.moderator.get(path)))).toBe(true);
  });
});

describe('a list of reports without an entry', () => {
  it('leads to the reports in other states that match, and says when there are none', async () => {
    const made = await addon({ slug: 'settled', name: { 'en-US': 'Settled' } });
    const { number, path } = await world.report({ addonGuid: made.guid, addonId: made.id });
    await app.sql("UPDATE abuse_report SET state = 'valid', decided = now() WHERE id = $1", [number]);
    const open = await listAt(pathWith({ addon: 'Settled' }));
    expect(open.text).toBe('There are no such reports here. Search in all reports, open and decided: 1');
    expect((await listAt(open.hrefs[0] ?? '')).entries).toEqual([path]);
    const none = await listAt(pathWith({ addon: 'Settled', target: 'collection' }));
    expect([none.text, none.hrefs]).toEqual(['There are no such reports, open or decided.', []]);
    await app.sql("UPDATE abuse_report SET state = 'dismissed', decided = now() WHERE state = 'open'");
    expect((await listAt('/moderation/')).text).toBe('No report waits for a decision.');
  });
});

describe('the find form of ratings', () => {
  const PATH = '/moderation/ratings/';

  it('finds an add-on by its displayed name, and says which names nothing', async () => {
    const made = await addon({ slug: 'rated-one', name: { 'en-US': 'Rated One' } });
    const rating = await rate(await app.developer(), made, 1, 'Buy pills.');
    await app.sql('UPDATE rating SET open_flags = 1 WHERE id = $1', [rating]);
    const found = await listAt(pathWith({ addon: 'rated one' }, PATH));
    expect([found.$('tbody tr').length, found.chips]).toEqual([1, ['Rated One']]);
    const quiet = await addon({ slug: 'rated-two', name: { 'en-US': 'Rated Two' } });
    for (const text of ['Rated Two', quiet.guid]) {
      const none = await listAt(pathWith({ addon: text }, PATH));
      expect([none.text, none.chips]).toEqual(['Nothing waits.', ['Rated Two']]);
    }
    const unknown = await listAt(pathWith({ addon: 'Rated' }, PATH), visitors.staff);
    expect([unknown.$('tbody tr').length, unknown.chips]).toEqual([0, []]);
    expect(unknown.text).toContain('There is no add-on that you may see');
    expect(unknown.hrefs).toContain('/moderation/ratings/?addon=rated-one');
    const hidden = await addon({ slug: 'behind-it', name: { 'en-US': 'Veiled' }, status: 'disabled' });
    expect((await listAt(pathWith({ addon: 'Veiled' }, PATH))).chips).toEqual([]);
    expect((await listAt(pathWith({ addon: hidden.guid }, PATH))).chips).toEqual([hidden.guid]);
  });
});
