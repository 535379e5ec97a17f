import { startEmbeddedPostgres } from '../../src/infra/embedded-postgres/embedded-postgres.ts';

/**
 * Uses the embedded database in the folder given as argument. Prints one line of JSON when it is connected. Disconnects at the
 * end of standard input, and then prints a second line.
 */
const [dataDir = ''] = process.argv.slice(2);
const print = (value: unknown): boolean => process.stdout.write(`${JSON.stringify(value)}\n`);
const log = { info: () => {}, warn: (text: string) => process.stderr.write(`${text}\n`) };

const { url, isNew, owner, stop } = await startEmbeddedPostgres({ dataDir, log });
print({ url, isNew, owner, uid: process.getuid?.() });
process.stdin.resume();
process.stdin.on('end', async () => {
  await stop();
  print({ stopped: true });
});
