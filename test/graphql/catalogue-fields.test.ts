/* What pages of the catalogue show in addition to REST: statistics, collections, new permissions. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { type AddonFacts, addon, type MadeAddon } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';
import { statementsDuring } from '../support/statements.ts';

const app = setUpApp();
let owner: Client;
let admin: Client;
beforeAll(async () => {
  owner = await app.developer();
  admin = await app.admin();
});

const made = (facts: AddonFacts) => addon({ authors: [owner.accountId ?? 0], ...facts });

const DAY_MS = 86_400_000;
/** The day `ago` days before today, in UTC. */
const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);

describe('the statistics of an add-on', () => {
  const STATISTICS = `query ($ref: Int!, $days: Int) { addon(by: { databaseId: $ref }) { statistics(days: $days) {
    from to days { date users downloads } versions { version users downloads } applications { app users } } } }`;
  interface Statistics {
    from: string;
    to: string;
    days: { date: string; users: number | null; downloads: number }[];
    versions: { version: string | null; users: number; downloads: number }[];
    applications: { app: string; users: number }[];
  }
  const statistics = async (client: Client, { id }: MadeAddon, days?: number) =>
    (await client.graphql<{ addon: { statistics: Statistics } }>(STATISTICS, { ref: id, days })).addon.statistics;

  it('have every day up to yesterday: imported numbers, or estimated users and counted downloads', async () => {
    const used = await made({ versions: [{}, {}] });
    const [first, second] = used.versions.map(({ files }) => files[0]?.id ?? 0);
    await app.sql(
      `INSERT INTO daily_statistics (addon_id, day, users, downloads, is_estimated) VALUES
        ($1, $2, 500, 7, false), ($1, $3, 600, 0, true), ($1, $4, 999, 999, false), ($1, $5, 400, 3, false)`,
      [used.id, day(1), day(2), day(0), day(31)],
    );
    await app.sql(
      `INSERT INTO download_count (file_id, day, source, count) VALUES
        ($1, $3, 'search', 10), ($1, $3, '', 1), ($2, $3, '', 20), ($2, $4, '', 5), ($1, $5, '', 900), ($1, $6, '', 40)`,
      [first, second, day(2), day(1), day(0), day(31)],
    );
    await app.sql(
      `INSERT INTO update_check (addon_id, day, app, version, count) VALUES
        ($1, $2, 'desktop_browser', '2.0', 300), ($1, $3, 'desktop_browser', '2.0', 301), ($1, $2, 'mobile_browser', '2.0', 10),
        ($1, $2, 'desktop_browser', '1.0', 4), ($1, $2, 'desktop_browser', '', 2), ($1, $4, 'desktop_browser', '1.0', 5000)`,
      [used.id, day(1), day(2), day(8)],
    );
    const found = await statistics(owner, used);
    expect([found.from, found.to, found.days.length]).toEqual([day(30), day(1), 30]);
    expect(found.days.slice(-3)).toEqual([
      { date: day(3), users: null, downloads: 0 },
      { date: day(2), users: 600, downloads: 31 },
      { date: day(1), users: 500, downloads: 7 },
    ]);
    expect(found.days.every(({ date }, index) => date === day(30 - index))).toBe(true);
    expect(found.versions).toEqual([
      { version: '2.0', users: 306, downloads: 25 },
      { version: '1.0', users: 2, downloads: 11 },
      { version: null, users: 1, downloads: 0 },
    ]);
    expect(found.applications).toEqual([
      { app: 'DESKTOP_BROWSER', users: 304 },
      { app: 'MOBILE_BROWSER', users: 5 },
    ]);
    const quarter = await statistics(owner, used, 90);
    expect([quarter.from, quarter.days.length, quarter.days.find(({ date }) => date === day(31))]).toEqual([
      day(90),
      90,
      { date: day(31), users: 400, downloads: 3 },
    ]);
    expect(quarter.versions.find(({ version }) => version === '1.0')?.downloads).toBe(51);
    expect((await statistics(owner, used, 365)).days).toHaveLength(365);
  });

  it('are refused to others, and for other periods', async () => {
    const [hidden, open] = [await made({}), await made({ publicStats: true })];
    const codes = async (client: Client, { id }: MadeAddon, days?: number) =>
      (await client.graphqlResult<{ addon: { statistics: unknown } }>(STATISTICS, { ref: id, days })).errors?.map(
        ({ extensions }) => extensions?.code,
      );
    const [stranger, analyst] = [await app.developer(), await app.memberWith('Stats:View')];
    expect(await codes(app.anonymous, hidden)).toEqual(['NOT_AUTHENTICATED']);
    expect(await codes(stranger, hidden)).toEqual(['NOT_PERMITTED']);
    expect(await codes(analyst, hidden)).toBeUndefined();
    expect(await codes(app.anonymous, open)).toBeUndefined();
    for (const days of [0, 31, -30]) expect(await codes(owner, hidden, days)).toEqual(['BAD_USER_INPUT']);
    expect(await codes(stranger, hidden, 7)).toEqual(['NOT_PERMITTED']);
  });
});

describe('a collection', () => {
  it('has its public add-ons in order', async () => {
    const [one, two, hidden] = [await made({}), await made({}), await made({ isDisabledByDeveloper: true })];
    const guids = [two.guid, 'none@example', hidden.guid, one.guid.toUpperCase()];
    await admin.graphql(
      'mutation ($guids: [String!]!) { upsertCollection(input: { path: "Quiet-Otter/ab cd", guids: $guids }) { __typename } }',
      { guids },
    );
    const find = (path: string) =>
      app.anonymous.graphqlResult('query ($path: String!) { collection(path: $path) { path guids addons { guid } } }', {
        path,
      });
    const collection = { path: 'Quiet-Otter/ab cd', guids, addons: [{ guid: two.guid }, { guid: one.guid }] };
    for (const path of ['Quiet-Otter/ab cd', '/quiet-otter/AB CD/'])
      expect(await find(path)).toEqual({ data: { collection } });
    for (const path of ['', 'quiet-otter', 'x\0', '%', 'quiet_otter/ab cd']) {
      expect(await find(path)).toMatchObject({
        data: { collection: null },
        errors: [{ extensions: { code: 'NOT_FOUND' } }],
      });
    }
  });
});

describe('new permissions', () => {
  it('are those that the previous signed version of the channel did not have', async () => {
    const file = (permissions: string[], hostPermissions: string[] = []) => ({
      files: [{ permissions, hostPermissions }],
    });
    const created = await made({
      versions: [
        file(['storage'], ['https://a.example/*']),
        { channel: 'unlisted', ...file(['tabs']) },
        { stage: 'rejected', files: [{ status: 5, permissions: ['cookies'] }] },
        file(['storage', 'tabs', 'cookies'], ['https://a.example/*', 'https://b.example/*']),
        file(['storage']),
      ],
    });
    const ids = created.versions.map(({ id }) => globalId('Version', id));
    const query = (some: string[]) =>
      `{ ${some.map((id, index) => `v${index}: version(id: "${id}") { newPermissions }`).join(' ')} }`;
    const found = await owner.graphql<Record<string, { newPermissions: string[] | null }>>(query(ids));
    expect(Object.values(found).map(({ newPermissions }) => newPermissions)).toEqual([
      null,
      null,
      ['cookies'],
      ['tabs', 'cookies', 'https://b.example/*'],
      [],
    ]);
    const [one, all] = [
      await statementsDuring(() => owner.graphql(query(ids.slice(0, 1)))),
      await statementsDuring(() => owner.graphql(query(ids))),
    ];
    expect(all.length).toBe(one.length);
  });
});
