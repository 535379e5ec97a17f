/* Reports about a moderator, an add-on of theirs, or what they wrote: another moderator decides. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { rate } from '../../support/ratings.ts';
import { areConstant, statementsDuring } from '../../support/statements.ts';

const app = setUpApp();
let moderator: Client;
let other: Client;
let reporter: Client;

/** Reports about the moderator by what they are about, and one about another account. */
const ids: Record<string, number> = {};
const OWN = ['account', 'addon', 'guid', 'collection', 'rating', 'ratingOfAddon', 'replyOfAuthor'] as const;

beforeAll(async () => {
  [moderator, other] = [await app.memberWith('AbuseReports:Edit'), await app.memberWith('*:*')];
  reporter = await app.developer();
  await app.sql("UPDATE account SET email = 'reporter@example.org' WHERE id = $1", [reporter.accountId]);
  const [own, elsewhere, stranger] = [await addon({ authors: [moderator.accountId ?? 0] }), await addon(), other];
  const rated = await rate(stranger, own, 1, 'Bad.');
  const [reply] = await app.sql<{ id: number }>(
    "INSERT INTO rating (addon_id, account_id, reply_to, body) VALUES ($1, $2, $3, 'x') RETURNING id",
    [own.id, reporter.accountId, rated],
  );
  const accountId = moderator.accountId;
  const about = {
    account: { accountId },
    addon: { addonGuid: own.guid, addonId: own.id },
    guid: { addonGuid: own.guid.toUpperCase() },
    collection: { accountId, collectionPath: 'moderator/list' },
    rating: { accountId, ratingId: await rate(moderator, elsewhere, 5, 'Good.') },
    ratingOfAddon: { accountId: stranger.accountId, ratingId: rated },
    replyOfAuthor: { accountId: reporter.accountId, ratingId: reply?.id },
    other: { accountId: stranger.accountId },
  };
  const { db } = await import('../../../src/infra/db.ts');
  const sent = { message: 'x', reporterId: reporter.accountId, ipAddress: '192.0.2.77' };
  for (const [name, facts] of Object.entries(about)) {
    ids[name] = (await db.abuseReport.create({ data: { ...sent, ...facts } })).id;
  }
});

const idOf = (name: string) => globalId('AbuseReport', ids[name]);

const SHOWN = `reporter { databaseId } reporterAddress viewerRights replies { nodes { text recipient { databaseId } } }
  history { nodes { reply { recipient { databaseId } } } }`;
const read = async (client: Client, name: string) =>
  (
    await client.graphql<{ node: Record<string, unknown> }>(
      `query($id: ID!) { node(id: $id) { ... on AbuseReport { message ${SHOWN} } } }`,
      { id: idOf(name) },
    )
  ).node;

