/*
 * The upgrade from the release before: `node test/deploy/upgrade.ts [--from COMMIT]`. Web and worker of that release, installed from its
 * commit, run under reads, uploads and notes of a reviewer while this program migrates the database; then those of this program start and
 * the old ones stop. No request may be lost, and everything acknowledged must be signed and sent. Status 69: there is no release before.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { startEmbeddedPostgres } from '../../src/infra/embedded-postgres/embedded-postgres.ts';
import { checkConversation, converse, MAIL_SECRET } from '../crash/chaos-mail.ts';
import { checkInstallation } from '../crash/kill-checks.ts';
import { keepUploading, newLedger } from '../crash/kill-uploads.ts';
import { exchange } from '../crash/support/http-exchange.ts';
import { createInstallation, type Installation, type RunningProcess } from '../crash/support/installation.ts';
import { openInstalledDatabase } from '../crash/support/installed-database.ts';
import { importAddon, WATCHED } from '../crash/support/watched-addon.ts';
import { startMailServer } from '../support/mail-server.ts';

const ROOT = join(import.meta.dirname, '../..');
const PHASE_MS = 5_000;
const silent = { info: () => {}, warn: () => {} };
const run = promisify(execFile);

/** The commit of the newest release, which its subject names; null before the first. */
async function newestRelease(): Promise<string | null> {
  const words = ['log', '--format=%H', '--max-count=1', '--extended-regexp', '--grep', '^release: [0-9.]+$'];
  return (await run('git', words, { cwd: ROOT })).stdout.trim() || null;
}

const { values } = parseArgs({ options: { from: { type: 'string' } } });
const from = values.from ?? (await newestRelease());
if (from === null) {
  console.log('skipped: no release before this one');
  process.exit(69);
}

const home = await mkdtemp(join(tmpdir(), 'addons-upgrade-'));
await chmod(home, 0o711);
const checkout = join(home, 'release');
const problems: string[] = [];
try {
  await run('git', ['worktree', 'add', '--quiet', '--detach', checkout, from], { cwd: ROOT });
  await install(checkout);
  problems.push(...(await upgrade(checkout)));
} finally {
  await run('git', ['worktree', 'remove', '--force', checkout], { cwd: ROOT }).catch(() => {});
  await rm(home, { recursive: true, force: true });
}
console.log([problems.length === 0 ? 'PASS' : 'FAIL', ...problems].join('\n'));
process.exit(problems.length === 0 ? 0 : 1);

/** Installs the packages of a checkout. It starts with links to or copies of those of this one, so that npm fetches only the others. */
async function install(folder: string): Promise<void> {
  // Without tools of this checkout, which `npm` runs and the environment of a test has.
  const path = (process.env['PATH'] ?? '').split(':').filter((each) => !each.includes('node_modules'));
  const options = { cwd: folder, env: { ...process.env, PATH: path.join(':') } };
  const [own, other] = await Promise.all([folder, ROOT].map((each) => stat(each)));
  await run('cp', [own?.dev === other?.dev ? '-al' : '-a', join(ROOT, 'node_modules'), 'node_modules'], options);
  await rm(join(folder, 'node_modules/.cache'), { recursive: true, force: true });
  // npm replaces whole packages, but overwrites this file.
  const list = join(folder, 'node_modules/.package-lock.json');
  await rm(list);
  await run('cp', ['-p', join(ROOT, 'node_modules/.package-lock.json'), list], options);
  await run('npm', ['install', '--include=dev', '--no-audit', '--no-fund', '--silent', '--no-progress'], options);
}

/** A web process and a worker. */
interface Release {
  web: RunningProcess;
  worker: RunningProcess;
  url: string;
}

async function start(installation: Installation): Promise<Release> {
  const [web, worker] = await Promise.all([installation.serve(), installation.work()]);
  return { web, worker, url: installation.url };
}

async function upgrade(root: string): Promise<string[]> {
  const postgres = await startEmbeddedPostgres({ dataDir: home, log: silent });
  const mailServer = await startMailServer();
  const settings = {
    DATABASE_URL: postgres.url,
    SHUTDOWN_DELAY: '1',
    SMTP_URL: mailServer.url,
    MAIL_DOMAIN: 'addons.example',
    INBOUND_MAIL_SECRET: MAIL_SECRET,
  };
  const old = await createInstallation(settings, root);
  const current = await createInstallation({ ...settings, DATA_DIR: old.dataDir });
  const database = await openInstalledDatabase(home);
  try {
    await old.run('migrate');
    const keys = { uploader: await old.developer('uploader'), reviewer: await old.developer('reviewer') };
    await old.developer('author');
    await old.run('group', 'grant', 'operators', '--rule', '*:*', '--user', 'reviewer');
    await importAddon(old, 'author');
    const [{ id = 0 } = {}] = await database.query<{ id: number }>('SELECT id FROM version');
    const ledger = newLedger();
    const talk = {
      ...{ reviewer: keys.reviewer, versionId: id, server: mailServer, author: 'author@example.org' },
      uses: new Map<string, number>(),
    };
    const lost: string[] = [];
    const use = ({ url }: Release) => {
      const stopping = new AbortController();
      const { signal: stop } = stopping;
      const load = Promise.all([
        converse({ ...talk, urls: [url], name: new URL(url).port, stop }),
        keepUploading({ url, key: keys.uploader, name: `uploader-${new URL(url).port}`, ledger, database, stop }),
        read(url, stop, lost),
      ]);
      return {
        end: async () => {
          stopping.abort();
          return (await load)[0];
        },
      };
    };
    const before = await start(old);
    const first = use(before);
    await sleep(PHASE_MS);
    console.log((await current.run('migrate')).trim());
    const after = await start(current);
    const second = use(after);
    await sleep(PHASE_MS);
    const notes = [await first.end()];
    await Promise.all([before.web.end('SIGTERM'), before.worker.end('SIGTERM')]);
    await sleep(PHASE_MS);
    notes.push(await second.end());
    const sent = {
      acknowledged: notes.flatMap(({ acknowledged }) => acknowledged),
      unknown: notes.flatMap(({ unknown }) => unknown),
    };
    const checked = { ...talk, urls: [after.url], name: '', stop: AbortSignal.abort() };
    return [
      ...lost,
      ...ledger.problems,
      ...(ledger.missingResponses + ledger.unavailable > 0
        ? [`${ledger.missingResponses} uploads without a response, ${ledger.unavailable} refused with 503`]
        : []),
      ...sent.unknown.map((note) => `the note ${note} was not acknowledged`),
      ...(await checkConversation(sent, checked, database, { faults: 0 })),
      ...(await checkInstallation({
        installation: { ...current, dataDir: old.dataDir },
        database,
        key: keys.uploader,
        ledger,
      })),
    ];
  } finally {
    await Promise.all([old.remove(), current.remove()]);
    await database.close();
    await mailServer.close();
    await postgres.stop();
  }
}

/** Reads the add-on until it is stopped, and notes every response but 200. */
async function read(url: string, stop: AbortSignal, lost: string[]): Promise<void> {
  for (let count = 0; !stop.aborted; count++) {
    const path = count % 2 === 0 ? `/api/v4/addons/addon/${WATCHED.slug}/` : `/addon/${WATCHED.slug}/`;
    const { status } = await exchange({ method: 'GET', url: url + path });
    if (status !== 200) lost.push(`${path} responded ${status}`);
    await sleep(20);
  }
}
