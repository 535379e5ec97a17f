/* The faults that `alerts.ts` causes, and the processes that they end and start. */
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { exchange } from '../crash/support/http-exchange.ts';
import { freePort, type Installation, type RunningProcess } from '../crash/support/installation.ts';
import type { InstalledDatabase } from '../crash/support/installed-database.ts';
import type { ApiKey } from '../crash/support/signing-client.ts';
import type { Prometheus } from './prometheus.ts';

/** A fault, and the alert that it raises. The function that `cause` returns repairs it. */
export interface Fault {
  name: string;
  alert: string;
  /** Alerts that follow from it, too. */
  also?: readonly string[];
  cause(): Promise<() => Promise<unknown>>;
}

export interface World {
  installation: Installation;
  database: InstalledDatabase;
  prometheus: Prometheus;
  processes: Map<string, { process: RunningProcess; metrics: number }>;
  key: ApiKey;
}

/** Starts a process that Prometheus will scrape. */
export async function start(
  { installation, processes }: World,
  name: string,
  role: 'serve' | 'worker',
  settings: Record<string, string> = {},
): Promise<void> {
  const metrics = await freePort();
  const all = { ...settings, METRICS_PORT: String(metrics) };
  const port = name === 'web1' ? Number(new URL(installation.url).port) : await freePort();
  const process =
    role === 'serve' ? await installation.serve({ port, settings: all }) : await installation.work({ settings: all });
  processes.set(name, { process, metrics });
}

/** Lets Prometheus scrape the processes that run now. */
export function scrape({ prometheus, processes }: World): Promise<void> {
  return prometheus.scrape([...processes.values()].map(({ metrics }) => metrics));
}

/** Ends a process for good. */
async function end(world: World, name: string): Promise<void> {
  await world.processes.get(name)?.process.end('SIGTERM');
  world.processes.delete(name);
  await scrape(world);
}

/** Groups of faults that do not hide each other. */
export async function faultsOf(world: World): Promise<Fault[][]> {
  const { installation, database } = world;
  const blobs = join(installation.dataDir, 'blobs');
  const addJob = (options: string) =>
    database.query(`SELECT graphile_worker.add_job('validate-upload', '{"uploadId": 2000000000}'::json, ${options})`);
  const dropJobs = () => database.query('DELETE FROM graphile_worker._private_jobs');
  const jobsAndProcesses: Fault[] = [
    {
      name: 'a web process is killed',
      alert: 'AddonsProcessDown',
      cause: async () => {
        await world.processes.get('web2')?.process.end('SIGKILL');
        return () => end(world, 'web2');
      },
    },
    {
      name: 'no worker runs, and a job has waited for ten minutes',
      alert: 'AddonsNoWorker',
      cause: async () => {
        await end(world, 'worker');
        await addJob(`run_at => now() - interval '10 minutes'`);
        return async () => {
          await dropJobs();
          await start(world, 'worker', 'worker');
          await scrape(world);
        };
      },
    },
    { name: 'the job that waits', alert: 'AddonsQueueWaits', cause: async () => dropJobs },
    {
      name: 'a job has no attempts left',
      alert: 'AddonsJobsFailed',
      cause: async () => {
        await addJob(`run_at => now() + interval '1 day'`);
        await database.query(
          `UPDATE graphile_worker._private_jobs SET attempts = max_attempts, last_error = 'Injected' WHERE run_at > now()`,
        );
        return dropJobs;
      },
    },
    {
      name: 'a mail was refused for good',
      alert: 'AddonsMailsFailed',
      cause: async () => {
        await database.query(
          `INSERT INTO outgoing_mail (address, cause, subject, text, html, state) VALUES ('a@example.org', 'injected', 's', 't', 'h', 'failed')`,
        );
        return () => database.query(`DELETE FROM outgoing_mail WHERE cause = 'injected'`);
      },
    },
    {
      name: 'the search server is not there',
      alert: 'AddonsSearchDegraded',
      cause: async () => {
        await start(world, 'web3', 'serve', { ELASTICSEARCH_URL: 'http://127.0.0.1:1' });
        await scrape(world);
        return () => end(world, 'web3');
      },
    },
  ];
  return [jobsAndProcesses, files(world, blobs), requests(world), [connections(world)], [outage(world)]];
}