async function act(client: Client, mutation: 'decideAbuseReport' | 'replyToAbuseReport', input: object) {
  const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}`;
  const query = `mutation($input: ${type}Input!) { ${mutation}(input: $input) { __typename ... on UserError { code message } } }`;
  return (await client.graphql(query, { input }))[mutation];
}

describe('a report about a moderator', () => {
  const refused = {
    __typename: 'NotPermittedError',
    code: 'NOT_PERMITTED',
    message: 'This report is about you or an add-on of yours. Another moderator decides it.',
  };

  it.each(OWN)('is neither decided, noted, answered nor reopened by this moderator: %s', async (name) => {
    const id = idOf(name);
    const attempts = [
      await act(moderator, 'decideAbuseReport', { id, state: 'DISMISSED' }),
      await act(moderator, 'decideAbuseReport', { id, state: 'OPEN', note: 'Nothing.' }),
      await act(moderator, 'decideAbuseReport', { id, state: 'OPEN', reply: { text: 'Please.' } }),
      await act(moderator, 'replyToAbuseReport', { id, text: 'Please.' }),
    ];
    expect(attempts).toEqual(attempts.map(() => refused));
    const decided = await act(other, 'decideAbuseReport', { id: idOf('account'), state: 'VALID' });
    expect(decided).toEqual({ __typename: 'DecideAbuseReportPayload' });
    expect(await act(moderator, 'decideAbuseReport', { id: idOf('account'), state: 'OPEN' })).toEqual(refused);
    await act(other, 'decideAbuseReport', { id: idOf('account'), state: 'OPEN' });
    const [row] = await app.sql('SELECT state, note, decided_by FROM abuse_report WHERE id = $1', [ids[name]]);
    expect(row).toEqual({ state: 'open', note: null, decided_by: null });
    expect(await app.sql("SELECT FROM outgoing_mail WHERE cause LIKE 'abuse-report:%'")).toEqual([]);
  });

  it('is read by this moderator, but not who sent it', async () => {
    for (const name of OWN) {
      expect(await read(moderator, name)).toMatchObject({
        ...{ message: 'x', reporter: null, reporterAddress: null, viewerRights: [] },
      });
    }
    const whole = { reporter: { databaseId: reporter.accountId }, reporterAddress: '192.0.2.77' };
    expect(await read(moderator, 'other')).toMatchObject({ ...whole, viewerRights: ['DECIDE'] });
    expect(await read(other, 'account')).toMatchObject({ ...whole, viewerRights: ['DECIDE'] });
    await act(other, 'replyToAbuseReport', { id: idOf('account'), text: 'Thank you.' });
    const recipient = { recipient: { databaseId: reporter.accountId } };
    const replied = await read(other, 'account');
    expect(replied).toMatchObject({ replies: { nodes: [{ text: 'Thank you.', ...recipient }] } });
    expect(replied).toMatchObject({ history: { nodes: expect.arrayContaining([{ reply: recipient }]) } });
    const own = await read(moderator, 'account');
    expect(own).toMatchObject({ replies: { nodes: [{ text: 'Thank you.', recipient: null }] } });
    expect(JSON.stringify(own)).not.toContain(String(recipient.recipient.databaseId));
  });

  it('shows its sender to the moderator who sent it', async () => {
    const sent = await moderator.graphql(
      `mutation($input: ReportAccountInput!) { reportAccount(input: $input) { ... on ReportAccountPayload { report {
        reporter { databaseId } reporterAddress viewerRights } } } }`,
      { input: { account: { databaseId: moderator.accountId }, message: 'A test.' } },
    );
    expect(sent.reportAccount).toEqual({
      report: { reporter: { databaseId: moderator.accountId }, reporterAddress: '127.0.0.1', viewerRights: [] },
    });
    await app.sql("DELETE FROM abuse_report WHERE message = 'A test.'");
  });

  it('is listed with the others, found by who decides, and not counted in what waits for this moderator', async () => {
    const LISTS = `{ waitingWork { reports } all: abuseReports { totalCount }
      mine: abuseReports(filter: { state: OPEN, isDecidable: true }) { totalCount nodes { databaseId } }
      others: abuseReports(filter: { isDecidable: false }) { totalCount nodes { databaseId } } }`;
    type List = { totalCount: number; nodes: { databaseId: number }[] };
    const lists = (client: Client) =>
      client.graphql<{ waitingWork: { reports: number }; all: List; mine: List; others: List }>(LISTS);
    const of = ({ nodes }: List) => nodes.map(({ databaseId }) => databaseId).sort((a, b) => a - b);
    const everything = Object.values(ids).length;
    const seen = await lists(moderator);
    expect([seen.waitingWork.reports, seen.all.totalCount, seen.mine.totalCount]).toEqual([1, everything, 1]);
    expect([of(seen.mine), of(seen.others)]).toEqual([[ids.other], OWN.map((name) => ids[name])]);
    // It has the rating that is reported, and the account.
    const theirs = [ids.ratingOfAddon, ids.other];
    const seenByOther = await lists(other);
    expect([seenByOther.waitingWork.reports, of(seenByOther.others)]).toEqual([everything - 2, theirs]);
    expect((await lists(await app.memberWith('AbuseReports:Edit'))).waitingWork.reports).toBe(everything);
  });

  it('costs no statement of its own in a list', async () => {
    const list = (first: number) =>
      moderator.graphql(`{ abuseReports(first: ${first}) { nodes { viewerRights reporter { name } ${SHOWN} } } }`);
    await list(2);
    const [few, many] = [await statementsDuring(() => list(2)), await statementsDuring(() => list(8))];
    expect(areConstant(few, many)).toBe(true);
  });
});
