import { z } from 'zod';
import type {
  CompatOverridesQuery,
  LanguageToolsQuery,
  RecommendationsQuery,
  ReplacementsQuery,
} from '../../generated/operations/graphql.ts';
import { APPLICATIONS } from '../../package/words.ts';
import { translated } from '../translations.ts';
import type { View } from '../view.ts';
import { addonHit, addonJson } from './addons.ts';
import { moment, textField } from './text.ts';
import { file, fileJson } from './versions.ts';

const overriddenApplication = z.strictObject({
  name: z.enum(APPLICATIONS),
  id: z.int(),
  min_version: z.string(),
  max_version: z.string(),
  guid: z.string(),
});

/** The Compat override item (contract, Compat override item), keys in the order of its table. */
export const compatOverride = z
  .strictObject({
    addon_id: z.int().nullable(),
    addon_guid: z.string(),
    name: z.string(),
    version_ranges: z.array(
      z.strictObject({
        addon_min_version: z.string(),
        addon_max_version: z.string(),
        applications: z.array(overriddenApplication),
      }),
    ),
  })
  .meta({ id: 'CompatOverride' });

type CompatOverrideFields = CompatOverridesQuery['compatOverrides']['results'][number];

/** Returns the Compat override item (contract). */
export function compatOverrideJson(shown: CompatOverrideFields): z.infer<typeof compatOverride> {
  return {
    addon_id: shown.addonDatabaseId ?? null,
    addon_guid: shown.addonGuid,
    name: shown.name,
    version_ranges: shown.versionRanges.map((range) => ({
      addon_min_version: range.addonMinVersion,
      addon_max_version: range.addonMaxVersion,
      applications: range.applications.map((application) => ({
        name: application.app.toLowerCase() as Lowercase<typeof application.app>,
        id: application.databaseId,
        min_version: application.minVersion,
        max_version: application.maxVersion,
        guid: application.guid,
      })),
    })),
  };
}

/** The Replacement item (contract, Replacement item). */
export const replacement = z
  .strictObject({ guid: z.string(), replacement: z.array(z.string()) })
  .meta({ id: 'Replacement' });

type ReplacementFields = ReplacementsQuery['replacements']['results'][number];

/** Returns the Replacement item (contract). */
export function replacementJson(shown: ReplacementFields): z.infer<typeof replacement> {
  return { guid: shown.guid, replacement: shown.replacement };
}

const compatibleVersion = z.strictObject({
  id: z.int(),
  files: z.array(file),
  reviewed: moment.nullable(),
  version: z.string(),
});

/** The Language tool object (contract, Language tool), keys in the order of its list. */
export const languageTool = z
  .strictObject({
    id: z.int(),
    current_compatible_version: compatibleVersion.optional(),
    default_locale: z.string(),
    name: textField,
    guid: z.string(),
    locale_disambiguation: z.string(),
    slug: z.string().nullable(),
    target_locale: z.string(),
    type: z.enum(['language', 'dictionary']),
    url: z.url(),
  })
  .meta({ id: 'LanguageTool' });

type LanguageToolFields = LanguageToolsQuery['languageTools'][number];

function compatibleVersionJson(shown: NonNullable<LanguageToolFields['currentCompatibleVersion']>) {
  return {
    id: shown.databaseId,
    files: shown.files.map(fileJson),
    reviewed: shown.reviewed,
    version: shown.version,
  };
}

/** Returns the Language tool (contract). The version key is absent unless the request names an application version. */
export function languageToolJson(shown: LanguageToolFields, view: View) {
  const version = shown.currentCompatibleVersion;
  return {
    id: shown.databaseId,
    current_compatible_version: version ? compatibleVersionJson(version) : undefined,
    default_locale: shown.defaultLocale,
    name: translated(shown.name, view),
    guid: shown.guid,
    locale_disambiguation: shown.localeDisambiguation ?? '',
    slug: shown.slug,
    target_locale: shown.targetLocale ?? '',
    type: shown.type.toLowerCase(),
    url: shown.url,
  };
}

/** Schema of the recommendations response (contract, recommendations): the outcome, then one page. */
export const recommendations = z
  .strictObject({
    outcome: z.enum(['recommended', 'recommended_fallback', 'curated']),
    fallback_reason: z.enum(['timeout', 'no_results']).nullable(),
    next: z.null(),
    previous: z.null(),
    page_size: z.int(),
    page_count: z.int(),
    count: z.int().min(0).max(4),
    results: z.array(addonHit).max(4),
  })
  .meta({ id: 'Recommendations' });

/** Returns recommended add-ons in the form of search results, all with the same score. */
export function recommendationsJson({ recommendations: shown }: RecommendationsQuery, view: View) {
  return {
    outcome: shown.outcome.toLowerCase(),
    fallback_reason: shown.fallbackReason?.toLowerCase() ?? null,
    next: null,
    previous: null,
    // Clients expect 1 for both, whatever the number of results.
    page_size: 1,
    page_count: 1,
    count: shown.count,
    results: shown.results.map((addon) => ({
      ...addonJson(addon, view),
      _score: view.gates.searchScore ? 1 : undefined,
    })),
  };
}
