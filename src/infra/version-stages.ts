/*
 * Notifications of version stages: one LISTEN connection per process, open while there are watchers. A trigger notifies in
 * the transaction of every change of a stage (migration 0002).
 */
import pg from 'pg';
import { connectionSettings } from './db.ts';
import { log } from './log.ts';

/** The new stage of a version. Null after a lost connection: read the version instead. */
export interface StageEvent {
  stage: string | null;
}

/** The stage changes of one version from the start of the watch. Ends when the consumer leaves the loop. */
export interface StageChanges extends AsyncIterable<StageEvent> {
  /** Resolves once the connection listens. Later events are newer than any read of the version from then on. */
  listening: Promise<void>;
  close(): void;
}

const CHANNEL = 'version_stage';
const RETRY_MS = { first: 100, max: 5_000 } as const;
const PING_MS = 15_000;
const IDLE_MS = 1_000;
const RESPONSE_MS = 5_000;

const watchers = new Map<number, Set<EventQueue>>();
let connection: Promise<pg.Client> | undefined;

/** Undelivered events of one watcher, in order. */
class EventQueue implements AsyncIterator<StageEvent> {
  readonly #events: StageEvent[] = [];
  readonly #onClose: () => void;
  #wake: (() => void) | undefined;
  #closed = false;

  constructor(onClose: () => void) {
    this.#onClose = onClose;
  }

  push(event: StageEvent): void {
    this.#events.push(event);
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<StageEvent>> {
    while (!this.#closed && this.#events.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const event = this.#closed ? undefined : this.#events.shift();
    return event === undefined ? { done: true, value: undefined } : { done: false, value: event };
  }

  async return(): Promise<IteratorResult<StageEvent>> {
    this.#closed = true;
    this.#wake?.();
    this.#onClose();
    return { done: true, value: undefined };
  }
}

/** Starts to watch a version. The caller must leave the loop or call `close`. */
export function watchVersion(versionId: number): StageChanges {
  const queue = new EventQueue(() => {
    const others = watchers.get(versionId);
    others?.delete(queue);
    if (others?.size === 0) watchers.delete(versionId);
    if (watchers.size === 0) setTimeout(closeIdle, IDLE_MS).unref();
  });
  watchers.set(versionId, (watchers.get(versionId) ?? new Set()).add(queue));
  connection ??= connect();
  return {
    listening: connection.then(() => {}),
    close: () => void queue.return(),
    [Symbol.asyncIterator]: () => queue,
  };
}

/** Number of watchers, for metrics and tests. */
export function countWatchers(): number {
  return [...watchers.values()].reduce((sum, queues) => sum + queues.size, 0);
}

function closeIdle(): void {
  if (watchers.size === 0) void closeVersionStages();
}

/** Ends the connection and every watcher. */
async function closeVersionStages(): Promise<void> {
  const open = connection;
  connection = undefined;
  for (const queues of [...watchers.values()]) for (const queue of [...queues]) await queue.return();
  const client = await open?.catch(() => undefined);
  await client?.end();
}

/**
 * Connects with retries, because watchers outlast short outages of the database. Gives up once no watcher is left.
 */
async function connect(): Promise<pg.Client> {
  for (let wait: number = RETRY_MS.first; ; wait = Math.min(wait * 2, RETRY_MS.max)) {
    try {
      return await listen();
    } catch (error) {
      if (connection === undefined) throw error;
      log.warn({ err: error }, 'Listening for version stages failed; it is retried.');
      await new Promise((resolve) => setTimeout(resolve, wait).unref());
    }
  }
}

async function listen(): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionSettings('addons listen'),
    connectionTimeoutMillis: RESPONSE_MS,
    query_timeout: RESPONSE_MS,
  });
  client.on('notification', ({ payload }) => deliver(payload ?? ''));
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(`LISTEN ${CHANNEL}`);
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  const ping = setInterval(() => client.query('SELECT 1').catch(() => client.end()), PING_MS).unref();
  client.once('end', () => {
    clearInterval(ping);
    void replace(client);
  });
  return client;
}

/** Replaces a lost connection unless it was closed on purpose, and makes every watcher read its version. */
async function replace(lost: pg.Client): Promise<void> {
  const current = await connection;
  if (current !== lost) return;
  connection = connect();
  if ((await connection.catch(() => null)) === null) return;
  for (const queues of watchers.values()) for (const queue of queues) queue.push({ stage: null });
}

function deliver(payload: string): void {
  const { versionId, stage } = JSON.parse(payload) as { versionId: number; stage: string };
  for (const queue of watchers.get(versionId) ?? []) queue.push({ stage });
}
