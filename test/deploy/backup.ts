/*
 * A backup under uploads, and its restoration: `node test/deploy/backup.ts [--seconds 12]`. While 400 versions a minute are uploaded, a
 * backup is made, a second one is killed, and a third one is made. The installation ends; a new one is restored from the third backup. It
 * has every version that was acknowledged before, all of their files, and both logs with the checkpoint of before; it signs and serves.
 */
import { createHash } from 'node:crypto';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { AcceptedVersion } from '../crash/kill-uploads.ts';
import { exchange } from '../crash/support/http-exchange.ts';
import { createInstallation, type Installation } from '../crash/support/installation.ts';
import { type InstalledDatabase, openInstalledDatabase } from '../crash/support/installed-database.ts';
import { inspectPublished, MARK } from '../crash/support/published-file.ts';
import { type ApiKey, authorization, uploadForm, versionPath } from '../crash/support/signing-client.ts';
import { STALLED_MS, until } from '../crash/support/waiting.ts';
import { xpi } from '../support/packages.ts';
import { startProgram } from '../support/program.ts';

const PER_MINUTE = 400;
/** Versions that are signed before the uploads, and after the restoration. */
const SIGNED = 5;
/** A drill that does not reach the rate on a loaded machine has not shown what it should. */
const LEAST_PART = 0.9;

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '12' } } });
const seconds = Number(values.seconds);
const problems: string[] = [];
const backups = await mkdtemp(join(tmpdir(), 'addons-backups-'));
const installation = await createInstallation();
try {
  problems.push(...(await drill(installation)));
} finally {
  await installation.remove();
  await rm(backups, { recursive: true, force: true });
}
console.log([problems.length === 0 ? 'PASS' : 'FAIL', ...problems].join('\n'));
process.exit(problems.length === 0 ? 0 : 1);

async function drill(original: Installation): Promise<string[]> {
  const key = await original.developer('uploader');
  const processes = await Promise.all([original.serve(), original.work()]);
  const early: AcceptedVersion[] = [];
  for (let number = 1; number <= SIGNED; number++) {
    const sent = await send(original.url, key, 'early@example.org', `1.${number}`);
    if (typeof sent === 'string') return [sent];
    early.push(sent);
  }
  await withDatabaseOf(original, (database) => waitForSigned(database, SIGNED));
  const load = startUploads(original.url, key);
  await sleep((seconds * 1_000) / 3);
  const note = join(backups, 'checkpoint');
  await writeFile(note, await original.run('log', 'checkpoint'));
  const first = await backUp(original, 'first');
  await killBackup(original, 'third');
  await sleep((seconds * 1_000) / 3);
  const before = [...early, ...load.accepted];
  const third = await backUp(original, 'third');
  await sleep((seconds * 1_000) / 3);
  const { perMinute } = await load.end();
  for (const each of processes) await each.end('SIGKILL');
  console.log(
    `${load.accepted.length} uploads, ${Math.round(perMinute)} a minute; ${before.length} were acknowledged before the last backup.`,
  );
  return [
    ...load.problems,
    ...(perMinute < PER_MINUTE * LEAST_PART
      ? [`${Math.round(perMinute)} uploads a minute instead of ${PER_MINUTE}`]
      : []),
    ...(first.missing.length + third.missing.length > 0 ? ['files were missing during a backup'] : []),
    ...(third.linked < first.copied ? ['the last backup did not link all files of the first'] : []),
    ...(await checkRestored({ key, before, accepted: [...early, ...load.accepted], note })),
  ];
}

interface Load {
  accepted: AcceptedVersion[];
  problems: string[];
  /** Stops, and waits for the responses. */
  end(): Promise<{ perMinute: number }>;
}

/** Starts an upload at each tick, whether or not those before have a response. */
function startUploads(url: string, key: ApiKey): Load {
  const accepted: AcceptedVersion[] = [];
  const found: string[] = [];
  const open = new Set<Promise<void>>();
  const started = performance.now();
  let number = 0;
  const next = (): void => {
    number += 1;
    const guid = `drill-${number % 20}@example.org`;
    const upload = send(url, key, guid, `1.${number}`)
      .then((result) => void (typeof result === 'string' ? found.push(result) : accepted.push(result)))
      .finally(() => open.delete(upload));
    open.add(upload);
  };
  const timer = setInterval(next, 60_000 / PER_MINUTE);
  return {
    accepted,
    problems: found,
    end: async () => {
      clearInterval(timer);
      await Promise.all(open);
      return { perMinute: (accepted.length / (performance.now() - started)) * 60_000 };
    },
  };
}

/** Uploads a version; returns what is wrong with the response as text. */
async function send(url: string, key: ApiKey, guid: string, version: string): Promise<AcceptedVersion | string> {
  const mark = `${guid} ${version}`;
  const file = await xpi({ guid, version, files: { [MARK]: mark } });
  const { contentType, body } = uploadForm(file);
  const headers = {
    authorization: authorization(key),
    'content-type': contentType,
    'content-length': String(body.length),
  };
  const { status, body: text } = await exchange({
    method: 'PUT',
    url: url + versionPath(guid, version),
    headers,
    body,
  });
  if (status !== 201 && status !== 202) return `the response to an upload of ${mark} was ${status} ${text}`;
  return { guid, version, mark, sha256: createHash('sha256').update(file).digest('hex'), acknowledged: true };
}

