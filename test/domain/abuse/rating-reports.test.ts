import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { documentOf, textOf, Visitor, visitorOf } from '../../support/pages.ts';
import { changeRating, rate } from '../../support/ratings.ts';

const app = setUpApp();
let writer: Client;
let reporter: Client;
let moderator: Client;
let made: MadeAddon;

beforeAll(async () => {
  [writer, reporter] = [await app.developer(), await app.developer()];
  moderator = await app.memberWith('AbuseReports:Edit');
  made = await addon({ name: { 'en-US': 'Clock' } });
});

const REPORT = `mutation($input: ReportRatingInput!) { reportRating(input: $input) { __typename
  ... on ReportRatingPayload { key report { databaseId message addon { guid } rating { databaseId rating { score body } } user { databaseId } } }
  ... on InvalidInputError { fields { name messages } } ... on UserError { code } } }`;
interface Result {
  report: { databaseId: number };
}
const report = async (client: Client, id: string, message: string) =>
  (await client.graphql<{ reportRating: Result }>(REPORT, { input: { id, message } })).reportRating;

const send = async (version: string, body: object) => {
  const { status, json } = await app.anonymous.request('POST', `/api/${version}/abuse/report/rating/`, {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return [status, json];
};

describe('reports about ratings', () => {
  it('name the rating and its writer, and are shown in the inbox', async () => {
    const id = await rate(writer, made, 2, 'Buy <pills>.');
    const sent = await report(reporter, globalId('Rating', id), ' Spam. ');
    expect(sent).toMatchObject({
      key: expect.any(String),
      report: {
        message: 'Spam.',
        addon: null,
        rating: { databaseId: id, rating: { score: 2, body: 'Buy <pills>.' } },
        user: { databaseId: writer.accountId },
      },
    });
    const visitor = await visitorOf(app, moderator);
    expect(textOf(await visitor.get('/moderation/?target=rating'))).toContain('Rating of Clock');
    expect(textOf(await visitor.get('/moderation/?target=account'))).not.toContain('Rating of Clock');
    const page = await visitor.get(`/moderation/${sent.report.databaseId}/`);
    expect(textOf(page)).toContain('Buy <pills>.');
    expect(documentOf(page)('.stars')).toHaveLength(1);
    expect(documentOf(page)(`a[href="/ratings/${id}/"]`)).toHaveLength(1);
    await changeRating(writer, 'deleteRating', id);
    const later = textOf(await visitor.get(`/moderation/${sent.report.databaseId}/`));
    expect(later).toMatch(/Rating by \S+ Deleted/);
    expect(await report(reporter, globalId('Rating', id), 'x')).toEqual({
      __typename: 'NotFoundError',
      code: 'NOT_FOUND',
    });
    await app.sql('UPDATE rating SET deleted_at = NULL WHERE id = $1', [id]);
  });

  it('are sent by the form at each rating and reply, and the mail to the sender names what was rated', async () => {
    const author = await app.developer();
    const rated = await addon({ name: { 'en-US': 'Compass' }, authors: [Number(author.accountId)] });
    const id = await rate(writer, rated, 1, `Buy\nmy ${'cheap '.repeat(20)}pills.`);
    const silent = await rate(await app.developer(), rated, 4, null);
    const REPLY =
      'mutation($input: ReplyToRatingInput!) { replyToRating(input: $input) { ... on ReplyToRatingPayload { reply { databaseId } } } }';
    const replied = await author.graphql<{ replyToRating: { reply: { databaseId: number } } }>(REPLY, {
      input: { id: globalId('Rating', silent), body: 'Thanks.' },
    });
    const reply = replied.replyToRating.reply.databaseId;
    const anonymous = new Visitor(app);
    const [signedIn, staff] = [await visitorOf(app, reporter), await visitorOf(app, moderator)];
    const links = async (visitor: typeof anonymous) =>
      documentOf(await visitor.get(`/addon/${rated.slug}/reviews/`))('a[href$="/report/"][href^="/ratings/"]')
        .toArray()
        .map(({ attribs }) => attribs.href);
    const all = [silent, reply, id].map((each) => `/ratings/${each}/report/`);
    expect((await links(anonymous)).sort()).toEqual(all.sort());
    expect(await links(await visitorOf(app, writer))).not.toContain(`/ratings/${id}/report/`);
    const values = { reason: 'spam', message: 'Look.' };
    const refused = await anonymous.submit(`/ratings/${id}/report/`, 'report', { ...values, message: '' });
    expect([refused.status, documentOf(refused)('input[value=spam]').attr('checked')]).toEqual([422, 'checked']);
    const open = await anonymous.submit(`/ratings/${id}/report/`, 'report', values);
    expect(textOf(await anonymous.get(String(open.headers.location)))).toContain('Rating of Compass');
    for (const [each, subject] of [
      [id, `the rating of Compass: “Buy my ${'cheap '.repeat(8)}cheap…”`],
      [silent, 'the rating of Compass: 4 of 5'],
      [reply, 'the reply to a rating of Compass: “Thanks.”'],
    ] as const) {
      const { headers } = await signedIn.submit(`/ratings/${each}/report/`, 'report', values);
      const number = /\/report\/(\d+)\//.exec(String(headers.location))?.[1];
      const page = await staff.get(`/moderation/${number}/`);
      expect(textOf(page)).toContain(
        each === reply ? 'Reply to a rating of Compass Public' : 'Rating of Compass Public',
      );
      expect(documentOf(page)('[aria-labelledby=others-table] tbody tr').length).toBe(each === id ? 1 : 0);
      const answered = await staff.submit(`/moderation/${number}/`, 'moderation-decide', {
        ...{ id: globalId('AbuseReport', Number(number)), state: 'OPEN', note: '', 'reply.text': 'Thank you.' },
        ...{ 'expected.state': 'OPEN', 'expected.note': '', 'expected.reply.replyCount': '0' },
      });
      expect(answered.status).toBe(303);
      const [mail] = await app.sql('SELECT subject FROM outgoing_mail ORDER BY id DESC LIMIT 1');
      expect(mail?.subject).toBe(`${app.config.SITE_NAME}: Your report about ${subject}`);
    }
    expect(textOf(await staff.get(`/moderation/?rating=${id}`))).toContain('Rating of Compass');
    expect(textOf(await staff.get(`/moderation/?rating=${silent}&state=valid`))).not.toContain('Rating of Compass');
  });

  it('are refused with the messages of other reports', async () => {
    expect(await report(reporter, globalId('Rating', 1), ' ')).toEqual({
      __typename: 'InvalidInputError',
      code: 'BAD_USER_INPUT',
      fields: [{ name: 'message', messages: ['This field may not be blank.'] }],
    });
    expect(await report(reporter, '1', 'x')).toMatchObject({ fields: [{ name: 'id' }] });
  });

  it.each(['v3', 'v4', 'v4dev', 'v5'])('are sent by front ends in %s', async (version) => {
    const own = await addon();
    const id = await rate(writer, own, 1, 'Bad.');
    for (const rating of [id, String(id)]) {
      const expected = { reporter: null, rating: { id }, message: 'Look.' };
      expect(await send(version, { rating, message: ' Look. ', reason: 'spam' })).toEqual([201, expected]);
    }
    const [stored] = await app.sql('SELECT details FROM abuse_report WHERE rating_id = $1', [id]);
    expect(stored).toEqual({ details: { reason: 'spam' } });
    const required = ['This field is required.'];
    expect(await send(version, {})).toEqual([400, { rating: required, message: required }]);
    for (const rating of [2_000_000_000, 'x', '-1', '99999999999999', 0]) {
      expect((await send(version, { rating, message: 'x' }))[0], String(rating)).toBe(404);
    }
  });
});
