/* Compat overrides by guid show what other connections have committed. */
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { addon } from '../support/factories.ts';
import { statementsDuring } from '../support/statements.ts';

let app: TestApp;
let others: [pg.PoolClient, pg.PoolClient];

beforeAll(async () => {
  app = await startApp();
  const { pool } = await import('../../src/infra/db.ts');
  others = [await pool.connect(), await pool.connect()];
});
afterAll(async () => {
  for (const each of others) each.release(true);
  await app.close();
});

const find = async (guids: string) => {
  const reply = await app.anonymous.get(`/api/v4/addons/compat-override/?page_size=50&guid=${guids}`);
  return (reply.json as { results: { addon_guid: string; name: string; version_ranges: object[] }[] }).results;
};
const names = async (guids: string) => (await find(guids)).map(({ name }) => name);

const ADD = 'INSERT INTO compat_override (guid, name) VALUES ($1, $2)';
const ADD_RANGE = `INSERT INTO compat_override_range (override_id, addon_min_version, addon_max_version, app, min_version, max_version)
  SELECT id, '0', '*', 'desktop_browser', '1.0', '*' FROM compat_override WHERE guid = $1`;

describe('compat-override by guid', () => {
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
