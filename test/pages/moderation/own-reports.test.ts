/* Pages for a moderator whom a report is about: it is marked, and another moderator decides. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';
import { documentOf, formFields, textOf, type Visitor, visitorOf } from '../../support/pages.ts';
import { makeReportWorld, type ReportWorld } from '../../support/report-world.ts';

const app = setUpApp();
const SENTENCE = 'This report is about you or an add-on of yours. Another moderator decides it.';
let world: ReportWorld;
/** The author of the reported add-on, who is a moderator and edits add-ons and accounts. */
let author: Visitor;
let sender: string;
/** About the author's add-on, and about another one. */
let own: Awaited<ReturnType<ReportWorld['report']>>;
let another: typeof own;

beforeAll(async () => {
  world = await makeReportWorld(app);
  const client = await app.memberWith('AbuseReports:Edit', 'Addons:Edit', 'Users:Edit');
  author = await visitorOf(app, client);
  const { id, guid } = await addon({ authors: [client.accountId ?? 0] });
  own = await world.report({ addonId: id, addonGuid: guid, created: new Date('2020-01-01') });
  another = await world.report({ addonGuid: 'another@example' });
  const [account] = await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', [
    world.reporter.accountId,
  ]);
  sender = account?.username ?? '';
});

describe('a report about the viewer', () => {
  it('has a sentence in place of its forms, and does not name its sender', async () => {
    const theirs = await world.visitors.other.get(own.path);
    expect(textOf(theirs)).toContain(sender);
    const text = 'Thank you for the hint.';
    const fields = { ...(await formFields(world.visitors.other, theirs, 'moderation-decide')), 'reply.text': text };
    expect((await world.visitors.other.submit(own.path, 'moderation-decide', fields)).status).toBe(303);
    const page = await author.get(own.path);
    expect(textOf(page)).toContain(SENTENCE);
    expect(textOf(page)).toContain('It counts wrongly.');
    expect(textOf(page)).toContain('Sent by not shown to you');
    expect(textOf(page)).toMatch(/Reply of \S+ to the sender/);
    expect(page.text).not.toContain(sender);
    expect(documentOf(page)('main form')).toHaveLength(0);
    const forced = await author.submit(own.path, 'moderation-decide', { ...fields, state: 'DISMISSED' });
    expect([forced.status, textOf(forced).includes(SENTENCE)]).toEqual([403, true]);
    expect(await app.sql('SELECT state FROM abuse_report WHERE id = $1', [own.number])).toEqual([{ state: 'open' }]);
    expect(documentOf(await author.get(another.path))('main form#moderation-decide')).toHaveLength(1);
  });

  it('is marked in the list, not counted, and not the next report', async () => {
    const third = await world.report({ addonGuid: 'third@example' });
    const numbersOf = async (visitor: Visitor, path: string) => {
      const $ = documentOf(await visitor.get(path));
      return [$('.site-nav a[href="/moderation/"] .count').text(), $('nav.tabs .count').first().text()];
    };
    for (const path of ['/moderation/', '/moderation/ratings/']) {
      expect(await numbersOf(author, path)).toEqual(['2 reports', '2']);
      expect(await numbersOf(world.visitors.moderator, path)).toEqual(['3 reports', '3']);
    }
    const $ = documentOf(await author.get('/moderation/'));
    const row = (path: string) => $(`tr:has(a[href="${path}"])`).text();
    expect($('tbody tr')).toHaveLength(3);
    expect(row(own.path)).toContain('About you or an add-on of yours');
    expect(row(own.path)).toContain('not shown to you');
    expect(row(another.path)).not.toContain('About you');
    expect(row(another.path)).toContain(sender);
    const fields = { ...(await formFields(author, another.path, 'moderation-decide')), state: 'DISMISSED' };
    const { headers } = await author.submit(another.path, 'moderation-decide', fields);
    const done = documentOf(await author.get(String(headers.location)));
    const next = (page: typeof done) => page(`[role=status] a[href^="/moderation/"]`).first().attr('href');
    expect(next(done)).toBe(third.path);
    expect(next(documentOf(await world.visitors.moderator.get(String(headers.location))))).toBe(own.path);
  });

  it.each(['de', 'he'])('is marked in other languages: %s', async (language) => {
    for (const path of ['/moderation/', own.path]) {
      const { status, text } = await author.get(`${path}?lang=${language}`);
      expect(status).toBe(200);
      expect(textOf({ text })).not.toMatch(/not shown to you|add-on of yours/);
    }
  });
});
