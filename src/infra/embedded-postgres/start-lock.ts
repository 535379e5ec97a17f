import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const SQLITE_BUSY = 5;

/**
 * Takes the lock file at `path`, waiting up to `timeout` milliseconds, and returns the function that releases it. Node has no
 * file locks; an exclusive SQLite transaction on an empty file is one, which the kernel releases when the process dies.
 * @throws when another process still holds it after `timeout`.
 */
export async function takeStartLock(path: string, timeout: number): Promise<() => void> {
  const deadline = performance.now() + timeout;
  const database = new DatabaseSync(path, { timeout: 0 });
  for (;;) {
    try {
      database.exec('begin exclusive');
      return () => database.close();
    } catch (error) {
      const busy = (error as { errcode?: number }).errcode === SQLITE_BUSY;
      if (!busy || performance.now() > deadline) database.close();
      if (!busy) throw error;
      if (performance.now() > deadline) {
        throw new Error(`Another process has been starting the database for too long: ${path}`, { cause: error });
      }
    }
    await sleep(20);
  }
}
