/*
 * Notifications of the database. One connection per process listens to all channels, from the first subscription until the database
 * is closed. Triggers of `prisma/definitions` notify in the transaction of each change.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { databaseClosed, openDatabaseSession } from './db.ts';
import { log } from './log.ts';

/** Stages of versions and uploads; ids of add-ons whose update checks change; the read-only switch. */
const CHANNELS = ['version_stage', 'addon_updates', 'service_state'] as const;
type Channel = (typeof CHANNELS)[number];

/** What a channel's subscriber does with notifications. */
export interface Subscriber {
  /** Called with the payload of each notification. */
  notify(payload: string): void;
  /** Called when a connection starts to listen: notifications from before may be lost. */
  restart(): void;
  /** Called after each failed attempt to listen, and when a connection is lost. */
  lost?(error: unknown): void;
}

const RETRY_MS = { first: 100, max: 2_000 } as const;
const PING_MS = 1_000;
/** Replaces a connection that broke silently. */
const RESPONSE_MS = 2_000;

/** Named, so that it is recognizable in pg_stat_activity. */
const PING = 'SELECT 1 AS listener_ping';

const subscribers = new Map<string, Subscriber>();
let isStarted = false;
let isConnected = false;
let confirmed = Number.NEGATIVE_INFINITY;

/** Whether a connection listens. When it is lost, another one follows, with a `restart` of each subscriber. */
export const isListening = (): boolean => isConnected;

/** Notifications committed before this time have arrived; as `performance.now()`. Each ping proves it. */
export const confirmedTime = (): number => confirmed;

/** Makes `subscriber` the one of a channel, and starts to listen in the background. */
export function addSubscriber(channel: Channel, subscriber: Subscriber): void {
  subscribers.set(channel, subscriber);
  if (isStarted) return;
  isStarted = true;
  void run();
}

async function run(): Promise<void> {
  let wait: number = RETRY_MS.first;
  while (!databaseClosed.aborted) {
    try {
      await listen(() => {
        wait = RETRY_MS.first;
      });
    } catch (error) {
      if (databaseClosed.aborted) return;
      log.warn({ err: error }, 'Listening to the database failed; it is retried.');
      for (const subscriber of subscribers.values()) subscriber.lost?.(error);
    }
    await pause(wait);
    wait = Math.min(wait * 2, RETRY_MS.max);
  }
}

/** Listens until the connection is lost. */
async function listen(onSuccess: () => void): Promise<void> {
  const client = await openDatabaseSession('addons listen', { query_timeout: RESPONSE_MS });
  // Not `once` of node:events: its promise rejects on `error`, which precedes `end`.
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  client.on('notification', ({ channel, payload }) => subscribers.get(channel)?.notify(payload ?? ''));
  try {
    await client.query(CHANNELS.map((channel) => `LISTEN ${channel}`).join(';'));
    isConnected = true;
    for (const subscriber of subscribers.values()) subscriber.restart();
    onSuccess();
    while (!databaseClosed.aborted) await ping(client, ended);
  } finally {
    isConnected = false;
    void client.end().catch(() => {});
  }
}

async function ping(client: pg.Client, ended: Promise<unknown>): Promise<void> {
  const sent = performance.now();
  await client.query(PING);
  confirmed = sent;
  await Promise.race([pause(PING_MS), ended]);
}

/** Waits, unless the database is closed. Does not keep the process alive. */
const pause = (ms: number): Promise<void> =>
  sleep(ms, undefined, { ref: false, signal: databaseClosed }).catch(() => {});
