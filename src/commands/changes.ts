import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { db } from '../infra/db.ts';
import { log } from '../infra/log.ts';
import { addSubscriber } from '../infra/notifications.ts';
import { waitForStop } from '../process/shutdown.ts';
import { CommandError, printJson } from './command.ts';
import { withDatabase } from './with-database.ts';

const RETRY_MS = 1_000;

/** Every add-on, instead of a guid. */
const ALL = '';

/**
 * Prints a line of JSON for each add-on whose versions or state change, until a stop signal: what a cache in front of the service has to
 * remove. `{"all":true}` means every add-on: at the start, after a bulk load, and after a lost connection, which is replaced.
 * @throws {CommandError} when the reader of the lines has closed the pipe.
 */
export async function printChanges(): Promise<void> {
  const stop = waitForStop();
  // Standard output has changes only.
  log.level = 'silent';
  await withDatabase(async () => {
    const stopped = new AbortController();
    const closed = once(process.stdout, 'error').then(() => {
      throw new CommandError('The reader of the changes has closed its pipe.');
    });
    try {
      await Promise.race([stop, closed, printAll(stopped.signal)]);
    } finally {
      stopped.abort();
    }
  });
}

/** Prints each add-on once for all notifications of it that wait, in the order of the first one. */
async function printAll(signal: AbortSignal): Promise<void> {
  const waiting = new Set<string>();
  let wake = (): void => {};
  const notify = (guid: string): void => {
    if (guid === ALL) waiting.clear();
    waiting.add(guid);
    wake();
  };
  addSubscriber('addon_updates', { notify, restart: () => notify(ALL), lost: reportLoss });
  while (!signal.aborted) {
    for (const guid of waiting) {
      waiting.delete(guid);
      if (guid === ALL) printJson({ all: true });
      else await untilDone(async () => printJson(await find(guid)), signal);
    }
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

/** The ids of an add-on; null for one that was deleted from the database. */
async function find(guid: string) {
  const found = await db.addon.findUnique({ where: { guid }, select: { id: true, guid: true, slug: true } });
  return found ?? { id: null, guid, slug: null };
}

/** Repeats `work` until it succeeds: a database that is lost comes back. */
async function untilDone(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work();
    } catch (error) {
      reportLoss(error);
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }
}

function reportLoss(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`addons: The database does not respond, and is tried again: ${reason}\n`);
}
