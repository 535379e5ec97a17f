import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';

const app = setUpApp();
let rollUpStatistics: () => Promise<void>;
let renew: typeof import('../../../src/domain/statistics/update-check-days.ts').renewUpdateCheckDays;
beforeAll(async () => {
  ({ rollUpStatistics } = await import('../../../src/domain/statistics/roll-up.ts'));
  ({ renewUpdateCheckDays: renew } = await import('../../../src/domain/statistics/update-check-days.ts'));
});

const TODAY = "(now() AT TIME ZONE 'UTC')::date";
/** The first day of the newest month all of whose days are older than 800 days. */
const MONTH = `(date_trunc('month', ${TODAY} - 800) - interval '1 month')::date`;

describe('statistics of old days', () => {
  it('become those of their months: the mean of users, the sum of downloads, once', async () => {
    const { id, versions } = await addon();
    const file = versions[0]?.files[0]?.id;
    await app.sql(
      `INSERT INTO daily_statistics (addon_id, day, users, downloads, is_estimated) VALUES
       ($1, ${MONTH}, 10, 1, true), ($1, ${MONTH} + 1, 20, 2, false), ($1, ${MONTH} + 5, 60, 4, false),
       ($1, ${MONTH} - 1, 7, 3, true), ($1, ${TODAY} - 799, 5, 5, false)`,
      [id],
    );
    await app.sql(
      `INSERT INTO download_count VALUES ($1, ${MONTH}, 'a', 1), ($1, ${MONTH} + 3, 'a', 2), ($1, ${MONTH} + 3, 'b', 4),
       ($1, ${TODAY} - 799, 'a', 8)`,
      [file],
    );
    for (const run of [1, 2]) {
      await rollUpStatistics();
      expect(
        await app.sql(
          `SELECT day - ${MONTH} AS day, users, downloads, is_estimated FROM daily_statistics
           WHERE addon_id = $1 AND day < ${TODAY} - 799 ORDER BY day DESC`,
          [id],
        ),
        `run ${run}`,
      ).toEqual([
        { day: 0, users: 30, downloads: 7, is_estimated: false },
        { day: expect.any(Number), users: 7, downloads: 3, is_estimated: true },
      ]);
      const counts = `SELECT day = ${MONTH} AS "isMonth", source, count FROM download_count WHERE file_id = $1 ORDER BY day, source`;
      expect(await app.sql(counts, [file])).toEqual([
        { isMonth: true, source: 'a', count: 3 },
        { isMonth: true, source: 'b', count: 4 },
        { isMonth: false, source: 'a', count: 8 },
      ]);
    }
  });
});

describe('counts of update checks', () => {
  const partitions = async (): Promise<string[]> =>
    (
      await app.sql<{ day: string }>(
        `SELECT (to_date(substr(relname, 2), 'YYYYMMDD') - ${TODAY})::text AS day FROM pg_class
         WHERE relnamespace = 'update_check_days'::regnamespace AND relkind = 'r' AND relname LIKE 'd2%' ORDER BY relname`,
      )
    ).map(({ day }) => day);
  const add = (table: string, id: number, day: string) =>
    app.sql(`INSERT INTO ${table} VALUES ($1, ${day}, 'desktop_browser', '1.0', 5)`, [id]);

  it('are in partitions of the next days, and those of old days are dropped', async () => {
    await app.sql(
      `CREATE TABLE update_check_days.d20200101 PARTITION OF update_check FOR VALUES FROM ('2020-01-01') TO ('2020-01-02')`,
    );
    await app.sql(`DO $$ BEGIN EXECUTE 'DROP TABLE update_check_days.d' || to_char(${TODAY} + 7, 'YYYYMMDD'); END $$`);
    const { id } = await addon();
    await add('update_check', id, `${TODAY} + 2`);
    await add('update_check', id, `${TODAY} - 40`);
    await add('update_check_count', id, `${TODAY} - 40`);
    await add('update_check_count', id, `${TODAY} - 3`);
    for (const run of [1, 2]) {
      await renew(31);
      expect(await partitions(), `run ${run}`).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
      const kept = `SELECT tableoid::regclass::text LIKE '%d2%' AS "isPartition", day - ${TODAY} AS day FROM update_check ORDER BY day`;
      expect(await app.sql(kept)).toEqual([{ isPartition: true, day: 2 }]);
      expect(await app.sql('SELECT FROM update_check_count')).toHaveLength(1);
      expect(await app.sql('SELECT FROM counted_check')).toHaveLength(2);
    }
  });

  it('are dropped once no transaction reads them, or in another night, and readers do not queue', async () => {
    await app.sql(
      `CREATE TABLE update_check_days.d20200101 PARTITION OF update_check FOR VALUES FROM ('2020-01-01') TO ('2020-01-02')`,
    );
    const { pool } = await import('../../../src/infra/db.ts');
    const reader = await pool.connect();
    await reader.query('BEGIN');
    await reader.query('SELECT FROM update_check');
    await renew(31, { attempts: 2, pauseMs: 10 });
    expect(await partitions()).toHaveLength(9);
    const dropping = renew(31, { pauseMs: 100 });
    await sleep(300);
    await app.sql('SELECT FROM update_check');
    await reader.query('COMMIT');
    reader.release();
    await dropping;
    expect(await partitions()).toHaveLength(8);
  });
});
