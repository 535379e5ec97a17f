import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';

const app = setUpApp();
let reporter: Client;
let moderator: Client;
let reported: Client;
let hidden: MadeAddon;

beforeAll(async () => {
  [reporter, reported] = [await app.developer(), await app.developer()];
  moderator = await app.memberWith('AbuseReports:Edit');
  hidden = await addon({ status: 'disabled' });
});

const usernameOf = async ({ accountId }: Client): Promise<string> =>
  (await app.sql<{ username: string }>('select username from account where id = $1', [accountId]))[0]?.username ?? '';

const newest = async () => (await app.sql<{ id: number }>('select * from abuse_report order by id desc limit 1'))[0];

const REPORT = `{ databaseId message state note decided details reporterAddress decidedBy { username } reporter { url databaseId name username }
  addon { guid databaseId slug addon { slug } } user { databaseId } }`;
const INBOX = `query($filter: AbuseReportFilter, $after: String) { abuseReports(filter: $filter, first: 2, after: $after) {
  edges { cursor node ${REPORT} } pageInfo { hasNextPage endCursor } totalCount } }`;
interface Inbox {
  abuseReports: { edges: { node: Record<string, unknown> }[]; pageInfo: { endCursor: string }; totalCount: number };
}

describe('abuse reports in GraphQL', () => {
  const REPORT_ADDON = `mutation($input: ReportAddonInput!) { reportAddon(input: $input) { __typename
    ... on ReportAddonPayload { report ${REPORT} } ... on InvalidInputError { fields { name messages } } ... on UserError { code } } }`;

  it('accept anonymous reporters, who cannot read the inbox', async () => {
    const input = { addon: { guid: hidden.guid }, message: ' bad ' };
    const { reportAddon } = await app.anonymous.graphql(REPORT_ADDON, { input });
    expect(reportAddon).toMatchObject({
      report: {
        message: 'bad',
        reporter: null,
        reporterAddress: null,
        state: 'OPEN',
        addon: { guid: hidden.guid, databaseId: hidden.id, slug: hidden.slug, addon: null },
        user: null,
      },
    });
    for (const [client, code] of [
      [app.anonymous, 'NOT_AUTHENTICATED'],
      [reporter, 'NOT_PERMITTED'],
    ] as const) {
      expect((await client.graphqlResult(INBOX)).errors?.[0]?.extensions).toMatchObject({ code });
      const { report } = reportAddon as { report: { databaseId: number } };
      const id = globalId('AbuseReport', report.databaseId);
      const found = await client.graphqlResult('query($id: ID!) { node(id: $id) { id } }', { id });
      expect(found.errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('are refused with the same messages as in REST', async () => {
    const { reportAddon } = await reporter.graphql(REPORT_ADDON, { input: { addon: { slug: '' }, message: '' } });
    expect(reportAddon).toEqual({
      __typename: 'InvalidInputError',
      code: 'BAD_USER_INPUT',
      fields: [
        { name: 'addon', messages: ['This field may not be blank.'] },
        { name: 'message', messages: ['This field may not be blank.'] },
      ],
    });
    const unknown = await reporter.graphql(REPORT_ADDON, { input: { addon: { slug: 'unknown-slug' }, message: 'x' } });
    expect(unknown.reportAddon).toEqual({ __typename: 'NotFoundError', code: 'NOT_FOUND' });
  });

  it('are listed for moderators, newest first, by state and target', async () => {
    const inbox = async (filter: object, after?: string) =>
      (await moderator.graphql<Inbox & Record<string, unknown>>(INBOX, { filter, after })).abuseReports;
    await reporter.graphql(REPORT_ADDON, { input: { addon: { slug: hidden.slug }, message: 'bad' } });
    await reporter.graphql(REPORT_ADDON, { input: { addon: { guid: 'unknown@example' }, message: 'bad' } });
    const report = 'mutation($input: ReportAccountInput!) { reportAccount(input: $input) { __typename } }';
    await reporter.graphql(report, { input: { account: { databaseId: reported.accountId }, message: 'rude' } });
    const all = await inbox({});
    const [count] = await app.sql<{ count: number }>('select count(*)::int as count from abuse_report');
    expect(all.totalCount).toBe(count?.count);
    expect(all.edges[0]?.node).toMatchObject({
      message: 'rude',
      reporter: { databaseId: reporter.accountId, url: null },
      reporterAddress: '127.0.0.1',
      user: { databaseId: reported.accountId },
      addon: null,
    });
    const next = await inbox({}, all.pageInfo.endCursor);
    expect(next.edges[0]?.node.databaseId).toBeLessThan(all.edges[1]?.node.databaseId as number);
    const { id, slug, guid } = hidden;
    for (const addon of [{ id: globalId('Addon', id) }, { databaseId: id }, { slug }, { guid: guid.toUpperCase() }]) {
      expect((await inbox({ addon })).totalCount).toBe(2);
    }
    expect((await inbox({ addon: { guid: 'UNKNOWN@example' } })).totalCount).toBe(1);
    const username = await usernameOf(reported);
    expect((await inbox({ account: { username } })).totalCount).toBe(
      (await inbox({ account: { databaseId: reported.accountId } })).totalCount,
    );
    for (const filter of [
      ...['a\0b', '\ud800'].flatMap((name) => [{ addon: { slug: name } }, { addon: { guid: name } }]),
      ...[{ account: { username: '\ud800' } }, { account: { databaseId: 2e9 } }, { state: 'VALID' }],
    ]) {
      expect(await inbox(filter)).toMatchObject({ edges: [], totalCount: 0 });
    }
  });

  it('are decided by moderators, and each decision is in the audit log', async () => {
    const DECIDE = `mutation($input: DecideAbuseReportInput!) { decideAbuseReport(input: $input) { __typename
      ... on DecideAbuseReportPayload { report ${REPORT} } ... on UserError { code path } } }`;
    const decide = async (client: Client, input: object) =>
      (await client.graphql(DECIDE, { input })).decideAbuseReport as Record<string, Record<string, unknown>>;
    const report = await newest();
    const id = globalId('AbuseReport', report?.id);
    expect(await decide(reporter, { id, state: 'VALID' })).toMatchObject({ code: 'NOT_PERMITTED' });
    expect(await decide(moderator, { id: globalId('AbuseReport', 2e9), state: 'VALID' })).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await decide(moderator, { id, state: 'VALID', note: 'x'.repeat(10_001) })).toMatchObject({ path: ['note'] });
    const username = await usernameOf(moderator);
    expect((await decide(moderator, { id, state: 'VALID', note: ' seen ' })).report).toMatchObject({
      state: 'VALID',
      note: 'seen',
      decidedBy: { username },
      decided: expect.any(String),
    });
    await decide(moderator, { id, state: 'VALID' });
    const emoji = '😀'.repeat(10_000);
    expect((await decide(moderator, { id, state: 'VALID', note: emoji })).report).toMatchObject({ note: emoji });
    expect((await decide(moderator, { id, state: 'OPEN', note: '' })).report).toMatchObject({
      state: 'OPEN',
      note: null,
      decidedBy: null,
      decided: null,
    });
    const rows = await app.sql(
      `select actor, details from audit_entry where action = 'abuse-report-decided' order by id`,
    );
    const actor = `account ${moderator.accountId} (${username})`;
    expect(rows).toEqual([
      { actor, details: { reportId: report?.id, from: 'open', to: 'valid', note: 'seen' } },
      { actor, details: { reportId: report?.id, from: 'valid', to: 'valid', note: emoji } },
      { actor, details: { reportId: report?.id, from: 'valid', to: 'open', note: null } },
    ]);
    const HISTORY = `query($id: ID!) { node(id: $id) { ... on AbuseReport { history(first: 2) {
      totalCount nodes { stateBefore stateAfter user { username } reply { text } } } } } }`;
    const by = { user: { username }, reply: null };
    expect(await moderator.graphql(HISTORY, { id })).toEqual({
      node: {
        history: {
          totalCount: 3,
          nodes: [
            { stateBefore: 'VALID', stateAfter: 'OPEN', ...by },
            { stateBefore: 'VALID', stateAfter: 'VALID', ...by },
          ],
        },
      },
    });
  });

  it('are listed by decision and by moderator, in pages of both directions', async () => {
    const other = await app.memberWith('AbuseReports:Edit');
    const { db } = await import('../../../src/infra/db.ts');
    const ids: number[] = [];
    for (const [day, client] of [
      [3, other],
      [1, moderator],
      [2, moderator],
      [4, moderator],
    ] as const) {
      const data = { addonGuid: 'decided@example', message: 'x', state: 'valid', decidedBy: client.accountId };
      ids.push((await db.abuseReport.create({ data: { ...data, decided: new Date(`2020-01-0${day}`) } })).id);
    }
    const LIST = `query($by: AccountRefInput, $first: Int, $after: String, $last: Int, $before: String) {
      abuseReports(filter: { addon: { guid: "decided@example" }, decidedBy: $by }, sort: DECIDED, first: $first, after: $after,
        last: $last, before: $before) { totalCount pageInfo { startCursor endCursor } nodes { databaseId } } }`;
    const read = async (variables: Record<string, unknown>) => {
      const { abuseReports } = await moderator.graphql<{
        abuseReports: {
          totalCount: number;
          pageInfo: { startCursor: string; endCursor: string };
          nodes: { databaseId: number }[];
        };
      }>(LIST, variables);
      return { ...abuseReports, places: abuseReports.nodes.map(({ databaseId }) => ids.indexOf(databaseId)) };
    };
    const all = await read({ first: 3 });
    expect([all.totalCount, all.places]).toEqual([4, [3, 0, 2]]);
    expect((await read({ first: 3, after: all.pageInfo.endCursor })).places).toEqual([1]);
    expect((await read({ last: 2 })).places).toEqual([2, 1]);
    expect((await read({ last: 2, before: all.pageInfo.endCursor })).places).toEqual([3, 0]);
    for (const by of [{ databaseId: other.accountId }, { username: await usernameOf(other) }])
      expect((await read({ by })).places).toEqual([0]);
    expect((await read({ by: { username: '\ud800' } })).places).toEqual([]);
    await app.sql("DELETE FROM abuse_report WHERE addon_guid = 'decided@example'");
  });

  it('get a reply by mail, once for each text', async () => {
    const REPLY = `mutation($input: ReplyToAbuseReportInput!) { replyToAbuseReport(input: $input) { __typename
      ... on ReplyToAbuseReportPayload { report { databaseId } } ... on UserError { code path } } }`;
    const reply = async (client: Client, input: object) =>
      (await client.graphql(REPLY, { input })).replyToAbuseReport as Record<string, unknown>;
    const report = await newest();
    const id = globalId('AbuseReport', report?.id);
    const text = 'Thank you.\r\nBcc: x@example.org\n<b>We have disabled it.</b>';
    expect(await reply(reporter, { id, text })).toMatchObject({ code: 'NOT_PERMITTED' });
    for (const bad of [' ', 'x'.repeat(10_001)]) {
      expect(await reply(moderator, { id, text: bad })).toMatchObject({ code: 'BAD_USER_INPUT', path: ['text'] });
    }
    for (const sent of [text, `\0${text}\0`]) {
      expect(await reply(moderator, { id, text: sent })).toMatchObject({ report: { databaseId: report?.id } });
    }
    const mails = await app.sql(`select account_id, notification, subject, text, html from outgoing_mail`);
    expect(mails).toEqual([
      {
        account_id: reporter.accountId,
        notification: 'individual_contact',
        subject: `${app.config.SITE_NAME}: Your report about ${await usernameOf(reported)}`,
        text: `${text}\n`,
        html: expect.stringContaining('&lt;b&gt;We have disabled it.&lt;/b&gt;'),
      },
    ]);
    const audits = await app.sql(`select details from audit_entry where action = 'abuse-reply-sent'`);
    expect(audits).toEqual([{ details: { reportId: report?.id, recipientId: reporter.accountId } }]);
    const stale = await reply(moderator, { id, text: 'Another text.', replyCount: 0 });
    expect(stale).toMatchObject({ code: 'BAD_USER_INPUT', path: ['replyCount'] });
    expect(await reply(moderator, { id, text, replyCount: 0 })).toMatchObject({ report: {} });
    expect(await reply(moderator, { id, text: 'Another text.', replyCount: 1 })).toMatchObject({ report: {} });
    await app.anonymous.graphql(REPORT_ADDON, { input: { addon: { slug: hidden.slug }, message: 'bad' } });
    const anonymous = globalId('AbuseReport', (await newest())?.id);
    expect(await reply(moderator, { id: anonymous, text })).toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(await reply(moderator, { id: globalId('AbuseReport', 2e9), text })).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('show the replies to moderators alone, newest first and in pages', async () => {
    const { id, reporterId } =
      (
        await app.sql<{ id: number; reporterId: number }>(
          `select id, reporter_id as "reporterId" from abuse_report where reporter_id is not null order by id limit 1`,
        )
      )[0] ?? {};
    const moderatorId = moderator.accountId;
    await app.sql(
      `insert into activity (action, account_id, comments, details)
       select 'abuse-reply-sent', $1, 'Reply ' || n, jsonb_build_object('reportId', $2::int, 'recipientId', $3::int)
       from generate_series(1, 3) as n`,
      [moderatorId, id, reporterId],
    );
    const REPLIES = `query($id: ID!, $after: String) { node(id: $id) { ... on AbuseReport { replies(first: 2, after: $after) {
      totalCount pageInfo { endCursor hasNextPage } nodes { id text user { databaseId } recipient { databaseId } } } } } }`;
    const read = async (after?: string) =>
      (
        await moderator.graphql<{ node: { replies: Record<string, unknown> & { pageInfo: { endCursor: string } } } }>(
          REPLIES,
          { id: globalId('AbuseReport', id), after },
        )
      ).node.replies;
    const first = await read();
    const of = (text: string) => ({ text, user: { databaseId: moderatorId }, recipient: { databaseId: reporterId } });
    expect(first).toMatchObject({ totalCount: 3, nodes: [of('Reply 3'), of('Reply 2')] });
    const second = await read(first.pageInfo.endCursor);
    expect(second).toMatchObject({ nodes: [of('Reply 1')], pageInfo: { hasNextPage: false } });
    const input = { addon: { guid: hidden.guid }, message: 'bad' };
    const sent = await reporter.graphql(
      `mutation($input: ReportAddonInput!) { reportAddon(input: $input) { ... on ReportAddonPayload { report { replies { totalCount } } } } }`,
      { input },
    );
    expect(sent.reportAddon).toEqual({ report: { replies: null } });
  });
});
