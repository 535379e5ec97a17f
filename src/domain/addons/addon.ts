import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { loadableNode } from '../../graphql/loadable-node.ts';
import { Localized } from '../../graphql/localized.ts';
import { isFound } from '../../graphql/per-request.ts';
import { type AddonDocument, isPublic, type RatingsDocument } from './addon-document.ts';
import { addonEditPage, addonIcon, addonPage, ICON_SIZES, ratingsPage, reviewPage } from './addresses.ts';
import { AddonAuthor } from './author.ts';
import { Category } from './category.ts';
import { AddonStatusEnum, AddonTypeEnum } from './enums.ts';
import { addonRights, forgetRights, requireVisible } from './find-addon.ts';
import { loadDocuments, versionOfDocument } from './load-documents.ts';
import { policies } from './policies.ts';
import { Preview } from './preview.ts';
import { ThemeData } from './theme-data.ts';

/**
 * The add-ons with these ids as far as the viewer may see them, in the order of the ids; an error stands for any other. One
 * small statement says which states of their documents are current, one more reads those that are not in memory.
 */
async function loadVisibleAddons(ids: readonly number[], context: Context): Promise<(AddonDocument | Error)[]> {
  const rights = await addonRights(context).loadMany([...ids]);
  const checked = rights.map((addon) => {
    if (addon instanceof Error) return addon;
    try {
      requireVisible(context.viewer, addon);
      return addon;
    } catch (error) {
      return error as Error;
    }
  });
  const visible = checked.filter((addon) => isFound(addon));
  const documents = await loadDocuments(visible);
  const byId = new Map(visible.map(({ id }, index) => [id, documents[index]]));
  return checked.map((addon) => {
    if (addon instanceof Error) return addon;
    return byId.get(addon.id) ?? new Error(`add-on ${addon.id} has no document`);
  });
}

/** An id of an add-on where fields of this type are resolved is loaded, if the viewer may see it; else it is an error. */
export const Addon = loadableNode<AddonDocument>('Addon', loadVisibleAddons);

/** Makes the rest of a request see what a mutation in it has changed. */
export function forgetAddon(context: Context, id: number): void {
  forgetRights(context, id);
  policies(context).clear(id);
  Addon.getDataloader(context).clear(id);
}

/** The public ones among these add-ons, in the order of their ids: for lists, which show nobody more than others. */
export async function publicAddons(context: Context, ids: readonly number[]): Promise<AddonDocument[]> {
  const found = await Addon.getDataloader(context).loadMany([...ids]);
  return found.filter((addon) => isFound(addon)).filter((addon) => isPublic(addon));
}

const Ratings = builder.objectRef<RatingsDocument>('Ratings').implement({
  description: 'What users think of an add-on, summed up.',
  fields: (t) => ({
    count: t.exposeInt('count'),
    textCount: t.exposeInt('textCount', { description: 'Those with a text.' }),
    average: t.exposeFloat('average'),
    bayesianAverage: t.exposeFloat('bayesianAverage'),
  }),
});

const Icon = builder.objectRef<{ size: number; url: string }>('Icon').implement({
  fields: (t) => ({ size: t.exposeInt('size', { description: 'Width in pixels.' }), url: t.exposeString('url') }),
});

const E10sEnum = builder.enumType('E10sCompatibility', {
  values: {
    COMPATIBLE: { value: 'compatible' },
    COMPATIBLE_WEBEXTENSION: { value: 'compatible-webextension' },
    INCOMPATIBLE: { value: 'incompatible' },
    UNKNOWN: { value: 'unknown' },
  } as const,
});

const FeatureCompatibility = builder.objectRef<AddonDocument>('FeatureCompatibility').implement({
  description: 'Which features of applications an add-on gets along with.',
  fields: (t) => ({ e10s: t.expose('e10s', { type: E10sEnum, description: 'Several processes.' }) }),
});

/** The translated fields that are part of the document. */
const TEXTS = [
  'name',
  'summary',
  'description',
  'developerComments',
  'homepage',
  'supportEmail',
  'supportUrl',
] as const satisfies (keyof AddonDocument)[];

