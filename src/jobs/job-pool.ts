import { pool, sessionPool } from '../infra/db.ts';

type Connected = Parameters<typeof pool.connect>[0];

/**
 * The pool of the runner of jobs. The runner connects with a callback in order to listen, and only then: that connection keeps its
 * session. If it should not, the runner still finds jobs by polling.
 */
export function jobPool(): typeof pool {
  return Object.assign(Object.create(pool) as typeof pool, {
    connect: (connected?: Connected) => (connected === undefined ? pool.connect() : sessionPool.connect(connected)),
    query: pool.query.bind(pool),
  });
}
