import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { pool, prepared } from '../../infra/db.ts';
import { fetchRecommendations, hasRecommender } from '../../infra/recommender.ts';
import { isGuid } from '../../package/manifest/identity.ts';
import type { AddonType } from '../../package/words.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import type { DocumentKey } from '../addons/load-documents.ts';
import { KEY_COLUMNS, KEY_JOIN, loadPublic } from '../addons/load-documents.ts';

/** Maximum number of recommendations (contract, Limits). */
const MAX_RECOMMENDATIONS = 4;

/** The documented outcomes; only a fallback has a reason (contract, recommendations). */
export interface RecommendationsRow {
  addons: AddonDocument[];
  outcome: 'recommended' | 'curated' | 'recommended_fallback';
  fallbackReason: 'timeout' | 'no_results' | null;
}

interface RecommendationRequest {
  guid?: string | null;
  recommended?: boolean | null;
  /** Types to exclude. */
  except?: readonly AddonType[] | null;
}

/** Public add-ons among these guids, in their order. */
const findByGuids = prepared<DocumentKey>(
  pool,
  'recommended-addons',
  `SELECT ${KEY_COLUMNS} FROM unnest($1::text[]) WITH ORDINALITY w(guid, position)
    JOIN addon a ON a.guid = w.guid::citext ${KEY_JOIN}
    WHERE ${IS_PUBLIC_ADDON} AND NOT a.type = ANY($2) GROUP BY a.id, d.row_version ORDER BY min(w.position)`,
);

/** The first public add-ons of the curated list. */
const findCurated = prepared<DocumentKey>(
  pool,
  'curated-addons',
  `SELECT ${KEY_COLUMNS} FROM recommendation_fallback r JOIN addon a ON a.guid = r.guid ${KEY_JOIN}
    WHERE ${IS_PUBLIC_ADDON} AND NOT a.type = ANY($1) ORDER BY r.position LIMIT ${MAX_RECOMMENDATIONS}`,
);

/** The stored recommendations for an add-on that are still public. */
const findStored = prepared<DocumentKey>(
  pool,
  'reference-recommendations',
  `SELECT ${KEY_COLUMNS} FROM addon given JOIN recommendation r ON r.addon_id = given.id
    CROSS JOIN unnest(r.recommended) WITH ORDINALITY w(id, position) JOIN addon a ON a.id = w.id ${KEY_JOIN}
    WHERE given.guid = $1::citext AND ${IS_PUBLIC_ADDON} AND NOT a.type = ANY($2) ORDER BY w.position LIMIT ${MAX_RECOMMENDATIONS}`,
);

const curated = async (except: readonly AddonType[]): Promise<AddonDocument[]> => loadPublic(await findCurated(except));

/** Recommendations for an add-on: public ones among the first four of the service, or those of the built-in recommender. */
async function keysFor(guid: string, except: readonly AddonType[]): Promise<DocumentKey[] | 'timeout'> {
  if (!hasRecommender()) return findStored(guid, except);
  const advice = await fetchRecommendations(guid);
  if (advice.kind === 'failed') return 'timeout';
  return findByGuids(advice.guids.slice(0, MAX_RECOMMENDATIONS), except);
}

/**
 * Returns at most four recommendations for an add-on. Returns the curated list on request, and as fallback if there are no
 * recommendations. Malformed guids are never sent to the service. At most four statements.
 */
export async function recommend({ guid, recommended, except }: RecommendationRequest): Promise<RecommendationsRow> {
  const without = except ?? [];
  if (recommended !== true) return { outcome: 'curated', fallbackReason: null, addons: await curated(without) };
  const wanted = guid?.trim() ?? '';
  const keys = isGuid(wanted) ? await keysFor(wanted, without) : [];
  const addons = keys === 'timeout' ? [] : await loadPublic(keys);
  if (addons.length > 0) return { outcome: 'recommended', fallbackReason: null, addons };
  const fallbackReason = keys === 'timeout' ? keys : 'no_results';
  return { outcome: 'recommended_fallback', fallbackReason, addons: await curated(without) };
}
