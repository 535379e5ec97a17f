/*
 * Simultaneous uploads of one version: exactly one may be accepted, and its bytes are signed. Starts a web server and a
 * worker of its own. Options: --rounds (200), --uploads per round (2).
 */
import { parseArgs } from 'node:util';
import { checkStaging } from './kill-checks.ts';
import { runRound, type Winner } from './race-round.ts';
import { createInstallation, endWithVerdict, type Installation } from './support/installation.ts';
import { type InstalledDatabase, openInstalledDatabase } from './support/installed-database.ts';
import { inspectPublished } from './support/published-file.ts';
import type { ApiKey } from './support/signing-client.ts';
import { STALLED_MS, until } from './support/waiting.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, uploads: { type: 'string', default: '2' } },
});
const rounds = Number(values.rounds);
const uploads = Number(values.uploads);
if (!(rounds >= 1) || !(uploads >= 2 && uploads <= 32)) throw new Error('--rounds from 1, --uploads from 2 to 32');

const violations: string[] = [];
const installation = await createInstallation();
try {
  await race(installation);
} finally {
  await installation.remove({ keepFolder: violations.length > 0 });
}
endWithVerdict(violations, installation);

async function race(installation: Installation): Promise<void> {
  const keys = [await installation.developer('racer'), await installation.developer('rival')] as const;
  const database = await openInstalledDatabase(installation.dataDir);
  try {
    const processes = [await installation.serve(), await installation.work()];
    const winners: Winner[] = [];
    const outcomes = new Map<string, number>();
    const started = performance.now();
    for (let round = 1; round <= rounds; round++) {
      const result = await runRound({ url: installation.url, keys, round, uploads });
      if (result.winner) winners.push(result.winner);
      violations.push(...result.problems);
      for (const outcome of result.outcomes) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    console.log(`${rounds} rounds of ${uploads} uploads in ${Math.round(performance.now() - started)} ms`);
    for (const [outcome, count] of [...outcomes].sort()) console.log(`  ${String(count).padStart(6)}  ${outcome}`);
    await waitUntilSigned(database, winners.length);
    for (const winner of winners) violations.push(...(await checkWinner(database, keys, winner)));
    console.log(`${winners.length} accepted versions signed, downloaded and compared with the accepted upload`);
    violations.push(...(await checkRest(database, winners.length)));
    if (processes.some((each) => !each.isRunning())) violations.push('a process ended by itself');
  } finally {
    await installation.remove({ keepFolder: true });
    await database.close();
  }
}

async function waitUntilSigned(database: InstalledDatabase, count: number): Promise<void> {
  await until(`${count} signed versions`, STALLED_MS, async () => {
    const [row] = await database.query<{ open: number }>(
      `SELECT count(*)::int AS open FROM version WHERE stage NOT IN ('signed', 'invalid', 'rejected', 'error')`,
    );
    return row?.open === 0 ? true : null;
  });
}

async function checkWinner(database: InstalledDatabase, keys: readonly ApiKey[], winner: Winner): Promise<string[]> {
  const name = `${winner.guid} ${winner.version}`;
  const rows = await database.query<{ original: string; uploads: number }>(
    `SELECT file.original_sha256 AS original, (SELECT count(*)::int FROM upload WHERE version_id = version.id) AS uploads
       FROM version JOIN addon ON addon.id = version.addon_id JOIN file ON file.version_id = version.id
      WHERE addon.guid = $1 AND version.version = $2`,
    [winner.guid, winner.version],
  );
  const [row] = rows;
  const problems: string[] = [];
  if (rows.length !== 1 || row?.uploads !== 1)
    problems.push(`${rows.length} files and ${row?.uploads} uploads are stored`);
  if (row?.original !== winner.sha256) problems.push('the stored bytes are not those of the accepted upload');
  const published = await inspectPublished(installation, keys[winner.account] as ApiKey, winner.guid, winner.version);
  if (published.mark !== winner.mark)
    problems.push(`the signed file belongs to upload ${published.mark}, not ${winner.mark}`);
  return [...problems, ...published.problems].map((problem) => `${name}: ${problem}`);
}

/** Refused uploads leave no rows and no staging files. */
async function checkRest(database: InstalledDatabase, accepted: number): Promise<string[]> {
  const [counts] = await database.query<{ versions: number; uploads: number; files: number }>(
    `SELECT (SELECT count(*)::int FROM version) AS versions, (SELECT count(*)::int FROM upload) AS uploads,
            (SELECT count(*)::int FROM file) AS files`,
  );
  const problems = Object.entries(counts ?? {})
    .filter(([, count]) => count !== accepted)
    .map(([what, count]) => `${count} ${what} for ${accepted} accepted uploads`);
  return [...problems, ...(await checkStaging(installation))];
}
