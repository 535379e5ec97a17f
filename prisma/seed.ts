/*
 * Seed entry: fills the database of the settings with the demo world, as `npm start` does for a new embedded database.
 * Safe to run again: it adds only what is missing. A worker must run, which validates and signs.
 */
import { config } from '../src/config.ts';
import { prepareDemo } from '../src/demo/fill-demo.ts';
import { log } from '../src/infra/log.ts';
import { openDatabase } from '../src/process/open-database.ts';

// The demo uploads more than one account may in a minute.
config.RATE_LIMITS = false;
const database = await openDatabase(log, 'apply');
try {
  const demo = await prepareDemo(database.isEmbedded);
  if (demo === null) log.info('This installation is not a demo; nothing to seed.');
  else await demo.fill(new AbortController().signal);
} finally {
  await database.close();
}
