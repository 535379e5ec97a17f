/*
 * The add-on in GraphQL with the Prisma plugin of Pothos: types are tables, lists are relations, and there is no published
 * document. Types and fields have the names of the service's schema, so that both accept the same fragments.
 */
import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import { accountName } from '../../../src/domain/accounts/account-name.ts';
import * as accountAddresses from '../../../src/domain/accounts/addresses.ts';
import * as addresses from '../../../src/domain/addons/addresses.ts';
import { typeCode } from '../../../src/domain/search/index/codes.ts';
import type PrismaTypes from '../../../src/generated/pothos.ts';
import { getDatamodel } from '../../../src/generated/pothos.ts';
import { db } from '../../../src/infra/db.ts';

const builder = new SchemaBuilder<{
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  Scalars: { JSON: { Input: unknown; Output: unknown }; DateTime: { Input: Date; Output: Date } };
}>({
  plugins: [PrismaPlugin],
  defaultFieldNullability: false,
  prisma: { client: db, dmmf: getDatamodel(), exposeDescriptions: false },
  // The service's files declare the types of its plugins globally; this plugin is not loaded.
  scopeAuth: { authScopes: () => ({}) },
});

builder.scalarType('JSON', { serialize: (value) => value });
builder.scalarType('DateTime', { serialize: (value) => `${(value as Date).toISOString().slice(0, 19)}Z` });

type Texts = Record<string, string>;
const given = (column: unknown): Texts | null => (Object.keys(column as Texts).length === 0 ? null : (column as Texts));
const upper = (word: string) => word.toUpperCase().replaceAll('-', '_');

const Localized = builder.objectRef<Texts>('Localized').implement({
  fields: (t) => ({ texts: t.field({ type: 'JSON', resolve: (texts) => texts }) }),
});
const Size = builder.objectRef<{ width: number; height: number }>('PictureSize').implement({
  fields: (t) => ({ width: t.exposeInt('width'), height: t.exposeInt('height') }),
});
const Icon = builder.objectRef<{ size: number; url: string }>('Icon').implement({
  fields: (t) => ({ size: t.exposeInt('size'), url: t.exposeString('url') }),
});
const Ratings = builder
  .objectRef<{ ratingCount: number; ratingTextCount: number; ratingAverage: number; ratingBayesian: number }>('Ratings')
  .implement({
    fields: (t) => ({
      count: t.exposeInt('ratingCount'),
      textCount: t.exposeInt('ratingTextCount'),
      average: t.exposeFloat('ratingAverage'),
      bayesianAverage: t.exposeFloat('ratingBayesian'),
    }),
  });

const Author = builder.prismaObject('AddonAuthor', {
  select: { account: true },
  fields: (t) => ({
    databaseId: t.int({ resolve: ({ account }) => account.id }),
    username: t.string({ resolve: ({ account }) => account.username }),
    name: t.string({ resolve: ({ account }) => accountName(account) }),
    url: t.string({ resolve: ({ account }) => accountAddresses.accountPage(account.username) }),
    pictureUrl: t.string({
      resolve: ({ account }) => accountAddresses.accountPicture(account.id, account.pictureSha256),
    }),
  }),
});

const Category = builder.prismaObject('AddonCategory', {
  select: { category: true },
  fields: (t) => ({
    app: t.string({ resolve: ({ category }) => upper(category.app) }),
    slug: t.string({ resolve: ({ category }) => category.slug }),
  }),
});

builder.prismaObject('Preview', {
  fields: (t) => ({
    databaseId: t.exposeInt('id'),
    caption: t.field({ type: Localized, nullable: true, resolve: ({ caption }) => given(caption) }),
    imageUrl: t.string({ resolve: ({ id, imageSha256 }) => addresses.previewImage(id, imageSha256) }),
    imageSize: t.field({ type: Size, resolve: (row) => ({ width: row.imageWidth, height: row.imageHeight }) }),
    thumbnailUrl: t.string({ resolve: ({ id, thumbnailSha256 }) => addresses.previewThumbnail(id, thumbnailSha256) }),
    thumbnailSize: t.field({
      type: Size,
      resolve: (row) => ({ width: row.thumbnailWidth, height: row.thumbnailHeight }),
    }),
  }),
});

