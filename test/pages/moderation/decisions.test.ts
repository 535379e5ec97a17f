/* What moderators do about a report: the decision and the reply. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { documentOf, formFields, textOf, type Visitor } from '../../support/pages.ts';
import { makeReportWorld, type ReportWorld } from '../../support/report-world.ts';

const app = setUpApp();
let world: ReportWorld;
let visitors: ReportWorld['visitors'];
beforeAll(async () => {
  world = await makeReportWorld(app);
  visitors = world.visitors;
});

const nameOf = async (visitor: Visitor) => documentOf(await visitor.get('/account/'))('.account-menu bdi').text();

const stored = async (number: number) =>
  (
    await app.sql<{ state: string; note: string | null }>('SELECT state, note FROM abuse_report WHERE id = $1', [
      number,
    ])
  )[0];

const audited = async (action: string) =>
  (
    await app.sql<{ details: object }>('SELECT details FROM audit_entry WHERE action = $1 ORDER BY id DESC', [action])
  )[0]?.details;

describe('a decision', () => {
  const fieldsOf = (visitor: Visitor, path: string) => formFields(visitor, path, 'moderation-decide');

  it.each(['VALID', 'DISMISSED', 'DUPLICATE'])(
    'is saved with a note, audited, and can be changed: %s',
    async (state) => {
      const made = await world.report();
      const fields = { ...(await fieldsOf(visitors.moderator, made.path)), state, note: ' Seen. ' };
      const { status, headers } = await visitors.moderator.submit(made.path, 'moderation-decide', fields);
      const decided = `${made.path}?decided=${state.toLowerCase()}`;
      expect([status, headers.location]).toEqual([303, `${decided}&done=moderation-decide`]);
      expect(await stored(made.number)).toEqual({ state: state.toLowerCase(), note: 'Seen.' });
      expect(await audited('abuse-report-decided')).toMatchObject({ reportId: made.number, to: state.toLowerCase() });
      const again = { ...(await fieldsOf(visitors.other, made.path)), state: 'OPEN' };
      const reopened = await visitors.other.submit(made.path, 'moderation-decide', again);
      expect(reopened.headers.location).toBe(`${made.path}?decided=open&done=moderation-reopen`);
      expect(await stored(made.number)).toEqual({ state: 'open', note: 'Seen.' });
    },
  );

  it('is in the history of the report, and leads to the oldest open one', async () => {
    const [made, oldest] = [await world.report(), await world.report({ created: new Date('2020-01-01') })];
    await app.sql("UPDATE abuse_report SET state = 'valid', decided = now() WHERE id < $1", [made.number]);
    const labelOf = async () =>
      documentOf(await visitors.moderator.get(made.path))('#moderation-decide input[value=OPEN]')
        .parent()
        .text();
    expect(await labelOf()).toContain('Leave it open');
    const decide = async (visitor: Visitor, change: Record<string, string>) => {
      const fields = { ...(await fieldsOf(visitor, made.path)), ...change };
      const { headers } = await visitor.submit(made.path, 'moderation-decide', fields);
      return documentOf(await visitor.get(String(headers.location)));
    };
    const decided = await decide(visitors.moderator, { state: 'DISMISSED' });
    expect(decided('h1').text()).toBe(`Report ${made.number}: Reported`);
    expect(decided('[role=status]').text()).toContain('You can change it later.');
    expect(decided('[role=status]').text()).toContain(`Report ${made.number}: Dismissed. Reported is still: Public.`);
    const links = decided('[role=status] a').get();
    const own = `/moderation/?decidedBy=${await nameOf(visitors.moderator)}`;
    expect(links.map(({ attribs }) => attribs['href'])).toEqual([oldest.path, '/moderation/', '#decision', own]);
    expect(decided('[role=status]').text()).toContain(`Report ${oldest.number}: Reported`);
    expect(await labelOf()).toContain('Reopen');
    await decide(visitors.moderator, { note: 'A known bug.' });
    const reopened = await decide(visitors.other, { state: 'OPEN', 'reply.text': 'We look again.' });
    expect(reopened('[role=status]').text()).toContain('The report is open again, and its sender got your reply.');
    const left = await decide(visitors.other, { 'reply.text': 'Still looking.' });
    expect(left('[role=status]').text()).toContain('The report is still open.');
    const [mine, theirs] = await Promise.all([visitors.moderator, visitors.other].map((each) => nameOf(each)));
    expect(left('ol.thread > li')).toHaveLength(5);
    const text = left('ol.thread').text().replaceAll(/\s+/g, ' ');
    const order = [
      `Reply of ${theirs}`,
      'Still looking.',
      `Reply of ${theirs}`,
      `${theirs} reopened the report`,
      `${mine} added an internal note`,
      'Internal note: A known bug.',
      `${mine} dismissed the report`,
    ];
    expect(text).toMatch(new RegExp(order.join('.*')));
  });

  it('keeps former notes in the history, and has an empty field for the next', async () => {
    const made = await world.report();
    for (const [visitor, note, status] of [
      [visitors.moderator, 'First note.', 303],
      [visitors.other, 'Second note.', 303],
      [visitors.other, '', 422],
    ] as const) {
      const fields = await fieldsOf(visitor, made.path);
      expect(fields.note).toBe('');
      expect((await visitor.submit(made.path, 'moderation-decide', { ...fields, note })).status).toBe(status);
    }
    expect(await stored(made.number)).toEqual({ state: 'open', note: 'Second note.' });
    const history = documentOf(await visitors.moderator.get(made.path))('ol.thread');
    const [mine, theirs] = await Promise.all([visitors.moderator, visitors.other].map((each) => nameOf(each)));
    expect(history.text().replaceAll(/\s+/g, ' ')).toMatch(
      new RegExp(`${theirs} added .*Second note\\..*${mine} added .*First note\\.`),
    );
  });

  it('is confirmed as it was made, with its own note, also when another moderator has decided since', async () => {
    const made = await world.report();
    const send = async (visitor: Visitor, change: Record<string, string>) => {
      const fields = { ...(await fieldsOf(visitor, made.path)), ...change };
      return String((await visitor.submit(made.path, 'moderation-decide', fields)).headers.location);
    };
    const noteOf = async (path: string) => {
      const $ = documentOf(await visitors.moderator.get(path));
      return [$('[role=status]').text(), $('aside').text().includes('My note.'), $('aside').text().includes('Theirs.')];
    };
    await send(visitors.other, { state: 'OPEN', note: 'Theirs.' });
    const bare = await noteOf(await send(visitors.moderator, { state: 'VALID' }));
    expect(bare).toEqual([expect.stringContaining(`Report ${made.number}: Confirmed. Reported is`), false, false]);
    const mine = await send(visitors.moderator, { state: 'DISMISSED', note: 'My note.' });
    expect(await noteOf(mine)).toEqual([expect.stringContaining(': Dismissed. Reported is still'), true, false]);
    await send(visitors.other, { note: 'Theirs.' });
    expect((await noteOf(mine)).slice(1)).toEqual([true, false]);
    await send(visitors.other, { state: 'VALID', note: 'Theirs.' });
    const since = 'Dismissed. Since then another moderator has decided: Confirmed. Reported is still';
    expect(await noteOf(mine)).toEqual([expect.stringContaining(since), false, false]);
  });

  it('is not by another report unless there is one about the same', async () => {
    const choices = async (path: string) =>
      documentOf(await visitors.moderator.get(path))('#moderation-decide input[name=state]')
        .get()
        .map(({ attribs }) => attribs['value']);
    const alone = await world.report({ addonGuid: 'alone@example' });
    expect(await choices(alone.path)).toEqual(['VALID', 'DISMISSED', 'OPEN']);
    await world.report({ addonGuid: 'alone@example' });
    expect(await choices(alone.path)).toEqual(['VALID', 'DISMISSED', 'DUPLICATE', 'OPEN']);
  });

  it('of another moderator in the meantime is shown with what was typed, and is not replaced', async () => {
    const made = await world.report();
    const fields = await fieldsOf(visitors.moderator, made.path);
    const first = { ...(await fieldsOf(visitors.other, made.path)), state: 'DISMISSED', note: 'A known bug.' };
    await visitors.other.submit(made.path, 'moderation-decide', first);
    const late = { ...fields, state: 'VALID', note: 'My note.' };
    const refused = await visitors.moderator.submit(made.path, 'moderation-decide', late);
    expect(refused.status).toBe(409);
    expect(await stored(made.number)).toEqual({ state: 'dismissed', note: 'A known bug.' });
    const $ = documentOf(refused);
    expect($('form#moderation-decide textarea[name=note]').text().trim()).toBe('My note.');
    expect($('form#moderation-decide input[value=VALID]').attr('checked')).toBeDefined();
    expect(textOf(refused)).toContain('A known bug.');
    expect($('aside').text()).toContain('Dismissed');
    const resent = await formFields(visitors.moderator, refused, 'moderation-decide');
    expect((await visitors.moderator.submit(made.path, 'moderation-decide', resent)).status).toBe(303);
    expect(await stored(made.number)).toEqual({ state: 'valid', note: 'My note.' });
  });

  it('is refused for unknown words and too long notes, which stay', async () => {
    const made = await world.report();
    const fields = { ...(await fieldsOf(visitors.moderator, made.path)), state: 'VALID' };
    const wrongs: Record<string, string>[] = [{ state: 'x' }, { note: 'x'.repeat(10_001) }, { 'expected.state': 'y' }];
    for (const wrong of wrongs) {
      const reply = await visitors.moderator.submit(made.path, 'moderation-decide', {
        ...fields,
        note: 'Kept',
        ...wrong,
      });
      expect(reply.status).toBe(422);
      expect(documentOf(reply)('textarea[name=note]').text()).toContain(wrong.note ?? 'Kept');
    }
    expect(await stored(made.number)).toEqual({ state: 'open', note: null });
    expect((await visitors.stranger.submit(made.path, 'moderation-decide', fields)).status).toBe(403);
    expect((await visitors.moderator.submit(made.path, 'moderation-decide', { ...fields, csrf: 'x' })).status).toBe(
      403,
    );
    const foreign = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await visitors.moderator.submit(made.path, 'moderation-decide', fields, foreign)).status).toBe(403);
  });
});

describe('a reply to the sender', () => {
  const NAME = 'moderation-decide';
  const mails = () =>
    app.sql<{ text: string; account_id: number }>(
      "SELECT text, account_id FROM outgoing_mail WHERE cause LIKE 'abuse-report:%' ORDER BY id DESC",
    );

  it('is a mail, sent with the decision or alone', async () => {
    const made = await world.report();
    const text = 'Thank you.\nIt is disabled.';
    const fields = { ...(await formFields(visitors.moderator, made.path, NAME)), state: 'VALID', 'reply.text': text };
    const sent = await visitors.moderator.submit(made.path, NAME, fields);
    expect(sent.headers.location).toBe(`${made.path}?decided=valid&done=moderation-reply`);
    expect((await mails())[0]).toEqual({ text: `${text}\n`, account_id: world.reporter.accountId });
    expect(await stored(made.number)).toEqual({ state: 'valid', note: null });
    const more = { ...(await formFields(visitors.moderator, made.path, NAME)), 'reply.text': 'One more thing.' };
    expect((await visitors.moderator.submit(made.path, NAME, more)).status).toBe(303);
    expect((await mails())[0]?.text).toBe('One more thing.\n');
    expect(await stored(made.number)).toEqual({ state: 'valid', note: null });
  });

  it('needs a sender with an address, and keeps the words; no decision is saved without it', async () => {
    const { db } = await import('../../../src/infra/db.ts');
    const { id } = await db.account.create({ data: { username: 'without-address' } });
    const { path, number } = await world.report({ reporterId: id });
    const shown = textOf(await visitors.moderator.get(path));
    expect(shown).toContain('No address: the account without-address gets no mails, so nothing can be sent.');
    for (const words of ['Typed words', 'x'.repeat(10_001)]) {
      const fields = { ...(await formFields(visitors.moderator, path, NAME)), state: 'VALID', 'reply.text': words };
      const refused = await visitors.moderator.submit(path, NAME, fields);
      expect(refused.status).toBe(422);
      const $ = documentOf(refused);
      expect($(`form#${NAME} textarea[name="reply.text"]`).text()).toContain(words);
      expect($(`form#${NAME} input[value=VALID]`).attr('checked')).toBeDefined();
      expect(await stored(number)).toEqual({ state: 'open', note: null });
    }
  });

  it('is shown to other moderators, so that the sender gets one reply', async () => {
    const made = await world.report();
    const early = await formFields(visitors.other, made.path, NAME);
    expect(textOf(await visitors.moderator.get(made.path))).toContain('No reply has been sent.');
    const fields = await formFields(visitors.moderator, made.path, NAME);
    await visitors.moderator.submit(made.path, NAME, { ...fields, 'reply.text': 'We look into it.' });
    const shown = documentOf(await visitors.other.get(made.path))('section[aria-labelledby=history]');
    expect(shown.find('p').first().text()).toBe('1 reply sent');
    expect(shown.find('.thread-text').text()).toBe('We look into it.');
    const typed = { ...early, state: 'DISMISSED', 'reply.text': 'My reply.' };
    const late = await visitors.other.submit(made.path, NAME, typed);
    expect(late.status).toBe(409);
    expect(await stored(made.number)).toEqual({ state: 'open', note: null });
    const $ = documentOf(late);
    expect($('[role=alert]').text()).toContain('Another moderator has replied since');
    expect($('section[aria-labelledby=history] .thread-text').text()).toBe('We look into it.');
    expect($('textarea[name="reply.text"]').text().trim()).toBe('My reply.');
    const again = await formFields(visitors.other, late, NAME);
    expect((await visitors.other.submit(made.path, NAME, again)).status).toBe(303);
    expect(await stored(made.number)).toEqual({ state: 'dismissed', note: null });
    expect(documentOf(await visitors.moderator.get(made.path))('ol.thread .thread-text')).toHaveLength(2);
  });

  it('has pages of 20', async () => {
    const made = await world.report();
    await app.sql(
      `INSERT INTO activity (action, comments, details)
       SELECT 'abuse-reply-sent', 'Reply ' || n, jsonb_build_object('reportId', $1::int) FROM generate_series(1, 21) AS n`,
      [made.number],
    );
    const $ = documentOf(await visitors.moderator.get(made.path));
    expect($('ol.thread > li')).toHaveLength(20);
    const next = $('section[aria-labelledby=history] a[rel=next]').attr('href') ?? '';
    const second = await visitors.moderator.get(next.replace('#history', ''));
    expect(documentOf(second)('ol.thread .thread-text').text()).toBe('Reply 1');
    expect((await visitors.moderator.get(`${made.path}?after=x`)).status).toBeLessThan(500);
  });

  it('has no form for an anonymous sender', async () => {
    const { db } = await import('../../../src/infra/db.ts');
    const { id } = await db.abuseReport.create({ data: { addonGuid: 'x@example', message: 'x' } });
    const $ = documentOf(await visitors.moderator.get(`/moderation/${id}/`));
    expect($('form#moderation-decide')).toHaveLength(1);
    expect($('form#moderation-decide textarea')).toHaveLength(1);
  });
});
