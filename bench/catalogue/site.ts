/*
 * The two servers of one catalogue: the service and the hand-written reference.
 */
import { join } from 'node:path';
import pg from 'pg';
import nodeSettings from '../../src/process/node-settings.json' with { type: 'json' };
import type { InstalledCatalogue } from '../installed-catalogue.ts';
import type { Job } from '../load-generator.ts';
import { familyTime, memoryOf, postmasterOf, processorTime, type ServerProcess, startServer } from '../processes.ts';
import type { LoadGenerator } from '../send-load.ts';
import { requestsFor, type Work } from './requests.ts';
import { MIRROR_URL, prepareWrites, type Writer } from './writes.ts';

export type Server = 'service' | 'reference';

const ROOT = join(import.meta.dirname, '..', '..');
const PROGRAMS: Record<Server, string[]> = {
  service: [join(ROOT, 'src', 'addons.js'), 'serve'],
  reference: [join(import.meta.dirname, 'reference', 'server.ts')],
};

/** Seconds of each burst that do not count: idle database connections are reopened. */
const WARM_UP = 0.25;

/** A burst of requests of one kind, per request. Without any response the cost is infinite. */
export interface Burst {
  perSecond: number;
  /** Processor time of the server and of PostgreSQL, in ms. */
  cost: number;
}

/** The servers over one catalogue. */
export interface Site {
  addons: number;
  /** The settings of its servers. */
  settings: Record<string, string>;
  database: pg.Client;
  postgres: string;
  /** Sends requests of one kind to one server for some seconds. */
  burst(work: Work, server: Server, generator: LoadGenerator, seconds: number): Promise<Burst>;
  /** The body of a server's response. @throws for any status but 200. */
  read(server: Server, path: string): Promise<string>;
  /** The body of the service's response. @throws for any status but 200. */
  send(request: Job['requests'][number]): Promise<string>;
  requests: Record<Work, Job['requests']>;
  /** Milliseconds until the body, and the status of a second request with the ETag of the first. */
  readTwice(path: string): Promise<{ milliseconds: number; again: number }>;
  /** Writes to the service at fixed rates. */
  writer: Writer;
  /** URL of the service, without a trailing slash. */
  url: string;
  /** Processor time of the service since its start, in ms. */
  processorTime(): Promise<number>;
  /** Resident memory of the service in MB. */
  memory(): Promise<{ current: number; peak: number }>;
  stop(): Promise<void>;
}

/** The settings of each server of an installation. URLs and keys are equal, so that the bytes can be equal. */
export const serverSettings = ({
  url,
  dataDir,
}: Pick<InstalledCatalogue, 'url' | 'dataDir'>): Record<string, string> => ({
  DATABASE_URL: url,
  DATA_DIR: dataDir,
  MIRROR_URL,
  ENVIRONMENT: 'development',
  HOST: '127.0.0.1',
  BASE_URL: 'http://addons.example',
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'warn',
  ELASTICSEARCH_URL: '',
  // As the launcher sets them.
  ...nodeSettings.environment,
  NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compile'),
  // The load comes from one address.
  CONNECTIONS_PER_ADDRESS: '2000',
});

/** Starts the servers of a catalogue. Bursts are sent over `connections` connections. */
export async function openSite(catalogue: InstalledCatalogue, connections: number): Promise<Site> {
  const database = new pg.Client({ connectionString: catalogue.url });
  // If something else fails, the database is stopped first, which is not another failure.
  database.on('error', () => {});
  await database.connect();
  const settings = serverSettings(catalogue);
  const start = (server: Server) => startServer(PROGRAMS[server], settings, '/api/v4/addons/search/');
  const [service, reference] = [await start('service'), await start('reference')];
  // Writes go to another process of the service, so that they cost all measured servers the same.
  const written = await start('service');
  const servers: Record<Server, ServerProcess> = { service, reference };
  const requests = await requestsFor(database);
  requests.unchanged = await withTags(service, requests.unchanged);
  const { rows: facts } = await database.query<{ version: string; pid: number; addons: number }>(
    `SELECT current_setting('server_version') AS version, pg_backend_pid() AS pid,
      (SELECT count(*)::int FROM addon) AS addons`,
  );
  const [{ version = '', pid = 0, addons = 0 } = {}] = facts;
  const postmaster = await postmasterOf(pid);
  return {
    addons,
    settings,
    database,
    writer: await prepareWrites(database, written.url, settings),
    url: service.url,
    postgres: `PostgreSQL ${version}`,
    requests,
    burst: async (work, server, generator, seconds) => {
      const job = { url: servers[server].url, requests: requests[work], connections };
      const status = work === 'unchanged' ? 304 : 200;
      await generator.send({ ...job, seconds: WARM_UP }, status);
      const spent = async () => (await processorTime(servers[server].pid)) + (await familyTime(postmaster));
      const before = await spent();
      const { requests: count, perSecond } = await generator.send({ ...job, seconds }, status);
      return { perSecond, cost: ((await spent()) - before) / count };
    },
    read: (server, path) => read(servers[server].url + path),
    send: ({ path, ...init }) => read(service.url + path, init),
    readTwice: (path) => readTwice(service.url + path),
    processorTime: () => processorTime(service.pid),
    memory: () => memoryOf(service.pid),
    stop: async () => {
      await Promise.all([...Object.values(servers), written].map((server) => server.stop()));
      await database.end();
    },
  };
}

async function read(address: string, init?: RequestInit): Promise<string> {
  const response = await fetch(address, init).catch((error: unknown) => {
    throw new Error(`No response from ${address}`, { cause: error });
  });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${address} returned ${response.status}: ${body}`);
  return body;
}

async function readTwice(address: string) {
  const started = performance.now();
  const first = await fetch(address);
  await first.arrayBuffer();
  const milliseconds = performance.now() - started;
  const again = await fetch(address, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
  await again.arrayBuffer();
  return { milliseconds, again: again.status };
}

/** Conditional requests with the current tags. */
async function withTags({ url }: ServerProcess, requests: Job['requests']): Promise<Job['requests']> {
  const tags = new Map<string, string>();
  for (const { path } of requests) {
    if (tags.has(path)) continue;
    const response = await fetch(url + path);
    await response.arrayBuffer();
    tags.set(path, response.headers.get('etag') ?? '');
  }
  return requests.map((request) => ({ ...request, headers: { 'if-none-match': tags.get(request.path) ?? '' } }));
}
