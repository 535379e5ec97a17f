import { acrossRequests } from '../../graphql/per-request.ts';
import { lookupPool } from '../../infra/db.ts';
import type { Application } from '../../package/words.ts';

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
export interface StoredOverride extends Omit<CompatOverrideRow, 'versionRanges'> {
  ranges: ({ addonMinVersion: string; addonMaxVersion: string } & OverriddenApplication)[];
}

export const OVERRIDE_COLUMNS = `o.id, o.guid, o.name, (
    SELECT a.id FROM addon a WHERE lower(a.guid::text) = lower(o.guid::text) AND a.deleted_at IS NULL
  ) AS "addonId", coalesce((
    SELECT json_agg(json_build_object('addonMinVersion', r.addon_min_version, 'addonMaxVersion', r.addon_max_version,
      'app', r.app, 'minVersion', r.min_version, 'maxVersion', r.max_version) ORDER BY r.id)
    FROM compat_override_range r WHERE r.override_id = o.id
  ), '[]') AS ranges`;

/** Groups the ranges by the versions of the add-on, in the order of entry. */
export function overrideOf({ ranges, ...override }: StoredOverride): CompatOverrideRow {
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
const BY_GUID = {
  name: 'compat-overrides-by-guid',
  text: `SELECT ${OVERRIDE_COLUMNS} FROM unnest($1::text[]) AS requested(guid) CROSS JOIN LATERAL (
      SELECT id, guid, name FROM compat_override WHERE lower(guid::text) = requested.guid OFFSET 0
    ) o`,
};

/** Overrides by guid in lower case. */
const overridesByGuid = acrossRequests<string, CompatOverrideRow>(async (guids) => {
  const { rows } = await lookupPool.query<StoredOverride>({ ...BY_GUID, values: [guids] });
  return new Map(rows.map((row) => [row.guid.toLowerCase(), overrideOf(row)]));
});

/** The overrides for these guids in any case, without duplicates, in the order of entry. */
export async function findCompatOverrides(guids: readonly string[]): Promise<CompatOverrideRow[]> {
  const found = await overridesByGuid.loadMany([...new Set(guids.map((guid) => guid.toLowerCase()))]);
  return found
    .map((override) => {
      if (override instanceof Error) throw override;
      return override;
    })
    .filter((override) => override !== undefined)
    .sort((one, other) => one.id - other.id);
}
