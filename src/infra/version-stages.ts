/*
 * How a web process hears of stages: one LISTEN connection, opened for the first watcher and closed after the last one has
 * gone. The database announces every change of a version's stage in the transaction that makes it (migration 0002).
 */
import pg from 'pg';
import { connectionSettings } from './db.ts';
import { log } from './log.ts';

/** A version has come to a stage. Null: the connection was away, so look at the version itself. */
export interface StageEvent {
  stage: string | null;
}

/** The changes of one version since it is watched. Ends when its reader leaves the loop. */
export interface StageChanges extends AsyncIterable<StageEvent> {
  /** Resolves when nothing can be missed any more: what is read of the version from then on is older than the events. */
  listening: Promise<void>;
  close(): void;
}

const CHANNEL = 'version_stage';
const RETRY_MS = { first: 100, most: 5_000 } as const;
const PING_MS = 15_000;
const IDLE_MS = 1_000;
const ANSWER_MS = 5_000;

const watchers = new Map<number, Set<EventQueue>>();
let connection: Promise<pg.Client> | undefined;

/** Events on their way to one reader, in order. */
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

/** Watches a version from now on. Whoever watches reads to the end or closes. */
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

/** How many watchers there are; for the metrics, and for tests that look for forgotten ones. */
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
 * Connects, as often as it takes: a watcher would rather wait than be told of a database that is away for a moment.
 * Gives up only when it is no longer wanted.
 */
async function connect(): Promise<pg.Client> {
  for (let wait: number = RETRY_MS.first; ; wait = Math.min(wait * 2, RETRY_MS.most)) {
    try {
      return await listen();
    } catch (error) {
      if (connection === undefined) throw error;
      log.warn({ err: error }, 'cannot listen for stages of versions; trying again');
      await new Promise((resolve) => setTimeout(resolve, wait).unref());
    }
  }
}

async function listen(): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionSettings('addons listen'),
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
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

/** Replaces a connection that is gone, unless it was closed on purpose, and sends every watcher to look for himself. */
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
