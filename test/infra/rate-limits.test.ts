import { afterAll, expect, it, vi } from 'vitest';
import { createTestDatabase } from '../support/database.ts';

const database = await createTestDatabase();
const { config } = await import('../../src/config.ts');
const { closeDatabase, pool } = await import('../../src/infra/db.ts');
const { consumeLimit } = await import('../../src/infra/rate-limits.ts');

afterAll(async () => {
  vi.useRealTimers();
  await closeDatabase();
  await database.drop();
});

const keys = async () => (await pool.query('SELECT key FROM rate_limit ORDER BY key')).rows.map(({ key }) => key);

it('removes rows an hour after they expired, until the database is closed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  config.RATE_LIMITS = true;
  await consumeLimit('upload-minute', 1);
  await pool.query(`INSERT INTO rate_limit (key, points, expire) VALUES ('long ago', 1, $1), ('recent', 1, $2)`, [
    Date.now() - 3_700_000,
    Date.now() - 3_500_000,
  ]);
  vi.advanceTimersByTime(300_000);
  await expect.poll(keys).toEqual(['recent', 'upload-minute:1']);
  expect(vi.getTimerCount()).toBe(1);
  await closeDatabase();
  expect(vi.getTimerCount()).toBe(0);
});
