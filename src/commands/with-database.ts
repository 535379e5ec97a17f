import { openDatabase } from '../process/open-database.ts';

/** A command prints its result and nothing else; what the embedded database has to say in passing is for the service's log. */
const silent = { info: () => {}, warn: () => {} };

/**
 * Runs an operator's command on the database: that of a running service where there is one, else the embedded one is
 * started for as long as the command takes.
 */
export async function withDatabase<T>(work: () => Promise<T>): Promise<T> {
  const database = await openDatabase(silent, 'require');
  try {
    return await work();
  } finally {
    await database.close();
  }
}
