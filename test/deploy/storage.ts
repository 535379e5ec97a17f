/*
 * Web process and worker with their files in a bucket: `node test/deploy/storage.ts [--kills 3]`. Clients upload and download while processes and
 * the S3 server are killed, and while a proxy in front of it fails, loses responses and returns other bytes: no accepted upload may be lost,
 * and every signed file must verify. While the bucket hangs, requests without files take as long as before, and the process stays ready. Then
 * the files are copied to the folder and back, and restored from a backup.
 * Status 69: the S3 server is missing.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checkInstallation } from '../crash/kill-checks.ts';
import { keepUploading, newLedger } from '../crash/kill-uploads.ts';
import { exchange } from '../crash/support/http-exchange.ts';
import { createInstallation, endWithVerdict, type Installation } from '../crash/support/installation.ts';
import { openInstalledDatabase } from '../crash/support/installed-database.ts';
import { authorization } from '../crash/support/signing-client.ts';
import { STALLED_MS, until } from '../crash/support/waiting.ts';
import { importAddon, WATCHED } from '../crash/support/watched-addon.ts';
import { type Fault, type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { hasS3Server, type S3Server, startS3Server } from '../support/s3-servers.ts';
import { checkCopies } from './bucket-copies.ts';

const UPLOADERS = 2;
const KILL_PAUSE_MS = 1_500;
/** Of each part of the comparison of response times. */
const MEASURED_MS = 5_000;
/** A slower p99 by this factor is a failure, and one below these milliseconds never is: other programs share the machine. */
const SLOWER = 1.2;
const NOISE_MS = 40;
/** Share of requests with one of these faults. */
const FAULTY = 0.04;
const FAULTS: Fault[] = ['error', 'lose', 'cut', 'alter', 'alter-request'];

const { values } = parseArgs({ options: { kills: { type: 'string', default: '3' } } });
if (!(await hasS3Server('versitygw'))) {
  console.log('skipped: no versitygw');
  process.exit(69);
}

