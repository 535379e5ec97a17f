import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { statementsDuring } from '../../support/statements.ts';

const app = setUpApp();
let operator: Client;
let used: MadeAddon;
let theme: MadeAddon;
let untouched: MadeAddon;

const DAY_MS = 24 * 60 * 60 * 1000;
/** The day `ago` days before yesterday, as YYYY-MM-DD. */
const day = (ago: number) => new Date(Date.now() - DAY_MS * (ago + 1)).toISOString().slice(0, 10);

type Numbers = { average_daily_users: number; weekly_downloads: number; ratings: Record<string, number> };
const detail = async ({ id }: MadeAddon) => (await app.anonymous.get(`/api/v4/addons/addon/${id}/`)).json as Numbers;
const hotness = async ({ id }: MadeAddon) =>
  (await app.anonymous.graphql<{ addon: { hotness: number } }>(`{ addon(by: { databaseId: ${id} }) { hotness } }`))
    .addon.hotness;
/** Ids of all add-ons in the order of a search sorted by `key`. */
const sorted = async (key: string) =>
  ((await app.anonymous.get(`/api/v4/addons/search/?sort=${key}`)).json as { results: { id: number }[] }).results.map(
    ({ id }) => id,
  );

async function* streamOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
const load = async (lines: readonly string[], options?: { skipBad?: boolean }) => {
  const { importStatistics } = await import('../../../src/domain/statistics/import-statistics.ts');
  return importStatistics('test', streamOf(lines), options);
};
const audits = () =>
  app.sql<{ actor: string; details: unknown }>(
    "SELECT actor, details FROM audit_entry WHERE action = 'statistics-imported' ORDER BY id",
  );

const RECORD = `mutation($input: RecordStatisticsInput!) { recordStatistics(input: $input) {
  __typename ... on RecordStatisticsPayload { rows changed } ... on UserError { message path } } }`;
const record = async (client: Client, ...rows: Record<string, unknown>[]) =>
  (await client.graphql<{ recordStatistics: Record<string, unknown> }>(RECORD, { input: { rows } })).recordStatistics;

beforeAll(async () => {
  operator = await app.memberWith('Admin:Catalogue');
  used = await addon({ guid: 'Used@statistics', description: { 'en-US': ',"averageDailyUsers":7,"e10s":"x" { } \\' } });
  theme = await addon({ guid: 'theme@statistics', type: 'statictheme' });
  untouched = await addon({ guid: 'untouched@statistics', averageDailyUsers: 77, weeklyDownloads: 7, hotness: 0.7 });
});

