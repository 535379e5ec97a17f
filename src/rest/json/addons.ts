import { z } from 'zod';
import type {
  AddonDetailQuery,
  AddonFieldsFragment,
  AddonHitFieldsFragment,
  AddonListFieldsFragment,
} from '../../generated/operations/graphql.ts';
import { ADDON_STATUSES, ADDON_TYPES } from '../../package/words.ts';
import { html, link } from '../links.ts';
import { translated } from '../translations.ts';
import type { View } from '../view.ts';
import { moment, textField } from './text.ts';
import { addonVersion, hitVersion, perApplication, versionJson } from './versions.ts';

const size = z.tuple([z.int(), z.int()]);
const author = { id: z.int(), name: z.string(), url: z.url().nullable(), username: z.string() };

const preview = z.strictObject({
  id: z.int(),
  caption: textField,
  image_size: size,
  image_url: z.string(),
  thumbnail_size: size,
  thumbnail_url: z.string(),
});

const themeData = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  accentcolor: z.string().nullable(),
  textcolor: z.string().nullable(),
  category: z.string(),
  author: z.string(),
  description: z.string().nullable(),
  header: z.string(),
  footer: z.string(),
  headerURL: z.string(),
  footerURL: z.string(),
  previewURL: z.string(),
  iconURL: z.string(),
  updateURL: z.url(),
  detailURL: z.url(),
  version: z.literal('1.0'),
});

const beforeVersion = {
  average_daily_users: z.int(),
  categories: perApplication(z.array(z.string())),
  contributions_url: z.string().nullable(),
  created: moment.optional(),
};

const betweenVersions = {
  default_locale: z.string(),
  description: textField,
  'developer comments': textField,
  developer_comments: textField,
  edit_url: z.url(),
  guid: z.string(),
  has_eula: z.boolean(),
  has_privacy_policy: z.boolean(),
  homepage: textField,
  icon_url: z.url(),
  icons: z.strictObject({ 32: z.url(), 64: z.url() }),
  is_disabled: z.boolean(),
  is_experimental: z.boolean(),
  is_featured: z.boolean(),
  is_source_public: z.boolean(),
  name: textField,
  last_updated: moment,
};

/** Contract, Add-on type values. */
export const addonType = z.enum(ADDON_TYPES);

const afterVersions = {
  previews: z.array(preview),
  public_stats: z.boolean(),
  ratings: z.strictObject({
    count: z.int(),
    text_count: z.int(),
    average: z.number(),
    bayesian_average: z.number(),
  }),
  ratings_url: z.url(),
  requires_payment: z.boolean(),
  requires_sensitive_data_access: z.boolean(),
  review_url: z.url(),
  slug: z.string().nullable(),
  status: z.enum(ADDON_STATUSES),
  summary: textField,
  support_email: textField,
  support_url: textField,
  tags: z.array(z.string()),
  theme_data: themeData.optional(),
  type: addonType,
  url: z.url(),
  weekly_downloads: z.int().optional(),
};

/** The Add-on object (contract, Add-on), keys in the order of its table. */
export const addon = z
  .strictObject({
    id: z.int(),
    authors: z.array(z.strictObject({ ...author, picture_url: z.string() })),
    ...beforeVersion,
    current_version: addonVersion.nullable(),
    ...betweenVersions,
    latest_unlisted_version: addonVersion.nullable().optional(),
    ...afterVersions,
  })
  .meta({ id: 'Addon' });

/** The Add-on object in search results and recommendations. */
export const addonHit = z
  .strictObject({
    id: z.int(),
    authors: z.array(z.strictObject(author)),
    ...beforeVersion,
    current_version: hitVersion.nullable(),
    ...betweenVersions,
    ...afterVersions,
    _score: z.number().optional(),
  })
  .meta({ id: 'AddonOfResult' });

/** An add-on as any of the operations selects it. Fields that an operation leaves out are absent in the JSON. */
type AddonFields = (AddonHitFieldsFragment | AddonListFieldsFragment) &
  Partial<Pick<NonNullable<AddonDetailQuery['addon']>, 'viewerSeesUnlisted' | 'latestUnlistedVersion'>>;

function categoriesJson(categories: AddonFieldsFragment['categories']): Record<string, string[]> {
  const byApplication: Record<string, string[]> = {};
  for (const { app, slug } of categories) {
    const key = app.toLowerCase();
    byApplication[key] = [...(byApplication[key] ?? []), slug];
  }
  return byApplication;
}

function authorJson(shown: AddonFields['authors'][number]) {
  return {
    id: shown.databaseId,
    name: shown.name,
    url: shown.url,
    username: shown.username,
    picture_url: 'pictureUrl' in shown ? shown.pictureUrl : undefined,
  };
}

