import type { NotFoundError } from '../../errors.ts';
import type { PageSlice, SliceRows } from '../../graphql/connections.ts';
import { rowsInOrder } from '../../graphql/per-request.ts';
import { Batcher } from '../../infra/batcher.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import type { Application } from '../../package/enums.ts';

/** The versions of an application that an override applies to. */
export interface OverriddenApplication {
  app: Application;
  minVersion: string;
  maxVersion: string;
}

/** Incompatible versions of an add-on, and the applications in which they do not work. */
export interface OverriddenVersions {
  addonMinVersion: string;
  addonMaxVersion: string;
  applications: OverriddenApplication[];
}

export interface CompatOverrideRow {
  /** Lists are in the order of ids, which is the order of entry. */
  id: number;
  guid: string;
  name: string;
  /** Null if the catalogue has no add-on with this guid. */
  addonId: number | null;
  versionRanges: OverriddenVersions[];
}

/** An override as stored: one range per row, in the order of entry. */
interface StoredOverride extends Omit<CompatOverrideRow, 'versionRanges'> {
  ranges: ({ addonMinVersion: string; addonMaxVersion: string } & OverriddenApplication)[];
}

const OVERRIDE_COLUMNS = `o.id, o.guid, o.name, (
    SELECT a.id FROM addon a WHERE lower(a.guid::text) = lower(o.guid::text) AND a.deleted_at IS NULL
  ) AS "addonId", coalesce((
    SELECT json_agg(json_build_object('addonMinVersion', r.addon_min_version, 'addonMaxVersion', r.addon_max_version,
      'app', r.app, 'minVersion', r.min_version, 'maxVersion', r.max_version) ORDER BY r.id)
    FROM compat_override_range r WHERE r.override_id = o.id
  ), '[]') AS ranges`;

/** Groups the ranges by the versions of the add-on, in the order of entry. */
function overrideOf({ ranges, ...override }: StoredOverride): CompatOverrideRow {
  const byVersions = new Map<string, OverriddenVersions>();
  for (const { addonMinVersion, addonMaxVersion, ...application } of ranges) {
    const key = JSON.stringify([addonMinVersion, addonMaxVersion]);
    const group = byVersions.get(key) ?? { addonMinVersion, addonMaxVersion, applications: [] };
    group.applications.push(application);
    byVersions.set(key, group);
  }
  return { ...override, versionRanges: [...byVersions.values()] };
}

/** One index lookup per guid: OFFSET 0 stops the planner from scanning the whole table. */
const readByGuid = prepared<StoredOverride>(
  lookupPool,
  'compat-overrides-by-guid',
  `SELECT ${OVERRIDE_COLUMNS} FROM unnest($1::text[]) AS requested(guid) CROSS JOIN LATERAL (
      SELECT id, guid, name FROM compat_override WHERE lower(guid::text) = requested.guid OFFSET 0
    ) o`,
);

/** The overrides for lists of guids in lower case. One statement for all lists of a batch. */
const overridesOf = new Batcher<readonly string[], CompatOverrideRow[]>(async (lists) => {
  const rows = await readByGuid([...new Set(lists.flat())]);
  const byGuid = new Map(rows.map((row) => [row.guid.toLowerCase(), overrideOf(row)]));
  return lists.map((guids) => guids.flatMap((guid) => byGuid.get(guid) ?? []));
});

/** The overrides for these guids in any case, without duplicates, in the order of entry. */
export async function findCompatOverrides(guids: readonly string[]): Promise<CompatOverrideRow[]> {
  const wanted = [...new Set(guids.map((guid) => guid.toLowerCase()))];
  const found = await overridesOf.load(wanted);
  return found.sort((one, other) => one.id - other.id);
}

/** Reads count and page in one statement. */
const readPage = prepared<{ count: number; rows: StoredOverride[] }>(
  lookupPool,
  'compat-overrides',
  `WITH page AS (SELECT ${OVERRIDE_COLUMNS} FROM compat_override o ORDER BY o.id LIMIT $1 OFFSET $2)
    SELECT (SELECT count(*)::int FROM compat_override) AS count, coalesce((SELECT json_agg(page ORDER BY id) FROM page), '[]') AS rows`,
);

/**
 * The compat overrides for these guids in any case, or all overrides, oldest first (contract, compat-override). Unknown guids
 * are ignored.
 */
export async function listCompatOverrides(
  guids: readonly string[] | null,
  { offset, limit }: PageSlice,
): Promise<SliceRows<CompatOverrideRow>> {
  if (guids !== null) {
    const found = await findCompatOverrides(guids);
    return { rows: found.slice(offset, offset + limit), reachable: found.length };
  }
  const [row] = await readPage(limit, offset);
  return { rows: (row?.rows ?? []).map(overrideOf), reachable: row?.count ?? 0 };
}

const overridesById = prepared<StoredOverride>(
  lookupPool,
  'compat-overrides-by-id',
  `SELECT ${OVERRIDE_COLUMNS} FROM compat_override o WHERE o.id = ANY($1)`,
);

/** The overrides with these ids, in their order. One statement. */
export async function loadCompatOverrides(ids: readonly number[]): Promise<(CompatOverrideRow | NotFoundError)[]> {
  return rowsInOrder(ids, (await overridesById(ids)).map(overrideOf));
}
