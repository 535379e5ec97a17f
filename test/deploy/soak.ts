/*
 * A mixed load for a long time: `node test/deploy/soak.ts [--minutes 60]`. Two web processes and a worker get reads, searches, pages, GraphQL,
 * update checks and uploads. No alert of `deploy/` may fire, no response may be a 5xx, and memory must not grow: the slope of each process
 * over the last two thirds is printed, in MB an hour. Status 69: this machine has no Prometheus.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { exchange } from '../crash/support/http-exchange.ts';
import { createInstallation, freePort } from '../crash/support/installation.ts';
import { type ApiKey, authorization, uploadForm, versionPath } from '../crash/support/signing-client.ts';
import { importAddon, WATCHED } from '../crash/support/watched-addon.ts';
import { xpi } from '../support/packages.ts';
import { pathOf, queryFor } from '../support/updates.ts';
import { hasPrometheus, startPrometheus } from './prometheus.ts';

const SCRAPE_S = 5;
const READERS = 3;
const PAUSE_MS = 50;
const UPLOAD_MS = 5_000;
/** Above this share of its memory an hour, a process counts as growing. */
const MAX_GROWTH = 0.1;
const MEGABYTE = 1024 * 1024;

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
const minutes = Number(values.minutes);
if (!(minutes >= 1)) throw new Error('--minutes from 1');
if (!(await hasPrometheus())) {
  console.log('skipped: no prometheus');
  process.exit(69);
}

const installation = await createInstallation();
const statuses = new Map<string, number>();
const problems: string[] = [];
try {
  await soak();
} finally {
  await installation.remove({ keepFolder: problems.length > 0 });
}
console.log([problems.length === 0 ? 'PASS' : `FAIL; see ${installation.dataDir}`, ...problems].join('\n'));
process.exit(problems.length === 0 ? 0 : 1);

async function soak(): Promise<void> {
  const key = await installation.developer('uploader');
  await importAddon(installation, 'uploader');
  const ports = [Number(new URL(installation.url).port), await freePort()];
  const metrics = [await freePort(), await freePort(), await freePort()];
  const settings = (index: number) => ({ METRICS_PORT: String(metrics[index]) });
  for (const [index, port] of ports.entries()) await installation.serve({ port, settings: settings(index) });
  await installation.work({ settings: settings(2) });
  const prometheus = await startPrometheus(installation.dataDir, SCRAPE_S);
  await prometheus.scrape(metrics);
  const stopping = new AbortController();
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const load = Promise.all([
    ...Array.from({ length: READERS }, (_, reader) => readAll(urls, reader, stopping.signal)),
    upload(urls, key, stopping.signal),
  ]);
  await sleep(minutes * 60_000);
  const fired = await prometheus.query(`max by (alertname) (max_over_time(ALERTS{alertstate="firing"}[${minutes}m]))`);
  problems.push(...fired.map(({ labels }) => `${labels['alertname']} fired`));
  const window = `[${Math.max(1, Math.round((minutes * 2) / 3))}m]`;
  const slopes = await prometheus.query(`deriv(process_resident_memory_bytes{job="addons"}${window}) * 3600`);
  const means = await prometheus.query(`avg_over_time(process_resident_memory_bytes{job="addons"}${window})`);
  for (const [index, port] of metrics.entries()) {
    const of = (samples: typeof means) =>
      samples.find(({ labels }) => labels['instance'] === `127.0.0.1:${port}`)?.value ?? NaN;
    const [slope, mean] = [of(slopes), of(means)];
    const name = ['first web process', 'second web process', 'worker'][index];
    console.log(`${name}: ${(mean / MEGABYTE).toFixed(0)} MB, ${(slope / MEGABYTE).toFixed(1)} MB an hour`);
    if (!(slope <= mean * MAX_GROWTH))
      problems.push(`${name}: memory grows by ${(slope / MEGABYTE).toFixed(1)} MB an hour`);
  }
  stopping.abort();
  await load;
  await prometheus.stop();
  for (const [status, count] of [...statuses].sort()) console.log(`${String(count).padStart(8)} x ${status}`);
  problems.push(
    ...[...statuses.keys()].filter((status) => !/^[234]/.test(status)).map((status) => `a response was ${status}`),
  );
}

function note(status: string): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}

/** Sends every kind of read in turn, to each web process in turn. */
async function readAll(urls: readonly string[], reader: number, stop: AbortSignal): Promise<void> {
  const paths = [
    `/api/v4/addons/addon/${WATCHED.slug}/`,
    '/api/v4/addons/search/?q=watched',
    '/api/v4/addons/search/?sort=created&page=2',
    `/addon/${WATCHED.slug}/`,
    `/addon/${WATCHED.slug}/versions/`,
    '/',
    '/nothing/',
    pathOf(queryFor(WATCHED.guid)),
    pathOf(queryFor(`unknown-${reader}@example.org`)),
  ];
  const graphql = JSON.stringify({ query: '{ addons(first: 5) { totalCount nodes { slug } } }' });
  for (let turn = reader; !stop.aborted; turn++) {
    const url = urls[turn % urls.length] ?? '';
    const path = paths[turn % (paths.length + 1)];
    const request =
      path === undefined
        ? {
            method: 'POST',
            url: `${url}/graphql`,
            headers: { 'content-type': 'application/json' },
            body: Buffer.from(graphql),
          }
        : { method: 'GET', url: url + path };
    note(
      await exchange(request).then(
        ({ status }) => String(status),
        (error: Error) => error.message,
      ),
    );
    await sleep(PAUSE_MS);
  }
}

async function upload(urls: readonly string[], key: ApiKey, stop: AbortSignal): Promise<void> {
  for (let turn = 0; !stop.aborted; turn++) {
    const guid = `soak-${turn}@example.org`;
    const { contentType, body } = uploadForm(await xpi({ guid, version: '1.0' }));
    const headers = {
      authorization: authorization(key),
      'content-type': contentType,
      'content-length': String(body.length),
    };
    const url = (urls[turn % urls.length] ?? '') + versionPath(guid, '1.0');
    note(
      await exchange({ method: 'PUT', url, headers, body }).then(
        ({ status }) => String(status),
        (error: Error) => error.message,
      ),
    );
    await sleep(UPLOAD_MS);
  }
}
