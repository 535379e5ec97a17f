import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningProcess } from '../../test/crash/support/installation.ts';
import type { InstalledDatabase } from '../../test/crash/support/installed-database.ts';
import type { Row } from '../report.ts';
import { type Bench, uploadAndWait } from './bench-client.ts';
import { manyLegacyFiles } from './packages.ts';

const PACKAGES = 12;
const MEGABYTE = 2 ** 20;

/**
 * Peak memory of a new worker while it signs packages of 20 MB in 2,000 files, four at a time. Legacy packages are not linted, so
 * that four signings run concurrently; linters run in separate processes anyway.
 */
export async function measureWorkerMemory(bench: Bench, worker: RunningProcess): Promise<Row[]> {
  const watch = new AbortController();
  const maxConcurrent = maxConcurrentJobs(bench.database, watch.signal);
  await Promise.all(
    Array.from({ length: PACKAGES }, async (_, number) => {
      const guid = `memory-${number}@example.org`;
      await uploadAndWait(bench, guid, '1.0', await manyLegacyFiles(guid, '1.0'));
    }),
  );
  watch.abort();
  return [
    { what: 'Concurrent jobs while memory was measured', value: await maxConcurrent, unit: 'jobs', goal: { min: 4 } },
    {
      what: 'Peak memory of the worker, 20 MB packages',
      value: (await worker.peakMemory()) / MEGABYTE,
      unit: 'MB',
      goal: { max: 250 },
    },
  ];
}

async function maxConcurrentJobs(database: InstalledDatabase, stop: AbortSignal): Promise<number> {
  let max = 0;
  while (!stop.aborted) {
    const [row] = await database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM graphile_worker.jobs WHERE locked_by IS NOT NULL AND key IS NOT NULL`,
    );
    max = Math.max(max, row?.count ?? 0);
    await sleep(5);
  }
  return max;
}
