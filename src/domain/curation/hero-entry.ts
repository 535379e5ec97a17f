import { requirePermission } from '../../auth/permissions.ts';
import { config } from '../../config.ts';
import { builder } from '../../graphql/builder.ts';
import { countedFields, type KeysetPage, keysetClause, keysetConnection } from '../../graphql/connections.ts';
import { globalId, idOf } from '../../graphql/global-id.ts';
import { db, Prisma } from '../../infra/db.ts';
import { Addon } from '../addons/addon.ts';
import { Localized } from '../addons/localized.ts';
import { localized, storedTexts } from '../addons/localized-text.ts';
import { type ExternalAddon, ExternalAddonType } from '../discovery/hero.ts';

interface EntryRow {
  id: number;
  addonId: number | null;
  addonGuid: string | null;
  external: ExternalAddon | null;
  gradientStart: string;
  gradientEnd: string;
  featuredImage: string | null;
  description: unknown;
}

const ENTRIES = Prisma.sql`
  SELECT e.id, e.addon_id AS "addonId", a.guid::text AS "addonGuid", e.external, e.gradient_start AS "gradientStart",
    e.gradient_end AS "gradientEnd", e.featured_image AS "featuredImage", e.description
  FROM hero_entry e LEFT JOIN addon a ON a.id = e.addon_id`;

const listEntries = (page: KeysetPage) =>
  db.$queryRaw<EntryRow[]>`${ENTRIES} WHERE true ${keysetClause('e.id', 'ASC', page)}`;

/** The entry with an id; null without one. */
export async function findHeroEntry(id: number): Promise<EntryRow | null> {
  const [found] = await db.$queryRaw<EntryRow[]>`${ENTRIES} WHERE e.id = ${id}`;
  return found ?? null;
}

/** Its fields read a row. */
export const HeroEntry = builder.objectRef<EntryRow>('HeroEntry').implement({
  description: 'What home pages of front ends begin with on some days, as curators edit it.',
  fields: (t) => ({
    id: t.id({
      description: 'Global id of the entry, for its mutations. `node` does not look it up.',
      resolve: ({ id }) => globalId('HeroEntry', id),
    }),
    databaseId: t.exposeInt('id', { description: 'The id in REST.' }),
    addonGuid: t.exposeString('addonGuid', {
      nullable: true,
      description: 'The id of the add-on in its manifest; null for one elsewhere.',
    }),
    addon: t.field({
      type: Addon,
      nullable: true,
      description: 'The add-on; null for one elsewhere, and for viewers who may not see it.',
      resolve: ({ addonId }, _args, context) => Addon.loadOrNull(context, addonId),
    }),
    external: t.expose('external', {
      type: ExternalAddonType,
      nullable: true,
      description: 'An add-on elsewhere; null for one here.',
    }),
    gradientStart: t.exposeString('gradientStart', { description: 'The first colour of the background.' }),
    gradientEnd: t.exposeString('gradientEnd', { description: 'The last colour of the background.' }),
    featuredImage: t.exposeString('featuredImage', {
      nullable: true,
      description: 'Address of a picture; null for none.',
    }),
    description: t.field({
      type: Localized,
      nullable: true,
      description: 'Plain text about it; null for none.',
      resolve: ({ description }) => localized(storedTexts(description), config.DEFAULT_LOCALE),
    }),
  }),
});

builder.queryFields((t) => ({
  heroEntry: t.field({
    type: HeroEntry,
    nullable: true,
    description: 'One of the entries of home pages; null for an unknown one. Requires Admin:Curation.',
    args: { id: t.arg.id({ required: true, description: 'Global id of the entry.' }) },
    resolve: (_root, { id }, { viewer }) => {
      requirePermission(viewer, 'Admin:Curation');
      return findHeroEntry(idOf('HeroEntry', id));
    },
  }),
  heroEntries: t.connection(
    {
      type: HeroEntry,
      description:
        'What home pages of front ends begin with, one entry a day, in the order of their entry. Requires Admin:Curation.',
      resolve: async (_root, paging, { viewer }) => {
        requirePermission(viewer, 'Admin:Curation');
        const page = await keysetConnection('heroEntries', paging, listEntries);
        return { ...page, totalCount: () => db.heroEntry.count() };
      },
    },
    {
      name: 'HeroEntryConnection',
      description: 'One page of the entries of home pages.',
      fields: (t) => countedFields(t),
    },
    { name: 'HeroEntryEdge', description: 'An entry and its cursor.' },
  ),
}));
