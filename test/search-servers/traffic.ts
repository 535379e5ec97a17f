/*
 * Continuous searches during an outage of the search server. Each response is checked, and its time is compared with the same
 * search by PostgreSQL alone.
 */
import type { TracingChannel } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { TestApp } from '../support/app.ts';

/** Maximum wait for the search server, in addition to the time of PostgreSQL. */
export const PATIENCE_MS = 300;

const QUERIES = ['tab', 'privacy', 'menu wizzard', 'fire', 'download', 'open image', 'timer', 'cleaner tool'];
const BETWEEN_MS = 20;
const TURN_MS = 20;

/** The times of one search. `waitedMs` is the part of `ms` spent waiting for the search server. */
export interface Timed {
  ms: number;
  waitedMs: number;
  /** The time of the same search by PostgreSQL alone, just before. */
  aloneMs: number;
}

/** The searches of one client, one after the other. */
export class Traffic {
  /** Ids of add-ons that no response may contain. */
  readonly hidden: ReadonlySet<number>;
  /** The searches so far. */
  readonly responses: Timed[] = [];
  /** The number of searches that waited longer than `PATIENCE_MS` for the search server. */
  overdue = 0;
  readonly #app: TestApp;
  readonly #serverUrl: string;
  readonly #stopListening: () => void;
  #waitedMs = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #isEnding = false;
  readonly #going: Promise<void>;

  /** Starts searching. */
  static async start(app: TestApp, serverUrl: string, hidden: ReadonlySet<number>): Promise<Traffic> {
    const { searchServerChannel } = await import('../../src/domain/search/search-engine.ts');
    return new Traffic(app, serverUrl, hidden, searchServerChannel);
  }

  private constructor(app: TestApp, serverUrl: string, hidden: ReadonlySet<number>, requests: TracingChannel) {
    this.#app = app;
    this.#serverUrl = serverUrl;
    this.hidden = hidden;
    this.#stopListening = this.#listen(requests);
    this.#going = this.#go();
    this.#going.catch(() => {});
  }

  /**
   * Measures each request to the search server and starts a timer with it. The timer runs in the same process, so load of the
   * machine delays both.
   */
  #listen(requests: TracingChannel): () => void {
    const open = new WeakMap<object, { at: number; timer: NodeJS.Timeout }>();
    const start = (request: object) => {
      const late = { at: performance.now(), timer: setTimeout(() => second(), PATIENCE_MS) };
      // After a pause of this process both timers are due at once: the end of the request is then handled just after them.
      const second = () => (late.timer = setTimeout(() => (this.overdue += 1), TURN_MS));
      open.set(request, late);
    };
    const asyncStart = (request: object) => {
      const started = open.get(request);
      clearTimeout(started?.timer);
      this.#waitedMs += performance.now() - (started?.at ?? performance.now());
    };
    requests.subscribe({ start, asyncStart } as Parameters<TracingChannel['subscribe']>[0]);
    return () => void requests.unsubscribe({ start, asyncStart } as Parameters<TracingChannel['subscribe']>[0]);
  }

  async #go(): Promise<void> {
    for (let round = 0; !this.#isEnding; round++) {
      const q = QUERIES[round % QUERIES.length] ?? 'tab';
      const aloneMs = await this.alone(() => this.#time(q));
      const { waitedMs, ms } = await this.inTurn(async () => {
        this.#waitedMs = 0;
        const taken = await this.#time(q);
        return { ms: taken, waitedMs: this.#waitedMs };
      });
      this.responses.push({ ms, waitedMs, aloneMs });
      await sleep(BETWEEN_MS);
    }
  }

  async #time(q: string): Promise<number> {
    const started = performance.now();
    const ids = await this.#search(q);
    expect(ids.length).toBeGreaterThan(0);
    return performance.now() - started;
  }

  async #search(q: string): Promise<number[]> {
    const reply = await this.#app.anonymous.get(`/api/v4/addons/search/?q=${encodeURIComponent(q)}`);
    expect(reply.status).toBe(200);
    const ids = (reply.json as { results: { id: number }[] }).results.map(({ id }) => id);
    expect(ids.filter((id) => this.hidden.has(id))).toEqual([]);
    return ids;
  }

  /** Ids of the add-ons that a search returns, none of them hidden. */
  find(q: string): Promise<number[]> {
    return this.inTurn(() => this.#search(q));
  }

  /** Runs `work` while no search runs. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => {});
    return mine;
  }

  /** Runs `work` without a search server. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.inTurn(async () => {
      delete this.#app.config.ELASTICSEARCH_URL;
      try {
        return await work();
      } finally {
        this.#app.config.ELASTICSEARCH_URL = this.#serverUrl;
      }
    });
  }

  /** Waits for `count` more searches, and returns them. */
  async next(count: number): Promise<Timed[]> {
    const from = this.responses.length;
    while (this.responses.length < from + count) await Promise.race([sleep(BETWEEN_MS), this.#going]);
    return this.responses.slice(from, from + count);
  }

  /** Stops searching. Throws if a response was wrong. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#going.finally(() => this.#stopListening());
  }
}

/** The smallest value that at least this part of the values does not exceed. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0;
}
