/*
 * The endpoint `/metrics` for Prometheus, on a port of its own that no proxy serves. Each process offers what it measures, and what any
 * process can read of the whole installation: queue, mails, workers, storage. Alerts take the maximum of these.
 */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '../config.ts';
import { countMails } from '../domain/mail/find-mails.ts';
import { countProblems } from '../domain/maintenance/stored-file-problems.ts';
import { freeSpace } from '../domain/maintenance/watch-disk.ts';
import { countByTask } from '../domain/operation/find-jobs.ts';
import { livingWorkers } from '../domain/operation/worker-reports.ts';
import { isSearchDegraded } from '../domain/search/search-engine.ts';
import { pool, pools } from '../infra/db.ts';
import { log } from '../infra/log.ts';
import { addGauge, type MeasuredValues, measureProcess, metricsType, printMetrics } from '../infra/metrics.ts';
import { usageOf } from '../infra/process-pool/pooled-process.ts';
import { isReadOnly } from '../infra/read-only.ts';
import { storeProblem } from '../infra/staging/probe-store.ts';

const MEGABYTE = 1024 * 1024;
const PORT_RETRY_MS = 500;

const one = (value: number): MeasuredValues => [[{}, value]];

/** Serves the metrics of this process if METRICS_PORT is set. Returns the function that ends it. */
export async function serveMetrics(): Promise<() => void> {
  if (config.METRICS_PORT === undefined) return () => {};
  measureProcess();
  measureConnections();
  measureInstallation();
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end();
    printMetrics().then(
      (text) => response.writeHead(200, { 'Content-Type': metricsType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  const ending = new AbortController();
  // One of several web processes replaces another one, which has its port until it retires.
  if (cluster.isWorker) void listenWhenFree(server, config.METRICS_PORT, ending.signal);
  else await listen(server, config.METRICS_PORT);
  return () => {
    ending.abort();
    server.close();
    server.closeAllConnections();
  };
}

/** @throws when the port is in use. */
async function listen(server: Server, port: number): Promise<void> {
  // Not shared between web processes, as their own port is.
  server.listen({ port, host: config.METRICS_HOST, exclusive: true });
  await once(server, 'listening');
  server.unref();
}

async function listenWhenFree(server: Server, port: number, ending: AbortSignal): Promise<void> {
  for (let isFirst = true; !ending.aborted; isFirst = false) {
    try {
      return await listen(server, port);
    } catch (error) {
      if (isFirst) log.info({ err: error, port }, 'The port of metrics is in use; it is tried again.');
      await sleep(PORT_RETRY_MS, undefined, { ref: false, signal: ending }).catch(() => {});
    }
  }
}

function measureConnections(): void {
  const state = (read: (of: (typeof pools)[number]) => number): MeasuredValues =>
    pools.map((each) => [{ pool: String(each.options.application_name) }, read(each)]);
  const labels = ['pool'];
  addGauge('database_connections', 'Open connections.', () => state(({ totalCount }) => totalCount), labels);
  addGauge('database_connections_idle', 'Idle connections.', () => state(({ idleCount }) => idleCount), labels);
  addGauge(
    'database_connections_max',
    'Connections that a pool may open.',
    () => state(({ options }) => options.max),
    labels,
  );
  addGauge(
    'database_waiting',
    'Statements that wait for a connection.',
    () => state(({ waitingCount }) => waitingCount),
    labels,
  );
}

function measureInstallation(): void {
  addGauge('database_up', 'Whether the database responds.', () =>
    pool.query('SELECT').then(
      () => one(1),
      () => one(0),
    ),
  );
  measureQueue();
  const mails = async (state: 'queued' | 'failed') => [{ state }, await countMails({ state })] as const;
  addGauge(
    'mails',
    'Mails that wait, and that failed for good.',
    () => Promise.all([mails('queued'), mails('failed')]),
    ['state'],
  );
  addGauge('workers', 'Workers that are alive.', async () => one((await livingWorkers()).length));
  addGauge('free_disk_bytes', 'Free space for files on this host.', async () => one((await freeSpace()) * MEGABYTE));
  addGauge('storage_up', 'Whether files can be stored and read.', async () =>
    one((await storeProblem()) === null ? 1 : 0),
  );
  addGauge('damaged_files', 'Stored files that are known to be lost or damaged.', async () =>
    one(await countProblems()),
  );
  addGauge('search_degraded', 'Whether PostgreSQL serves searches although a search server is configured.', async () =>
    one((await isSearchDegraded()) ? 1 : 0),
  );
  addGauge('validator_memory_bytes', 'Memory of the validators of this worker.', validatorMemory);
  addGauge('read_only', 'Whether changes are refused.', async () => one((await isReadOnly()) ? 1 : 0));
}

let validators: () => readonly number[] = () => [];

/** Measures the processes with these ids as validators, from now on. */
export function measureValidators(pids: () => readonly number[]): void {
  validators = pids;
}

async function validatorMemory(): Promise<MeasuredValues> {
  const usages = await Promise.all(validators().map(usageOf));
  return usages.length === 0 ? [] : one(usages.reduce((sum, { rssMb }) => sum + rssMb, 0) * MEGABYTE);
}

function measureQueue(): void {
  addGauge(
    'jobs',
    'Jobs by task and state.',
    async () =>
      (await countByTask()).flatMap(({ task, waiting, running, retrying, failed }) =>
        Object.entries({ waiting, running, retrying, failed }).map(
          ([state, count]) => [{ task, state }, count] as const,
        ),
      ),
    ['task', 'state'],
  );
  addGauge(
    'job_wait_seconds',
    'Since when the oldest job of a task could have started.',
    async () =>
      (await countByTask()).map(({ task, oldestDue }) => [
        { task },
        oldestDue === null ? 0 : Math.max(0, Date.now() - oldestDue.getTime()) / 1_000,
      ]),
    ['task'],
  );
}
