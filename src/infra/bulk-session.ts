import pg from 'pg';
import { sessionSettings } from './db.ts';

/** A connection for bulk work, without a statement timeout. The end of the process rolls back what was not committed. */
export class BulkSession {
  readonly #client: pg.Client;
  /** Settles with the last statement, and never rejects. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Connects. `name` is the application name of the session. */
  static async open(name: string): Promise<BulkSession> {
    const client = new pg.Client({ ...sessionSettings(name), statement_timeout: 0 });
    // An `error` event without a listener would end the process; the next statement throws the error.
    client.on('error', () => {});
    await client.connect();
    return new BulkSession(client);
  }

  /** Connects while `work` runs. */
  static async during<Result>(name: string, work: (session: BulkSession) => Promise<Result>): Promise<Result> {
    const session = await BulkSession.open(name);
    try {
      return await work(session);
    } finally {
      await session.close();
    }
  }

  /** Runs one statement, or several without values. Returns the rows of a single one. */
  async query<Row = Record<string, unknown>>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const result = await this.#inTurn(() =>
      values.length === 0 ? this.#client.query(text) : this.#client.query(text, [...values]),
    );
    return result.rows as Row[];
  }

  /** Runs statements in the order of the calls, whether or not callers wait. */
  #inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(run);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Tries to take a session advisory lock. Returns false when another session holds it. */
  async tryLock(number: number): Promise<boolean> {
    const [row] = await this.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1::bigint) AS taken', [number]);
    return row?.taken === true;
  }

  /** Ends the connection and rolls back what was not committed. */
  async close(): Promise<void> {
    await this.#client.end().catch(() => {});
  }
}
