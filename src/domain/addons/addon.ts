import { wrapLink } from '../../auth/outgoing-links.ts';
import { config } from '../../config.ts';
import { builder, enumOf, type ObjectFields } from '../../graphql/builder.ts';
import { type CountedConnection, countedFields } from '../../graphql/connections.ts';
import { loadableNode } from '../../graphql/loadable-node.ts';
import { accountName } from '../accounts/account-names.ts';
import {
  type AddonDocument,
  hasInstallableFile,
  type PersonaDocument,
  type RatingsDocument,
} from './addon-document.ts';
import {
  addonEditUrl,
  addonIconUrl,
  addonPageUrl,
  ICON_SIZES,
  personaPictureUrl,
  personaUpdateUrl,
  ratingsPageUrl,
  reviewPageUrl,
} from './addresses.ts';
import { AddonAuthor } from './author.ts';
import { Category } from './category.ts';
import { AddonStatusEnum, AddonTypeEnum } from './enums.ts';
import { loadVisibleAddons } from './find-addon.ts';
import { versionOfDocument } from './load-documents.ts';
import { Localized } from './localized.ts';
import { localized } from './localized-text.ts';
import { Preview, previewsOf } from './preview.ts';

/** A persona and its add-on. */
interface Theme {
  addon: AddonDocument;
  persona: PersonaDocument;
}

const color = (hex: string | null): string | null => (hex ? `#${hex.replace(/^#/, '')}` : null);

/** Data that an application needs to show a lightweight theme (contract, Add-on: theme_data). */
const ThemeData = builder.objectRef<Theme>('ThemeData').implement({
  description: 'What an application needs to show a lightweight theme.',
  fields: (t) => {
    const picture = (which: 'header' | 'footer' | 'preview', description: string) =>
      t.string({
        nullable: true,
        description: `${description}; null without one.`,
        resolve: ({ addon, persona }) =>
          personaPictureUrl(addon.id, which, which === 'footer' ? persona.footerSha256 : persona.headerSha256) || null,
      });
    const hexColor = (name: 'accentColor' | 'textColor', description: string) =>
      t.string({
        nullable: true,
        description: `${description}, #rrggbb; null when the theme sets none.`,
        resolve: ({ persona }) => color(persona[name]),
      });
    return {
      name: t.field({
        type: Localized,
        nullable: true,
        description: 'The name of the add-on.',
        resolve: ({ addon }) => localized(addon.name, addon.defaultLocale),
      }),
      description: t.field({
        type: Localized,
        nullable: true,
        description: 'The description of the add-on, with HTML.',
        resolve: ({ addon }) => localized(addon.description, addon.defaultLocale, 'html'),
      }),
      category: t.field({
        type: Localized,
        nullable: true,
        description: 'The name of its first category; null without one.',
        resolve: ({ addon: { categories } }) => localized(categories[0]?.name, config.DEFAULT_LOCALE),
      }),
      author: t.string({
        description: 'The name of its first author, or "".',
        resolve: ({ addon: { authors } }) => (authors[0] ? accountName(authors[0]) : ''),
      }),
      accentColor: hexColor('accentColor', 'Background colour'),
      textColor: hexColor('textColor', 'Text colour'),
      headerUrl: picture('header', 'Address of the header picture'),
      footerUrl: picture('footer', 'Address of the footer picture'),
      previewUrl: picture('preview', 'Address of a reduced header picture'),
      iconUrl: t.string({
        description: 'Address of an icon of 32 pixels.',
        resolve: ({ addon, persona }) =>
          personaPictureUrl(addon.id, 'icon', persona.headerSha256) || addonIconUrl(addon, 32),
      }),
      updateUrl: t.string({
        description: 'Address at which applications check whether the theme has changed.',
        resolve: ({ addon }) => personaUpdateUrl(addon.id),
      }),
      detailUrl: t.string({ description: 'Address of the add-on page.', resolve: ({ addon }) => addonPageUrl(addon) }),
    };
  },
});

/** Resolvers of this type may return an id: it is loaded, or an error for viewers without access. */
export const Addon = loadableNode<AddonDocument>('Addon', loadVisibleAddons);

const Ratings = builder.objectRef<RatingsDocument>('Ratings').implement({
  description: 'Summary of the ratings of an add-on.',
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'Number of ratings.' }),
    textCount: t.exposeInt('textCount', { description: 'Number of ratings with a text.' }),
    average: t.exposeFloat('average', { description: 'Average score from 1 to 5; 0 without ratings.' }),
    bayesianAverage: t.exposeFloat('bayesianAverage', {
      description: 'Average score weighted by the number of ratings; 0 without ratings.',
    }),
  }),
});

const Icon = builder.objectRef<{ size: number; url: string }>('Icon').implement({
  description: 'The icon of an add-on in one size.',
  fields: (t) => ({
    size: t.exposeInt('size', { description: 'Width and height in pixels.' }),
    url: t.exposeString('url', { description: 'Address of the picture.' }),
  }),
});

const E10sEnum = enumOf('E10sCompatibility', 'Compatibility with applications that run pages in separate processes.', {
  compatible: 'Works.',
  'compatible-webextension': 'Works, because it is a WebExtension.',
  incompatible: 'Does not work.',
  unknown: 'Not known.',
});

