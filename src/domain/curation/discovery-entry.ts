import { requirePermission } from '../../auth/permissions.ts';
import { config } from '../../config.ts';
import { builder } from '../../graphql/builder.ts';
import { positionConnection } from '../../graphql/connections.ts';
import { globalId } from '../../graphql/global-id.ts';
import { pool, prepared } from '../../infra/db.ts';
import { Addon } from '../addons/addon.ts';
import { type AddonRef, AddonRefInput } from '../addons/addon-ref.ts';
import { Localized } from '../addons/localized.ts';
import { localized, storedTexts } from '../addons/localized-text.ts';
import { findReferencedAddon } from './list-curated.ts';

interface EntryRow {
  id: number;
  addonId: number;
  addonGuid: string;
  edition: string | null;
  locale: string | null;
  heading: unknown;
  description: unknown;
  position: number;
  listSize: number;
}

const ENTRIES = `SELECT e.id, e.addon_id AS "addonId", a.guid::text AS "addonGuid", e.edition, e.locale, e.heading, e.description,
    row_number() OVER (PARTITION BY e.edition, e.locale ORDER BY e.position, e.id)::int AS position,
    count(*) OVER (PARTITION BY e.edition, e.locale)::int AS "listSize"
  FROM discovery_entry e JOIN addon a ON a.id = e.addon_id`;

const readPage = prepared<{ count: number; rows: EntryRow[] }>(
  pool,
  'discovery-entries',
  `WITH matching AS (SELECT * FROM (${ENTRIES}) listed WHERE $1::int IS NULL OR "addonId" = $1)
   SELECT (SELECT count(*)::int FROM matching) AS count, coalesce((
     SELECT json_agg(page) FROM (
       SELECT * FROM matching ORDER BY edition NULLS FIRST, locale NULLS FIRST, position LIMIT $2 OFFSET $3
     ) page
   ), '[]') AS rows`,
);

const readEntry = prepared<EntryRow>(pool, 'discovery-entry', `SELECT * FROM (${ENTRIES}) listed WHERE id = $1`);

/** The entry with an id; null without one. */
export async function findDiscoveryEntry(id: number): Promise<EntryRow | null> {
  return (await readEntry(id))[0] ?? null;
}

/** Its fields read a row. */
export const DiscoveryEntry = builder.objectRef<EntryRow>('DiscoveryEntry').implement({
  description: 'An add-on of the recommendations for an edition and a language, as curators edit it.',
  fields: (t) => ({
    id: t.id({
      description: 'Identifies the entry in client caches. `node` does not look it up.',
      resolve: ({ id }) => globalId('DiscoveryEntry', id),
    }),
    edition: t.exposeString('edition', { nullable: true, description: 'Edition of the browser; null for all.' }),
    locale: t.exposeString('locale', { nullable: true, description: 'Language of the browser; null for all.' }),
    position: t.exposeInt('position', { description: 'Its position in the list, from 1.' }),
    listSize: t.exposeInt('listSize', { description: 'Number of entries of the list, at most 50.' }),
    addonId: t.id({
      description: 'Global id of the add-on, which the curator need not see.',
      resolve: ({ addonId }) => globalId('Addon', addonId),
    }),
    addonGuid: t.exposeString('addonGuid', { description: 'Its id in the manifest.' }),
    addon: t.field({
      type: Addon,
      nullable: true,
      description: 'The add-on; null for viewers who may not see it.',
      resolve: ({ addonId }, _args, context) => Addon.loadOrNull(context, addonId),
    }),
    heading: t.field({
      type: Localized,
      nullable: true,
      description: 'Words before its name; null for none.',
      resolve: ({ heading }) => localized(storedTexts(heading), config.DEFAULT_LOCALE),
    }),
    description: t.field({
      type: Localized,
      nullable: true,
      description: 'Plain text about it; null for its summary.',
      resolve: ({ description }) => localized(storedTexts(description), config.DEFAULT_LOCALE),
    }),
  }),
});

/** The id of the add-on; 0, which none has, for an unknown one. */
async function idOf(by: AddonRef | null | undefined): Promise<number | null> {
  return by == null ? null : ((await findReferencedAddon(by)) ?? 0);
}

builder.queryField('discoveryEntries', (t) =>
  t.connection(
    {
      type: DiscoveryEntry,
      description:
        'What the add-ons manager of browsers recommends, as curators edit it: by edition, language and position. Requires Admin:Curation.',
      args: { addon: t.arg({ type: AddonRefInput, description: 'Only the entries of this add-on.' }) },
      resolve: async (_root, { addon, ...paging }, { viewer }) => {
        requirePermission(viewer, 'Admin:Curation');
        const addonId = await idOf(addon);
        return positionConnection('discoveryEntries', paging, async ({ limit, offset }) => {
          const [found] = await readPage(addonId, limit, offset);
          return { rows: found?.rows ?? [], reachable: found?.count ?? 0 };
        });
      },
    },
    {
      name: 'DiscoveryEntryConnection',
      description: 'One page of the recommendations.',
      fields: (connection) => ({
        totalCount: connection.int({
          description: 'Number of all entries.',
          resolve: ({ loaded }) => loaded.reachable,
        }),
      }),
    },
    { name: 'DiscoveryEntryEdge', description: 'An entry and its cursor.' },
  ),
);
