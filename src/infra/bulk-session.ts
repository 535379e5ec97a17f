import { once } from 'node:events';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { connectionSettings } from './db.ts';

/** A value as COPY takes it: objects that are no lists become JSON. */
export type CopyValue = string | number | boolean | null | readonly string[] | Readonly<Record<string, unknown>>;

const SPECIAL = /[\\\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

const escaped = (text: string): string => text.replace(SPECIAL, (character) => ESCAPES[character] ?? character);
const arrayItem = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

function copyText(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'string') return escaped(value);
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return escaped(`{${value.map(arrayItem).join(',')}}`);
  return escaped(JSON.stringify(value));
}

/** One row in COPY's text format. */
export function copyRow(values: readonly CopyValue[]): string {
  return `${values.map(copyText).join('\t')}\n`;
}

/**
 * A connection of its own for work on very many rows, whose statements may take as long as they need. It dies with its
 * process, and the server then undoes what was not committed.
 */
export class BulkSession {
  readonly #client: pg.Client;
  /** The last statement that was given, however it ends. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Connects. `name` is what the server's list of sessions shows. */
  static async open(name: string): Promise<BulkSession> {
    const client = new pg.Client({ ...connectionSettings(name), statement_timeout: 0 });
    // An error of an idle connection is thrown by the next statement; without a listener it would end the process.
    client.on('error', () => {});
    await client.connect();
    return new BulkSession(client);
  }

  /** Connects for as long as `work` takes. */
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

  /** Appends rows made by {@link copyRow} to a table. */
  async copy(table: string, columns: readonly string[], rows: string): Promise<void> {
    await this.#inTurn(async () => {
      const stream = this.#client.query(copyFrom(`COPY ${table} (${columns.join(', ')}) FROM STDIN`));
      const finished = once(stream, 'finish');
      stream.end(rows);
      await finished;
    });
  }

  /** Who does not wait for a statement may give the next: the session runs them in the order in which they were given. */
  #inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(run);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Takes a session lock unless another session has it; it ends with the session. */
  async tryLock(number: number): Promise<boolean> {
    const [row] = await this.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1::bigint) AS taken', [number]);
    return row?.taken === true;
  }

  /** Ends the connection; what was not committed is undone. */
  async close(): Promise<void> {
    await this.#client.end().catch(() => {});
  }
}