describe('daily statistics', () => {
  it('determine users, downloads and hotness in documents and search', async () => {
    const week = Array.from({ length: 7 }, (_, ago) => `used@STATISTICS,${day(ago)},3000,10`);
    const before = Array.from({ length: 21 }, (_, ago) => `used@statistics,${day(ago + 7)},2000,1000`);
    const long = Array.from({ length: 9 }, (_, ago) => `used@statistics,${day(ago + 28)},9000,1000`);
    expect(await load(['guid,date,users,downloads', ...week, '', ...before, ...long])).toEqual({
      rows: 37,
      addons: 1,
      skipped: [],
    });
    expect(await detail(used)).toMatchObject({ average_daily_users: 3000, weekly_downloads: 70 });
    expect(await hotness(used)).toBe(0.5);
    expect([await sorted('users'), await sorted('hotness')]).toEqual([
      [used.id, untouched.id, theme.id],
      [untouched.id, used.id, theme.id],
    ]);
    expect(await audits()).toEqual([{ actor: 'test', details: { rows: 37, skipped: 0 } }]);
  });

  it('are stored when their source pauses for longer than other transactions may', async () => {
    const { importStatistics } = await import('../../../src/domain/statistics/import-statistics.ts');
    const { pool } = await import('../../../src/infra/db.ts');
    const connections = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    for (const connection of connections) {
      await connection.query('SET idle_in_transaction_session_timeout = 200');
      connection.release();
    }
    async function* slow() {
      yield 'guid,date,users,downloads';
      await sleep(1_000);
      yield `used@statistics,${day(3)},3000,10`;
    }
    expect(await importStatistics('test', slow())).toEqual({ rows: 1, addons: 0, skipped: [] });
  });

  it('change nothing when they are imported again', async () => {
    const revision = () => app.sql('SELECT row_version FROM addon_document ORDER BY addon_id');
    const [before, line] = [
      await revision(),
      JSON.stringify({ kind: 'daily_statistics', guid: 'used@statistics', date: day(3), users: 3000, downloads: 10 }),
    ];
    expect(await load([line, line])).toEqual({ rows: 1, addons: 0, skipped: [] });
    expect(await revision()).toEqual(before);
  });

  it('ignore missing days, and give add-ons with few users a hotness of 0', async () => {
    const line = (ago: number, users: number) => ({
      guid: 'theme@statistics',
      date: day(ago),
      users,
      downloads: 0,
    });
    await record(operator, line(1, 200), line(3, 101), line(9, 100));
    expect([(await detail(theme)).average_daily_users, await hotness(theme)]).toEqual([151, 0]);
    await record(operator, line(1, 400), line(3, 200));
    expect([(await detail(theme)).average_daily_users, await hotness(theme)]).toEqual([300, 2]);
  });

  it('drop to 0 without recent days, and leave imported numbers of add-ons without days unchanged', async () => {
    await app.sql('DELETE FROM daily_statistics WHERE addon_id = $1 AND day > $2', [theme.id, day(8)]);
    await app.sql('UPDATE daily_statistics SET day = day - 60 WHERE addon_id = $1', [theme.id]);
    const { recomputeAllStatistics } = await import('../../../src/domain/statistics/recompute-statistics.ts');
    expect([await recomputeAllStatistics(), await recomputeAllStatistics()]).toEqual([1, 0]);
    expect([(await detail(theme)).average_daily_users, await hotness(theme)]).toEqual([0, 0]);
    expect(await detail(untouched)).toMatchObject({ average_daily_users: 77, weekly_downloads: 7 });
  });

  it('set ratings and their Bayesian average', async () => {
    const header = 'rating_average,guid,date,users,downloads,rating_count,rating_text_count';
    await load([header, `4,used@statistics,${day(0)},3000,10,90,40`, `"1","untouched@statistics",${day(0)},80,1,10,0`]);
    expect((await detail(used)).ratings).toMatchObject({ count: 90, text_count: 40, average: 4 });
    // The prior is 50 ratings of 2.5: (50 × 2.5 + 90 × 4) ÷ 140 and (50 × 2.5 + 10 × 1) ÷ 60.
    const bayesian = [used, untouched].map(async (each) => (await detail(each)).ratings.bayesian_average ?? 0);
    expect((await Promise.all(bayesian)).map((value) => value.toFixed(6))).toEqual(['3.464286', '2.250000']);
    expect((await sorted('rating')).slice(0, 2)).toEqual([used.id, untouched.id]);
  });

  it('are published with a constant number of statements', async () => {
    const { recomputeAllStatistics } = await import('../../../src/domain/statistics/recompute-statistics.ts');
    const change = async (increase: number, ...addons: MadeAddon[]) => {
      const ids = addons.map(({ id }) => id);
      await app.sql('UPDATE daily_statistics SET users = users + $1 WHERE addon_id = ANY($2)', [increase, ids]);
      return (await statementsDuring(recomputeAllStatistics)).length;
    };
    expect(await change(10, used)).toBe(await change(20, used, untouched));
  });
});