builder.prismaObject('File', {
  fields: (t) => ({
    databaseId: t.exposeInt('id'),
    created: t.expose('created', { type: 'DateTime' }),
    hash: t.string({ resolve: ({ sha256 }) => `sha256:${sha256}` }),
    isVendorSignedExtension: t.exposeBoolean('isVendorSignedExtension'),
    isRestartRequired: t.exposeBoolean('isRestartRequired'),
    isWebextension: t.exposeBoolean('isWebextension'),
    permissions: t.exposeStringList('permissions'),
    optionalPermissions: t.exposeStringList('optionalPermissions'),
    hostPermissions: t.exposeStringList('hostPermissions'),
    platform: t.string({ resolve: ({ platform }) => upper(platform) }),
    size: t.int({ resolve: ({ size }) => Number(size) }),
    status: t.string({ resolve: ({ status }) => ({ 1: 'AWAITING_REVIEW', 4: 'PUBLIC', 5: 'DISABLED' })[status] ?? '' }),
    url: t.string({ resolve: ({ id, name }) => addresses.fileDownload(id, name) }),
  }),
});

builder.prismaObject('License', {
  fields: (t) => ({
    databaseId: t.exposeInt('id'),
    builtin: t.exposeString('builtin', { nullable: true }),
    isCustom: t.boolean({ resolve: ({ builtin }) => builtin === null }),
    name: t.field({ type: Localized, nullable: true, resolve: ({ name }) => given(name) }),
    text: t.field({ type: Localized, nullable: true, resolve: ({ text }) => given(text) }),
    url: t.exposeString('url', { nullable: true }),
  }),
});

builder.prismaObject('VersionCompatibility', {
  fields: (t) => ({
    app: t.string({ resolve: ({ app }) => upper(app) }),
    min: t.exposeString('min'),
    max: t.exposeString('max'),
  }),
});

builder.prismaObject('Version', {
  include: { addon: { select: { id: true, slug: true } } },
  fields: (t) => ({
    databaseId: t.exposeInt('id'),
    version: t.exposeString('version'),
    channel: t.string({ resolve: ({ channel }) => upper(channel) }),
    compatibility: t.relation('compatibility', { query: { orderBy: { app: 'asc' } } }),
    files: t.relation('files', { query: { orderBy: { id: 'asc' } } }),
    license: t.relation('license', { nullable: true }),
    releaseNotes: t.field({ type: Localized, nullable: true, resolve: ({ releaseNotes }) => given(releaseNotes) }),
    reviewed: t.expose('reviewed', { type: 'DateTime', nullable: true }),
    isStrictCompatibilityEnabled: t.exposeBoolean('isStrictCompatibilityEnabled'),
    url: t.string({ resolve: ({ addon, version }) => addresses.versionPage(addon, version) }),
    editUrl: t.string({ resolve: ({ addon, id }) => addresses.versionEditPage(addon, id) }),
  }),
});

const TEXTS = [
  'name',
  'summary',
  'description',
  'developerComments',
  'homepage',
  'supportEmail',
  'supportUrl',
] as const;
const iconOf = (addon: Parameters<typeof addresses.addonIcon>[0], size: 32 | 64) => addresses.addonIcon(addon, size);

