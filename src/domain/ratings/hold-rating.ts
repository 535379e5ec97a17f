import { config } from '../../config.ts';
import type { Transaction } from '../../infra/db.ts';
import type { RatingRow } from './rating.ts';

type HoldReason = NonNullable<RatingRow['holdReason']>;

const LINK = /https?:|www\.|\b[\p{L}\d-]+\.(?:com|net|org|info|io|ru|cn|xyz|top|site|shop|online|de)\b/iu;

/** Whether the settings of the operator let a text wait for a moderator. */
function isSuspicious(body: string | null): boolean {
  if (body === null) return false;
  const text = body.toLowerCase();
  return (
    config.RATING_DENIED_WORDS.some((word) => text.includes(word.toLowerCase())) ||
    (config.RATING_HOLD_LINKS && LINK.test(body))
  );
}

/** Why a new rating waits for a moderator; null when it is shown at once. */
export async function holdReasonOf(
  tx: Transaction,
  accountId: number,
  body: string | null,
): Promise<HoldReason | null> {
  if (isSuspicious(body)) return 'text';
  const { RATING_NEW_ACCOUNT_DAYS: days, RATING_NEW_ACCOUNT_LIMIT: limit } = config;
  if (days === 0) return null;
  const [recent] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM account a JOIN rating r ON r.account_id = a.id AND r.reply_to IS NULL
      AND r.created > now() - interval '24 hours'
    WHERE a.id = ${accountId} AND a.created > now() - make_interval(days => ${days}::int)`;
  return (recent?.count ?? 0) >= limit ? 'new_account' : null;
}

/** The reason after a change of the text: other reasons than the text stay. */
export function holdReasonAfter(before: HoldReason | null, body: string | null): HoldReason | null {
  if (before !== null && before !== 'text') return before;
  return isSuspicious(body) ? 'text' : null;
}

/** Flags the ratings of one star that an add-on got within an hour, when their number reaches `RATING_FLOOD`. */
export async function flagFlood(tx: Transaction, addonId: number): Promise<void> {
  if (config.RATING_FLOOD === 0) return;
  await tx.$executeRaw`
    WITH flood AS MATERIALIZED (
      SELECT id FROM rating WHERE addon_id = ${addonId} AND score = 1 AND deleted_at IS NULL
        AND created > now() - interval '1 hour'
    ), flagged AS (
      INSERT INTO rating_flag (rating_id, reason) SELECT id, 'flood' FROM flood
      WHERE (SELECT count(*) FROM flood) >= ${config.RATING_FLOOD}::int
        AND NOT EXISTS (SELECT FROM rating_flag f WHERE f.rating_id = flood.id AND f.account_id IS NULL)
      RETURNING rating_id
    )
    UPDATE rating r SET open_flags = open_flags + 1 FROM flagged WHERE r.id = flagged.rating_id`;
}
