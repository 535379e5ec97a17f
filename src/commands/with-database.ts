import { openDatabase } from '../process/open-database.ts';

/** Drops log lines of the embedded database: a command prints only its result. */
const silent = { info: () => {}, warn: () => {} };

/**
 * Runs an operator's command on the database: that of a running service if there is one, else the embedded one is
 * started for the duration of the command.
 */
export async function withDatabase<T>(work: () => Promise<T>): Promise<T> {
  const database = await openDatabase(silent, 'require');
  try {
    return await work();
  } finally {
    await database.close();
  }
}
