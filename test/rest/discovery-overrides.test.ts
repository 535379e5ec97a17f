import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { beginningWith } from '../support/expect-refusal.ts';
import { addon, type MadeAddon } from '../support/factories.ts';
import { statementsDuring } from '../support/statements.ts';

const app = setUpApp();
let known: MadeAddon;

const PATH = '/api/v4/addons/compat-override/';

interface Page {
  next: string | null;
  previous: string | null;
  page_count: number;
  count: number;
  results: { addon_id: number | null; addon_guid: string; version_ranges: Record<string, unknown>[] }[];
}
const page = async (query = '') => {
  const reply = await app.anonymous.get(`${PATH}${query}`);
  expect(reply.status).toBe(200);
  return reply.json as Page;
};
const guids = async (query: string) => (await page(query)).results.map(({ addon_guid }) => addon_guid);

beforeAll(async () => {
  known = await addon({ guid: 'Known@override' });
  const { db } = await import('../../src/infra/db.ts');
  const range = { minVersion: '40.0', maxVersion: '41.*' };
  await db.compatOverride.create({
    data: {
      guid: 'known@override',
      name: 'Crashes',
      ranges: {
        create: [
          { ...range, app: 'desktop_browser', addonMinVersion: '1.0', addonMaxVersion: '1.5' },
          { ...range, app: 'mail_client', addonMinVersion: '2.0', addonMaxVersion: '*' },
          { ...range, app: 'mobile_browser', addonMinVersion: '1.0', addonMaxVersion: '1.5' },
        ],
      },
    },
  });
  for (let number = 1; number <= 29; number++) {
    await db.compatOverride.create({ data: { guid: `other-${number}@override`, name: `Other ${number}` } });
  }
});

