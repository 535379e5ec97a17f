/* Whether a reply to the reporter of an abuse report would be sent. */
import { beforeAll, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { globalId } from '../../support/global-ids.ts';
import { makeReportWorld, type ReportWorld } from '../../support/report-world.ts';

const app = setUpApp();
let world: ReportWorld;
beforeAll(async () => {
  world = await makeReportWorld(app);
});

const isPossible = async (client: Client, number: number) => {
  const query = 'query($id: ID!) { node(id: $id) { ... on AbuseReport { isReplyPossible } } }';
  const variables = { id: globalId('AbuseReport', number) };
  return (await client.graphql<{ node: { isReplyPossible: boolean } }>(query, variables)).node.isReplyPossible;
};

it('is not shown to a moderator whom the report is about', async () => {
  const moderator = await app.memberWith('AbuseReports:Edit');
  const { number } = await world.report({ accountId: moderator.accountId ?? 0 });
  expect(await isPossible(moderator, number)).toBe(false);
  expect(await isPossible(await app.memberWith('AbuseReports:Edit'), number)).toBe(true);
});

it('depends on the account of the reporter', async () => {
  const moderator = await app.memberWith('AbuseReports:Edit');
  const { db } = await import('../../../src/infra/db.ts');
  const without = await db.account.create({ data: { username: 'no-address' } });
  const made = await world.report();
  expect(await isPossible(moderator, made.number)).toBe(true);
  expect(await isPossible(moderator, (await world.report({ reporterId: without.id })).number)).toBe(false);
  const anonymous = await world.report();
  await app.sql('UPDATE abuse_report SET reporter_id = NULL WHERE id = $1', [anonymous.number]);
  expect(await isPossible(moderator, anonymous.number)).toBe(false);
  await app.sql('UPDATE account SET disabled_at = now() WHERE id = $1', [world.reporter.accountId]);
  expect(await isPossible(moderator, made.number)).toBe(false);
});
