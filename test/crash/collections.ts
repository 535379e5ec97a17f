/*
 * Collections under kill -9: `node test/crash/collections.ts [--kills 30] [--store fs]`, of a bucket by default. Processes store a few files again and again, and reference
 * them for a moment; others collect what is not referenced, with a grace period of seconds. All of them are killed, or stopped for seconds, at
 * random times. No referenced file may be missing at any time, and at the end the store has no other one. Status 69: the S3 server is missing.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { hasS3Server, startS3Server } from '../support/s3-servers.ts';
import { createInstallation, endWithVerdict } from './support/installation.ts';
import { openInstalledDatabase } from './support/installed-database.ts';

const PROCESS = join(import.meta.dirname, 'collections-process.ts');
const GRACE_MS = 600;
const PAUSE_MS = 500;
/** One of this many ends is a stop for some seconds instead. */
const STOPPED = 5;
const ROLES = ['store', 'store', 'collect', 'collect'] as const;

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '30' }, store: { type: 'string', default: 's3' } },
});
const isBucket = values.store === 's3';
if (isBucket && !(await hasS3Server('versitygw'))) {
  console.log('skipped: no versitygw');
  process.exit(69);
}

const folder = await mkdtemp(join(tmpdir(), 'addons-bucket-'));
const server = isBucket ? await startS3Server('versitygw', folder) : null;
const settings: Record<string, string> =
  server === null
    ? { STORAGE: 'fs' }
    : {
        STORAGE: 's3',
        S3_ENDPOINT: server.endpoint,
        S3_BUCKET: server.bucket,
        S3_ACCESS_KEY_ID: server.credentials.accessKeyId,
        S3_SECRET_ACCESS_KEY: server.credentials.secretAccessKey,
        S3_CACHE_MB: '0',
      };
const installation = await createInstallation(settings);
/** Processes that have begun their work. */
const ready = new WeakSet<ChildProcess>();
const violations: string[] = [];
try {
  // Makes the database.
  await installation.run('migrate');
  violations.push(...(await run()));
} finally {
  await installation.remove({ keepFolder: violations.length > 0 });
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
}
endWithVerdict(violations, installation);
process.exit();

async function run(): Promise<string[]> {
  const database = await openInstalledDatabase(installation.dataDir);
  const environment = {
    ...process.env,
    ...settings,
    DATA_DIR: installation.dataDir,
    DATABASE_URL: database.url,
    LOG_LEVEL: 'silent',
  };
  const start = (role: string): ChildProcess => {
    const options = { env: environment, stdio: ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'] };
    const child = spawn(process.execPath, [PROCESS, role, String(GRACE_MS)], options);
    child.stdout.on('data', (text: Buffer) => (text.includes('ready') ? ready.add(child) : console.log(String(text))));
    return child;
  };
  const children = ROLES.map((role) => ({ role, child: start(role) }));
  const checker = start('check');
  let kills = 0;
  try {
    while (kills < Number(values.kills)) {
      await sleep(Math.random() * PAUSE_MS);
      const victim = children[Math.floor(Math.random() * children.length)];
      if (victim === undefined || !ready.has(victim.child)) continue;
      if (Math.floor(Math.random() * STOPPED) === 0) void pause(victim.child);
      else {
        await end(victim.child);
        victim.child = start(victim.role);
        kills += 1;
      }
    }
    await sleep(2 * GRACE_MS);
    for (const { child } of children) await end(child);
    const problems = checker.exitCode === null ? [] : ['a referenced file was missing'];
    await end(checker);
    return [...problems, ...(await finish(start, database))];
  } finally {
    for (const child of [checker, ...children.map((each) => each.child)]) child.kill('SIGKILL');
    await database.close();
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** A process that goes on with what it was about to do, seconds later. */
async function pause(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP');
  await sleep(2 * GRACE_MS * Math.random());
  child.kill('SIGCONT');
}

/** The files of the store itself, also those that a removal has left under another name. */
async function storedNames(): Promise<string[]> {
  if (server === null) {
    const names = await readdir(join(installation.dataDir, 'blobs'), { recursive: true });
    return names.filter((name) => /[0-9a-f]{64}/.test(name));
  }
  const { Contents = [] } = await server.client.send(new ListObjectsV2Command({ Bucket: server.bucket }));
  return Contents.map(({ Key = '' }) => Key);
}

/** Collects the rest, and compares the store with the references. */
async function finish(
  start: (role: string) => ChildProcess,
  database: Awaited<ReturnType<typeof openInstalledDatabase>>,
) {
  await sleep(GRACE_MS);
  const last = start('finish');
  const [code] = await once(last, 'exit');
  if (code !== 0) return [`the last collection ended with ${code}`];
  const referenced = await database.query<{ sha256: string }>('SELECT DISTINCT sha256 FROM stored_file_use');
  const stored = (await storedNames()).map((name) => /[0-9a-f]{64}/.exec(name)?.[0] ?? name).sort();
  const expected = referenced.map(({ sha256 }) => sha256).sort();
  const [generations] = await database.query<{ max: number; sum: number }>(
    'SELECT max(generation)::int AS max, sum(generation)::int AS sum FROM stored_object',
  );
  const again = `${generations?.sum} files stored again after a removal, one ${generations?.max} times; `;
  console.log(
    `${values.kills} kills; ${isBucket ? again : ''}${expected.length} referenced, ${stored.length} stored at the end.`,
  );
  return stored.join() === expected.join() ? [] : [`files ${stored.join()} are not the references ${expected.join()}`];
}