describe('a file of daily statistics', () => {
  const good = () => `used@statistics,${day(0)},1,1`;
  it.each([
    [['guid,date,users'], 'line 1: the column downloads is missing'],
    [['guid,date,users,downloads,name'], 'line 1: unknown column "name"; use guid, date, users, downloads, '],
    [['guid,date,users,downloads,users'], 'line 1: the column users appears twice'],
    [['{"guid":"used@statistics"'], 'line 1: this is not JSON'],
    [
      ['{"guid":"used@statistics","date":"2026-01-31","users":1,"downloads":1,"more":1}'],
      'line 1: unknown key "more"; use ',
    ],
    [['{"guid":"used@statistics","date":"2026-01-31","users":-1,"downloads":1}'], /line 1: users: expected a whole/],
    [['{"guid":"used@statistics","date":"2026-01-31","users":[1],"downloads":1}', '[]'], /line 2: expected an object/],
    [
      ['{"guid":"used@statistics","date":"2026-01-31","users":{"toString":1},"downloads":1}'],
      /line 1: users: expected a whole/,
    ],
  ])('is refused: %j', async (lines, message) => {
    await expect(load(lines)).rejects.toThrow(message);
  });

  it.each([
    ['used@statistics,2026-02-30,1,1', 'date: expected a day such as 2018-10-25'],
    ['used@statistics,2999-01-01,1,1', 'date: this day is yet to come'],
    ['used@statistics,2026-01-01,1', 'expected 4 cells, not 3'],
    ['used@statistics,2026-01-01,1.5,1', 'users: expected a whole number from 0 to 2147483647'],
    ['used@statistics,2026-01-01,1,2147483648', 'downloads: expected a whole number from 0 to 2147483647'],
    ['used@statistics,2026-01-01,1,"1', 'the quotation marks do not fit'],
    ['used\0@statistics,2026-01-01,1,1', 'guid: expected the id of an add-on'],
  ])('reports the line number of an invalid line, or skips it: %j', async (line, message) => {
    const stored = () => app.sql('SELECT * FROM daily_statistics ORDER BY addon_id, day');
    const before = await stored();
    const lines = ['guid,date,users,downloads', good(), line];
    await expect(load(lines)).rejects.toThrow(`line 3: ${message}`);
    expect(await stored()).toEqual(before);
    expect(await load(lines, { skipBad: true })).toMatchObject({ rows: 1, skipped: [`line 3: ${message}`] });
  });

  it('uses the last entry of a repeated day', async () => {
    const day3 = (guid: string, users: number) => `${guid},${day(3)},${users},1`;
    const lines = [day3('used@statistics', 1), day3('USED@statistics', 2), day3('unknown@statistics', 1)];
    const done = await load(['guid,date,users,downloads', ...lines, ...lines.slice(2)], { skipBad: true });
    expect(done).toMatchObject({ rows: 1, skipped: ['unknown@statistics: there is no such add-on'] });
    const stored = 'SELECT users FROM daily_statistics WHERE addon_id = $1 AND day = $2';
    expect(await app.sql(stored, [used.id, day(3)])).toEqual([{ users: 2 }]);
  });

  it('may contain ids in the old form without @', async () => {
    const old = await addon({ guid: 'oldform.without.at' });
    expect(await load(['guid,date,users,downloads', `oldform.without.at,${day(0)},5,6`])).toMatchObject({ rows: 1 });
    expect(await detail(old)).toMatchObject({ average_daily_users: 5, weekly_downloads: 6 });
  });

  it('is refused if it contains an unknown add-on, unless bad lines are skipped', async () => {
    const lines = ['guid,date,users,downloads', `unknown@statistics,${day(0)},1,1`];
    await expect(load(lines)).rejects.toThrow('unknown@statistics: there is no such add-on');
    expect(await load(lines, { skipBad: true })).toMatchObject({ rows: 0, addons: 0 });
  });
});

describe('recordStatistics', () => {
  const row = () => ({ guid: 'used@statistics', date: day(0), users: 1, downloads: 1 });

  it.each([
    [{ users: -1 }, /^rows\[1\]: users: expected a whole number/],
    [{ guid: 'unknown@statistics' }, /^unknown@statistics: there is no such add-on$/],
    [{ guid: 'old form' }, /^old form: there is no such add-on$/],
    [{ guid: ' ' }, /^rows\[1\]: guid/],
    [{ date: '2999-01-01' }, /yet to come/],
    [{ ratings: { count: 1, textCount: 2, average: 1 } }, /rating_text_count/],
    [{ ratings: { count: 1, textCount: 1, average: 5.1 } }, /rating_average/],
    [{ ratings: { count: 1, textCount: 1, average: -1e300 } }, /rating_average/],
  ])('refuses %j', async (wrong, message) => {
    const result = await record(operator, row(), { ...row(), ...wrong });
    expect(result).toMatchObject({
      __typename: 'InvalidInputError',
      message: expect.stringMatching(message),
      path: ['rows'],
    });
  });

  it('refuses more than 1,000 entries', async () => {
    const result = await record(operator, ...Array.from({ length: 1_001 }, row));
    expect(result).toMatchObject({ message: 'Please use no more than 1000 entries.' });
  });

  it('requires Admin:Catalogue', async () => {
    const before = (await audits()).length;
    for (const member of [await app.developer(), await app.memberWith('Admin:Curation', 'Addons:Edit')]) {
      expect((await record(member, row())).__typename).toBe('NotPermittedError');
    }
    await expect(record(app.anonymous, row())).rejects.toThrow('NOT_AUTHENTICATED');
    expect((await audits()).length).toBe(before);
    expect(await record(await app.admin(), { ...row(), users: 2 })).toEqual({
      __typename: 'RecordStatisticsPayload',
      rows: 1,
      changed: 1,
    });
  });
});
