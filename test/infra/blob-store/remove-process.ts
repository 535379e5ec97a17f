/* Removes one blob and is killed after its first `rename`. Arguments: SHA-256, grace period in milliseconds. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { rename } = fs.promises;
fs.promises.rename = async (from, to) => {
  await rename(from, to);
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => {});
};
syncBuiltinESMExports();

const { blobs } = await import('../../../src/infra/blob-store/blobs.ts');
const [sha256 = '', graceMs = ''] = process.argv.slice(2);
await blobs.remove(sha256, Number(graceMs));
