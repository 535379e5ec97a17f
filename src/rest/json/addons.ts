import { z } from 'zod';
import { snakeCase } from '../../domain/listing/declared-fields.ts';
import { listingFields, type NamedListingField } from '../../domain/listing/fields.ts';
import type {
  AddonDetailQuery,
  AddonHitFieldsFragment,
  AddonListFieldsFragment,
  AddonPoliciesQuery,
} from '../../generated/operations/graphql.ts';
import { ADDON_STATUSES, ADDON_TYPES } from '../../package/enums.ts';
import { linkFor, outgoingAddress, wrapLinksInHtml } from '../links.ts';
import { type TextFields, translated } from '../translations.ts';
import type { View } from '../view.ts';
import { groupedCounts, groupedSchema } from './ratings.ts';
import { type GatedKey, listKey, type Shape, type ShapeKey, type ShapeKeys, shape } from './shape.ts';
import { addressOf, addressTexts, dateTime, textKey, translatedField } from './text.ts';
import { addonVersion, hitVersion, perApplication, type VersionFields, versionShape } from './versions.ts';

/** An add-on as any of the operations selects it. Fields that an operation leaves out are absent in the JSON. */
type AddonFields = (AddonHitFieldsFragment | AddonListFieldsFragment) &
  Partial<Pick<NonNullable<AddonDetailQuery['addon']>, 'viewerRights' | 'latestUnlistedVersion' | 'groupedRatings'>> & {
    /** The version of a submission. */
    version?: VersionFields;
  };

const size = z.tuple([z.int(), z.int()]);

const preview = shape<AddonFields['previews'][number]>({
  id: [z.int(), ({ databaseId }) => databaseId],
  caption: textKey(({ caption }) => caption),
  image_size: [size, ({ imageSize: { width, height } }) => [width, height]],
  image_url: [z.string(), ({ imageUrl }) => imageUrl],
  thumbnail_size: [size, ({ thumbnailSize: { width, height } }) => [width, height]],
  thumbnail_url: [z.string(), ({ thumbnailUrl }) => thumbnailUrl],
});

const author = shape<AddonFields['authors'][number]>({
  id: [z.int(), ({ databaseId }) => databaseId],
  name: [z.string(), ({ name }) => name],
  url: [z.url().nullable(), ({ url }) => url],
  username: [z.string(), ({ username }) => username],
  picture_url: [z.string(), (shown) => ('pictureUrl' in shown ? shown.pictureUrl : undefined)],
});

const ratings = shape<AddonFields['ratings']>({
  count: [z.int(), ({ count }) => count],
  text_count: [z.int(), ({ textCount }) => textCount],
  average: [z.number(), ({ average }) => average],
  bayesian_average: [z.number(), ({ bayesianAverage }) => bayesianAverage],
});

type Theme = NonNullable<AddonFields['themeData']>;

const themeData = shape<Theme & { databaseId: number }>({
  id: [z.string(), ({ databaseId }) => String(databaseId)],
  name: [z.string().nullable(), ({ name }) => name?.value ?? null],
  accentcolor: [z.string().nullable(), ({ accentColor }) => accentColor],
  textcolor: [z.string().nullable(), ({ textColor }) => textColor],
  category: [z.string(), ({ category }) => category?.value ?? ''],
  author: [z.string(), (theme) => theme.author],
  description: [z.string().nullable(), ({ description }) => wrapLinksInHtml(description?.value ?? null)],
  header: [z.string(), ({ headerUrl }) => headerUrl ?? ''],
  footer: [z.string(), ({ footerUrl }) => footerUrl ?? ''],
  headerURL: [z.string(), ({ headerUrl }) => headerUrl ?? ''],
  footerURL: [z.string(), ({ footerUrl }) => footerUrl ?? ''],
  previewURL: [z.string(), ({ previewUrl }) => previewUrl ?? ''],
  iconURL: [z.string(), ({ iconUrl }) => iconUrl],
  updateURL: [z.url(), ({ updateUrl }) => updateUrl],
  detailURL: [z.url(), ({ detailUrl }) => detailUrl],
  version: [z.literal('1.0'), () => '1.0'],
});

