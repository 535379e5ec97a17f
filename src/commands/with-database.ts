import { openDatabase } from '../process/open-database.ts';

/** Drops log lines of the embedded database: a command prints only its result. */
const silent = { info: () => {}, warn: () => {} };

/**
 * Runs an operator's command on the database: that of a running service if there is one, else the embedded one is
 * started for the duration of the command.
 * @throws {SharedKeyError} when this host has another secret key than the installation; not if `secretKey` is `unchecked`.
 */
export async function withDatabase<T>(work: () => Promise<T>, secretKey?: 'unchecked'): Promise<T> {
  const database = await openDatabase(silent, 'require', secretKey);
  try {
    return await work();
  } finally {
    await database.close();
  }
}
