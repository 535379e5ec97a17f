/*
 * Loads staged ratings, and the sums of their add-ons. The line of an add-on has the part of its sums without rows, `ratings.imported`;
 * without it, all of them, and the ratings of the file are added.
 */
import type { BulkSession } from '../../infra/bulk-session.ts';
import { totalsStatement } from '../ratings/rating-sums.ts';
import { reserveIds } from './load-references.ts';

/** Add-ons whose ratings or imported sums the file has, and which have rows now or had some before. */
const TOUCHED = `CREATE TEMPORARY TABLE s_rated ON COMMIT DROP AS
  SELECT addon_id FROM s_rating UNION SELECT d.addon_id FROM s_addon s JOIN s_identity d USING (line)
  WHERE s.imported_count IS NOT NULL OR EXISTS (SELECT FROM rating_sums r WHERE r.addon_id = d.addon_id)`;

const NAMED = `UPDATE s_rating s SET addon_id = a.id, account_id = c.id, version_id = (
    SELECT v.id FROM version v WHERE v.addon_id = a.id AND v.version = s.version AND v.channel = 'listed'
    ORDER BY v.deleted_at IS NULL DESC, v.id DESC LIMIT 1)
  FROM addon a, account c WHERE a.guid = s.guid AND c.username = s.username`;

const VALUES = `s.version_id, s.score, s.body, CASE WHEN s.deleted THEN now() END,
  CASE WHEN s.hold_reason IS NOT NULL THEN now() END, s.hold_reason, s.created, s.updated`;

const LOADED = `INSERT INTO rating AS r (id, addon_id, account_id, reply_to, version_id, score, body, deleted_at, held_at, hold_reason, created, modified)
  SELECT s.id, s.addon_id, s.account_id, s.reply_to, ${VALUES} FROM s_rating s ORDER BY s.reply_to NULLS FIRST, s.id
  ON CONFLICT (id) DO UPDATE SET version_id = excluded.version_id, score = excluded.score, body = excluded.body,
    deleted_at = CASE WHEN excluded.deleted_at IS NOT NULL THEN coalesce(r.deleted_at, excluded.deleted_at) END,
    held_at = CASE WHEN excluded.held_at IS NOT NULL THEN coalesce(r.held_at, excluded.held_at) END,
    hold_reason = excluded.hold_reason, created = excluded.created, modified = excluded.modified,
    is_latest = r.is_latest AND excluded.deleted_at IS NULL AND excluded.held_at IS NULL`;

const NUMBERED = `UPDATE rating r SET is_latest = n.is_latest, previous_count = n.previous FROM (
    SELECT id, (row_number() OVER age)::int - 1 AS previous, lead(id) OVER age IS NULL AS is_latest FROM rating
    WHERE addon_id IN (SELECT addon_id FROM s_rating) AND reply_to IS NULL AND deleted_at IS NULL AND held_at IS NULL
    WINDOW age AS (PARTITION BY addon_id, account_id ORDER BY created, id)
  ) n WHERE r.id = n.id AND (r.is_latest, r.previous_count) IS DISTINCT FROM (n.is_latest, n.previous)`;

const counts = (condition: string) => `ARRAY(
  SELECT (SELECT count(*)::int FROM rating r WHERE r.addon_id = t.addon_id AND r.is_latest AND r.score = k AND ${condition})
  FROM generate_series(1, 5) AS k ORDER BY k)`;

const SUMMED = `INSERT INTO rating_sums (addon_id, imported_count, imported_text_count, imported_average, scores, texts)
  SELECT t.addon_id,
    CASE WHEN s.line IS NULL THEN coalesce(z.imported_count, a.rating_count) ELSE coalesce(s.imported_count, s.rating_count) END,
    CASE WHEN s.line IS NULL THEN coalesce(z.imported_text_count, a.rating_text_count)
      ELSE coalesce(s.imported_text_count, s.rating_text_count) END,
    CASE WHEN s.line IS NULL THEN coalesce(z.imported_average, a.rating_average) ELSE coalesce(s.imported_average, s.rating_average) END,
    ${counts('true')}, ${counts('r.body IS NOT NULL')}
  FROM s_rated t JOIN addon a ON a.id = t.addon_id LEFT JOIN rating_sums z ON z.addon_id = t.addon_id
  LEFT JOIN s_identity d ON d.addon_id = t.addon_id LEFT JOIN s_addon s ON s.line = d.line
  ON CONFLICT (addon_id) DO UPDATE SET imported_count = excluded.imported_count,
    imported_text_count = excluded.imported_text_count, imported_average = excluded.imported_average,
    scores = excluded.scores, texts = excluded.texts, revision = excluded.revision`;

/** Loads ratings and replies, and the sums of all add-ons that the file gives ratings or sums to. */
export async function loadRatings(session: BulkSession): Promise<void> {
  await session.query(NAMED);
  await session.query(TOUCHED);
  const [row] = await session.query<{ ids: number[] | null }>(
    'SELECT array_agg(addon_id ORDER BY addon_id) AS ids FROM s_rated',
  );
  const ids = row?.ids ?? [];
  if (ids.length === 0) return;
  await session.query('SELECT count(*) FROM (SELECT FROM addon WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE) l', [
    ids,
  ]);
  await reserveIds(session, 'rating', 's_rating');
  await session.query(LOADED);
  await session.query(NUMBERED);
  await session.query(SUMMED);
  // The totals of a line with imported sums are those of its own sums.
  const stated = 'SELECT d.addon_id FROM s_addon s JOIN s_identity d USING (line) WHERE s.imported_count IS NOT NULL';
  const [rest] = await session.query<{ ids: number[] | null }>(
    `SELECT array_agg(addon_id ORDER BY addon_id) AS ids FROM s_rated WHERE addon_id NOT IN (${stated})`,
  );
  if (rest?.ids) await session.query(totalsStatement, [rest.ids]);
}
