import { pool } from '../../infra/db.ts';
import { askRecommender, hasRecommender } from '../../infra/recommender.ts';
import { isGuid } from '../../package/manifest/identity.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import type { AddonType } from '../addons/enums.ts';
import { IS_PUBLIC, KEY_COLUMNS, KEY_JOIN, loadPublic } from './public-addons.ts';

/** How many recommendations are fetched (contract, Limits). */
const FETCHED = 4;

/** The documented outcomes; a reason goes with a fallback only (contract, recommendations). */
export type RecommendationsRow = { addons: AddonDocument[] } & (
  | { outcome: 'recommended' | 'curated'; fallbackReason: null }
  | { outcome: 'recommended_fallback'; fallbackReason: FallbackReason }
);

export type FallbackReason = 'timeout' | 'no_results';

interface Asked {
  guid?: string | null;
  recommended?: boolean | null;
  /** Types that are left out whatever is recommended. */
  except?: readonly AddonType[] | null;
}

/** Public add-ons among these guids, in their order. */
const BY_GUID = {
  name: 'recommended-addons',
  text: `SELECT ${KEY_COLUMNS} FROM unnest($1::text[]) WITH ORDINALITY w(guid, position)
    JOIN addon a ON a.guid = w.guid::citext ${KEY_JOIN}
    WHERE ${IS_PUBLIC} AND NOT a.type = ANY($2) GROUP BY a.id, d.row_version ORDER BY min(w.position)`,
};

/** The first public add-ons of the curated list. */
const CURATED = {
  name: 'curated-addons',
  text: `SELECT ${KEY_COLUMNS} FROM recommendation_fallback r JOIN addon a ON a.guid = r.guid ${KEY_JOIN}
    WHERE ${IS_PUBLIC} AND NOT a.type = ANY($1) ORDER BY r.position LIMIT ${FETCHED}`,
};

interface Key {
  id: number;
  rowVersion: string | null;
}

async function curated(except: readonly AddonType[]): Promise<AddonDocument[]> {
  return loadPublic((await pool.query<Key>({ ...CURATED, values: [except] })).rows);
}

/** What the service recommends for an add-on: the public ones among the first four, or why there are none. */
async function fromService(guid: string, except: readonly AddonType[]): Promise<AddonDocument[] | FallbackReason> {
  const advice = await askRecommender(guid);
  if (advice.kind === 'failed') return 'timeout';
  const { rows } = await pool.query<Key>({ ...BY_GUID, values: [advice.guids.slice(0, FETCHED), except] });
  const addons = await loadPublic(rows);
  return addons.length === 0 ? 'no_results' : addons;
}

/**
 * At most four public add-ons that go with one, or the curated list where that is asked for, or nothing better is known. What
 * is no guid is never sent to the service. At most four statements.
 */
export async function recommend({ guid, recommended, except }: Asked): Promise<RecommendationsRow> {
  const without = except ?? [];
  if (recommended !== true) return { outcome: 'curated', fallbackReason: null, addons: await curated(without) };
  const wanted = guid?.trim() ?? '';
  const found = isGuid(wanted) && hasRecommender() ? await fromService(wanted, without) : 'no_results';
  if (typeof found !== 'string') return { outcome: 'recommended', fallbackReason: null, addons: found };
  return { outcome: 'recommended_fallback', fallbackReason: found, addons: await curated(without) };
}