describe('compat-override', () => {
  it('returns overrides as documented, with ranges of the same versions combined', async () => {
    const { results, ...envelope } = await page('?guid=known%40override');
    expect(envelope).toEqual({ next: null, previous: null, page_size: 25, page_count: 1, count: 1 });
    const versions = { min_version: '40.0', max_version: '41.*' };
    const desktop = { name: 'desktop_browser', id: 1, ...versions, guid: '{ec8030f7-c20a-464f-9b0e-13a3a9e97384}' };
    const mobile = { name: 'mobile_browser', id: 61, ...versions, guid: '{aa3c5121-dab2-40e2-81ca-7ea25febc110}' };
    const mail = { name: 'mail_client', id: 18, ...versions, guid: '{3550f703-e582-4d05-9a08-453d09bdfdc6}' };
    const ranges = [
      { addon_min_version: '1.0', addon_max_version: '1.5', applications: [desktop, mobile] },
      { addon_min_version: '2.0', addon_max_version: '*', applications: [mail] },
    ];
    const shown = { addon_id: known.id, addon_guid: 'known@override', name: 'Crashes', version_ranges: ranges };
    expect(JSON.stringify(results)).toBe(JSON.stringify([shown]));
  });

  it('finds guids in any case, each once, and ignores unknown ones', async () => {
    expect(await guids('?guid=OTHER-3@override,%20known@override,,nobody@override,other-3@override')).toEqual([
      'known@override',
      'other-3@override',
    ]);
    expect(await page('?guid=nobody@override')).toMatchObject({ count: 0, page_count: 1, results: [] });
  });

  it('lists all without a guid, and with an empty one', async () => {
    expect(await page()).toMatchObject({ count: 30, page_count: 2 });
    expect(await page('?guid=')).toMatchObject({ count: 30 });
  });

  it('is paginated', async () => {
    const second = await page('?page=2&guid=&page_size=20');
    expect(second.results).toHaveLength(10);
    expect([second.next, second.previous]).toEqual([null, `${app.url}${PATH}?guid=&page_size=20`]);
    expect((await page('?page_size=999')).results).toHaveLength(30);
    expect((await page('?page_size=none')).results).toHaveLength(25);
  });

  it.each(['page=3', 'page=0', 'page=-1', 'page=x', 'page=', 'page=99999999999999999999'])(
    'has no %s',
    async (query) => {
      const reply = await app.anonymous.get(`${PATH}?${query}`);
      expect([reply.status, reply.json]).toEqual([404, { detail: beginningWith('Invalid page. ') }]);
    },
  );

  it('looks up at most 500 guids', async () => {
    const many = Array.from({ length: 501 }, (_, index) => index.toString(36)).join(',');
    const reply = await app.anonymous.get(`${PATH}?guid=${many}`);
    expect([reply.status, reply.json]).toEqual([400, { guid: [beginningWith('Invalid "guid" parameter. ')] }]);
  });

  it('returns no id for a deleted or unknown add-on', async () => {
    await app.sql(`UPDATE addon SET status = 'deleted', deleted_at = now() WHERE id = $1`, [known.id]);
    const { db } = await import('../../src/infra/db.ts');
    const { publishAddons } = await import('../../src/domain/listing/publish-addons.ts');
    await db.$transaction((tx) => publishAddons(tx, [known.id]));
    expect((await page('?guid=known@override,other-1@override')).results.map(({ addon_id }) => addon_id)).toEqual([
      null,
      null,
    ]);
  });

  it.each(['v3', 'v4dev'])('is the same under %s', async (version) => {
    const reply = await app.anonymous.get(`/api/${version}/addons/compat-override/?guid=known@override`);
    expect(reply.json).toEqual(await page('?guid=known@override'));
  });

  it('returns 304 for a matching ETag', async () => {
    const { headers } = await app.anonymous.get(PATH);
    const again = await app.anonymous.get(PATH, { 'If-None-Match': String(headers.etag) });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('takes one statement for every request', async () => {
    for (const query of ['', '?page_size=50', '?guid=known@override,other-1@override']) {
      expect(await statementsDuring(() => app.anonymous.get(`${PATH}${query}`))).toHaveLength(1);
    }
  });

  it('returns the same in GraphQL', async () => {
    const { compatOverrides } = await app.anonymous.graphql<{ compatOverrides: unknown }>(
      '{ compatOverrides(guids: ["other-2@override"]) { totalCount nodes { addonDatabaseId addonGuid name } } }',
    );
    const nodes = [{ addonDatabaseId: null, addonGuid: 'other-2@override', name: 'Other 2' }];
    expect(compatOverrides).toEqual({ totalCount: 1, nodes });
  });
});

describe('compat-override by guid', () => {
  let others: [pg.PoolClient, pg.PoolClient];
  beforeAll(async () => {
    const { pool } = await import('../../src/infra/db.ts');
    others = [await pool.connect(), await pool.connect()];
  });
  afterAll(() => {
    for (const each of others) each.release(true);
  });

  const find = async (guids: string) => {
    const reply = await app.anonymous.get(`${PATH}?page_size=50&guid=${guids}`);
    return (reply.json as { results: { addon_guid: string; name: string; version_ranges: object[] }[] }).results;
  };
  const names = async (guids: string) => (await find(guids)).map(({ name }) => name);

  const ADD = 'INSERT INTO compat_override (guid, name) VALUES ($1, $2)';
  const ADD_RANGE = `INSERT INTO compat_override_range (override_id, addon_min_version, addon_max_version, app, min_version, max_version)
    SELECT id, '0', '*', 'desktop_browser', '1.0', '*' FROM compat_override WHERE guid = $1`;

  it('shows changes of other connections at once', async () => {
    const [other] = others;
    expect(await find('new@held')).toEqual([]);
    await other.query(ADD, ['New@held', 'first']);
    expect(await names('new@held')).toEqual(['first']);
    await other.query("UPDATE compat_override SET name = 'second' WHERE guid = 'new@held'");
    expect(await names('NEW@HELD')).toEqual(['second']);
    await other.query(ADD_RANGE, ['new@held']);
    expect((await find('new@held'))[0]?.version_ranges).toHaveLength(1);
    await other.query('DELETE FROM compat_override_range');
    expect((await find('new@held'))[0]?.version_ranges).toEqual([]);
    await other.query('TRUNCATE compat_override CASCADE');
    expect(await find('new@held')).toEqual([]);
  });

  it('shows committed overrides in any order of commits, while an import holds its transaction open', async () => {
    const [importer, curator] = others;
    await importer.query("BEGIN; SET LOCAL addons.bulk_load = 'on'");
    await importer.query(ADD, ['imported@held', 'imported']);
    expect(await names('imported@held,curated@held')).toEqual([]);
    await curator.query(ADD, ['curated@held', 'curated']);
    expect(await names('imported@held,curated@held')).toEqual(['curated']);
    await importer.query('COMMIT');
    expect(await names('imported@held,curated@held')).toEqual(['imported', 'curated']);
  });

  it('ignores a change that is rolled back', async () => {
    const [other] = others;
    await other.query(ADD, ['kept@held', 'kept']);
    expect(await names('kept@held')).toEqual(['kept']);
    await other.query("BEGIN; UPDATE compat_override SET name = 'undone'");
    expect(await names('kept@held')).toEqual(['kept']);
    await other.query('ROLLBACK');
    expect(await names('kept@held')).toEqual(['kept']);
  });

  it('takes one statement and returns the id of the add-on that has the guid', async () => {
    const [other] = others;
    await other.query(ADD, ['known@held', 'known']);
    const addonIds = async () => (await find('known@held')).map((override) => Reflect.get(override, 'addon_id'));
    expect(await addonIds()).toEqual([null]);
    const { id } = await addon({ guid: 'Known@held' });
    expect(await statementsDuring(async () => expect(await addonIds()).toEqual([id]))).toHaveLength(1);
  });
});