const folder = await mkdtemp(join(tmpdir(), 'addons-bucket-'));
let server = await startS3Server('versitygw', folder);
const proxy = await startFaultProxy(server.endpoint);
const settings = {
  STORAGE: 's3',
  S3_ENDPOINT: proxy.url,
  S3_BUCKET: server.bucket,
  S3_ACCESS_KEY_ID: server.credentials.accessKeyId,
  S3_SECRET_ACCESS_KEY: server.credentials.secretAccessKey,
  // Downloads read the bucket.
  S3_CACHE_MB: '0',
};
const installation = await createInstallation(settings);
const violations: string[] = [];
try {
  violations.push(...(await run(installation, proxy)));
} finally {
  await installation.remove({ keepFolder: violations.length > 0 });
  proxy.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
endWithVerdict(violations, installation);
process.exit();

async function run(installation: Installation, proxy: FaultProxy): Promise<string[]> {
  const key = await installation.developer('uploader');
  await importAddon(installation);
  const database = await openInstalledDatabase(installation.dataDir);
  const ledger = newLedger();
  const stopping = new AbortController();
  const options = { url: installation.url, key, ledger, database, stop: stopping.signal };
  try {
    const processes = { web: await installation.serve(), worker: await installation.work() };
    const uploading = Promise.all(
      Array.from({ length: UPLOADERS }, (_, index) => keepUploading({ ...options, name: `uploader-${index}` })),
    );
    await until('the first signed version', STALLED_MS, async () => {
      const rows = await database.query(`SELECT FROM version WHERE stage = 'signed'`);
      return rows.length > 0 ? true : null;
    });
    proxy.choose(() =>
      Math.random() < FAULTY ? (FAULTS[Math.floor(Math.random() * FAULTS.length)] ?? 'error') : 'none',
    );
    for (let kill = 0; kill < Number(values.kills); kill++) {
      await sleep(KILL_PAUSE_MS);
      server = await killOne(kill, processes);
    }
    proxy.choose(() => 'none');
    stopping.abort();
    await uploading;
    const problems = await checkInstallation({ installation, database, key, ledger });
    const [file] = await database.query<{ id: number }>('SELECT id FROM file WHERE signed_sha256 IS NOT NULL LIMIT 1');
    problems.push(...(await hangBucket(`/api/v4/file/${file?.id}/x.xpi`, () => authorization(key))));
    problems.push(...(await verify()));
    await Promise.all(Object.values(processes).map((each) => each.end()));
    problems.push(...(await checkCopies({ installation, database, settings })));
    return [...ledger.problems, ...problems];
  } finally {
    stopping.abort();
    await installation.remove({ keepFolder: true });
    await database.close();
  }
}

/** Kills the worker, the web process or the S3 server, and starts it again. */
async function killOne(
  kill: number,
  processes: Record<'web' | 'worker', Awaited<ReturnType<Installation['serve']>>>,
): Promise<S3Server> {
  if (kill % 3 === 0) {
    await processes.worker.end();
    processes.worker = await installation.work();
  } else if (kill % 3 === 1) {
    await processes.web.end();
    processes.web = await installation.serve();
  } else {
    await server.stop();
    return startS3Server('versitygw', folder, Number(new URL(server.endpoint).port));
  }
  return server;
}

/** Compares responses without files before and while the bucket hangs and clients download. */
async function hangBucket(file: string, credentials: () => string): Promise<string[]> {
  const problems: string[] = [];
  const before = await measure(file, credentials);
  proxy.choose(() => 'hang');
  let hanging = await measure(file, credentials);
  // What other programs of the machine do must not decide.
  if (isSlower(before, hanging)) hanging = await measure(file, credentials);
  const ready = await exchange({ method: 'GET', url: `${installation.url}/readyz` });
  proxy.choose(() => 'none');
  console.log(
    `p99 of ${before.reads} and ${hanging.reads} requests without files: ${before.p99} ms, ${hanging.p99} ms while the bucket hung; ` +
      `downloads: ${before.files.join(', ')}, then ${hanging.files.join(', ')}.`,
  );
  if (isSlower(before, hanging)) problems.push(`p99 rose from ${before.p99} to ${hanging.p99} ms`);
  if (before.files.join() !== '200') problems.push(`downloads got ${before.files.join()}`);
  if (hanging.files.join() !== '503') problems.push(`downloads from a bucket that hangs got ${hanging.files.join()}`);
  if (ready.status !== 200) problems.push(`/readyz was ${ready.status}: ${ready.body}`);
  await until('downloads after the outage', STALLED_MS, async () => {
    const { status } = await exchange({
      method: 'GET',
      url: installation.url + file,
      headers: { authorization: credentials() },
    });
    return status === 200 ? true : null;
  });
  return problems;
}

function isSlower(before: { p99: number }, hanging: { p99: number }): boolean {
  return hanging.p99 > Math.max(NOISE_MS, before.p99 * SLOWER);
}

async function measure(file: string, credentials: () => string) {
  const end = performance.now() + MEASURED_MS;
  const times: number[] = [];
  const files = new Set<number>();
  const read = async (): Promise<void> => {
    while (performance.now() < end) {
      const start = performance.now();
      await exchange({ method: 'GET', url: `${installation.url}/api/v4/addons/addon/${WATCHED.slug}/` });
      times.push(performance.now() - start);
      await sleep(5);
    }
  };
  const download = async (): Promise<void> => {
    while (performance.now() < end) {
      const headers = { authorization: credentials() };
      files.add((await exchange({ method: 'GET', url: installation.url + file, headers })).status);
      await sleep(5);
    }
  };
  await Promise.all([read(), read(), download(), download()]);
  times.sort((one, other) => one - other);
  const p99 = Math.round((times[Math.floor(times.length * 0.99)] ?? 0) * 10) / 10;
  return { reads: times.length, p99, files: [...files] };
}

async function verify(): Promise<string[]> {
  const { checked, lost, damaged } = JSON.parse(await installation.run('storage', 'verify', '--json')) as {
    checked: number;
    lost: string[];
    damaged: string[];
  };
  console.log(`${checked} stored files read, ${lost.length} lost, ${damaged.length} damaged.`);
  return [...lost.map((sha256) => `${sha256} is lost`), ...damaged.map((sha256) => `${sha256} is damaged`)];
}
