/*
 * Searches that go on all the time while something happens to the search server. Each is held against what has to be true of
 * it, and timed beside the same search of a service that has PostgreSQL alone.
 */
import type { TracingChannel } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { TestApp } from '../support/app.ts';

/** What a reader waits for a search server at most, beside the time that PostgreSQL takes. */
export const PATIENCE_MS = 300;

const QUERIES = ['tab', 'privacy', 'menu wizzard', 'fire', 'download', 'open image', 'timer', 'cleaner tool'];
const BETWEEN_MS = 20;

/** An answer to a reader. `waitedMs` of its time have passed between asking the search server and having done with it. */
export interface Timed {
  ms: number;
  waitedMs: number;
  /** What PostgreSQL alone took for the same, a moment before. */
  aloneMs: number;
}

/** The searches of one reader, one after the other. */
export class Traffic {
  /** Add-ons that no answer may have. */
  readonly hidden: ReadonlySet<number>;
  /** Everything that was answered so far. */
  readonly answers: Timed[] = [];
  /** Searches that had not done with the search server when a clock of `PATIENCE_MS` that started with them ran out. */
  overdue = 0;
  readonly #app: TestApp;
  readonly #serverUrl: string;
  readonly #stopListening: () => void;
  #waitedMs = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #isEnding = false;
  readonly #going: Promise<void>;

  /** Starts to search. */
  static async start(app: TestApp, serverUrl: string, hidden: ReadonlySet<number>): Promise<Traffic> {
    const { searchServerChannel } = await import('../../src/domain/search/engine/search-engine.ts');
    return new Traffic(app, serverUrl, hidden, searchServerChannel);
  }

  private constructor(app: TestApp, serverUrl: string, hidden: ReadonlySet<number>, questions: TracingChannel) {
    this.#app = app;
    this.#serverUrl = serverUrl;
    this.hidden = hidden;
    this.#stopListening = this.#listen(questions);
    this.#going = this.#go();
    this.#going.catch(() => {});
  }

  /**
   * Takes the time of each question to the search server, and starts a clock beside it. The clock is of the same process, so
   * which of the two ends first does not depend on how busy the machine is.
   */
  #listen(questions: TracingChannel): () => void {
    const open = new WeakMap<object, { at: number; clock: NodeJS.Timeout }>();
    const start = (question: object) => {
      const clock = setTimeout(() => (this.overdue += 1), PATIENCE_MS);
      open.set(question, { at: performance.now(), clock });
    };
    const asyncStart = (question: object) => {
      const asked = open.get(question);
      clearTimeout(asked?.clock);
      this.#waitedMs += performance.now() - (asked?.at ?? performance.now());
    };
    questions.subscribe({ start, asyncStart } as Parameters<TracingChannel['subscribe']>[0]);
    return () => void questions.unsubscribe({ start, asyncStart } as Parameters<TracingChannel['subscribe']>[0]);
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
      this.answers.push({ ms, waitedMs, aloneMs });
      await sleep(BETWEEN_MS);
    }
  }

  async #time(q: string): Promise<number> {
    const started = performance.now();
    const ids = await this.#ask(q);
    expect(ids.length).toBeGreaterThan(0);
    return performance.now() - started;
  }

  async #ask(q: string): Promise<number[]> {
    const reply = await this.#app.anonymous.get(`/api/v4/addons/search/?q=${encodeURIComponent(q)}`);
    expect(reply.status).toBe(200);
    const ids = (reply.json as { results: { id: number }[] }).results.map(({ id }) => id);
    expect(ids.filter((id) => this.hidden.has(id))).toEqual([]);
    return ids;
  }

  /** What a search finds, which shows nothing that is hidden. */
  find(q: string): Promise<number[]> {
    return this.inTurn(() => this.#ask(q));
  }

  /** Does something while this process has its search server, and nobody searches. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => {});
    return mine;
  }

  /** Does something as a service without a search server does. */
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

  /** Waits until so many more searches are answered, and returns them. */
  async next(count: number): Promise<Timed[]> {
    const from = this.answers.length;
    while (this.answers.length < from + count) await Promise.race([sleep(BETWEEN_MS), this.#going]);
    return this.answers.slice(from, from + count);
  }

  /** Stops to search. Throws when an answer was not what it had to be. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#going.finally(() => this.#stopListening());
  }
}

/** That value of some below or at which this part of them is. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0;
}
