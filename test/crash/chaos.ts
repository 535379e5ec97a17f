/*
 * Two web servers and two workers on one database, under kill -9, SIGTERM, freezes, and kills of database backends and of
 * the postmaster, while developers upload and an operator disables and enables an add-on. Afterwards no acknowledged upload
 * is lost, nothing was signed twice, no response showed a disabled add-on, and no version waited for more than 30 s while a
 * worker was idle. Option: --seconds (600).
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type WatchedAddon, watchDisabling } from './chaos-disabling.ts';
import { type ChaosOptions, runRound } from './chaos-faults.ts';
import { startFleet } from './chaos-fleet.ts';
import { checkInstallation } from './kill-checks.ts';
import { keepUploading, newLedger } from './kill-uploads.ts';
import { createInstallation, type Installation } from './support/installation.ts';
import { type InstalledDatabase, openInstalledDatabase } from './support/installed-database.ts';

const DRAIN_MS = 60_000;
const UPLOADERS = 2;

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '600' } } });
const seconds = Number(values.seconds);
if (!(seconds >= 1)) throw new Error('--seconds from 1');

const violations: string[] = [];
// Nothing balances the load here, so a server that stops need not wait until traffic has moved away.
const installation = await createInstallation({ SHUTDOWN_DELAY: '1' });
try {
  violations.push(...(await run(installation)));
} finally {
  await installation.remove({ keepFolder: violations.length > 0 });
}
for (const violation of violations) console.log(`VIOLATION: ${violation}`);
console.log(violations.length === 0 ? 'PASS' : `FAIL; see ${installation.dataDir} and the logs in its parent folder`);
process.exitCode = violations.length === 0 ? 0 : 1;

async function run(installation: Installation): Promise<string[]> {
  const key = await installation.developer('uploader');
  const admin = await installation.developer('operator');
  await installation.run('group', 'grant', 'operators', '--rule', '*:*', '--user', 'operator');
  const database = await openInstalledDatabase(installation.dataDir);
  const stopping = new AbortController();
  const problems: string[] = [];
  const ledger = newLedger();
  try {
    const addon = await importAddon(installation, database);
    const fleet = await startFleet(installation);
    const options: ChaosOptions = { installation, database, fleet, problems, counts: new Map() };
    const started = performance.now();
    const isTimeUp = () => performance.now() - started > seconds * 1_000;
    const load = Promise.all([
      watchDisabling({ urls: fleet.urls, admin, addon, stop: stopping.signal, problems }),
      ...fleet.urls.flatMap((url, server) =>
        Array.from({ length: UPLOADERS }, (_, index) =>
          keepUploading({ url, key, name: `uploader-${server}-${index}`, ledger, database, stop: stopping.signal }),
        ),
      ),
    ]);
    load.catch(() => {});
    while (!isTimeUp()) await Promise.race([runRound(options, isTimeUp), load]);
    stopping.abort();
    const [{ changes, reads }] = await load;
    print(options.counts, (performance.now() - started) / 1_000);
    console.log(`  ${changes} disablings, ${reads} reads of the add-on`);
    if (changes === 0 || reads === 0) problems.push('the add-on was never disabled or never read');
    return [
      ...problems,
      ...ledger.problems,
      ...(await checkInstallation({ installation, database, key, ledger, drainMs: DRAIN_MS })),
    ];
  } finally {
    stopping.abort();
    await installation.remove({ keepFolder: true });
    await database.close();
  }
}

/** A public add-on without a package: nothing downloads it. */
async function importAddon(installation: Installation, database: InstalledDatabase): Promise<WatchedAddon> {
  const file = { status: 4, is_webextension: true, hash: `sha256:${'0'.repeat(64)}`, size: 5 };
  const line = {
    ...{ kind: 'addon', guid: 'watched@example.org', slug: 'watched', type: 'extension', status: 'public' },
    ...{ name: { 'en-US': 'Watched' }, default_locale: 'en-US' },
    versions: [{ channel: 'listed', version: '1.0', files: [file] }],
  };
  const path = join(installation.dataDir, 'watched.jsonl');
  await writeFile(path, `${JSON.stringify(line)}\n`);
  await installation.run('import', path);
  const [addon] = await database.query<{ id: number }>(`SELECT id FROM addon WHERE slug = 'watched'`);
  return { id: Buffer.from(`Addon:${addon?.id}`).toString('base64'), slug: 'watched' };
}

function print(counts: ReadonlyMap<string, number>, duration: number): void {
  console.log(`Faults in ${Math.round(duration)} s:`);
  for (const [name, count] of counts) console.log(`  ${String(count).padStart(5)}  ${name}`);
}
