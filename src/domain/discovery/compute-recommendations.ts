/*
 * The reference recommender, for services that have no outside one: add-ons go with one that share its tags and categories,
 * the rarer the better, the popular ones before others. It is SQL over the whole catalogue, made once a night.
 */
import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { pool } from '../../infra/db.ts';

/** How many add-ons are kept for each: more than are shown, as some may leave the catalogue before the next night. */
const KEPT = 12;
/** Of each tag and category only the most popular add-ons are considered, so that the work grows with the catalogue alone. */
const CONSIDERED = 40;
const BATCH = 5_000;
const LOCK = 4_150_327;
/** For each statement. At 200,000 add-ons the longest takes seconds. */
const PATIENCE_MS = 300_000;

/** What an add-on shares with others. Categories are broad, so they count half. */
const TRAITS = `
  CREATE TEMP TABLE trait ON COMMIT DROP AS
  SELECT a.id AS addon_id, a.type, a.average_daily_users AS users, f.trait, f.value
  FROM addon a JOIN (
    SELECT addon_id, 't' || lower(tag) AS trait, 1.0 AS value FROM addon_tag
    UNION SELECT addon_id, 'c' || category_id, 0.5 FROM addon_category
  ) f ON f.addon_id = a.id
  WHERE ${IS_PUBLIC_ADDON}`;

const CANDIDATES = `
  CREATE TEMP TABLE candidate ON COMMIT DROP AS
  SELECT trait, type, addon_id, users, value * ln(1 + (SELECT count(DISTINCT addon_id) FROM trait)::float / shared) AS weight
  FROM (
    SELECT *, count(*) OVER (PARTITION BY trait, type) AS shared,
      row_number() OVER (PARTITION BY trait, type ORDER BY users DESC, addon_id) AS place
    FROM trait
  ) t WHERE shared > 1 AND place <= ${CONSIDERED}`;

const FRESH = `
  INSERT INTO fresh
  SELECT addon_id, array_agg(other ORDER BY place) FROM (
    SELECT t.addon_id, c.addon_id AS other, row_number() OVER (
      PARTITION BY t.addon_id ORDER BY sum(c.weight) * (1 + ln(1 + c.users) / 20) DESC, c.addon_id) AS place
    FROM trait t JOIN candidate c ON c.trait = t.trait AND c.type = t.type AND c.addon_id <> t.addon_id
    WHERE t.addon_id > $1 AND t.addon_id <= $2
    GROUP BY t.addon_id, c.addon_id, c.users
  ) ranked WHERE place <= ${KEPT} GROUP BY addon_id`;

const PREPARE = [
  TRAITS,
  'CREATE INDEX ON trait (addon_id)',
  'ANALYZE trait',
  CANDIDATES,
  'CREATE INDEX ON candidate (trait, type)',
  'ANALYZE candidate',
  'CREATE TEMP TABLE fresh (addon_id int PRIMARY KEY, recommended int[]) ON COMMIT DROP',
];

const REPLACE = [
  'DELETE FROM recommendation r WHERE NOT EXISTS (SELECT FROM fresh f WHERE f.addon_id = r.addon_id)',
  `INSERT INTO recommendation AS r (addon_id, recommended) SELECT f.addon_id, f.recommended FROM fresh f JOIN addon a ON a.id = f.addon_id
   ON CONFLICT (addon_id) DO UPDATE SET recommended = excluded.recommended
   WHERE r.recommended IS DISTINCT FROM excluded.recommended`,
];

/**
 * Finds anew which public add-ons go with each, and replaces what was found before, in one transaction. Does nothing while
 * another process is at it.
 */
export async function computeRecommendations(): Promise<void> {
  const client = await pool.connect();
  const run = (text: string, values: unknown[] = []) => {
    const query = { text, values, query_timeout: PATIENCE_MS };
    return client.query(query);
  };
  try {
    await run('BEGIN');
    await run(`SET LOCAL statement_timeout = ${PATIENCE_MS}`);
    const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS free', [LOCK]);
    if (rows[0]?.free) {
      for (const statement of PREPARE) await run(statement);
      const { rows: ends } = await client.query<{ last: number }>(
        'SELECT coalesce(max(addon_id), 0) AS last FROM trait',
      );
      for (let start = 0; start < (ends[0]?.last ?? 0); start += BATCH) await run(FRESH, [start, start + BATCH]);
      for (const statement of REPLACE) await run(statement);
    }
    await run('COMMIT');
    client.release();
  } catch (error) {
    // The connection may be in the middle of anything; it is not used again.
    client.release(true);
    throw error;
  }
}
