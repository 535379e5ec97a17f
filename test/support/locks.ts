import { setTimeout as sleep } from 'node:timers/promises';
import type { TestApp } from './app.ts';

/** Waits until `sessions` sessions whose statement is LIKE `query` wait for a lock. */
export async function untilSessionsWait(app: TestApp, query: string, sessions = 1): Promise<void> {
  for (;;) {
    const rows = await app.sql(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
      [query],
    );
    if (rows.length >= sessions) return;
    await sleep(10);
  }
}
