/**
 * Run by validate-package.test.ts as a process of its own, which the test then kills: it lints the package named on the
 * command line over and over, with a second process left idle, and prints the process ids of both linters.
 */
import { LinterPool } from '../../../src/package/validation/linter-pool.ts';

const [, , path = '', folder = ''] = process.argv;
const pool = new LinterPool({ concurrency: 2, folder });
await pool.warm();
process.stdout.write(`${JSON.stringify(pool.pids())}\n`);
for (;;) await pool.run(path, { selfHosted: true, messageLimit: 1 });
