import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { pageLoader } from '../../graphql/connections.ts';
import { pool, prepared } from '../../infra/db.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import { loadDocuments } from '../addons/load-documents.ts';

/** Orders of the items of a collection. */
export const ITEM_SORTS = {
  added: 'i.added, i.position',
  added_descending: 'i.added DESC, i.position DESC',
  popularity: 'a.average_daily_users, i.added, i.position',
  popularity_descending: 'a.average_daily_users DESC, i.added, i.position',
  name: `${nameIn('$4::text')}, i.position`,
  name_descending: `${nameIn('$4::text')} DESC, i.position`,
  position: 'i.position',
} as const;

type ItemSort = keyof typeof ITEM_SORTS;

/** Which add-ons of a collection are its items. */
export const ITEM_FILTERS = {
  public: IS_PUBLIC_ADDON,
  all: 'a.deleted_at IS NULL',
  all_with_deleted: 'true',
} as const;

export type ItemFilter = keyof typeof ITEM_FILTERS;

/** SQL: the name of the add-on `a` in a language, to sort by. */
function nameIn(locale: string): string {
  return `lower(coalesce(a.name ->> ${locale}, a.name ->> split_part(${locale}, '-', 1), a.name ->> a.default_locale, a.slug::text, ''))`;
}

/** An add-on of a collection. */
export interface ItemRow {
  parentId: number;
  guid: string;
  notes: unknown;
  added: Date;
  downloads: number;
  defaultLocale: string;
  addon: AddonDocument;
}

interface StoredItem extends Omit<ItemRow, 'addon'> {
  addonId: number;
  rowVersion: string | null;
}

const FROM = (filter: ItemFilter): string => `FROM collection_item i JOIN addon a ON a.guid = i.guid
  WHERE i.collection_id = wanted.id AND ${ITEM_FILTERS[filter]} AND NOT a.type = ANY($2::text[])`;

const ITEM = `i.guid::text AS guid, i.notes, i.added, i.downloads, a.id AS "addonId"`;

type Read = (...values: unknown[]) => Promise<StoredItem[]>;

const readers = new Map<string, Read>();

/** Each combination of filter and order is a statement of its own. */
function reader(filter: ItemFilter, sort: ItemSort): Read {
  const name = `collection-items-${filter}-${sort}`;
  const usesLocale = ITEM_SORTS[sort].includes('$4');
  const found =
    readers.get(name) ??
    prepared<StoredItem>(
      pool,
      name,
      `SELECT wanted.id AS "parentId", found.*, c.default_locale AS "defaultLocale", d.row_version AS "rowVersion"
       FROM unnest($1::int[]) AS wanted(id) JOIN collection c ON c.id = wanted.id CROSS JOIN LATERAL (
         SELECT ${ITEM}, row_number() OVER (ORDER BY ${ITEM_SORTS[sort]}) AS place ${FROM(filter)}
         ORDER BY place LIMIT ($3::int[])[1] OFFSET ($3::int[])[2]) found
       LEFT JOIN addon_document d ON d.addon_id = found."addonId"
       ${usesLocale ? '' : 'WHERE $4::text IS NOT NULL'} ORDER BY wanted.id, found.place`,
    );
  readers.set(name, found);
  return found;
}

/** What selects a page of items. */
interface ItemPage {
  filter: ItemFilter;
  sort: ItemSort;
  locale: string;
  limit: number;
  offset: number;
}

async function withAddons(rows: readonly StoredItem[]): Promise<ItemRow[]> {
  const documents = await loadDocuments(rows.map(({ addonId: id, rowVersion }) => ({ id, rowVersion })));
  return rows.flatMap(({ addonId: _id, rowVersion: _version, ...row }, index) => {
    const addon = documents[index];
    return addon == null ? [] : [{ ...row, addon }];
  });
}

/** Pages of items of collections: two statements for all with the same bounds. */
export const itemPages = pageLoader<ItemRow, ItemPage>(
  async (ids, { filter, sort, locale, limit, offset }, { hiddenTypes = [] }) =>
    withAddons(await reader(filter, sort)(ids, hiddenTypes, [limit, offset], locale)),
);

const counters = Object.fromEntries(
  (Object.keys(ITEM_FILTERS) as ItemFilter[]).map((filter) => [
    filter,
    prepared<{ parentId: number; count: number }>(
      pool,
      `collection-item-count-${filter}`,
      `SELECT wanted.id AS "parentId", (SELECT count(*)::int ${FROM(filter)}) AS count FROM unnest($1::int[]) AS wanted(id)`,
    ),
  ]),
) as Record<ItemFilter, (...values: unknown[]) => Promise<{ parentId: number; count: number }[]>>;

/** Numbers of items of collections. */
export const itemCounts = pageLoader<{ parentId: number; count: number }, { filter: ItemFilter }>(
  (ids, { filter }, { hiddenTypes = [] }) => counters[filter](ids, hiddenTypes),
);

const readGuids = prepared<{ parentId: number; guids: string[] }>(
  pool,
  'collection-guids',
  `SELECT wanted.id AS "parentId", (SELECT coalesce(array_agg(i.guid::text ORDER BY i.position), '{}') ${FROM('public')}) AS guids
   FROM unnest($1::int[]) AS wanted(id)`,
);

/** The guids of the public add-ons of collections, in their order. */
export const publicGuids = pageLoader<{ parentId: number; guids: string[] }, Record<never, never>>(
  (ids, _page, { hiddenTypes = [] }) => readGuids(ids, hiddenTypes),
);

const readByAddon = prepared<StoredItem>(
  pool,
  'collection-items-by-addon',
  `SELECT i.collection_id AS "parentId", ${ITEM}, c.default_locale AS "defaultLocale", d.row_version AS "rowVersion"
   FROM collection_item i JOIN collection c ON c.id = i.collection_id JOIN addon a ON a.guid = i.guid
   LEFT JOIN addon_document d ON d.addon_id = a.id
   WHERE i.collection_id = ANY ($1::int[]) AND a.id = $2 AND ($3::boolean OR (${IS_PUBLIC_ADDON}))`,
);

/** The item of an add-on in each of these collections that has it. `withHidden`: also one that is not public. */
export const itemOfAddon = pageLoader<ItemRow, { addonId: number; withHidden: boolean }>(
  async (ids, { addonId, withHidden }) => withAddons(await readByAddon(ids, addonId, withHidden)),
);
