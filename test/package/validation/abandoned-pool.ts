/**
 * Run by validate-package.test.ts as a process that the test kills: lints the package given on the command line repeatedly,
 * with a second process idle, and prints the process ids of both linters.
 */
import { LinterPool } from '../../../src/package/validation/linter-pool.ts';

const [, , path = '', folder = ''] = process.argv;
const pool = new LinterPool({ concurrency: 2, folder });
await pool.warm();
process.stdout.write(`${JSON.stringify(pool.pids())}\n`);
for (;;) await pool.run(path, { selfHosted: true, messageLimit: 1 });
