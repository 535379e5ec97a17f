/*
 * Clients of one kind during an overload: `node bench/catalogue/overload-client.ts`, with a job as JSON on standard input, and its
 * outcome as JSON on standard output. A process of its own, so that no other client delays what it measures.
 */
import { connect, type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../measure.ts';

export interface OverloadJob {
  url: string;
  paths: string[];
  connections: number;
  milliseconds: number;
  /** Pause of a connection after a response, and after a 503. */
  pauseMs: { next: number; refused: number };
}

export interface OverloadOutcome {
  /** Responses by status; 0 is a failed connection. */
  statuses: Record<string, number>;
  /** Milliseconds from request to complete response. */
  p99: number;
  slowest: number;
  /** How late this process itself was, in ms: the figures above contain it. */
  lagP99: number;
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

  /** Resolves to the status once the response is complete; 0 when the connection fails. */
  get(path: string): Promise<number> {
    return new Promise((resolve) => {
      this.#finish = resolve;
      if (this.#socket.destroyed) return resolve(0);
      this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: ${this.#host}\r\n\r\n`);
    });
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

const { url, paths, connections, milliseconds, pauseMs } = JSON.parse(await text(process.stdin)) as OverloadJob;
const lag = monitorEventLoopDelay({ resolution: 1 });
const deadline = performance.now() + milliseconds;
const statuses: Record<string, number> = {};
const times: number[] = [];
lag.enable();
await Promise.all(Array.from({ length: connections }, (_, offset) => run(offset)));
const outcome: OverloadOutcome = {
  statuses,
  p99: percentile(times, 0.99),
  slowest: Math.max(...times),
  lagP99: lag.percentile(99) / 1e6,
};
console.log(JSON.stringify(outcome));

async function run(offset: number): Promise<void> {
  const connection = new Connection(url);
  for (let index = offset; performance.now() < deadline; index += connections) {
    const started = performance.now();
    const status = await connection.get(paths[index % paths.length] ?? '');
    times.push(performance.now() - started);
    statuses[status] = (statuses[status] ?? 0) + 1;
    const pause = status === 503 ? pauseMs.refused : pauseMs.next;
    if (pause > 0) await sleep(pause);
  }
  connection.close();
}
