/* The first page of a queue of 10,000 versions that wait for review: its processor time. */
import type pg from 'pg';
import { familyTime, processorTime, type ServerProcess } from '../processes.ts';
import type { Row } from '../report.ts';
import { read } from './code.ts';

const WAITING = 10_000;
const ROUNDS = 300;
/** V8 optimises what a page runs during the first hundreds of requests. */
const WARM_UP = 300;
const GOAL_MS = 20;

/** The rows of the queue. `session` is that of a reviewer. */
export async function queueRows(
  database: pg.Client,
  { pid, url }: ServerProcess,
  { session, postmaster }: { session: string; postmaster: number },
): Promise<Row[]> {
  await fillQueue(database);
  const send = async (count: number) => {
    for (let sent = 0; sent < count; sent++) await read(`${url}/reviewers/`, session);
  };
  await send(WARM_UP);
  const times = () => Promise.all([processorTime(pid), familyTime(postmaster)]);
  const before = await times();
  await send(ROUNDS);
  const after = await times();
  const [node = 0, postgres = 0] = after.map((time, index) => (time - (before[index] ?? 0)) / ROUNDS);
  const what = 'queue of 10,000 versions, first page of 50';
  const unit = 'ms';
  return [
    { what: `${what}: processor time of Node`, value: node, unit },
    { what: `${what}: processor time of PostgreSQL`, value: postgres, unit },
    { what: `${what}: processor time`, value: node + postgres, unit, goal: { max: GOAL_MS } },
  ];
}

/** Adds versions that wait to the add-ons of the catalogue, the same number to each, over some weeks. */
async function fillQueue(database: pg.Client): Promise<void> {
  const { rows } = await database.query<{ count: number }>('SELECT count(*)::int AS count FROM review_queue');
  await database.query(
    `WITH chosen AS (
       SELECT id, turn, row_number() OVER (ORDER BY turn, id) AS place
       FROM addon, generate_series(1, $1::int) AS turn WHERE type <> 'persona' AND deleted_at IS NULL
       ORDER BY turn, id LIMIT $1
     ), added AS (
       INSERT INTO version (addon_id, version, channel, stage, created, modified)
       SELECT id, (10000 + turn) || '.' || place, 'listed', 'awaiting_review', now() - place * interval '3 minutes', now() FROM chosen
       ON CONFLICT DO NOTHING RETURNING id
     )
     INSERT INTO file (version_id, name, size, sha256, original_sha256, permissions, is_stored)
     SELECT id, 'waiting.xpi', 1, repeat('0', 64), repeat('0', 64), '{}', false FROM added`,
    [Math.max(0, WAITING - (rows[0]?.count ?? 0))],
  );
  // Autovacuum would do it during the measurement, and its time would count.
  await database.query('VACUUM (ANALYZE)');
}
