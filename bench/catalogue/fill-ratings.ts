/*
 * Writes ratings to a catalogue without any: `node bench/catalogue/fill-ratings.ts N`, with the database in DATABASE_URL. N is the mean
 * number per public add-on, without replies and earlier ratings of the same accounts. The number falls with the rank by downloads: the
 * first add-on has about a fifth of all. Seven of ten ratings have a text, one of ten has a reply, one of ten replaced an earlier one of
 * its account, and one of fifty is deleted. Started again, it continues with what is not published yet.
 */
import { IS_PUBLIC_ADDON } from '../../src/auth/public-addon.ts';
import { publishNumbers } from '../../src/domain/listing/publish-numbers.ts';
import { recomputeBayesianAverages, writeTotals } from '../../src/domain/ratings/rating-sums.ts';
import { interleavedBatches } from '../../src/domain/search/postgres/maintain/maintenance.ts';
import { BulkSession } from '../../src/infra/bulk-session.ts';
import { closeDatabase, db } from '../../src/infra/db.ts';

/** The exponent of the distribution: the add-on at rank n has the ratings of the first, divided by n to this power. */
const STEEPNESS = 1.2;
/** The public add-ons with their rank and number of ratings, and the listed versions that ratings are about. */
const NUMBERS = (perAddon: number) => `
  CREATE TEMPORARY TABLE rated AS
  SELECT id, rank, round(count(*) OVER () * ${perAddon} * part / sum(part) OVER ())::int AS number, versions
  FROM (
    SELECT a.id, rank, power(rank, -${STEEPNESS}) AS part, versions
    FROM (SELECT a.*, row_number() OVER (ORDER BY weekly_downloads DESC, id) AS rank FROM addon a WHERE ${IS_PUBLIC_ADDON}) a
    CROSS JOIN LATERAL (
      SELECT array_agg(v.id ORDER BY v.id DESC) AS versions FROM version v WHERE v.addon_id = a.id AND v.channel = 'listed'
    ) listed
  ) ranked`;

/** As many accounts as the first add-on has ratings. */
const ACCOUNTS = `
  INSERT INTO account (username, display_name)
  SELECT 'bench-rater-' || n, 'Rater ' || n FROM generate_series(1, (SELECT max(number) FROM rated)) AS n`;

/** In the order of time, as the service writes them. Digits of `drawn` choose each property. */
const RATINGS = `
  INSERT INTO rating (addon_id, version_id, account_id, score, body, is_latest, previous_count, deleted_at, created, modified)
  SELECT addon_id, version_id, account_id, score, body, NOT is_deleted, (has_earlier AND NOT is_deleted)::int,
    CASE WHEN is_deleted THEN created + interval '1 day' END, created, created
  FROM (
    SELECT r.id AS addon_id, r.versions[1] AS version_id, raters.first + (n + r.rank * 7919) % raters.number AS account_id,
      (ARRAY[5, 5, 5, 5, 4, 4, 3, 2, 1, 1])[1 + drawn % 10] AS score,
      CASE WHEN drawn / 10 % 10 < 7 THEN repeat('Works as described. ', 1 + (drawn / 100 % 20)::int) END AS body,
      drawn / 2000 % 50 = 0 AS is_deleted,
      drawn / 100000 % 10 = 0 AND r.versions[2] IS NOT NULL AS has_earlier,
      timestamptz '2018-10-31' - drawn / 1000000 % 31536000 * interval '1 second' AS created
    FROM rated r CROSS JOIN LATERAL generate_series(1, r.number) AS n
    CROSS JOIN (SELECT min(id) AS first, count(*) AS number FROM account WHERE username LIKE 'bench-rater-%') raters
    CROSS JOIN LATERAL (SELECT hashint4extended(n, r.id) & ${Number.MAX_SAFE_INTEGER} AS drawn) draw
  ) rating ORDER BY created, addon_id, account_id`;

const EARLIER = `
  INSERT INTO rating (addon_id, version_id, account_id, score, body, created, modified)
  SELECT r.addon_id, rated.versions[2], r.account_id, r.score, r.body, r.created - interval '30 days', r.created - interval '30 days'
  FROM rating r JOIN rated ON rated.id = r.addon_id WHERE r.previous_count = 1`;

const REPLIES = `
  INSERT INTO rating (addon_id, version_id, account_id, reply_to, body, created, modified)
  SELECT r.addon_id, r.version_id, w.account_id, r.id, 'Thank you.', r.created + interval '1 day', r.created + interval '1 day'
  FROM rating r CROSS JOIN LATERAL (SELECT min(account_id) AS account_id FROM addon_author WHERE addon_id = r.addon_id) w
  WHERE r.is_latest AND r.id % 10 = 0 AND w.account_id IS NOT NULL`;

const countsOf = (condition: string): string =>
  `ARRAY[${[1, 2, 3, 4, 5].map((score) => `count(*) FILTER (WHERE score = ${score} AND ${condition})::int`).join(', ')}]`;

/** The sums of all rated add-ons, next to their imported numbers. */
const SUMS = `
  INSERT INTO rating_sums (addon_id, imported_count, imported_text_count, imported_average, scores, texts)
  SELECT a.id, a.rating_count, a.rating_text_count, a.rating_average, ${countsOf('is_latest')}, ${countsOf('is_latest AND body IS NOT NULL')}
  FROM rating r JOIN addon a ON a.id = r.addon_id GROUP BY a.id`;

/** Those whose published numbers are not those of their sums yet. */
const OUTDATED = `
  SELECT s.addon_id AS id FROM rating_sums s JOIN addon a ON a.id = s.addon_id
  WHERE a.rating_count <> s.imported_count + (SELECT sum(n) FROM unnest(s.scores) AS n) ORDER BY s.addon_id`;

const perAddon = Number(process.argv[2]);
if (!(perAddon > 0)) throw new Error('Name the number of ratings per add-on.');
const ids = await BulkSession.during('addons-bench', async (session) => {
  const [existing] = await session.query('SELECT FROM rating LIMIT 1');
  if (existing === undefined) {
    await session.query('BEGIN');
    for (const statement of [NUMBERS(perAddon), ACCOUNTS, RATINGS, EARLIER, REPLIES, 'ANALYZE rating', SUMS])
      await session.query(statement);
    await session.query('COMMIT');
  }
  return (await session.query<{ id: number }>(OUTDATED)).map(({ id }) => id);
});
for (const some of interleavedBatches(ids)) {
  await db.$transaction(async (tx) => {
    // A first change of a row can merge what waits for the text indexes.
    await tx.$executeRaw`SET LOCAL statement_timeout = 0`;
    await writeTotals(tx, some);
    await publishNumbers(tx, some);
  });
}
const moved = await recomputeBayesianAverages();
if (ids.length + moved > 0) await BulkSession.during('addons-bench', (session) => session.query('VACUUM ANALYZE'));
await closeDatabase();
