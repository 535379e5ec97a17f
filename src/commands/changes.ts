import { once } from 'node:events';
import { db, openDatabaseSession } from '../infra/db.ts';
import { waitForStop } from '../process/shutdown.ts';
import { printJson } from './output.ts';
import { withDatabase } from './with-database.ts';

/** The ids of an add-on; null for one that was deleted from the database. */
async function find(guid: string) {
  const found = await db.addon.findUnique({ where: { guid }, select: { id: true, guid: true, slug: true } });
  return found ?? { id: null, guid, slug: null };
}

/**
 * Prints a line of JSON for each add-on whose versions or state change, until a stop signal: what a cache in front of the service has to
 * remove. `{"all":true}` means every add-on: at the start, and after a bulk load. Ends when the connection is lost.
 */
export async function printChanges(): Promise<void> {
  const stop = waitForStop();
  await withDatabase(async () => {
    const session = await openDatabaseSession('addons changes');
    let last: Promise<void> = Promise.resolve();
    session.on('notification', ({ payload = '' }) => {
      last = last.then(async () => printJson(payload === '' ? { all: true } : await find(payload)));
      last.catch(() => session.end());
    });
    await session.query('LISTEN addon_updates');
    printJson({ all: true });
    await Promise.race([stop, once(session, 'end')]);
  });
}
