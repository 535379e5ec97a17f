import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { Batcher } from '../../infra/batcher.ts';
import { lookupPool, pool, prepared } from '../../infra/db.ts';
import { fetchRecommendations, hasRecommender } from '../../infra/recommender.ts';
import type { AddonType } from '../../package/enums.ts';
import { isGuid } from '../../package/manifest/identity.ts';
import { Addon } from '../addons/addon.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import { type DocumentKey, KEY_COLUMNS, KEY_JOIN, loadPublic } from '../addons/load-documents.ts';

/** Maximum number of recommendations (contract, Limits). */
const MAX_RECOMMENDATIONS = 4;

/** The documented outcomes; only a fallback has a reason (contract, recommendations). */
interface RecommendationsRow {
  addons: AddonDocument[];
  outcome: 'recommended' | 'curated' | 'recommended_fallback';
  fallbackReason: 'timeout' | 'no_results' | null;
}

interface Wanted {
  /** Empty for the curated list. */
  guid: string;
  except: readonly AddonType[];
}

/** Public add-ons among these guids, each once, in their order, without some types. */
export const findPublicByGuids = prepared<DocumentKey>(
  pool,
  'public-addons-by-guid',
  `SELECT ${KEY_COLUMNS} FROM unnest($1::text[]) WITH ORDINALITY w(guid, position)
    JOIN addon a ON a.guid = w.guid::citext ${KEY_JOIN}
    WHERE ${IS_PUBLIC_ADDON} AND NOT a.type = ANY($2) GROUP BY a.id, d.row_version ORDER BY min(w.position)`,
);

/**
 * A list of add-ons, `from` with the order `position`, for each guid and types to exclude (joined by commas). One statement for
 * concurrent requests.
 */
function batchedList(name: string, from: string, position: string) {
  const read = prepared<DocumentKey & { place: string }>(
    lookupPool,
    name,
    `SELECT wanted.place, found.* FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted(guid, excluded, place)
      CROSS JOIN LATERAL (
        SELECT ${KEY_COLUMNS} FROM ${from} ${KEY_JOIN}
        WHERE ${IS_PUBLIC_ADDON} AND NOT a.type = ANY(string_to_array(wanted.excluded, ','))
        ORDER BY ${position} LIMIT ${MAX_RECOMMENDATIONS}
      ) found`,
  );
  const lists = new Batcher<string, DocumentKey[]>(async (keys) => {
    const wanted = keys.map((key) => JSON.parse(key) as Wanted);
    const guids = wanted.map(({ guid }) => guid);
    const rows = await read(
      guids,
      wanted.map(({ except }) => except.join()),
    );
    const byPlace = Map.groupBy(rows, ({ place }) => Number(place));
    return keys.map((_key, index) => byPlace.get(index + 1) ?? []);
  });
  return (wanted: Wanted): Promise<DocumentKey[]> => lists.load(JSON.stringify(wanted));
}

/** The first public add-ons of the curated list. */
const findCurated = batchedList(
  'curated-addons',
  'recommendation_fallback r JOIN addon a ON a.guid = r.guid',
  'r.position',
);

/** The stored recommendations for an add-on that are still public. */
const findStored = batchedList(
  'reference-recommendations',
  `addon given JOIN recommendation r ON r.addon_id = given.id AND given.guid = wanted.guid::citext
    CROSS JOIN unnest(r.recommended) WITH ORDINALITY w(id, position) JOIN addon a ON a.id = w.id`,
  'w.position',
);

const curated = async (except: readonly AddonType[]): Promise<AddonDocument[]> =>
  loadPublic(await findCurated({ guid: '', except }));

/** Recommendations for an add-on: public ones among the first four of the service, or those of the built-in recommender. */
async function keysFor(guid: string, except: readonly AddonType[]): Promise<DocumentKey[] | 'timeout'> {
  if (!hasRecommender()) return findStored({ guid, except });
  const advice = await fetchRecommendations(guid);
  if (advice.kind === 'failed') return 'timeout';
  return findPublicByGuids(advice.guids.slice(0, MAX_RECOMMENDATIONS), except);
}

/**
 * Returns at most four recommendations for an add-on, without add-ons of the types in `except`. Returns the curated list without a
 * guid, and as fallback if there are no recommendations. Malformed guids are never sent to the service. At most four statements.
 */
export async function recommendAddons(guid: string | null, except: readonly AddonType[]): Promise<RecommendationsRow> {
  if (guid === null) return { outcome: 'curated', fallbackReason: null, addons: await curated(except) };
  const wanted = guid.trim();
  const keys = isGuid(wanted) ? await keysFor(wanted, except) : [];
  const addons = keys === 'timeout' ? [] : await loadPublic(keys);
  if (addons.length > 0) return { outcome: 'recommended', fallbackReason: null, addons };
  const fallbackReason = keys === 'timeout' ? keys : 'no_results';
  return { outcome: 'recommended_fallback', fallbackReason, addons: await curated(except) };
}

const RecommendationOutcome = enumOf('RecommendationOutcome', 'Where recommended add-ons come from.', {
  recommended: 'From the recommendation service.',
  recommended_fallback: 'From the curated list, because the service timed out or had no results.',
  curated: 'From the curated list, as requested.',
});

const RecommendationFallbackReason = enumOf(
  'RecommendationFallbackReason',
  'Why the curated list replaces recommendations.',
  {
    timeout: 'The recommendation service did not respond in time.',
    no_results: 'No public add-on was recommended.',
  },
);

const Recommendations = builder.objectRef<RecommendationsRow>('Recommendations').implement({
  description: 'At most four public add-ons, recommended for users of another add-on.',
  fields: (t) => ({
    outcome: t.expose('outcome', { type: RecommendationOutcome, description: 'Where the add-ons come from.' }),
    fallbackReason: t.expose('fallbackReason', {
      type: RecommendationFallbackReason,
      nullable: true,
      description: 'Why the curated list was used; null unless outcome is RECOMMENDED_FALLBACK.',
    }),
    count: t.int({ description: 'Number of results, at most four.', resolve: ({ addons }) => addons.length }),
    results: t.expose('addons', { type: [Addon], description: 'The add-ons, best first.' }),
  }),
});

builder.queryField('recommendations', (t) =>
  t.field({
    type: Recommendations,
    description: 'Add-ons recommended for users of another add-on, or the curated list.',
    args: {
      guid: t.arg.string({ description: 'Guid of the other add-on; without it, the curated list.' }),
    },
    resolve: (_root, { guid }, { hiddenTypes = [] }) => recommendAddons(guid ?? null, hiddenTypes),
  }),
);

const recommendationsFor = perRequest<string, RecommendationsRow>((guids, { hiddenTypes = [] }) =>
  Promise.all(guids.map((guid) => recommendAddons(guid, hiddenTypes))),
);

builder.objectField(Addon, 'recommendations', (t) =>
  t.field({
    type: Recommendations,
    description:
      'Add-ons recommended for users of this one. An external recommendation service gets a request for each add-on.',
    extensions: { cost: 2_000 },
    resolve: ({ guid }, _args, context) => recommendationsFor(context).load(guid),
  }),
);
