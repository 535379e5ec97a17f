/*
 * Benchmarks of signing, with the linter: `npm run bench signing`. Prints a table, and exits with status 1 if a row misses its goal.
 * `--write` writes the table to docs/benchmarks.md. Run it on an idle machine.
 */
import { parseArgs } from 'node:util';
import { createInstallation } from '../../test/crash/support/installation.ts';
import { openInstalledDatabase } from '../../test/crash/support/installed-database.ts';
import { until } from '../../test/crash/support/waiting.ts';
import { machine, markdownTable, passes, type Row, writePart } from '../report.ts';
import type { Bench } from './bench-client.ts';
import { measureSigningAlone } from './signing-alone.ts';
import { measureUploadToSigned } from './upload-to-signed.ts';
import { measureWorkerMemory } from './worker-memory.ts';

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });

const rows: Row[] = await measureSigningAlone();
const installation = await createInstallation();
let postgres: string;
try {
  const key = await installation.developer('bench');
  const database = await openInstalledDatabase(installation.dataDir);
  try {
    await installation.serve();
    rows.push(...(await measure({ installation, database, key })));
    const [version] = await database.query<{ server_version: string }>('SHOW server_version');
    postgres = `PostgreSQL ${version?.server_version}`;
  } finally {
    await installation.remove({ keepFolder: true });
    await database.close();
  }
} finally {
  await installation.remove();
}

const report = `${machine([postgres])}\n\n${markdownTable(rows)}`;
console.log(report);
if (values.write) await writePart('signing', report);
process.exitCode = rows.some((row) => passes(row) === false) ? 1 : 0;

async function measure(bench: Bench): Promise<Row[]> {
  const worker = await bench.installation.work();
  const latency = await measureUploadToSigned(bench);
  await worker.end('SIGTERM');
  const fresh = await bench.installation.work();
  await until('the fresh worker', 60_000, async () => ((await workers(bench)) > 0 ? true : null));
  return [...latency, ...(await measureWorkerMemory(bench, fresh))];
}

/** The number of workers that hold their liveness lock. */
async function workers({ database }: Bench): Promise<number> {
  const rows = await database.query(`SELECT FROM pg_stat_activity WHERE application_name = 'addons worker liveness'`);
  return rows.length;
}
