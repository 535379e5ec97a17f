import { startEmbeddedPostgres } from '../../src/infra/embedded-postgres/embedded-postgres.ts';

/**
 * A process of its own that uses the embedded database in the folder given as argument. It prints one line of JSON when it is
 * connected, leaves when its standard input ends, and prints a second line then.
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
