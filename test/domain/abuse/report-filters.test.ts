/* Reports by the names that pages show and by their sender, and how many there are. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { mutate } from '../../support/mutate.ts';
import { makeReportWorld, type ReportWorld } from '../../support/report-world.ts';
import { areConstant, statementsDuring } from '../../support/statements.ts';

const app = setUpApp();
let world: ReportWorld;
let moderator: Client;
let staff: Client;
beforeAll(async () => {
  world = await makeReportWorld(app);
  moderator = await app.memberWith('AbuseReports:Edit');
  staff = await app.memberWith(
    'AbuseReports:Edit',
    'Addons:Edit',
    'Users:Edit',
    'Addons:ReviewUnlisted',
    'Addons:ViewDeleted',
  );
});

const idOf = ({ accountId }: Client): number => accountId ?? 0;

const rename = (client: Client, displayName: string | null, username: string) =>
  app.sql('UPDATE account SET display_name = $2, username = $3 WHERE id = $1', [idOf(client), displayName, username]);

async function numbers(filter: object, client = moderator): Promise<number[]> {
  const query =
    'query ($filter: AbuseReportFilter) { abuseReports(filter: $filter) { totalCount nodes { databaseId } } }';
  const { abuseReports } = await client.graphql<{
    abuseReports: { totalCount: number; nodes: { databaseId: number }[] };
  }>(query, { filter });
  expect(abuseReports.totalCount).toBe(abuseReports.nodes.length);
  return abuseReports.nodes.map(({ databaseId }) => databaseId);
}

async function addonChoice(text: string, client = moderator) {
  const query = `query ($text: String!) { moderatedAddon(text: $text) { isKnown addon { slug } options { slug } similar { slug } } }`;
  return (await client.graphql<{ moderatedAddon: object }>(query, { text })).moderatedAddon;
}

async function accountChoice(text: string, part: 'REPORTED' | 'REPORTER', client = moderator) {
  const query = `query ($text: String!, $part: AbuseReportPart!) { moderatedAccount(text: $text, part: $part) {
    account { databaseId } options { databaseId } similar { databaseId } } }`;
  return (await client.graphql<{ moderatedAccount: object }>(query, { text, part })).moderatedAccount;
}

const NO_ADDON = { isKnown: false, addon: null, options: [], similar: [] };
const NO_ACCOUNT = { account: null, options: [], similar: [] };

const report = async (made: MadeAddon) => (await world.report({ addonGuid: made.guid, addonId: made.id })).number;

describe('reports about an add-on', () => {
  it('are found by its displayed name in any language and case, and by each reference', async () => {
    const made = await addon({ slug: 'courier', name: { 'en-US': 'Download Courier', de: 'Eilbote' } });
    const number = await report(made);
    const old = (await world.report({ addonGuid: made.guid.toUpperCase() })).number;
    for (const text of ['Download Courier', ' download courier ', 'EILBOTE', 'courier', made.guid, String(made.id)]) {
      expect([text, await numbers({ addonNamed: text })]).toEqual([text, [old, number]]);
      expect(await addonChoice(text)).toEqual({ ...NO_ADDON, isKnown: true, addon: { slug: 'courier' } });
    }
    expect(await addonChoice('Download')).toMatchObject({ isKnown: false, similar: [{ slug: 'courier' }] });
    for (const text of ['Download', '', ' ', '\0', '\ud800', '0', '99999999999'])
      expect([text, await numbers({ addonNamed: text })]).toEqual([text, []]);
  });

  it('are not found by a name that several have, which are offered', async () => {
    for (const slug of ['twin-one', 'twin-two']) await report(await addon({ slug, name: { 'en-US': 'Twin' } }));
    expect(await numbers({ addonNamed: 'twin' })).toEqual([]);
    expect(await addonChoice('twin')).toEqual({ ...NO_ADDON, options: [{ slug: 'twin-one' }, { slug: 'twin-two' }] });
  });

  it('are found by the guid of one that the service does not have', async () => {
    const { number } = await world.report({ addonGuid: 'Elsewhere@Example' });
    expect(await numbers({ addonNamed: 'elsewhere@example' })).toEqual([number]);
    expect(await addonChoice('elsewhere@example')).toEqual({ ...NO_ADDON, isKnown: true });
    expect(await addonChoice('never-reported@example')).toEqual(NO_ADDON);
  });

  it('are found by the name of one that is not public by those who see it, and by others by reference', async () => {
    const made = await addon({ slug: 'veiled', name: { 'en-US': 'Veiled Name' }, status: 'disabled' });
    const number = await report(made);
    expect(await numbers({ addonNamed: 'Veiled Name' })).toEqual([]);
    expect(await addonChoice('Veiled Name')).toEqual(NO_ADDON);
    expect(await numbers({ addonNamed: 'veiled' })).toEqual([number]);
    expect(await addonChoice('veiled')).toEqual({ ...NO_ADDON, isKnown: true });
    expect(await numbers({ addonNamed: 'Veiled Name' }, staff)).toEqual([number]);
    expect(await addonChoice('Veiled Name', staff)).toEqual({ ...NO_ADDON, isKnown: true, addon: { slug: 'veiled' } });
  });

  it('are found by the guid of a deleted one, which is known by its reports alone', async () => {
    const owner = await app.developer();
    const [reported, other] = [
      await addon({ slug: 'ended', name: { 'en-US': 'Ended Name' }, authors: [idOf(owner)] }),
      await addon({ slug: 'ended-quietly', authors: [idOf(owner)] }),
    ];
    const number = await report(reported);
    for (const { id } of [reported, other]) await mutate(owner, 'deleteAddon', { id });
    for (const text of [reported.guid, String(reported.id)]) {
      expect(await numbers({ addonNamed: text })).toEqual([number]);
      expect(await addonChoice(text)).toEqual({ ...NO_ADDON, isKnown: true });
    }
    for (const text of ['Ended Name', other.guid, String(other.id)]) expect(await addonChoice(text)).toEqual(NO_ADDON);
  });
});

describe('reports about an account', () => {
  it('are found by username, number and displayed name, and by its address by those who see it', async () => {
    const kite = await app.developer();
    await rename(kite, 'Paper Kite Studio', 'paper-kite');
    await app.sql("UPDATE account SET email = 'kite@example.org' WHERE id = $1", [idOf(kite)]);
    const { number } = await world.report({ accountId: idOf(kite) });
    for (const text of ['Paper Kite Studio', ' paper kite studio', 'PAPER-kite', String(idOf(kite))]) {
      expect([text, await numbers({ accountNamed: text })]).toEqual([text, [number]]);
      expect(await accountChoice(text, 'REPORTED')).toEqual({ ...NO_ACCOUNT, account: { databaseId: idOf(kite) } });
    }
    expect(await accountChoice('Paper', 'REPORTED')).toEqual({ ...NO_ACCOUNT, similar: [{ databaseId: idOf(kite) }] });
    expect(await numbers({ accountNamed: 'kite@example.org' })).toEqual([]);
    expect(await accountChoice('kite@example.org', 'REPORTED')).toEqual(NO_ACCOUNT);
    expect(await numbers({ accountNamed: 'KITE@example.org' }, staff)).toEqual([number]);
    for (const text of ['%', '_', '', '\0', '\ud800', '0', 'paper%studio'])
      expect([text, await accountChoice(text, 'REPORTED')]).toEqual([text, NO_ACCOUNT]);
  });

  it('are found by the name that is shown for a generated username', async () => {
    const nameless = await app.developer();
    await rename(nameless, null, `anonymous-${'0badcafe'.repeat(4)}`);
    await app.sql('UPDATE account SET has_chosen_username = false WHERE id = $1', [idOf(nameless)]);
    const { number } = await world.report({ accountId: idOf(nameless) });
    expect(await numbers({ accountNamed: `${app.config.SITE_NAME} user 0badca` })).toEqual([number]);
  });

  it('reveal no account that is in none, and offer those with the same name', async () => {
    const [one, other, quiet] = [await app.developer(), await app.developer(), await app.developer()];
    for (const each of [one, other]) {
      await rename(each, 'Namesake', `namesake-${idOf(each)}`);
      await world.report({ accountId: idOf(each) });
    }
    await rename(quiet, 'Quiet Person', 'quiet-person');
    for (const client of [moderator, staff])
      for (const text of ['Quiet Person', 'quiet-person', String(idOf(quiet)), 'quiet'])
        expect(await accountChoice(text, 'REPORTED', client)).toEqual(NO_ACCOUNT);
    expect(await numbers({ accountNamed: 'namesake' })).toEqual([]);
    const options = [idOf(one), idOf(other)].map((databaseId) => ({ databaseId }));
    expect(await accountChoice('namesake', 'REPORTED')).toEqual({ ...NO_ACCOUNT, options });
  });
});

describe('reports by a sender', () => {
  it('are found by reference and by name, but not those that do not show it to the viewer', async () => {
    const [sender, subject] = [await app.developer(), await app.memberWith('AbuseReports:Edit')];
    await rename(sender, 'Watchful Reader', 'watchful');
    const own = await addon({ authors: [idOf(subject)] });
    const by = { reporterId: idOf(sender) };
    const hidden = [
      await world.report({ ...by, accountId: idOf(subject) }),
      await world.report({ ...by, addonGuid: own.guid, addonId: own.id }),
      await world.report({ ...by, addonGuid: own.guid.toUpperCase() }),
    ].map(({ number }) => number);
    const filters = [
      { reporter: { databaseId: idOf(sender) } },
      { reporter: { username: 'WATCHFUL' } },
      ...['watchful', 'Watchful Reader', String(idOf(sender))].map((text) => ({ reporterNamed: text })),
    ];
    for (const filter of filters) {
      expect(await numbers(filter)).toEqual(hidden.toReversed());
      expect(await numbers(filter, subject)).toEqual([]);
      expect(await numbers({ ...filter, isDecidable: false }, subject)).toEqual([]);
    }
    for (const text of ['watchful', 'Watchful Reader', 'watch', String(idOf(sender))])
      expect(await accountChoice(text, 'REPORTER', subject)).toEqual(NO_ACCOUNT);
    const shown = (await world.report(by)).number;
    for (const filter of filters) expect(await numbers(filter, subject)).toEqual([shown]);
    expect(await accountChoice('watchful', 'REPORTER', subject)).toEqual({
      ...NO_ACCOUNT,
      account: { databaseId: idOf(sender) },
    });
    const sent = (await world.report({ reporterId: idOf(subject), accountId: idOf(subject) })).number;
    expect(await numbers({ reporter: { databaseId: idOf(subject) } }, subject)).toEqual([sent]);
    expect(await numbers({ reporter: { databaseId: 2e9 } })).toEqual([]);
  });

  it('are read by an index', async () => {
    const { isMatching } = await import('../../../src/domain/abuse/report-filter.ts');
    const { db, Prisma } = await import('../../../src/infra/db.ts');
    const viewer = { kind: 'account', accountId: idOf(moderator), rules: ['AbuseReports:Edit'] };
    const condition = await isMatching({ viewer } as never, { reporter: { databaseId: idOf(world.reporter) } });
    const plan = await db.$transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL enable_seqscan = off`;
      return tx.$queryRaw<object[]>(
        Prisma.sql`EXPLAIN SELECT r.id FROM abuse_report r WHERE ${condition} ORDER BY r.id DESC LIMIT 50`,
      );
    });
    expect(JSON.stringify(plan)).toContain('abuse_report_reporter_id_id_idx');
  });
});

describe('the counts of reports', () => {
  const COUNTS = `query ($filter: AbuseReportFilter) { abuseReportCounts(filter: $filter) {
    open valid dismissed duplicate all decidedByViewer } }`;
  const counts = async (filter: object) =>
    (await moderator.graphql<{ abuseReportCounts: object }>(COUNTS, { filter })).abuseReportCounts;

  it('are by state and by whether the viewer has decided, in one statement', async () => {
    const filter = { addon: { guid: 'counted@example' } };
    const none = { open: 0, valid: 0, dismissed: 0, duplicate: 0, all: 0, decidedByViewer: 0 };
    expect(await counts(filter)).toEqual(none);
    const make = async (state: string, by: Client | null) => {
      const { number } = await world.report({ addonGuid: 'counted@example' });
      if (by === null) return;
      await app.sql('UPDATE abuse_report SET state = $2, decided = now(), decided_by = $3 WHERE id = $1', [
        ...[number, state, idOf(by)],
      ]);
    };
    await make('open', null);
    const few = await statementsDuring(() => counts(filter));
    for (const state of ['valid', 'dismissed', 'duplicate']) await make(state, moderator);
    await make('valid', staff);
    await make('open', null);
    expect(await counts(filter)).toEqual({ open: 2, valid: 2, dismissed: 1, duplicate: 1, all: 6, decidedByViewer: 3 });
    const many = await statementsDuring(() => counts(filter));
    expect(many.filter((each) => each.includes('abuse_report'))).toHaveLength(1);
    expect(areConstant(few, many)).toBe(true);
  });
});
