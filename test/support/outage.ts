import type { TestApp } from './app.ts';
import type { Client } from './client.ts';

/**
 * Runs `work` while the database is unreachable: existing connections end, and new ones are refused. Restores it afterwards.
 */
export async function withoutDatabase(app: TestApp, work: () => Promise<void>): Promise<void> {
  const { pool, pools, useDatabase } = await import('../../src/infra/db.ts');
  const address = app.config.DATABASE_URL ?? '';
  useDatabase('postgresql://nobody@127.0.0.1:1/none');
  try {
    // Other sessions first: a statement that ends its own session ends no more sessions.
    const others = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()';
    await pool.query(`${others} and pid <> pg_backend_pid()`);
    while (pools.some(({ totalCount }) => totalCount > 0)) {
      await Promise.all(
        pools.map((each) => each.query('select pg_terminate_backend(pg_backend_pid())').catch(() => {})),
      );
    }
    await work();
  } finally {
    useDatabase(address);
  }
}

/**
 * Sends invalid credentials until `client` is throttled, then runs `work`. Switches rate limits off afterwards.
 */
export async function whileThrottled(
  app: TestApp,
  client: Client,
  path: string,
  work: () => Promise<void>,
): Promise<void> {
  app.config.RATE_LIMITS = true;
  try {
    let last = 401;
    for (let round = 0; last === 401 && round < 40; round++) {
      const replies = await Promise.all(Array.from({ length: 25 }, () => client.get(path)));
      last = replies.at(-1)?.status ?? 0;
    }
    await work();
  } finally {
    app.config.RATE_LIMITS = false;
  }
}