function slugsByApplication({ categories }: AddonFields): Record<string, string[]> {
  const byApplication: Record<string, string[]> = {};
  for (const { app, slug } of categories) {
    const key = app.toLowerCase();
    byApplication[key] ??= [];
    byApplication[key].push(slug);
  }
  return byApplication;
}

const comments = textKey<AddonFields>(({ developerComments }) => developerComments, wrapLinksInHtml);

/** A translated address on another site. */
function addressKey(field: 'homepage' | 'supportUrl'): GatedKey<AddonFields> {
  return {
    contract: [translatedField, (shown, view) => linkFor(translated(shown[field], view), view)],
    v5: [addressTexts, (shown, view) => outgoingAddress(translated(shown[field], view))],
  };
}

/** A version in an add-on: null without one, and left out where it is undefined. */
function versionKey(
  versionOf: (shown: AddonFields) => VersionFields | null | undefined,
): Required<GatedKey<AddonFields>> {
  const value = (shown: AddonFields, view: View) => {
    const found = versionOf(shown);
    return found && versionShape.write(found, view);
  };
  return {
    contract: [addonVersion.schema.nullable(), value],
    v5: [z.union([addonVersion.v5, z.null()]), value],
  };
}

const currentVersion = versionKey((shown) => shown.currentVersion);
/** Absent for viewers without the permission. */
const unlistedVersion = versionKey(({ viewerRights = [], latestUnlistedVersion = null }) =>
  viewerRights.includes('INSPECT_UNLISTED') ? latestUnlistedVersion : undefined,
);

/** The documented types (contract, Add-on type values). */
export const addonType = z.enum(ADDON_TYPES);

/** The keys of the Add-on object in the documented order (contract, Add-on). */
const ADDON_KEYS: ShapeKeys<AddonFields> = {
  id: [z.int(), ({ databaseId }) => databaseId],
  authors: [z.array(author.schema), ({ authors }, view) => authors.map((each) => author.write(each, view))],
  average_daily_users: [z.int(), ({ averageDailyUsers }) => averageDailyUsers],
  categories: [perApplication(z.array(z.string())), slugsByApplication],
  contributions_url: {
    contract: [z.string().nullable(), ({ contributionsUrl }, view) => linkFor(contributionsUrl, view)],
    v5: [addressOf(z.string()), ({ contributionsUrl }) => outgoingAddress(contributionsUrl)],
  },
  created: [dateTime.optional(), ({ created }, { gates }) => (gates.addonCreated ? created : undefined)],
  current_version: currentVersion,
  default_locale: [z.string(), ({ defaultLocale }) => defaultLocale],
  description: textKey(({ description }) => description, wrapLinksInHtml),
  // The contract prints the key with a space; clients use both.
  'developer comments': { contract: comments.contract },
  developer_comments: comments,
  edit_url: [z.url(), ({ editUrl }) => editUrl],
  guid: [z.string(), ({ guid }) => guid],
  has_eula: [z.boolean(), ({ hasEula }) => hasEula],
  has_privacy_policy: [z.boolean(), ({ hasPrivacyPolicy }) => hasPrivacyPolicy],
  homepage: addressKey('homepage'),
  icon_url: [z.url(), ({ iconUrl }) => iconUrl],
  icons: [
    z.strictObject({ 32: z.url(), 64: z.url() }),
    ({ icons }) => Object.fromEntries(icons.map(({ size: width, url }) => [width, url])),
  ],
  is_disabled: [z.boolean(), ({ isDisabled }) => isDisabled],
  is_experimental: [z.boolean(), ({ isExperimental }) => isExperimental],
  is_featured: { contract: [z.boolean(), ({ isFeatured }) => isFeatured] },
  is_source_public: { contract: [z.boolean(), ({ isSourcePublic }) => isSourcePublic] },
  name: textKey(({ name }) => name),
  last_updated: [dateTime, ({ lastUpdated }) => lastUpdated],
  latest_unlisted_version: {
    contract: [unlistedVersion.contract[0].optional(), unlistedVersion.contract[1]],
    v5: [unlistedVersion.v5[0].optional(), unlistedVersion.v5[1]],
  },
  previews: listKey(preview, ({ previews }) => previews),
  public_stats: { contract: [z.boolean(), ({ hasPublicStatistics }) => hasPublicStatistics] },
  ratings: [
    ratings.schema.extend({ grouped_counts: groupedSchema.optional() }),
    ({ ratings: sums, groupedRatings }, view) => ({
      ...ratings.write(sums, view),
      ...(groupedRatings ? { grouped_counts: groupedCounts(groupedRatings) } : {}),
    }),
  ],
  ratings_url: [z.url(), ({ ratingsUrl }) => ratingsUrl],
  requires_payment: [z.boolean(), ({ requiresPayment }) => requiresPayment],
  requires_sensitive_data_access: [z.boolean(), ({ requiresSensitiveDataAccess }) => requiresSensitiveDataAccess],
  review_url: [z.url(), ({ reviewUrl }) => reviewUrl],
  slug: [z.string().nullable(), ({ slug }) => slug],
  status: [z.enum(ADDON_STATUSES), ({ status }) => status.toLowerCase().replaceAll('_', '-')],
  summary: textKey(({ summary }) => summary),
  support_email: textKey(({ supportEmail }) => supportEmail),
  support_url: addressKey('supportUrl'),
  tags: [z.array(z.string()), ({ tags }) => tags],
  theme_data: [
    themeData.schema.optional(),
    ({ databaseId, themeData: theme }, view) => (theme ? themeData.write({ ...theme, databaseId }, view) : undefined),
  ],
  type: [addonType, ({ type }) => type.toLowerCase()],
  url: [z.url(), ({ url }) => url],
  // Only in responses to submissions.
  version: { v5: [versionShape.v5.optional(), ({ version: made }, view) => made && versionShape.write(made, view)] },
  versions_url: { v5: [z.url(), ({ url }) => `${url}versions/`] },
  weekly_downloads: [
    z.int().optional(),
    ({ type, weeklyDownloads }) => (type === 'PERSONA' ? undefined : weeklyDownloads),
  ],
};