const Addon = builder.prismaObject('Addon', {
  fields: (t) => {
    const text = (field: (typeof TEXTS)[number]) =>
      t.field({
        type: Localized,
        nullable: true,
        select: { [field]: true },
        resolve: (addon) => given((addon as unknown as Record<string, unknown>)[field]),
      });
    return {
      databaseId: t.exposeInt('id'),
      guid: t.exposeString('guid'),
      slug: t.exposeString('slug', { nullable: true }),
      type: t.string({ resolve: ({ type }) => upper(type) }),
      status: t.string({ resolve: ({ status }) => upper(status) }),
      defaultLocale: t.exposeString('defaultLocale'),
      name: text('name'),
      summary: text('summary'),
      description: text('description'),
      developerComments: text('developerComments'),
      homepage: text('homepage'),
      supportEmail: text('supportEmail'),
      supportUrl: text('supportUrl'),
      contributionsUrl: t.exposeString('contributionsUrl', { nullable: true }),
      authors: t.relation('authors', {
        type: Author,
        query: { where: { listed: true }, orderBy: [{ position: 'asc' }, { accountId: 'asc' }] },
      }),
      categories: t.relation('categories', {
        type: Category,
        query: {
          orderBy: [{ category: { app: 'asc' } }, { category: { weight: 'desc' } }, { category: { slug: 'asc' } }],
        },
      }),
      tags: t.stringList({
        select: { tags: { select: { tag: true } } },
        resolve: ({ tags }) => tags.map(({ tag }) => tag).sort(),
      }),
      previews: t.relation('previews', { query: { orderBy: [{ position: 'asc' }, { id: 'asc' }] } }),
      iconUrl: t.string({ select: { persona: true }, resolve: (addon) => iconOf(addon, 32) }),
      icons: t.field({
        type: [Icon],
        select: { persona: true },
        resolve: (addon) => addresses.ICON_SIZES.map((size) => ({ size, url: iconOf(addon, size) })),
      }),
      averageDailyUsers: t.exposeInt('averageDailyUsers'),
      weeklyDownloads: t.exposeInt('weeklyDownloads'),
      ratings: t.field({ type: Ratings, resolve: (addon) => addon }),
      hasEula: t.boolean({ resolve: ({ eula }) => given(eula) !== null }),
      hasPrivacyPolicy: t.boolean({ resolve: ({ privacyPolicy }) => given(privacyPolicy) !== null }),
      isDisabled: t.boolean({
        resolve: ({ status, isDisabledByDeveloper }) => status === 'disabled' || isDisabledByDeveloper,
      }),
      isExperimental: t.exposeBoolean('isExperimental'),
      isFeatured: t.boolean({
        select: { featured: { select: { id: true }, take: 1 } },
        resolve: ({ featured }) => featured.length > 0,
      }),
      isSourcePublic: t.exposeBoolean('isSourcePublic'),
      publicStats: t.exposeBoolean('publicStats'),
      requiresPayment: t.exposeBoolean('requiresPayment'),
      requiresSensitiveDataAccess: t.exposeBoolean('requiresSensitiveDataAccess'),
      created: t.expose('created', { type: 'DateTime' }),
      lastUpdated: t.expose('lastUpdated', { type: 'DateTime' }),
      currentVersion: t.relation('currentVersion', { nullable: true }),
      url: t.string({ resolve: (addon) => addresses.addonPage(addon) }),
      editUrl: t.string({ resolve: (addon) => addresses.addonEditPage(addon) }),
      reviewUrl: t.string({ resolve: (addon) => addresses.reviewPage(addon) }),
      ratingsUrl: t.string({ resolve: (addon) => addresses.ratingsPage(addon) }),
    };
  },
});

/** The number of extensions in the search tables. */
const EXTENSION = typeCode('extension');
const PUBLIC = { status: 'public', isDisabledByDeveloper: false } as const;

builder.queryType({
  fields: (t) => ({
    addon: t.prismaField({
      type: Addon,
      nullable: true,
      args: { id: t.arg.int({ required: true }) },
      resolve: (query, _root, { id }) => db.addon.findUnique({ ...query, where: { id, ...PUBLIC } }),
    }),
    addons: t.prismaField({
      type: [Addon],
      args: { limit: t.arg.int({ required: true }), offset: t.arg.int({ required: true }) },
      // Uses the same index as the service, so that only the construction of add-ons is compared.
      resolve: async (query, _root, { limit, offset }) => {
        const page = await db.$queryRaw<{ id: number }[]>`
          SELECT addon_id AS id FROM search_listing WHERE type = ${EXTENSION} ORDER BY downloads DESC, addon_id LIMIT ${limit} OFFSET ${offset}`;
        const ids = page.map(({ id }) => id);
        const rows = await db.addon.findMany({ ...query, where: { id: { in: ids }, ...PUBLIC } });
        const byId = new Map(rows.map((row) => [row.id, row]));
        return ids.flatMap((id) => byId.get(id) ?? []);
      },
    }),
    count: t.int({
      resolve: async () => {
        const [row] = await db.$queryRaw<
          { n: number }[]
        >`SELECT coalesce(sum(n), 0)::int AS n FROM search_facet WHERE type = ${EXTENSION}`;
        return row?.n ?? 0;
      },
    }),
  }),
});

/** The schema, without personas: no compared URL returns one. */
export const schema = builder.toSchema();
