import pg from 'pg';

type Send = (statement: string | pg.QueryConfig) => Promise<pg.QueryResult>;
type Done = (error: unknown, result?: pg.QueryResult) => void;

const BEGINS = /^\s*(?:begin|start\s+transaction)\b/i;

/**
 * Clients of a pooler in transaction mode. Each transaction may run in another session of the server, so a client sets what its pool
 * sets in each transaction, by the SQL `settings`, and its statements have no names (docs/decisions.md D132). A statement outside a transaction gets one of its own.
 * Begin, statement and commit are sent together: a statement takes one round trip, as without a pooler.
 */
export function pooledClient(settings: string): typeof pg.Client {
  return class PooledClient extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(typeof config === 'string' ? { connectionString: config, pipeline: true } : { ...config, pipeline: true });
      const send: Send = (statement) => super.query(statement);
      const run = (given: string | pg.QueryConfig, ...rest: [(unknown[] | Done)?, Done?]): unknown => {
        const { name: _, ...statement } = typeof given === 'string' ? { text: given } : given;
        const [values, done] = Array.isArray(rest[0]) ? [rest[0], rest[1]] : [statement.values, rest[0] ?? rest[1]];
        const result = this.#run(send, { ...statement, ...(values === undefined ? {} : { values }) });
        if (done === undefined) return result;
        result.then((rows) => done(null, rows), done);
      };
      this.query = run as typeof this.query;
    }

    async #run(send: Send, statement: pg.QueryConfig): Promise<pg.QueryResult> {
      if (BEGINS.test(statement.text)) return first(await send(`${statement.text}; ${settings}`));
      const status = this.getTransactionStatus();
      if (status === 'T' || status === 'E') return send(statement);
      const [begun, result, committed] = await Promise.allSettled([
        send(`BEGIN; ${settings}`),
        send(statement),
        send('COMMIT'),
      ]);
      if (begun.status === 'rejected') throw begun.reason;
      if (result.status === 'rejected') throw result.reason;
      if (committed.status === 'rejected') throw committed.reason;
      return result.value;
    }
  };
}

/** The library returns a list of results for a text of several statements. */
const first = (results: unknown): pg.QueryResult => (Array.isArray(results) ? results[0] : results) as pg.QueryResult;