/** The key of a listing field that the contract lacks. */
function listingKey({ name, kind, check }: NamedListingField): ShapeKey<AddonFields> {
  const valueIn = (shown: AddonFields): unknown => shown[name as keyof AddonFields];
  const textsIn = (shown: AddonFields) => valueIn(shown) as TextFields | null;
  if (kind === 'flag') return [z.boolean(), valueIn];
  if (kind === 'html') return textKey(textsIn, wrapLinksInHtml).v5;
  if (kind === 'texts') {
    return check === 'url'
      ? [addressTexts, (shown, view) => outgoingAddress(translated(textsIn(shown), view))]
      : textKey(textsIn).v5;
  }
  if (check !== 'url') return [z.string().nullable(), valueIn];
  return [addressOf(z.string()), (shown) => outgoingAddress(valueIn(shown) as string | null)];
}

const listingKeys = listingFields
  .filter(({ isInV5, name }) => isInV5 && !(snakeCase(name) in ADDON_KEYS))
  .map((field) => [snakeCase(field.name), { v5: listingKey(field) }] as const);

/** The Add-on object (contract, Add-on). */
export const addonShape: Shape<AddonFields> = shape<AddonFields>(
  { ...ADDON_KEYS, ...Object.fromEntries(listingKeys) },
  'Addon',
);

const hitKeys = {
  authors: z.array(author.schema.omit({ picture_url: true })),
  _score: z.number().optional(),
};

/** Schemas of the Add-on object in search results and recommendations. */
export const addonHit = {
  schema: addonShape.schema
    .omit({ latest_unlisted_version: true })
    .extend({ ...hitKeys, current_version: hitVersion.schema.nullable() })
    .meta({ id: 'AddonOfResult' }),
  v5: addonShape.v5
    .omit({ latest_unlisted_version: true, version: true })
    .extend({ ...hitKeys, current_version: z.union([hitVersion.v5, z.null()]) })
    .meta({ id: 'AddonOfResult' }),
};

export const featureCompatibility = z
  .strictObject({ e10s: z.enum(['compatible', 'compatible-webextension', 'incompatible', 'unknown']) })
  .meta({ id: 'FeatureCompatibility' });

export const policiesShape = shape<Pick<NonNullable<AddonPoliciesQuery['addon']>, 'eula' | 'privacyPolicy'>>(
  {
    eula: textKey(({ eula }) => eula, wrapLinksInHtml),
    privacy_policy: textKey(({ privacyPolicy }) => privacyPolicy, wrapLinksInHtml),
  },
  'Policies',
);