builder.objectType(Addon, {
  description: 'An add-on with everything its pages show.',
  fields: (t) => {
    const text = (field: (typeof TEXTS)[number]) =>
      t.field({
        type: Localized,
        nullable: true,
        resolve: ({ [field]: texts, defaultLocale }) => (texts === null ? null : { texts, defaultLocale }),
      });
    return {
      databaseId: t.exposeInt('id', { description: 'The id that REST uses.' }),
      revision: t.string({
        nullable: true,
        description: 'Changes whenever what anybody may see of it does; null while it has never been published.',
        resolve: (addon) => versionOfDocument(addon),
      }),
      guid: t.exposeString('guid'),
      slug: t.exposeString('slug', { nullable: true }),
      type: t.expose('type', { type: AddonTypeEnum }),
      status: t.expose('status', { type: AddonStatusEnum }),
      defaultLocale: t.exposeString('defaultLocale'),
      name: text('name'),
      summary: text('summary'),
      description: text('description'),
      developerComments: text('developerComments'),
      homepage: text('homepage'),
      supportEmail: text('supportEmail'),
      supportUrl: text('supportUrl'),
      contributionsUrl: t.exposeString('contributionsUrl', { nullable: true }),
      authors: t.expose('authors', { type: [AddonAuthor] }),
      categories: t.expose('categories', { type: [Category] }),
      tags: t.exposeStringList('tags'),
      previews: t.field({
        type: [Preview],
        resolve: ({ previews, defaultLocale }) => previews.map((preview) => ({ ...preview, defaultLocale })),
      }),
      iconUrl: t.string({ resolve: (addon) => addonIcon(addon, ICON_SIZES[0]) }),
      icons: t.field({
        type: [Icon],
        resolve: (addon) => ICON_SIZES.map((size) => ({ size, url: addonIcon(addon, size) })),
      }),
      averageDailyUsers: t.exposeInt('averageDailyUsers', { description: 'Of a persona: its popularity.' }),
      weeklyDownloads: t.exposeInt('weeklyDownloads'),
      hotness: t.exposeFloat('hotness', { description: 'How the number of its users grows.' }),
      ratings: t.expose('ratings', { type: Ratings }),
      hasEula: t.exposeBoolean('hasEula'),
      hasPrivacyPolicy: t.exposeBoolean('hasPrivacyPolicy'),
      isDisabled: t.boolean({
        resolve: ({ status, isDisabledByDeveloper }) => status === 'disabled' || isDisabledByDeveloper,
      }),
      isExperimental: t.exposeBoolean('isExperimental'),
      isFeatured: t.boolean({ resolve: ({ featured }) => featured.length > 0 }),
      isSourcePublic: t.exposeBoolean('isSourcePublic'),
      publicStats: t.exposeBoolean('publicStats'),
      requiresPayment: t.exposeBoolean('requiresPayment'),
      requiresSensitiveDataAccess: t.exposeBoolean('requiresSensitiveDataAccess'),
      featureCompatibility: t.field({ type: FeatureCompatibility, resolve: (addon) => addon }),
      targetLocale: t.exposeString('targetLocale', {
        nullable: true,
        description: 'Of a dictionary or language pack.',
      }),
      localeDisambiguation: t.exposeString('localeDisambiguation', {
        nullable: true,
        description: 'Tells dictionaries of one locale apart.',
      }),
      themeData: t.field({
        type: ThemeData,
        nullable: true,
        description: 'Of a persona.',
        resolve: (addon) => {
          const { type, persona } = addon;
          return type !== 'persona' || persona === null ? null : { addon, persona };
        },
      }),
      created: t.expose('created', { type: 'DateTime' }),
      lastUpdated: t.expose('lastUpdated', { type: 'DateTime' }),
      url: t.string({ description: 'Its page.', resolve: (addon) => addonPage(addon) }),
      editUrl: t.string({ description: 'Where its developers edit it.', resolve: (addon) => addonEditPage(addon) }),
      reviewUrl: t.string({ description: 'Where reviewers look at it.', resolve: (addon) => reviewPage(addon) }),
      ratingsUrl: t.string({ resolve: (addon) => ratingsPage(addon) }),
    };
  },
});
