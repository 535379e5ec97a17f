/*
 * Kills (SIGKILL) and restarts the web server and the worker under continuous uploads: while a body arrives, during
 * validation, during signing, and at random times. No acknowledged upload may be lost, and nothing may be signed twice.
 * Options: --kills (100), --seconds within which interrupted work must resume (5).
 */
import { parseArgs } from 'node:util';
import { checkInstallation } from './kill-checks.ts';
import { type KillReport, killAtMoments } from './kill-moments.ts';
import { keepSubmitting } from './kill-submissions.ts';
import { keepUploading, newLedger } from './kill-uploads.ts';
import { createInstallation, endWithVerdict, type Installation } from './support/installation.ts';
import { openInstalledDatabase } from './support/installed-database.ts';
import { STALLED_MS, until } from './support/waiting.ts';

const UPLOADERS = 3;

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '100' }, seconds: { type: 'string', default: '5' } },
});
const kills = Number(values.kills);
const limitMs = Number(values.seconds) * 1000;
if (!(kills >= 1) || !(limitMs > 0)) throw new Error('--kills from 1, --seconds above 0');

const violations: string[] = [];
// Several validations of one worker are interrupted.
const installation = await createInstallation({ VALIDATOR_CONCURRENCY: '2' });
try {
  violations.push(...(await run(installation)));
} finally {
  await installation.remove({ keepFolder: violations.length > 0 });
}
endWithVerdict(violations, installation);

async function run(installation: Installation): Promise<string[]> {
  const key = await installation.developer('uploader');
  const database = await openInstalledDatabase(installation.dataDir);
  const ledger = newLedger();
  const stopping = new AbortController();
  try {
    const processes = { server: await installation.serve(), worker: await installation.work() };
    const options = { url: installation.url, key, ledger, database, stop: stopping.signal };
    const uploading = Promise.all([
      ...Array.from({ length: UPLOADERS }, (_, index) => keepUploading({ ...options, name: `uploader-${index}` })),
      keepSubmitting({ ...options, name: 'submitter' }),
    ]);
    await until('the first signed version', STALLED_MS, async () => (await signedCount()) || null);
    const started = performance.now();
    const report = await killAtMoments({ installation, database, ledger, processes, kills });
    stopping.abort();
    await uploading;
    print(report, performance.now() - started);
    const problems = await checkInstallation({ installation, database, key, ledger });
    const late = report.resumedMs.filter((ms) => ms > limitMs).map((ms) => `interrupted work resumed after ${ms} ms`);
    return [...report.problems, ...ledger.problems, ...late, ...problems];
  } finally {
    stopping.abort();
    await installation.remove({ keepFolder: true });
    await database.close();
  }

  async function signedCount(): Promise<number> {
    const [row] = await database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM version WHERE stage = 'signed'`,
    );
    return row?.count ?? 0;
  }
}

function print({ moments, caught, resumedMs, restartMs }: KillReport, ms: number): void {
  const times = (list: number[]) => {
    const sorted = list.toSorted((a, b) => a - b);
    const at = (share: number) =>
      Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
    return sorted.length === 0
      ? 'none'
      : `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, last ${Math.round(list.at(-1) ?? 0)} ms`;
  };
  console.log(`${kills} kills in ${Math.round(ms / 1000)} s:`);
  for (const [moment, count] of moments) console.log(`  ${String(count).padStart(5)}  ${moment}`);
  console.log(
    `  interrupted: ${caught.bodies} request bodies, ${caught.validations} validations, ${caught.signings} signings`,
  );
  console.log(`  the web server was ready again after: ${times(restartMs)}`);
  console.log(`  jobs of a killed worker resumed after (${resumedMs.length} times): ${times(resumedMs)}`);
}