function files({ installation, database }: World, blobs: string): Fault[] {
  return [
    {
      name: 'a stored file has other bytes',
      alert: 'AddonsFilesDamaged',
      cause: async () => {
        const [{ sha256 = '' } = {}] = await database.query<{ sha256: string }>(
          'SELECT original_sha256 AS sha256 FROM file JOIN upload ON upload.version_id = file.version_id',
        );
        const file = join(blobs, sha256.slice(0, 2), sha256);
        await rename(file, `${file}.kept`);
        await writeFile(file, 'other bytes');
        await installation.run('storage', 'verify').catch(() => {});
        return async () => {
          await rename(`${file}.kept`, file);
          await installation.run('storage', 'verify');
        };
      },
    },
  ];
}

function requests(world: World): Fault[] {
  const { installation, database } = world;
  const flooding = new AbortController();
  return [
    {
      name: 'a table is missing',
      alert: 'AddonsErrors',
      cause: async () => {
        await database.query('ALTER TABLE replacement RENAME TO replacement_away');
        const url = `${installation.url}/api/v4/addons/replacement-addon/`;
        const asking = repeat({ method: 'GET', url }, flooding.signal, 200);
        return async () => {
          flooding.abort();
          await asking;
          await database.query('ALTER TABLE replacement_away RENAME TO replacement');
        };
      },
    },
    {
      name: 'more searches than connections, as each waits for a locked table',
      alert: 'AddonsUnavailable',
      cause: async () => {
        const unlock = lock(world, 'addon_search');
        const url = `${installation.url}/api/v4/addons/search/?q=watched`;
        const asking = Promise.all(
          Array.from({ length: 12 }, () => repeat({ method: 'GET', url }, flooding.signal, 20)),
        );
        return async () => {
          flooding.abort();
          await unlock();
          await asking;
        };
      },
    },
    {
      name: 'the folder of files is missing',
      alert: 'AddonsStorageDown',
      cause: async () => {
        const blobs = join(installation.dataDir, 'blobs');
        await rename(blobs, `${blobs}.away`);
        // A missing folder would be made.
        await writeFile(blobs, 'not a folder');
        return async () => {
          await rm(blobs, { recursive: true, force: true });
          await rename(`${blobs}.away`, blobs);
        };
      },
    },
  ];
}

/** Locks a table for as long as an alert may take. Returns the function that ends the lock. */
function lock({ database }: World, table: string): () => Promise<void> {
  const locked = database
    .query(`DO $$ BEGIN LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE; PERFORM pg_sleep(70); END $$`)
    .catch(() => {});
  return async () => {
    await database.query(
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE 'DO $$ BEGIN LOCK TABLE ${table} %'`,
    );
    await locked;
  };
}

async function repeat(request: Parameters<typeof exchange>[0], stop: AbortSignal, pauseMs: number): Promise<void> {
  while (!stop.aborted) {
    await exchange(request).catch(() => {});
    await sleep(pauseMs);
  }
}

function connections(world: World): Fault {
  const { installation } = world;
  return {
    name: 'a table is locked, and reads wait for it',
    alert: 'AddonsConnectionsExhausted',
    also: ['AddonsUnavailable', 'AddonsSlow', 'AddonsErrors'],
    cause: async () => {
      const unlock = lock(world, 'addon');
      const asking = new AbortController();
      // Each has a statement of its own: equal reads of pages share one.
      const body = Buffer.from(JSON.stringify({ query: '{ addons(first: 5) { totalCount nodes { slug } } }' }));
      const headers = { 'content-type': 'application/json' };
      const request = { method: 'POST', url: `${installation.url}/graphql`, headers, body };
      const readers = Array.from({ length: 60 }, () => repeat(request, asking.signal, 20));
      return async () => {
        asking.abort();
        await unlock();
        await Promise.all(readers);
      };
    },
  };
}

function outage({ database }: World): Fault {
  return {
    name: 'the database refuses connections',
    alert: 'AddonsDatabaseDown',
    also: ['AddonsUnavailable'],
    cause: async () => {
      // Its connection stays open, as no other one is accepted until the repair.
      const kept = new pg.Client({ connectionString: database.url });
      await kept.connect();
      const { rows } = await kept.query<{ name: string }>('SELECT current_database() AS name');
      const limit = (count: number) =>
        kept.query(`ALTER DATABASE ${pg.escapeIdentifier(rows[0]?.name ?? '')} CONNECTION LIMIT ${count}`);
      await limit(0);
      await kept.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'addons%'`,
      );
      return async () => {
        await limit(-1);
        await kept.end();
      };
    },
  };
}
