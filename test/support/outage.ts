import { expect } from 'vitest';
import type { TestApp } from './app.ts';
import type { Client } from './client.ts';

/** The address of every client of a test. */
const CLIENT_ADDRESS = '127.0.0.1';
const NOWHERE = 'postgresql://nobody@127.0.0.1:1/none';

/**
 * Runs `work` while the database is unreachable: existing connections end, and new ones are refused. Restores it afterwards.
 */
export async function withoutDatabase(app: TestApp, work: () => Promise<void>): Promise<void> {
  const { pool, pools, useDatabase } = await import('../../src/infra/db.ts');
  const { DATABASE_URL: address = '', DATABASE_SESSION_URL: session } = app.config;
  if (session !== undefined) app.config.DATABASE_SESSION_URL = NOWHERE;
  useDatabase(NOWHERE);
  try {
    // Other sessions first: a statement that ends its own session ends no more sessions. Autovacuum belongs to a superuser.
    const others = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()';
    await pool.query(`${others} and usename = current_user and pid <> pg_backend_pid()`);
    while (pools.some(({ totalCount }) => totalCount > 0)) {
      await Promise.all(
        pools.map((each) => each.query('select pg_terminate_backend(pg_backend_pid())').catch(() => {})),
      );
    }
    await work();
  } finally {
    app.config.DATABASE_SESSION_URL = session;
    useDatabase(address);
  }
}

/**
 * Runs `work` while `client`, which has invalid credentials, is throttled. All failures that are allowed but one count as those of
 * another process, so two requests to `path` reach the limit. Switches rate limits off afterwards.
 */
export async function whileThrottled(
  app: TestApp,
  client: Client,
  path: string,
  work: () => Promise<void>,
): Promise<void> {
  const { RATE_LIMITS } = await import('../../src/infra/rate-limits.ts');
  const { points, seconds } = RATE_LIMITS['failed-sign-in-address'];
  const expire = Date.now() + seconds * 1_000;
  await app.sql(
    `INSERT INTO rate_limit (key, points, expire) VALUES ($1, $2, $3)
     ON CONFLICT (key) DO UPDATE SET points = excluded.points, expire = excluded.expire`,
    [`failed-sign-in-address:${CLIENT_ADDRESS}`, points - 1, expire],
  );
  app.config.RATE_LIMITS = true;
  try {
    // The first one is allowed, unless an earlier test has reached the limit.
    expect([401, 429]).toContain((await client.get(path)).status);
    expect((await client.get(path)).status).toBe(429);
    await work();
  } finally {
    app.config.RATE_LIMITS = false;
  }
}
