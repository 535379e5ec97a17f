import { setTimeout as sleep } from 'node:timers/promises';
import type { TestApp } from './app.ts';

/** Waits until some session, or so many, with a statement LIKE `query` wait for a lock that another has. */
export async function somebodyWaits(app: TestApp, query: string, sessions = 1): Promise<void> {
  for (;;) {
    const rows = await app.sql(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
      [query],
    );
    if (rows.length >= sessions) return;
    await sleep(10);
  }
}