const FeatureCompatibility = builder.objectRef<AddonDocument>('FeatureCompatibility').implement({
  description: 'Features of applications that an add-on is compatible with.',
  fields: (t) => ({
    e10s: t.expose('e10s', { type: E10sEnum, description: 'Compatibility with multiple processes.' }),
  }),
});

builder.objectType(Addon, {
  description: 'An add-on of the catalogue. Developers and reviewers also see add-ons that are not public.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'The id in REST.' }),
    revision: t.string({
      nullable: true,
      description: 'Changes with every public property of the add-on; null while it was never published.',
      resolve: versionOfDocument,
    }),
    guid: t.exposeString('guid', { description: 'The id in the manifest of its packages.' }),
    slug: t.exposeString('slug', {
      nullable: true,
      description: 'Short name in addresses; null for a deleted add-on.',
    }),
    type: t.expose('type', { type: AddonTypeEnum, description: 'What the add-on is.' }),
    status: t.expose('status', { type: AddonStatusEnum, description: 'State in review and publication.' }),
    defaultLocale: t.exposeString('defaultLocale', {
      description: 'Language code of the texts that are the fallback for missing translations.',
    }),
    contributionsUrl: t.string({
      nullable: true,
      description: 'Address at which users can contribute money; null without one.',
      args: { wrapLinks: t.arg.boolean({ defaultValue: false }) },
      resolve: ({ contributionsUrl }, { wrapLinks }) =>
        contributionsUrl !== null && wrapLinks ? wrapLink(contributionsUrl) : contributionsUrl,
    }),
    authors: t.expose('authors', { type: [AddonAuthor], description: 'The listed authors, by position.' }),
    categories: t.expose('categories', {
      type: [Category],
      description: 'Its categories in all applications, by application, descending weight and slug.',
    }),
    tags: t.exposeStringList('tags', { description: 'Its tags in lower case, in alphabetical order.' }),
    previews: t.field({
      type: [Preview],
      description: 'Its screenshots in the order that its developers chose.',
      resolve: previewsOf,
    }),
    iconUrl: t.string({
      description: 'Address of the icon of 32 pixels; of a default icon when the add-on has none.',
      resolve: (addon) => addonIconUrl(addon, ICON_SIZES[0]),
    }),
    icons: t.field({
      type: [Icon],
      description: 'The icon in sizes 32 and 64.',
      resolve: (addon) => ICON_SIZES.map((size) => ({ size, url: addonIconUrl(addon, size) })),
    }),
    averageDailyUsers: t.exposeInt('averageDailyUsers', {
      description: 'Average number of users a day; for a persona, its popularity.',
    }),
    weeklyDownloads: t.exposeInt('weeklyDownloads', { description: 'Downloads in the last seven days.' }),
    hotness: t.exposeFloat('hotness', { description: 'Relative growth of the number of users.' }),
    ratings: t.expose('ratings', { type: Ratings, description: 'Summary of its ratings.' }),
    hasEula: t.exposeBoolean('hasEula', {
      description: 'Whether users must accept an agreement before installation.',
    }),
    hasPrivacyPolicy: t.exposeBoolean('hasPrivacyPolicy', { description: 'Whether it has a privacy policy.' }),
    isDisabled: t.boolean({
      description: 'Whether its developers or the operator have disabled it.',
      resolve: ({ status, isDisabledByDeveloper }) => status === 'disabled' || isDisabledByDeveloper,
    }),
    isFeatured: t.boolean({
      description: 'Whether it is featured for any application, language or category.',
      resolve: ({ featured }) => featured.length > 0,
    }),
    isInstallable: t.boolean({
      description:
        'Whether its current version has a file that today’s clients can install: stored here, and a WebExtension.',
      resolve: hasInstallableFile,
    }),
    featureCompatibility: t.field({
      type: FeatureCompatibility,
      description: 'Features of applications that it is compatible with.',
      resolve: (addon) => addon,
    }),
    themeData: t.field({
      type: ThemeData,
      nullable: true,
      description: 'What an application needs to show a persona; null for other types.',
      resolve: (addon) => {
        const { type, persona } = addon;
        return type !== 'persona' || persona === null ? null : { addon, persona };
      },
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was created.' }),
    lastUpdated: t.expose('lastUpdated', { type: 'DateTime', description: 'When its developers last changed it.' }),
    url: t.string({ description: 'Address of its page.', resolve: addonPageUrl }),
    editUrl: t.string({ description: 'Address at which its developers edit it.', resolve: addonEditUrl }),
    reviewUrl: t.string({ description: 'Address at which reviewers examine it.', resolve: reviewPageUrl }),
    ratingsUrl: t.string({ description: 'Address of the list of its ratings.', resolve: ratingsPageUrl }),
  }),
});

export const AddonConnection = builder.connectionObject<typeof Addon, CountedConnection>(
  {
    type: Addon,
    name: 'AddonConnection',
    description: 'One page of a list of add-ons.',
    fields: (t) => countedFields(t),
  },
  { name: 'AddonEdge', description: 'An add-on and its cursor.' },
);

/** The payload field of mutations that change an add-on. */
export const changedAddon = <Payload extends { addonId: number }>(t: ObjectFields<Payload>) => ({
  addon: t.field({ type: Addon, description: 'The add-on after the change.', resolve: ({ addonId }) => addonId }),
});
