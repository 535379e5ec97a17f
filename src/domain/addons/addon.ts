import { builder } from '../../graphql/builder.ts';
import { Localized } from '../../graphql/localized.ts';
import { Category } from './category.ts';
import { type AddonStatus, AddonStatusEnum, type AddonType, AddonTypeEnum } from './enums.ts';
import { findVisibleAddon } from './find-addon.ts';
import { localized } from './localized-text.ts';

const RoleEnum = builder.enumType('AuthorRole', {
  values: { OWNER: { value: 'owner' }, DEVELOPER: { value: 'developer' } } as const,
});

builder.prismaObject('AddonAuthor', {
  description: 'An account that develops an add-on.',
  fields: (t) => ({
    account: t.relation('account'),
    role: t.field({ type: RoleEnum, select: { role: true }, resolve: ({ role }) => role as 'owner' | 'developer' }),
    listed: t.exposeBoolean('listed'),
    position: t.exposeInt('position'),
  }),
});

/** The columns that hold translated texts of an add-on. */
export const TRANSLATED = [
  'name',
  'summary',
  'description',
  'developerComments',
  'homepage',
  'supportEmail',
  'supportUrl',
  'eula',
  'privacyPolicy',
] as const;

export const Addon = builder.prismaNode('Addon', {
  description: 'An add-on with everything its pages show.',
  id: { field: 'id' },
  findUnique: async (id, { viewer }) => ({ id: (await findVisibleAddon(viewer, /^\d+$/.test(id) ? id : '0')).id }),
  select: { id: true, defaultLocale: true },
  fields: (t) => {
    const text = (column: (typeof TRANSLATED)[number]) =>
      t.field({
        type: Localized,
        nullable: true,
        select: { [column]: true } as { [Column in typeof column]: true },
        resolve: (addon) => localized((addon as Record<string, unknown>)[column], addon.defaultLocale),
      });
    return {
      databaseId: t.exposeInt('id', { description: 'The id that REST uses.' }),
      guid: t.exposeString('guid'),
      slug: t.exposeString('slug', { nullable: true }),
      type: t.field({ type: AddonTypeEnum, select: { type: true }, resolve: ({ type }) => type as AddonType }),
      status: t.field({
        type: AddonStatusEnum,
        select: { status: true },
        resolve: ({ status }) => status as AddonStatus,
      }),
      defaultLocale: t.exposeString('defaultLocale'),
      name: text('name'),
      summary: text('summary'),
      description: text('description'),
      developerComments: text('developerComments'),
      homepage: text('homepage'),
      supportEmail: text('supportEmail'),
      supportUrl: text('supportUrl'),
      eula: text('eula'),
      privacyPolicy: text('privacyPolicy'),
      contributionsUrl: t.exposeString('contributionsUrl', { nullable: true }),
      authors: t.relation('authors', {
        query: { where: { listed: true }, orderBy: [{ position: 'asc' }, { accountId: 'asc' }] },
      }),
      categories: t.field({
        type: [Category],
        select: (_args, _context, nested) => ({ categories: { select: { category: nested(true) } } }),
        resolve: ({ categories }) => categories.map(({ category }) => category),
      }),
      license: t.relation('license', { nullable: true, description: 'The licence that the next listed version gets.' }),
      averageDailyUsers: t.exposeInt('averageDailyUsers'),
      weeklyDownloads: t.exposeInt('weeklyDownloads'),
      isDisabled: t.boolean({
        select: { status: true, isDisabledByDeveloper: true },
        resolve: ({ status, isDisabledByDeveloper }) => status === 'disabled' || isDisabledByDeveloper,
      }),
      isExperimental: t.exposeBoolean('isExperimental'),
      requiresPayment: t.exposeBoolean('requiresPayment'),
      created: t.expose('created', { type: 'DateTime' }),
      lastUpdated: t.expose('lastUpdated', { type: 'DateTime' }),
    };
  },
});
