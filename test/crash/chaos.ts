/*
 * Two web servers and two workers on one database, under kill -9, SIGTERM, freezes, and kills of database backends and of
 * the postmaster, while developers upload and an operator disables and enables an add-on. Afterwards no acknowledged upload
 * is lost, nothing was signed twice, no response showed a disabled add-on, work went on: while versions waited for a worker, one
 * of them left its stage every --wait seconds (30), and no note or mail of a review was lost or doubled. Also --seconds (600).
 */
import { parseArgs } from 'node:util';
import { type LoopbackMailServer, startMailServer } from '../support/mail-server.ts';
import { type WatchedAddon, watchDisabling } from './chaos-disabling.ts';
import { type ChaosOptions, runRound } from './chaos-faults.ts';
import { startFleet } from './chaos-fleet.ts';
import { checkConversation, converse, MAIL_SECRET } from './chaos-mail.ts';
import { checkInstallation } from './kill-checks.ts';
import { keepSubmitting } from './kill-submissions.ts';
import { keepUploading, newLedger } from './kill-uploads.ts';
import { createInstallation, endWithVerdict, type Installation } from './support/installation.ts';
import { type InstalledDatabase, openInstalledDatabase } from './support/installed-database.ts';
import { STALLED_MS, until } from './support/waiting.ts';
import { importAddon, WATCHED } from './support/watched-addon.ts';

const UPLOADERS = 2;

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '600' }, wait: { type: 'string', default: '30' } },
});
const seconds = Number(values.seconds);
const maxWaitMs = Number(values.wait) * 1_000;
if (!(seconds >= 1) || !(maxWaitMs > 0)) throw new Error('--seconds from 1, --wait above 0');

const violations: string[] = [];
// Nothing balances the load here, so a server that stops need not wait until traffic has moved away.
const mailServer = await startMailServer();
const installation = await createInstallation({
  SHUTDOWN_DELAY: '1',
  SMTP_URL: mailServer.url,
  MAIL_DOMAIN: 'addons.example',
  INBOUND_MAIL_SECRET: MAIL_SECRET,
});
try {
  violations.push(...(await run(installation, mailServer)));
} finally {
  await mailServer.close();
  await installation.remove({ keepFolder: violations.length > 0 });
}
endWithVerdict(violations, installation);

async function run(installation: Installation, server: LoopbackMailServer): Promise<string[]> {
  const key = await installation.developer('uploader');
  const admin = await installation.developer('operator');
  await installation.developer('author');
  await installation.run('group', 'grant', 'operators', '--rule', '*:*', '--user', 'operator');
  const database = await openInstalledDatabase(installation.dataDir);
  const stopping = new AbortController();
  const problems: string[] = [];
  const ledger = newLedger();
  try {
    await importAddon(installation, 'author');
    const { addon, versionId } = await watchedRows(database);
    const fleet = await startFleet(installation);
    const options: ChaosOptions = { installation, database, fleet, problems, counts: new Map(), maxWaitMs };
    const started = performance.now();
    const isTimeUp = () => performance.now() - started > seconds * 1_000;
    // A command that runs while the postmaster is killed fails, and the operator repeats it.
    const signIn = () =>
      until('a token of the operator', STALLED_MS, async () => {
        const output = await installation.run('token', 'create', '--user', 'operator', '--json').catch(() => null);
        return output === null ? null : (JSON.parse(output) as { token: string }).token;
      });
    const talk = {
      ...{ name: 'chaos', urls: fleet.urls, reviewer: admin, versionId, server, author: 'author@example.org' },
      uses: new Map<string, number>(),
    };
    const load = Promise.all([
      watchDisabling({ urls: fleet.urls, signIn, addon, stop: stopping.signal, problems }),
      converse({ ...talk, stop: stopping.signal }),
      ...fleet.urls.map((url, server) =>
        keepSubmitting({ url, key, name: `submitter-${server}`, ledger, database, stop: stopping.signal }),
      ),
      ...fleet.urls.flatMap((url, server) =>
        Array.from({ length: UPLOADERS }, (_, index) =>
          keepUploading({ url, key, name: `uploader-${server}-${index}`, ledger, database, stop: stopping.signal }),
        ),
      ),
    ]);
    load.catch(() => {});
    while (!isTimeUp()) await Promise.race([runRound(options, isTimeUp), load]);
    stopping.abort();
    const [{ changes, reads }, sentNotes] = await load;
    print(options.counts, (performance.now() - started) / 1_000);
    console.log(`  ${changes} disablings, ${reads} reads of the add-on`);
    if (changes === 0 || reads === 0) problems.push('the add-on was never disabled or never read');
    const faults = [...options.counts.values()].reduce((sum, count) => sum + count, 0);
    return [
      ...problems,
      ...ledger.problems,
      ...(await checkConversation(sentNotes, talk, database, { faults })),
      ...(await checkInstallation({ installation, database, key, ledger })),
    ];
  } finally {
    stopping.abort();
    await installation.remove({ keepFolder: true });
    await database.close();
  }
}

async function watchedRows(database: InstalledDatabase): Promise<{ addon: WatchedAddon; versionId: number }> {
  const [row] = await database.query<{ id: number; versionId: number }>(
    'SELECT a.id, v.id AS "versionId" FROM addon a JOIN version v ON v.addon_id = a.id WHERE a.slug = $1',
    [WATCHED.slug],
  );
  const id = Buffer.from(`Addon:${row?.id}`).toString('base64');
  return { addon: { id, slug: WATCHED.slug }, versionId: row?.versionId ?? 0 };
}

function print(counts: ReadonlyMap<string, number>, duration: number): void {
  console.log(`Faults in ${Math.round(duration)} s:`);
  for (const [name, count] of counts) console.log(`  ${String(count).padStart(5)}  ${name}`);
}
