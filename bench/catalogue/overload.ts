/*
 * Behaviour under abuse: clients that never read their responses, and far more searches than the service can run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Row } from '../report.ts';
import type { OverloadJob, OverloadOutcome } from './overload-client.ts';
import type { Site } from './site.ts';

const SILENT_CONNECTIONS = 200;
const SILENT_REQUESTS = 200;
const SILENT_MS = 15_000;
const SEARCH_CONNECTIONS = 500;
const OVERLOAD_MS = 30_000;
/** A refused client waits before it repeats the request. */
const REFUSED_PAUSE_MS = 500;
const DETAIL_INTERVAL_MS = 20;

/** Rows on memory with connections that never read, and on latency during 500 connections of searches. */
export async function overloadRows(site: Site): Promise<Row[]> {
  const overload = await overloadWithSearches(site);
  await holdResponsesUnread(site);
  const { peak } = await site.memory();
  return [
    {
      what: 'Overload: detail during 500 connections of searches: p99',
      value: overload.detailP99,
      unit: 'ms',
      goal: { max: 100 },
    },
    { what: 'Overload: delay of the measuring client itself: p99', value: overload.lagP99, unit: 'ms' },
    { what: 'Overload: slowest search or refusal', value: overload.slowestSearch, unit: 'ms', goal: { max: 2_000 } },
    { what: 'Overload: completed searches', value: overload.completed, unit: '/s' },
    { what: 'Overload: searches with status 503', value: overload.refused, unit: '/s' },
    { what: 'Overload: other outcomes', value: overload.others, unit: 'requests', goal: { max: 0 } },
    { what: 'Peak memory with 200 connections that never read', value: peak, unit: 'MB', goal: { max: 600 } },
  ];
}

/** Sends pipelined requests for lists on many connections and reads nothing. */
async function holdResponsesUnread({ url, requests }: Site): Promise<void> {
  const { hostname, port } = new URL(url);
  const lines = requests.list
    .slice(0, SILENT_REQUESTS)
    .map(({ path }) => `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
    .join('');
  const sockets: Socket[] = [];
  for (let index = 0; index < SILENT_CONNECTIONS; index++) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.pause();
    socket.write(lines);
    sockets.push(socket);
  }
  await sleep(SILENT_MS);
  for (const socket of sockets) socket.destroy();
}

async function overloadWithSearches({ url, requests }: Site) {
  const pathsOf = (work: 'search' | 'detail') => requests[work].map(({ path }) => path);
  const job = { url, milliseconds: OVERLOAD_MS };
  const [searches, details] = await Promise.all([
    runClients({
      ...job,
      paths: pathsOf('search'),
      connections: SEARCH_CONNECTIONS,
      pauseMs: { next: 0, refused: REFUSED_PAUSE_MS },
    }),
    runClients({
      ...job,
      paths: pathsOf('detail'),
      connections: 1,
      pauseMs: { next: DETAIL_INTERVAL_MS, refused: DETAIL_INTERVAL_MS },
    }),
  ]);
  const { 200: completed = 0, 503: refused = 0, ...others } = searches.statuses;
  const { 200: _, ...failed } = details.statuses;
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0);
  return {
    detailP99: details.p99,
    lagP99: details.lagP99,
    slowestSearch: searches.slowest,
    completed: completed / (OVERLOAD_MS / 1000),
    refused: refused / (OVERLOAD_MS / 1000),
    others: sum(others) + sum(failed),
  };
}

async function runClients(job: OverloadJob): Promise<OverloadOutcome> {
  const child = spawn(process.execPath, [`${import.meta.dirname}/overload-client.ts`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(job));
  return JSON.parse(await text(child.stdout)) as OverloadOutcome;
}
