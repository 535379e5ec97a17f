import type { Transaction } from '../../infra/db.ts';
import { refreshPopularityOf } from '../search/postgres/maintain/maintenance.ts';

/** Add-ons per statement, to stay within the statement timeout. */
const BATCH = 1_000;

/**
 * Updates users, downloads, hotness and ratings in the published documents and the search rows of these add-ons, in the
 * transaction that changed only these. Much cheaper than `publishAddons`: the numbers are adjacent in the text of a document and
 * are replaced there, and search terms stay. A few statements per 1,000 add-ons.
 */
export async function publishNumbers(tx: Transaction, addonIds: readonly number[]): Promise<void> {
  const ids = [...new Set(addonIds)].sort((one, other) => one - other);
  for (let start = 0; start < ids.length; start += BATCH) {
    const some = ids.slice(start, start + BATCH);
    await rewriteDocuments(tx, some);
    await refreshPopularityOf(tx, some);
  }
}

/**
 * Replaces the members from `averageDailyUsers` to `ratings` as a whole. The position is found by the first name and the name after
 * the last member, each with comma and colon: texts cannot contain them, since quotation marks in texts are escaped.
 */
async function rewriteDocuments(tx: Transaction, ids: number[]): Promise<void> {
  await tx.$queryRaw`SELECT FROM addon WHERE id = ANY(${ids}) ORDER BY id FOR NO KEY UPDATE`;
  await tx.$executeRaw`
    WITH fresh AS MATERIALIZED (
      SELECT a.id, substr(n.body, 2, length(n.body) - 2) AS members
      FROM addon a CROSS JOIN LATERAL (SELECT row_to_json(m)::text AS body FROM (SELECT
        a.average_daily_users AS "averageDailyUsers",
        a.weekly_downloads AS "weeklyDownloads",
        a.hotness AS "hotness",
        json_build_object('count', a.rating_count, 'textCount', a.rating_text_count,
          'average', a.rating_average, 'bayesianAverage', a.rating_bayesian) AS "ratings"
      ) m) n
      WHERE a.id = ANY(${ids})
    ), parts AS MATERIALIZED (
      SELECT d.addon_id, fresh.members, d.body::text AS body,
        strpos(d.body::text, ',"averageDailyUsers":') AS first, strpos(d.body::text, ',"e10s":') AS behind
      FROM addon_document d JOIN fresh ON fresh.id = d.addon_id
    )
    UPDATE addon_document d
    SET body = (left(p.body, p.first) || p.members || substr(p.body, p.behind))::json,
      row_version = nextval(pg_get_serial_sequence('addon_document', 'row_version'))
    FROM parts p
    WHERE d.addon_id = p.addon_id AND p.first > 0 AND p.behind > p.first
      AND substr(p.body, p.first + 1, p.behind - p.first - 1) <> p.members`;
}
