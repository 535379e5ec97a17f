/*
 * The numbers of add-ons: imported sums, and the ratings that count. A change adds its difference to the counts, while its transaction
 * holds the lock of the add-on, so that concurrent changes run one after the other and none is lost.
 */
import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { BulkSession } from '../../infra/bulk-session.ts';
import { db, Prisma, type Transaction } from '../../infra/db.ts';
import { publishNumbers } from '../listing/publish-numbers.ts';
import { interleavedBatches } from '../search/postgres/maintain/maintenance.ts';

/** What an account adds to the sums of an add-on: its newest rating that is neither deleted nor on hold. */
interface Vote {
  score: number;
  hasText: boolean;
}

async function readVote(tx: Transaction, addonId: number, accountId: number): Promise<Vote | null> {
  const [vote] = await tx.$queryRaw<Vote[]>`
    SELECT score::int, body IS NOT NULL AS "hasText" FROM rating
    WHERE addon_id = ${addonId} AND account_id = ${accountId} AND is_latest`;
  return vote ?? null;
}

/** Marks the newest rating of an account on an add-on among those that are shown, and counts the earlier ones of each. */
async function numberRatings(tx: Transaction, addonId: number, accountId: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE rating r SET is_latest = n.is_latest, previous_count = n.previous
    FROM (
      SELECT id, (row_number() OVER age)::int - 1 AS previous, lead(id) OVER age IS NULL AS is_latest FROM rating
      WHERE addon_id = ${addonId} AND account_id = ${accountId}
        AND reply_to IS NULL AND deleted_at IS NULL AND held_at IS NULL
      WINDOW age AS (ORDER BY created, id)
    ) n
    WHERE r.id = n.id AND (r.is_latest, r.previous_count) IS DISTINCT FROM (n.is_latest, n.previous)`;
}

/**
 * Runs a change to the ratings of an account on an add-on, which the transaction has locked, and updates the sums and what is published of
 * them. Call it for each change that can affect which rating counts, its score, or whether it has a text.
 */
export async function changingSums<Result>(
  tx: Transaction,
  { addonId, accountId }: { addonId: number; accountId: number },
  change: () => Promise<Result>,
): Promise<Result> {
  const before = await readVote(tx, addonId, accountId);
  const result = await change();
  await numberRatings(tx, addonId, accountId);
  const after = await readVote(tx, addonId, accountId);
  await addToSums(tx, addonId, before, after);
  return result;
}

const SCORES = [1, 2, 3, 4, 5];

async function addToSums(tx: Transaction, addonId: number, before: Vote | null, after: Vote | null): Promise<void> {
  const difference = (counts: (vote: Vote) => boolean) =>
    SCORES.map((score) => {
      const has = (vote: Vote | null) => Number(vote !== null && vote.score === score && counts(vote));
      return has(after) - has(before);
    });
  await tx.$executeRaw`
    INSERT INTO rating_sums AS s (addon_id, imported_count, imported_text_count, imported_average, scores, texts)
    SELECT id, rating_count, rating_text_count, rating_average, ${difference(() => true)}::int[],
      ${difference(({ hasText }) => hasText)}::int[]
    FROM addon WHERE id = ${addonId}
    ON CONFLICT (addon_id) DO UPDATE SET revision = excluded.revision,
      scores = ARRAY(SELECT a + b FROM unnest(s.scores, excluded.scores) AS pair(a, b)),
      texts = ARRAY(SELECT a + b FROM unnest(s.texts, excluded.texts) AS pair(a, b))`;
  if (before?.score === after?.score && before?.hasText === after?.hasText) return;
  await writeTotals(tx, [addonId]);
  await publishNumbers(tx, [addonId]);
}

/** Marks what lists show of the ratings of an add-on as changed. */
export async function touchRatings(tx: Transaction, addonId: number): Promise<void> {
  await addToSums(tx, addonId, null, null);
}

/**
 * SQL: the Bayesian average of `count` ratings with `average`. It starts from the mean `m` of all rated public add-ons, with the
 * weight of their mean number of ratings.
 */
const BAYESIAN = (count: string, average: string) => `CASE WHEN ${count} = 0 THEN 0
  ELSE (m.count * m.average + ${count} * ${average}) / (m.count + ${count}) END`;

/** The statement that writes the numbers of the add-ons $1 from their sums; those without sums keep what was imported. */
export const totalsStatement = `UPDATE addon a SET rating_count = n.count, rating_text_count = n.text_count, rating_average = n.average,
   rating_bayesian = ${BAYESIAN('n.count', 'n.average')}
 FROM rating_mean m, (
   SELECT p.id, coalesce(s.imported_count + given.count, p.rating_count) AS count,
     coalesce(s.imported_text_count + given.texts, p.rating_text_count) AS text_count,
     CASE WHEN s.addon_id IS NULL THEN p.rating_average WHEN given.count = 0 THEN s.imported_average
   ELSE (s.imported_count * s.imported_average + given.points) / (s.imported_count + given.count) END AS average
   FROM addon p LEFT JOIN rating_sums s ON s.addon_id = p.id LEFT JOIN LATERAL (
     SELECT sum(n)::int AS count, sum(n * score) AS points, sum(text)::int AS texts
     FROM unnest(s.scores, s.texts) WITH ORDINALITY AS each(n, text, score)
   ) given ON true
   WHERE p.id = ANY($1::int[])
 ) n WHERE a.id = n.id`;

/** Writes the numbers of add-ons from their sums. The caller has locked the add-ons, and publishes them. */
export async function writeTotals(tx: Transaction, addonIds: readonly number[]): Promise<void> {
  await tx.$executeRawUnsafe(totalsStatement, [...addonIds]);
}

/** Computes the mean that Bayesian averages start from. One statement, which reads all add-ons. */
export async function refreshMean(tx: Transaction): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO rating_mean (id, count, average)
    SELECT 1, coalesce(avg(rating_count), 0), coalesce(avg(rating_average), 0) FROM addon a
    WHERE ${Prisma.raw(IS_PUBLIC_ADDON)} AND rating_count > 0
    ON CONFLICT (id) DO UPDATE SET count = excluded.count, average = excluded.average`;
}

/** A smaller change of a Bayesian average than this is not worth a new document. */
const TOLERANCE = 1e-6;

/**
 * Computes the mean of the catalogue, and the Bayesian averages that it moves, in batches with transactions of their own. Safe to run
 * concurrently with all writers. Returns the number of changed add-ons. A job runs it each night.
 */
export async function recomputeBayesianAverages(): Promise<number> {
  await db.$transaction(refreshMean);
  const outdated = await BulkSession.during('addons-ratings', (session) =>
    session.query<{ id: number }>(`SELECT a.id FROM addon a, rating_mean m
      WHERE abs(a.rating_bayesian - ${BAYESIAN('a.rating_count', 'a.rating_average')}) > ${TOLERANCE} ORDER BY a.id`),
  );
  for (const ids of interleavedBatches(outdated.map(({ id }) => id))) {
    await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM addon WHERE id = ANY(${ids}) ORDER BY id FOR NO KEY UPDATE`;
      await writeTotals(tx, ids);
      await publishNumbers(tx, ids);
    });
  }
  return outdated.length;
}
