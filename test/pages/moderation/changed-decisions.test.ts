/* What the page of a report shows about earlier decisions and replies, and what it refuses to call saved. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { documentOf, formFields, type Visitor } from '../../support/pages.ts';
import { makeReportWorld, type ReportWorld } from '../../support/report-world.ts';

const app = setUpApp();
const NAME = 'moderation-decide';
let world: ReportWorld;
let visitors: ReportWorld['visitors'];
beforeAll(async () => {
  world = await makeReportWorld(app);
  visitors = world.visitors;
});

const nameOf = async (visitor: Visitor) => documentOf(await visitor.get('/account/'))('.account-menu bdi').text();

/** Sends the form with these fields; returns the response. */
async function send(visitor: Visitor, path: string, change: Record<string, string> = {}) {
  return visitor.submit(path, NAME, { ...(await formFields(visitor, path, NAME)), ...change });
}

/** Sends the form and returns the page that follows. */
async function decide(visitor: Visitor, path: string, change: Record<string, string>) {
  const { headers } = await send(visitor, path, change);
  return documentOf(await visitor.get(String(headers.location)));
}

const activities = async () => (await app.sql('SELECT FROM activity')).length;

describe('a form without a decision', () => {
  it('has no choice for an open report, and is refused at the field without a note and a reply', async () => {
    const { path } = await world.report();
    const $ = documentOf(await visitors.moderator.get(path));
    expect($(`#${NAME} input[name=state]:is([checked], [required])`)).toHaveLength(0);
    const before = await activities();
    for (const state of ['', 'OPEN']) {
      const refused = await send(visitors.moderator, path, { state, note: ' ' });
      expect(refused.status).toBe(422);
      const error = documentOf(refused)(`#${NAME}-state .field-error`).text();
      expect(error).toContain('Choose a decision, or write a note or a reply.');
    }
    expect(await activities()).toBe(before);
  });

  it('is refused for a decided report that stays as it is', async () => {
    const { path } = await world.report();
    await send(visitors.moderator, path, { state: 'VALID' });
    expect((await send(visitors.moderator, path)).status).toBe(422);
    const noted = await decide(visitors.moderator, path, { note: 'Seen again.' });
    expect(noted('[role=status]').text()).toContain('The note was saved. The decision stays.');
    const replied = await decide(visitors.moderator, path, { 'reply.text': 'It is confirmed.' });
    expect(replied('[role=status]').text()).toContain('The reply was sent. The decision stays.');
  });

  it('saves a note or sends a reply, and the report stays open', async () => {
    const { path } = await world.report();
    const noted = await decide(visitors.moderator, path, { note: 'To be looked at.' });
    expect(noted('[role=status]').text()).toContain('The note was saved. The report is still open.');
    const replied = await decide(visitors.moderator, path, { 'reply.text': 'We look at it.' });
    expect(replied('[role=status]').text()).toContain('The reply was sent. The report is still open.');
  });
});

describe('the message after a decision', () => {
  const linksOf = ($: ReturnType<typeof documentOf>) =>
    $('[role=status] .cluster > a')
      .get()
      .map(({ attribs }) => attribs['href'])
      .filter((href) => href?.startsWith('#'));

  it('leads to the consequences that the viewer may choose, and to the form that reopens', async () => {
    const { path } = await world.report();
    expect(linksOf(await decide(visitors.administrator, path, { state: 'VALID' }))).toEqual(['#actions', '#decision']);
    expect(linksOf(await decide(visitors.administrator, path, { state: 'DISMISSED' }))).toEqual(['#decision']);
    expect(linksOf(await decide(visitors.moderator, path, { state: 'VALID' }))).toEqual(['#decision']);
    const reopened = await decide(visitors.moderator, path, { state: 'OPEN' });
    expect(linksOf(reopened)).toEqual([]);
    // Each link is an item of the row; the sentence has none.
    expect(reopened('[role=status] .cluster > :not(a)')).toHaveLength(0);
    expect(reopened('[role=status] .notice-body > div:first-child a')).toHaveLength(0);
  });
});

describe('the top of the page', () => {
  const topOf = ($: ReturnType<typeof documentOf>) => $('h1 + p').text().replaceAll(/\s+/g, ' ');

  it('shows who reopened a report, the decision before and the replies, which the form names, too', async () => {
    const { path } = await world.report();
    const open = documentOf(await visitors.moderator.get(path));
    expect(topOf(open)).not.toMatch(/reopened|before|sent/);
    await send(visitors.moderator, path, { state: 'VALID', 'reply.text': 'We act on it.' });
    const reopened = await decide(visitors.other, path, { state: 'OPEN' });
    const name = await nameOf(visitors.other);
    expect(topOf(reopened)).toMatch(new RegExp(`^Open reopened by ${name}, .* · before: Confirmed · 1 reply sent`));
    const form = reopened(`#${NAME}`).text();
    expect(form).toMatch(/1 reply sent, the last one .*\. A different decision needs another reply\./);
    const dismissed = await decide(visitors.other, path, { state: 'DISMISSED' });
    expect(topOf(dismissed)).toMatch(new RegExp(`^Dismissed by ${name}, .* before: Confirmed · 1 reply sent`));
    const confirmed = await decide(visitors.other, path, { state: 'VALID' });
    expect(topOf(confirmed)).toContain('before: Dismissed');
  });

  it('shows them on later pages of the history', async () => {
    const { path, number } = await world.report();
    await app.sql(
      `INSERT INTO activity (action, details)
       SELECT 'abuse-report-decided', jsonb_build_object('reportId', $1::int, 'from', 'open', 'to', 'open') FROM generate_series(1, 20)`,
      [number],
    );
    await send(visitors.moderator, path, { state: 'VALID' });
    await send(visitors.moderator, path, { state: 'OPEN' });
    const first = documentOf(await visitors.moderator.get(path));
    const next = first('section[aria-labelledby=history] a[rel=next]').attr('href') ?? '';
    const second = documentOf(await visitors.moderator.get(next.replace('#history', '')));
    expect(topOf(second)).toContain('before: Confirmed');
  });
});