function previewJson(shown: AddonFieldsFragment['previews'][number], view: View) {
  return {
    id: shown.databaseId,
    caption: translated(shown.caption, view),
    image_size: [shown.imageSize.width, shown.imageSize.height],
    image_url: shown.imageUrl,
    thumbnail_size: [shown.thumbnailSize.width, shown.thumbnailSize.height],
    thumbnail_url: shown.thumbnailUrl,
  };
}

function themeDataJson(id: number, theme: NonNullable<AddonFieldsFragment['themeData']>, view: View) {
  return {
    id: String(id),
    name: theme.name?.value ?? null,
    accentcolor: theme.accentColor,
    textcolor: theme.textColor,
    category: theme.category?.value ?? '',
    author: theme.author,
    description: html(theme.description?.value ?? null, view),
    header: theme.headerUrl ?? '',
    footer: theme.footerUrl ?? '',
    headerURL: theme.headerUrl ?? '',
    footerURL: theme.footerUrl ?? '',
    previewURL: theme.previewUrl ?? '',
    iconURL: theme.iconUrl,
    updateURL: theme.updateUrl,
    detailURL: theme.detailUrl,
    version: '1.0',
  };
}

/** The keys up to `current_version`. */
function headJson(shown: AddonFields, view: View) {
  return {
    id: shown.databaseId,
    authors: shown.authors.map(authorJson),
    average_daily_users: shown.averageDailyUsers,
    categories: categoriesJson(shown.categories),
    contributions_url: link(shown.contributionsUrl, view),
    created: view.gates.addonCreated ? shown.created : undefined,
    current_version: shown.currentVersion && versionJson(shown.currentVersion, view),
  };
}

/** The keys up to `latest_unlisted_version`, which is absent for viewers without the permission. */
function bodyJson(shown: AddonFields, view: View) {
  const comments = html(translated(shown.developerComments, view), view);
  const { viewerSeesUnlisted = false, latestUnlistedVersion: unlisted = null } = shown;
  return {
    default_locale: shown.defaultLocale,
    description: html(translated(shown.description, view), view),
    // The contract prints the key with a space; clients use both.
    'developer comments': comments,
    developer_comments: comments,
    edit_url: shown.editUrl,
    guid: shown.guid,
    has_eula: shown.hasEula,
    has_privacy_policy: shown.hasPrivacyPolicy,
    homepage: link(translated(shown.homepage, view), view),
    icon_url: shown.iconUrl,
    icons: Object.fromEntries(shown.icons.map(({ size: width, url }) => [width, url])),
    is_disabled: shown.isDisabled,
    is_experimental: shown.isExperimental,
    is_featured: shown.isFeatured,
    is_source_public: shown.isSourcePublic,
    name: translated(shown.name, view),
    last_updated: shown.lastUpdated,
    latest_unlisted_version: viewerSeesUnlisted ? unlisted && versionJson(unlisted, view) : undefined,
  };
}

/** Returns the Add-on object with the fields that the operation selected (contract, Add-on); keys in the order of the table. */
export function addonJson(shown: AddonFields, view: View) {
  return {
    ...headJson(shown, view),
    ...bodyJson(shown, view),
    previews: shown.previews.map((picture) => previewJson(picture, view)),
    public_stats: shown.publicStats,
    ratings: {
      count: shown.ratings.count,
      text_count: shown.ratings.textCount,
      average: shown.ratings.average,
      bayesian_average: shown.ratings.bayesianAverage,
    },
    ratings_url: shown.ratingsUrl,
    requires_payment: shown.requiresPayment,
    requires_sensitive_data_access: shown.requiresSensitiveDataAccess,
    review_url: shown.reviewUrl,
    slug: shown.slug,
    status: shown.status.toLowerCase().replaceAll('_', '-'),
    summary: translated(shown.summary, view),
    support_email: translated(shown.supportEmail, view),
    support_url: link(translated(shown.supportUrl, view), view),
    tags: shown.tags,
    theme_data: shown.themeData ? themeDataJson(shown.databaseId, shown.themeData, view) : undefined,
    type: shown.type.toLowerCase(),
    url: shown.url,
    weekly_downloads: shown.type === 'PERSONA' ? undefined : shown.weeklyDownloads,
  };
}

export const featureCompatibility = z
  .strictObject({ e10s: z.enum(['compatible', 'compatible-webextension', 'incompatible', 'unknown']) })
  .meta({ id: 'FeatureCompatibility' });

export const policies = z.strictObject({ eula: textField, privacy_policy: textField }).meta({ id: 'Policies' });
