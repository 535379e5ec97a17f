import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { databaseClosed, openSession } from './db.ts';
import { log } from './log.ts';

/** What a listener does with notifications. */
export interface Subscriber {
  /** Called with the payload of each notification. */
  notify(payload: string): void;
  /** Called when a connection starts to listen: notifications from before may be lost. */
  restart(): void;
}

const RETRY_MS = { first: 100, max: 2_000 } as const;
const PING_MS = 1_000;
const RESPONSE_MS = 2_000;

/** Named, so that it is recognizable in pg_stat_activity. */
const PING = 'SELECT 1 AS listener_ping';

/**
 * Listens to a channel of PostgreSQL on a separate connection, from `start` until the database is closed. A lost connection is
 * replaced. Each ping proves that all notifications committed before it have arrived.
 */
export class ChannelListener {
  readonly #channel: string;
  readonly #subscriber: Subscriber;
  #isStarted = false;
  #confirmed = Number.NEGATIVE_INFINITY;

  constructor(channel: string, subscriber: Subscriber) {
    this.#channel = channel;
    this.#subscriber = subscriber;
  }

  /** Notifications committed before this time have arrived; as `performance.now()`. */
  get confirmed(): number {
    return this.#confirmed;
  }

  /** Starts to listen in the background. Later calls do nothing. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    let wait: number = RETRY_MS.first;
    while (!databaseClosed.aborted) {
      try {
        await this.#listen(() => {
          wait = RETRY_MS.first;
        });
      } catch (error) {
        if (!databaseClosed.aborted)
          log.warn({ err: error, channel: this.#channel }, 'Listening failed; it is retried.');
      }
      await pause(wait);
      wait = Math.min(wait * 2, RETRY_MS.max);
    }
  }

  /** Listens until the connection is lost. */
  async #listen(onSuccess: () => void): Promise<void> {
    const client = await openSession(`addons listen ${this.#channel}`);
    // Not `once` of node:events: its promise rejects on `error`, which precedes `end`.
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    client.on('notification', ({ payload }) => this.#subscriber.notify(payload ?? ''));
    try {
      await inTime(client.query(`LISTEN ${this.#channel}`));
      this.#subscriber.restart();
      onSuccess();
      for (;;) await this.#ping(client, ended);
    } finally {
      void client.end().catch(() => {});
    }
  }

  async #ping(client: pg.Client, ended: Promise<unknown>): Promise<void> {
    const sent = performance.now();
    await inTime(client.query(PING));
    this.#confirmed = sent;
    await Promise.race([pause(PING_MS), ended]);
  }
}

/** Waits, unless the database is closed. Does not keep the process alive. */
const pause = (ms: number): Promise<void> =>
  sleep(ms, undefined, { ref: false, signal: databaseClosed }).catch(() => {});

/** @throws when `work` does not end in time, as on a connection that broke silently. */
async function inTime(work: Promise<unknown>): Promise<void> {
  const controller = new AbortController();
  const late = sleep(RESPONSE_MS, true, { ref: false, signal: controller.signal }).catch(() => false);
  try {
    if ((await Promise.race([work.then(() => false), late])) === true) throw new Error('the database does not respond');
  } finally {
    controller.abort();
  }
}
