/*
 * Behaviour under abuse: clients that never read their responses, and far more searches than the service can run.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../measure.ts';
import type { Row } from '../report.ts';
import type { Site } from './site.ts';

const SILENT_CONNECTIONS = 200;
const SILENT_REQUESTS = 200;
const SILENT_MS = 15_000;
const SEARCH_CONNECTIONS = 500;
const OVERLOAD_MS = 10_000;
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

interface Outcome {
  status: number;
  milliseconds: number;
}

async function overloadWithSearches({ url, requests }: Site) {
  const deadline = performance.now() + OVERLOAD_MS;
  const searches: Outcome[] = [];
  const details: Outcome[] = [];
  const client = async (offset: number): Promise<void> => {
    const connection = new Connection(url);
    for (let index = offset; performance.now() < deadline; index += SEARCH_CONNECTIONS) {
      const search = requests.search[index % requests.search.length];
      const outcome = await connection.get(search?.path ?? '');
      searches.push(outcome);
      // A refused client waits before it repeats the request.
      if (outcome.status === 503) await sleep(500);
    }
    connection.close();
  };
  const readDetails = async (): Promise<void> => {
    const connection = new Connection(url);
    for (let index = 0; performance.now() < deadline; index++) {
      details.push(await connection.get(requests.detail[index]?.path ?? ''));
      await sleep(DETAIL_INTERVAL_MS);
    }
    connection.close();
  };
  await Promise.all([readDetails(), ...Array.from({ length: SEARCH_CONNECTIONS }, (_, offset) => client(offset))]);
  const count = (status: number) => searches.filter((outcome) => outcome.status === status).length;
  return {
    detailP99: percentile(
      details.map(({ milliseconds }) => milliseconds),
      0.99,
    ),
    slowestSearch: Math.max(...searches.map(({ milliseconds }) => milliseconds)),
    completed: count(200) / (OVERLOAD_MS / 1000),
    refused: count(503) / (OVERLOAD_MS / 1000),
    others: searches.length - count(200) - count(503) + details.filter(({ status }) => status !== 200).length,
  };
}

/**
 * A connection for one request at a time. It only reads what the figures need: the status, and the length of the body. A full HTTP client
 * would take more processor time for 500 connections than the service.
 */
class Connection {
  readonly #socket: Socket;
  readonly #host: string;
  #received: Buffer = Buffer.alloc(0);
  #finish: (status: number) => void = () => {};

  constructor(url: string) {
    const { hostname, port, host } = new URL(url);
    this.#host = host;
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.on('data', (chunk) => this.#read(chunk));
    for (const event of ['error', 'close']) this.#socket.on(event, () => this.#finish(0));
  }

  /** Status 0 when the connection fails. */
  async get(path: string): Promise<Outcome> {
    const started = performance.now();
    const status = await new Promise<number>((resolve) => {
      this.#finish = resolve;
      if (this.#socket.destroyed) return resolve(0);
      this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: ${this.#host}\r\n\r\n`);
    });
    return { status, milliseconds: performance.now() - started };
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#received.toString('latin1', 0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#received.length < end + 4 + length) return;
    this.#received = Buffer.alloc(0);
    this.#finish(Number(head.slice(9, 12)));
  }
}
