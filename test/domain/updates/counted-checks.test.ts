import { beforeEach, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { exportedLines } from '../../support/catalogue/lines.ts';
import { addon } from '../../support/factories.ts';
import { withoutDatabase } from '../../support/outage.ts';
import { statementsDuring } from '../../support/statements.ts';
import { APPS, make, pathOf, type Query, queryFor, stored } from '../../support/updates.ts';

const app = setUpApp({ settings: { TRUSTED_PROXIES: ['127.0.0.1'] } });

beforeEach(() => app.sql('DELETE FROM update_check'));

const PERIODIC = { updateType: '112', version: '1.0' };
const from = (address = '198.51.100.1') => ({ 'X-Forwarded-For': address });
const check = (id: string, query: Query = {}, headers: Record<string, string> = from()) =>
  app.anonymous.get(pathOf(queryFor(id, { ...PERIODIC, ...query })), headers);

/** The written counts, as `<app> <version>`. */
async function counts(id: number): Promise<Record<string, number>> {
  const { flushUpdateCounts } = await import('../../../src/domain/updates/count-checks.ts');
  await flushUpdateCounts();
  const rows = await app.sql<{ key: string; count: number }>(
    `SELECT app || ' ' || version AS key, count FROM update_check
    WHERE addon_id = $1 AND day = (now() AT TIME ZONE 'UTC')::date`,
    [id],
  );
  return Object.fromEntries(rows.map(({ key, count }) => [key, count]));
}

/** Sends checks of one add-on from addresses, past the HTTP server. */
async function sendChecks(guid: string, count: number, address: (index: number) => string): Promise<void> {
  const { respondToCheck } = await import('../../../src/domain/updates/respond.ts');
  const query = String(new URLSearchParams(queryFor(guid, PERIODIC)));
  await Promise.all(Array.from({ length: count }, (_, index) => respondToCheck(query, () => address(index))));
}

describe('an update check counts', () => {
  it('when a browser sends it by itself, also when nothing fits', async () => {
    const { id, guid } = await make();
    for (const updateType of ['16', '48', '80', '112', '4080']) await check(guid, { updateType });
    for (const updateType of [
      '',
      '0',
      '1',
      '17',
      '97',
      '113',
      '15',
      '-16',
      '0x10',
      '16.0',
      'NaN',
      '1e1',
      '9'.repeat(40),
    ]) {
      expect((await check(guid, { updateType })).status).toBe(200);
    }
    expect(await counts(id)).toEqual({ 'desktop_browser 1.0': 5 });
    expect((await check(guid, { appVersion: '1.0' })).text).toContain('"updates":[]');
    expect(await counts(id)).toEqual({ 'desktop_browser 1.0': 6 });
    await app.anonymous.head(pathOf(queryFor(guid, PERIODIC)), from());
    await app.anonymous.request('POST', pathOf(queryFor(guid, PERIODIC)));
    await check(guid, { appID: 'other' });
    expect(await counts(id)).toEqual({ 'desktop_browser 1.0': 6 });
    const { headers } = await check(guid);
    await check(guid, {}, { ...from(), 'If-None-Match': headers.etag ?? '' });
    expect(await counts(id)).toEqual({ 'desktop_browser 1.0': 8 });
  });

  it('by application and version, under an empty one if the add-on has no such version', async () => {
    const { id, guid } = await addon({
      versions: [
        stored(),
        stored({ version: '2.0', channel: 'unlisted' }),
        stored({ version: '3.0', stage: 'awaiting_review' }),
      ],
    });
    for (const version of ['1.0', '2.0', '3.0', '9.0', '', 'x'.repeat(5_000), '\0', '1.0 ', 'é', "'"])
      await check(guid, { version });
    await check(guid.toUpperCase());
    for (const name of ['mail_client', 'mobile_browser'] as const) await check(guid, { appID: APPS[name] });
    expect(await counts(id)).toEqual({
      'desktop_browser 1.0': 2,
      'desktop_browser 2.0': 1,
      'desktop_browser ': 8,
      'mail_client 1.0': 1,
      'mobile_browser 1.0': 1,
    });
  });

  it('not for an add-on without updates', async () => {
    const { id, guid } = await make({}, { isDisabledByDeveloper: true });
    const { guid: unlisted } = await make({ channel: 'unlisted' });
    for (const each of [guid, unlisted, 'unknown@example']) expect((await check(each)).text).toBe('{}');
    expect(await counts(id)).toEqual({});
    expect(await app.sql('SELECT FROM update_check')).toEqual([]);
  });

  it('600 times a minute for one sender, an IPv6 network counting as one', async () => {
    const { id, guid } = await make();
    app.config.UPDATE_CHECKS_PER_NETWORK = 60_000;
    const addresses = [
      ...Array.from({ length: 700 }, (_, index) => `2001:db8:0:1::${index.toString(16)}`),
      ...['2001:db8:0:2::1', '2001:db8:0:1:ffff::1'],
      ...Array<string>(650).fill('::ffff:192.0.2.7'),
      ...Array<string>(10).fill('192.0.2.7'),
    ];
    // All at once, so that no other minute begins between them.
    await sendChecks(guid, addresses.length, (index) => addresses[index] ?? '');
    app.config.UPDATE_CHECKS_PER_NETWORK = 50;
    expect(await counts(id)).toEqual({ 'desktop_browser 1.0': 1_201 });
  });

  it('50 times a day for one add-on and sender, and gets its response also above the limit', async () => {
    const [{ id, guid }, other] = [await make(), await make()];
    await sendChecks(guid, 3_000, (index) => `203.0.113.${index % 5}`);
    expect(await counts(id)).toEqual({ 'desktop_browser 1.0': 250 });
    expect((await check(guid, {}, from('203.0.113.1'))).text).toContain('"version":"1.0"');
    await sendChecks(other.guid, 10, () => '203.0.113.200');
    await sendChecks(guid, 10, () => '203.0.113.201');
    expect([await counts(id), await counts(other.id)]).toEqual([
      { 'desktop_browser 1.0': 260 },
      { 'desktop_browser 1.0': 10 },
    ]);
  });

  it('in memory, until one statement writes all counts', async () => {
    const { id, guid } = await make();
    const { guid: other } = await make();
    // Checks that count would reach the limit of a day before a busy machine has both responses in memory.
    const twice = () =>
      statementsDuring(() => Promise.all([guid, other].map((each) => check(each, { updateType: '97' }))));
    await expect.poll(twice, { interval: 10 }).toEqual([]);
    for (let round = 0; round < 11; round++) await check(guid);
    expect(await app.sql('SELECT FROM update_check')).toEqual([]);
    expect(await counts(id)).toEqual({ 'desktop_browser 1.0': 11 });
    const address = '203.0.113.77';
    await check(guid, {}, from(address));
    const { flushUpdateCounts } = await import('../../../src/domain/updates/count-checks.ts');
    await withoutDatabase(app, flushUpdateCounts);
    expect(await counts(id)).toEqual({ 'desktop_browser 1.0': 11 });
    const rows = await app.sql('SELECT * FROM update_check');
    expect(JSON.stringify(rows)).not.toContain(address);
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual(['addon_id', 'app', 'count', 'day', 'version']);
  });

  it('in read-only mode once it is over, and never with UPDATE_STATISTICS=false', async () => {
    const { id, guid } = await make();
    app.config.READ_ONLY = true;
    await check(guid);
    expect(await counts(id)).toEqual({});
    app.config.READ_ONLY = false;
    expect(await counts(id)).toEqual({ 'desktop_browser 1.0': 1 });
    app.config.UPDATE_STATISTICS = false;
    await check(guid);
    app.config.UPDATE_STATISTICS = true;
    expect(await counts(id)).toEqual({ 'desktop_browser 1.0': 1 });
  });
});

describe('the nightly estimate of users', () => {
  const DAY = `(now() AT TIME ZONE 'UTC')::date`;
  const count = (id: number, daysAgo: number, users: number, version = '1.0') =>
    app.sql(`INSERT INTO update_check VALUES ($1, ${DAY} - $2::int, 'desktop_browser', $3, $4)`, [
      id,
      daysAgo,
      version,
      users,
    ]);
  const estimate = async () => {
    const { estimateUsers } = await import('../../../src/domain/statistics/estimate-users.ts');
    await estimateUsers();
  };
  const usersOf = async (id: number) => {
    const rows = await app.sql<{ ago: number; users: number; downloads: number }>(
      `SELECT ${DAY} - day AS ago, users, downloads FROM daily_statistics WHERE addon_id = $1 ORDER BY day DESC`,
      [id],
    );
    return Object.fromEntries(rows.map(({ ago, users }) => [ago, users]));
  };
  const numbersOf = async (id: number) => {
    const { json } = await app.anonymous.get(`/api/v4/addons/addon/${id}/`);
    const { average_daily_users: users, weekly_downloads: downloads } = json as Record<string, number>;
    return { users, downloads };
  };
  const restart = () => app.sql(`DELETE FROM service_state WHERE name = 'users_estimated_to'`);

  it('adds up the checks of the days that ended, and keeps the imported downloads', async () => {
    await restart();
    const { id } = await make({}, { weeklyDownloads: 77, averageDailyUsers: 5 });
    await count(id, 0, 1_000);
    await count(id, 1, 20);
    await count(id, 1, 5, '');
    await count(id, 3, 15);
    await estimate();
    expect(await usersOf(id)).toEqual({ 1: 25, 3: 15 });
    expect(await numbersOf(id)).toEqual({ users: 20, downloads: 77 });
    await count(id, 1, 1, '0.9');
    await estimate();
    expect(await usersOf(id)).toEqual({ 1: 25, 3: 15 });
  });

  const record = async (guid: string, daysAgo: number, users: number) => {
    const { recordStatistics } = await import('../../../src/domain/statistics/import-statistics.ts');
    const date = new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
    await recordStatistics('test', [{ guid, date, users, downloads: 3, ratings: null }]);
  };

  it('changes the numbers of its add-on only, a week after the last import, but no downloads', async () => {
    await restart();
    const [imported, checked] = await Promise.all([make(), make()]);
    for (const { guid } of [imported, checked]) {
      await record(guid, 20, 500);
      await record(guid, 19, 300);
    }
    await count(checked.id, 14, 20);
    await estimate();
    for (const { id } of [imported, checked]) expect(await numbersOf(id)).toEqual({ users: 400, downloads: 6 });
    await restart();
    await count(checked.id, 1, 10);
    await estimate();
    expect(await numbersOf(imported.id)).toEqual({ users: 400, downloads: 6 });
    expect(await numbersOf(checked.id)).toEqual({ users: 10, downloads: 6 });
  });

  it('leaves the days that the operator gave, before or after it', async () => {
    await restart();
    const { id, guid } = await make({}, { weeklyDownloads: 77 });
    await record(guid, 1, 500);
    await count(id, 1, 20);
    await count(id, 2, 30);
    await estimate();
    expect(await usersOf(id)).toEqual({ 1: 500, 2: 30 });
    expect(await numbersOf(id)).toEqual({ users: 265, downloads: 3 });
    await record(guid, 2, 100);
    await restart();
    await estimate();
    expect(await usersOf(id)).toEqual({ 1: 500, 2: 100 });
    expect(await numbersOf(id)).toEqual({ users: 300, downloads: 6 });
  });

  it('is not exported, as an import would take it for a day without downloads', async () => {
    await restart();
    const { id, guid } = await make();
    await record(guid, 2, 500);
    await count(id, 1, 20);
    await estimate();
    const statistics = (await exportedLines()).filter((line) => line.kind === 'daily_statistics' && line.guid === guid);
    expect(statistics).toEqual([expect.objectContaining({ users: 500, downloads: 3 })]);
  });

  it('deletes counts after a month, and is not made with UPDATE_STATISTICS=false or in read-only mode', async () => {
    await restart();
    const { id } = await make();
    await count(id, 1, 20);
    await count(id, 40, 30);
    app.config.READ_ONLY = true;
    await estimate();
    app.config.READ_ONLY = false;
    expect(await app.sql('SELECT FROM update_check')).toHaveLength(2);
    app.config.UPDATE_STATISTICS = false;
    await estimate();
    app.config.UPDATE_STATISTICS = true;
    expect(await usersOf(id)).toEqual({});
    expect(await app.sql('SELECT FROM update_check')).toHaveLength(1);
    await estimate();
    expect(await usersOf(id)).toEqual({ 1: 20 });
  });

  it('is made at one o\u2019clock UTC', async () => {
    const { crontab } = await import('../../../src/process/task-list.ts');
    expect(crontab()).toContain('0 1 * * * estimate-users');
  });
});
