import { z } from 'zod';
import type {
  CategoriesQuery,
  CompatOverridesQuery,
  LanguageToolsQuery,
  RecommendationsQuery,
  ReplacementsQuery,
} from '../../generated/operations/graphql.ts';
import { ADDON_TYPES, APPLICATIONS } from '../../package/enums.ts';
import type { View } from '../view.ts';
import { addonHit, addonShape } from './addons.ts';
import { listKey, shape } from './shape.ts';
import { dateTime, textKey } from './text.ts';
import { fileShape, mainFileKey } from './versions.ts';

type OverrideFields = CompatOverridesQuery['compatOverrides']['nodes'][number];
type RangeFields = OverrideFields['versionRanges'][number];

const overriddenApplication = shape<RangeFields['applications'][number]>({
  name: [z.enum(APPLICATIONS), ({ app }) => app.toLowerCase()],
  id: [z.int(), ({ databaseId }) => databaseId],
  min_version: [z.string(), ({ minVersion }) => minVersion],
  max_version: [z.string(), ({ maxVersion }) => maxVersion],
  guid: [z.string(), ({ guid }) => guid],
});

const versionRange = shape<RangeFields>({
  addon_min_version: [z.string(), ({ addonMinVersion }) => addonMinVersion],
  addon_max_version: [z.string(), ({ addonMaxVersion }) => addonMaxVersion],
  applications: [
    z.array(overriddenApplication.schema),
    ({ applications }, view) => applications.map((each) => overriddenApplication.write(each, view)),
  ],
});

/** The Compat override item (contract, Compat override item), keys in the documented order. */
export const compatOverride = shape<OverrideFields>(
  {
    addon_id: [z.int().nullable(), ({ addonDatabaseId }) => addonDatabaseId ?? null],
    addon_guid: [z.string(), ({ addonGuid }) => addonGuid],
    name: [z.string(), ({ name }) => name],
    version_ranges: [
      z.array(versionRange.schema),
      ({ versionRanges }, view) => versionRanges.map((each) => versionRange.write(each, view)),
    ],
  },
  'CompatOverride',
);

/** The Replacement item (contract, Replacement item). */
export const replacementShape = shape<ReplacementsQuery['replacements']['nodes'][number]>(
  {
    guid: [z.string(), ({ guid }) => guid],
    replacement: [z.array(z.string()), (shown) => shown.replacement],
  },
  'Replacement',
);

type ToolFields = LanguageToolsQuery['languageTools'][number];

type CompatibleVersion = NonNullable<ToolFields['compatibleVersion']>;

const compatibleVersion = shape<CompatibleVersion>({
  id: [z.int(), ({ databaseId }) => databaseId],
  files: { contract: listKey(fileShape, ({ files }: CompatibleVersion) => files).contract },
  file: { v5: mainFileKey },
  reviewed: [dateTime.nullable(), ({ reviewed }) => reviewed],
  version: [z.string(), ({ version }) => version],
});

const writeCompatibleVersion = ({ compatibleVersion: version }: ToolFields, view: View) =>
  version ? compatibleVersion.write(version, view) : undefined;

/** The Language tool object (contract, Language tool), keys in the documented order. */
export const languageTool = shape<ToolFields>(
  {
    id: [z.int(), ({ addon: { databaseId } }) => databaseId],
    // Absent unless the request names an application version.
    current_compatible_version: {
      contract: [compatibleVersion.schema.optional(), writeCompatibleVersion],
      v5: [compatibleVersion.v5.optional(), writeCompatibleVersion],
    },
    default_locale: [z.string(), ({ addon: { defaultLocale } }) => defaultLocale],
    name: textKey(({ addon: { name } }) => name),
    guid: [z.string(), ({ addon: { guid } }) => guid],
    locale_disambiguation: [z.string(), ({ addon: { localeDisambiguation } }) => localeDisambiguation ?? ''],
    slug: [z.string().nullable(), ({ addon: { slug } }) => slug],
    target_locale: [z.string(), ({ addon: { targetLocale } }) => targetLocale ?? ''],
    type: [z.enum(['language', 'dictionary']), ({ addon: { type } }) => type.toLowerCase()],
    url: [z.url(), ({ addon: { url } }) => url],
  },
  'LanguageTool',
);

/** The recommendations response (contract, recommendations): the outcome, then one page of add-ons with equal scores. */
export const recommendationsShape = shape<RecommendationsQuery['recommendations']>(
  {
    outcome: [z.enum(['recommended', 'recommended_fallback', 'curated']), ({ outcome }) => outcome.toLowerCase()],
    fallback_reason: [
      z.enum(['timeout', 'no_results']).nullable(),
      ({ fallbackReason }) => fallbackReason?.toLowerCase() ?? null,
    ],
    next: [z.null(), () => null],
    previous: [z.null(), () => null],
    // Clients expect 1 for both, whatever the number of results.
    page_size: [z.int(), () => 1],
    page_count: [z.int(), () => 1],
    count: [z.int().min(0).max(4), ({ count }) => count],
    results: [
      z.array(addonHit.schema).max(4),
      ({ results }, view) => {
        const score = view.gates.searchScore ? 1 : undefined;
        return results.map((each) => ({ ...addonShape.write(each, view), _score: score }));
      },
    ],
  },
  'Recommendations',
);

/** Slugs of the categories for everything that no other category is for. */
const MISC = ['other', 'miscellaneous'];

/** A category. */
export const categoryShape = shape<CategoriesQuery['categories'][number]>(
  {
    id: [z.int(), ({ databaseId }) => databaseId],
    name: [z.string(), ({ name, slug }) => name.value ?? slug],
    slug: [z.string(), ({ slug }) => slug],
    application: [z.enum(APPLICATIONS), ({ app }) => app.toLowerCase()],
    misc: [z.boolean(), ({ slug }) => MISC.includes(slug)],
    type: [z.enum(ADDON_TYPES), ({ type }) => type.toLowerCase()],
    weight: [z.int(), ({ weight }) => weight],
    // Categories have no descriptions here; front ends expect the key.
    description: [z.null(), () => null],
  },
  'Category',
);