interface BackupResult {
  copied: number;
  linked: number;
  missing: unknown[];
}

async function backUp(original: Installation, name: string): Promise<BackupResult> {
  const started = performance.now();
  const result = JSON.parse(await original.run('backup', join(backups, name), '--json')) as BackupResult;
  const { copied, linked } = result;
  console.log(
    `Backup of ${copied + linked} files (${linked} linked) in ${Math.round(performance.now() - started)} ms.`,
  );
  return result;
}

/** Kills a backup once it copies files. The folder of the backup must not appear. */
async function killBackup({ dataDir }: Installation, name: string): Promise<void> {
  const folder = join(backups, name);
  const settings = { DATA_DIR: dataDir, DATABASE_URL: '', LOG_LEVEL: 'silent' };
  const program = startProgram(settings, {
    args: [join(import.meta.dirname, '../../src/addons.js'), 'backup', folder],
  });
  const exists = (path: string): Promise<boolean> =>
    access(path).then(
      () => true,
      () => false,
    );
  while (!(await exists(join(`${folder}.part`, 'files.list'))) && !(await exists(folder))) await sleep(5);
  await program.end('SIGKILL');
  if (await exists(folder)) throw new Error('The backup was complete before it was killed.');
}

interface Expected {
  key: ApiKey;
  /** Acknowledged before the backup started. */
  before: AcceptedVersion[];
  accepted: AcceptedVersion[];
  /** A checkpoint of before the backup. */
  note: string;
}

async function checkRestored({ key, before, accepted, note }: Expected): Promise<string[]> {
  const restored = await createInstallation();
  const found: string[] = [];
  const attempt = (...words: string[]): Promise<string> =>
    restored.run(...words).catch((error: { stderr?: string; message: string }) => {
      found.push(`addons ${words.join(' ')}: ${error.stderr?.trim() || error.message}`);
      return '';
    });
  try {
    const started = performance.now();
    console.log((await attempt('restore', join(backups, 'third'))).trim());
    console.log(`Restored in ${Math.round(performance.now() - started)} ms.`);
    if (found.length > 0) return found;
    console.log((await attempt('storage', 'verify')).trim());
    for (const log of ['audit', 'log'])
      console.log(`${log}: ${await attempt(log, 'verify', '--checkpoint', note)}`.trim());
    await Promise.all([restored.serve(), restored.work()]);
    const fresh = await send(restored.url, key, 'fresh@example.org', '1.0');
    if (typeof fresh === 'string') found.push(fresh);
    found.push(
      ...(await withDatabaseOf(restored, (database) => checkVersions(restored, database, { key, before, accepted }))),
    );
    return found;
  } finally {
    await restored.remove();
  }
}

/** Every version of before exists with its bytes; restored jobs sign, and every signed file is served. */
async function checkVersions(
  restored: Installation,
  database: InstalledDatabase,
  { key, before, accepted }: Omit<Expected, 'note'>,
): Promise<string[]> {
  const versions = () =>
    database.query<{ mark: string; stage: string; sha256: string }>(
      `SELECT guid || ' ' || version AS mark, stage, original_sha256 AS sha256
       FROM version JOIN addon ON addon.id = version.addon_id JOIN file ON file.version_id = version.id`,
    );
  const rows = new Map((await versions()).map((row) => [row.mark, row]));
  const wrong = before.filter(({ mark, sha256 }) => rows.get(mark)?.sha256 !== sha256);
  const signedBefore = [...rows.values()].filter(({ stage }) => stage === 'signed').length;
  await waitForSigned(database, signedBefore + SIGNED);
  const signed = new Set((await versions()).filter(({ stage }) => stage === 'signed').map(({ mark }) => mark));
  const problems = wrong.map(({ mark }) => `${mark} is lost or has other bytes`);
  for (const { guid, version, mark } of accepted.filter((each) => signed.has(each.mark))) {
    const published = await inspectPublished(restored, key, guid, version);
    problems.push(...published.problems.map((problem) => `${mark}: ${problem}`));
    if (published.mark !== mark) problems.push(`${mark}: the file belongs to ${published.mark}`);
  }
  console.log(
    `${before.length} versions of before the backup, ${signedBefore} signed; now ${signed.size}, each downloaded and verified.`,
  );
  return problems;
}

async function withDatabaseOf<Result>(
  { dataDir }: Installation,
  work: (database: InstalledDatabase) => Promise<Result>,
): Promise<Result> {
  const database = await openInstalledDatabase(dataDir);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function waitForSigned(database: InstalledDatabase, count: number): Promise<void> {
  await until(`${count} signed versions`, STALLED_MS, async () => {
    const rows = await database.query("SELECT FROM version WHERE stage = 'signed'");
    return rows.length >= count ? true : null;
  });
}
