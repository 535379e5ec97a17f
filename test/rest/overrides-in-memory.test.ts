/*
 * Overrides are answered from memory as long as they are still these: a change by any other connection, which stands for
 * another process, is in the next answer.
 */
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

const ask = async (guids: string) => {
  const reply = await app.anonymous.get(`/api/v4/addons/compat-override/?page_size=50&guid=${guids}`);
  return (reply.json as { results: { addon_guid: string; name: string; version_ranges: object[] }[] }).results;
};
const names = async (guids: string) => (await ask(guids)).map(({ name }) => name);

const ADD = 'INSERT INTO compat_override (guid, name) VALUES ($1, $2)';
const ADD_RANGE = `INSERT INTO compat_override_range (override_id, addon_min_version, addon_max_version, app, min_version, max_version)
  SELECT id, '0', '*', 'desktop_browser', '1.0', '*' FROM compat_override WHERE guid = $1`;

describe('compat-override by guid', () => {
  it('shows at once what somebody else has added, changed or removed', async () => {
    const [other] = others;
    expect(await ask('new@held')).toEqual([]);
    await other.query(ADD, ['New@held', 'first']);
    expect(await names('new@held')).toEqual(['first']);
    await other.query("UPDATE compat_override SET name = 'second' WHERE guid = 'new@held'");
    expect(await names('NEW@HELD')).toEqual(['second']);
    await other.query(ADD_RANGE, ['new@held']);
    expect((await ask('new@held'))[0]?.version_ranges).toHaveLength(1);
    await other.query('DELETE FROM compat_override_range');
    expect((await ask('new@held'))[0]?.version_ranges).toEqual([]);
    await other.query('TRUNCATE compat_override CASCADE');
    expect(await ask('new@held')).toEqual([]);
  });

  it('shows what is committed, in whatever order transactions end, and imports keep nobody waiting', async () => {
    const [importer, curator] = others;
    await importer.query("BEGIN; SET LOCAL addons.bulk_load = 'on'");
    await importer.query(ADD, ['imported@held', 'imported']);
    expect(await names('imported@held,curated@held')).toEqual([]);
    await curator.query(ADD, ['curated@held', 'curated']);
    expect(await names('imported@held,curated@held')).toEqual(['curated']);
    await importer.query('COMMIT');
    expect(await names('imported@held,curated@held')).toEqual(['imported', 'curated']);
  });

  it('shows what it did before when a change is undone', async () => {
    const [other] = others;
    await other.query(ADD, ['kept@held', 'kept']);
    expect(await names('kept@held')).toEqual(['kept']);
    await other.query("BEGIN; UPDATE compat_override SET name = 'undone'");
    expect(await names('kept@held')).toEqual(['kept']);
    await other.query('ROLLBACK');
    expect(await names('kept@held')).toEqual(['kept']);
  });

  it('asks the database once as long as nothing changes, and names the add-on of the moment', async () => {
    const [other] = others;
    await other.query(ADD, ['known@held', 'known']);
    const addonIds = async () => (await ask('known@held')).map((override) => Reflect.get(override, 'addon_id'));
    expect(await addonIds()).toEqual([null]);
    const { id } = await addon({ guid: 'Known@held' });
    expect(await statementsDuring(async () => expect(await addonIds()).toEqual([id]))).toHaveLength(1);
  });

  it('answers from the database when there are too many for memory, until there are fewer', async () => {
    const [other] = others;
    await other.query(
      "INSERT INTO compat_override (guid, name) SELECT n || '@many', n FROM generate_series(1, 10001) n",
    );
    expect(await names('10001@many,1@MANY,0@many')).toEqual(['1', '10001']);
    await other.query("UPDATE compat_override SET name = 'one' WHERE guid = '1@many'");
    expect(await names('1@many')).toEqual(['one']);
    await other.query("DELETE FROM compat_override WHERE guid LIKE '%0@many'");
    expect(await names('10000@many,10001@many')).toEqual(['10001']);
    await other.query("DELETE FROM compat_override WHERE guid LIKE '%@many'");
  });
});
