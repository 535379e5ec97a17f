import { z } from 'zod';
import type {
  AddonDetailQuery,
  AddonHitFieldsFragment,
  AddonListFieldsFragment,
  AddonPoliciesQuery,
} from '../../generated/operations/graphql.ts';
import { ADDON_STATUSES, ADDON_TYPES } from '../../package/words.ts';
import { html, link } from '../links.ts';
import { translated } from '../translations.ts';
import { type Shape, shape } from './shape.ts';
import { moment, textField } from './text.ts';
import { addonVersion, hitVersion, perApplication, version } from './versions.ts';

/** An add-on as any of the operations selects it. Fields that an operation leaves out are absent in the JSON. */
type AddonFields = (AddonHitFieldsFragment | AddonListFieldsFragment) &
  Partial<Pick<NonNullable<AddonDetailQuery['addon']>, 'viewerSeesUnlisted' | 'latestUnlistedVersion'>>;

const size = z.tuple([z.int(), z.int()]);

const preview = shape<AddonFields['previews'][number]>({
  id: [z.int(), ({ databaseId }) => databaseId],
  caption: [textField, ({ caption }, view) => translated(caption, view)],
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
  description: [z.string().nullable(), ({ description }, view) => html(description?.value ?? null, view)],
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
    byApplication[key] = [...(byApplication[key] ?? []), slug];
  }
  return byApplication;
}

const comments: Parameters<typeof shape<AddonFields>>[0][string] = [
  textField,
  ({ developerComments }, view) => html(translated(developerComments, view), view),
];

/** Contract, Add-on type values. */
export const addonType = z.enum(ADDON_TYPES);

/** The Add-on object (contract, Add-on), keys in the order of its table. */
export const addon: Shape<AddonFields> = shape<AddonFields>(
  {
    id: [z.int(), ({ databaseId }) => databaseId],
    authors: [z.array(author.schema), ({ authors }, view) => authors.map((each) => author.write(each, view))],
    average_daily_users: [z.int(), ({ averageDailyUsers }) => averageDailyUsers],
    categories: [perApplication(z.array(z.string())), slugsByApplication],
    contributions_url: [z.string().nullable(), ({ contributionsUrl }, view) => link(contributionsUrl, view)],
    created: [moment.optional(), ({ created }, { gates }) => (gates.addonCreated ? created : undefined)],
    current_version: [
      addonVersion.nullable(),
      ({ currentVersion }, view) => currentVersion && version.write(currentVersion, view),
    ],
    default_locale: [z.string(), ({ defaultLocale }) => defaultLocale],
    description: [textField, ({ description }, view) => html(translated(description, view), view)],
    // The contract prints the key with a space; clients use both.
    'developer comments': comments,
    developer_comments: comments,
    edit_url: [z.url(), ({ editUrl }) => editUrl],
    guid: [z.string(), ({ guid }) => guid],
    has_eula: [z.boolean(), ({ hasEula }) => hasEula],
    has_privacy_policy: [z.boolean(), ({ hasPrivacyPolicy }) => hasPrivacyPolicy],
    homepage: [textField, ({ homepage }, view) => link(translated(homepage, view), view)],
    icon_url: [z.url(), ({ iconUrl }) => iconUrl],
    icons: [
      z.strictObject({ 32: z.url(), 64: z.url() }),
      ({ icons }) => Object.fromEntries(icons.map(({ size: width, url }) => [width, url])),
    ],
    is_disabled: [z.boolean(), ({ isDisabled }) => isDisabled],
    is_experimental: [z.boolean(), ({ isExperimental }) => isExperimental],
    is_featured: [z.boolean(), ({ isFeatured }) => isFeatured],
    is_source_public: [z.boolean(), ({ isSourcePublic }) => isSourcePublic],
    name: [textField, ({ name }, view) => translated(name, view)],
    last_updated: [moment, ({ lastUpdated }) => lastUpdated],
    // Absent for viewers without the permission.
    latest_unlisted_version: [
      addonVersion.nullable().optional(),
      ({ viewerSeesUnlisted, latestUnlistedVersion: unlisted = null }, view) =>
        viewerSeesUnlisted ? unlisted && version.write(unlisted, view) : undefined,
    ],
    previews: [z.array(preview.schema), ({ previews }, view) => previews.map((each) => preview.write(each, view))],
    public_stats: [z.boolean(), ({ publicStats }) => publicStats],
    ratings: [ratings.schema, (shown, view) => ratings.write(shown.ratings, view)],
    ratings_url: [z.url(), ({ ratingsUrl }) => ratingsUrl],
    requires_payment: [z.boolean(), ({ requiresPayment }) => requiresPayment],
    requires_sensitive_data_access: [z.boolean(), ({ requiresSensitiveDataAccess }) => requiresSensitiveDataAccess],
    review_url: [z.url(), ({ reviewUrl }) => reviewUrl],
    slug: [z.string().nullable(), ({ slug }) => slug],
    status: [z.enum(ADDON_STATUSES), ({ status }) => status.toLowerCase().replaceAll('_', '-')],
    summary: [textField, ({ summary }, view) => translated(summary, view)],
    support_email: [textField, ({ supportEmail }, view) => translated(supportEmail, view)],
    support_url: [textField, ({ supportUrl }, view) => link(translated(supportUrl, view), view)],
    tags: [z.array(z.string()), ({ tags }) => tags],
    theme_data: [
      themeData.schema.optional(),
      ({ databaseId, themeData: theme }, view) => (theme ? themeData.write({ ...theme, databaseId }, view) : undefined),
    ],
    type: [addonType, ({ type }) => type.toLowerCase()],
    url: [z.url(), ({ url }) => url],
    weekly_downloads: [
      z.int().optional(),
      ({ type, weeklyDownloads }) => (type === 'PERSONA' ? undefined : weeklyDownloads),
    ],
  },
  'Addon',
);

/** Schema of the Add-on object in search results and recommendations. */
export const addonHit = addon.schema
  .omit({ latest_unlisted_version: true })
  .extend({
    authors: z.array(author.schema.omit({ picture_url: true })),
    current_version: hitVersion.nullable(),
    _score: z.number().optional(),
  })
  .meta({ id: 'AddonOfResult' });

export const featureCompatibility = z
  .strictObject({ e10s: z.enum(['compatible', 'compatible-webextension', 'incompatible', 'unknown']) })
  .meta({ id: 'FeatureCompatibility' });

export const policies = shape<Pick<NonNullable<AddonPoliciesQuery['addon']>, 'eula' | 'privacyPolicy'>>(
  {
    eula: [textField, ({ eula }, view) => html(translated(eula, view), view)],
    privacy_policy: [textField, ({ privacyPolicy }, view) => html(translated(privacyPolicy, view), view)],
  },
  'Policies',
);
