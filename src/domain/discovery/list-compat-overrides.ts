import type { NumberedPage } from '../../graphql/connections.ts';
import { pool } from '../../infra/db.ts';
import type { Application } from '../addons/enums.ts';
import { type NumberedList, sliceOf } from './numbered-list.ts';

/** The versions of an application that an override is for. */
export interface OverriddenApplication {
  app: Application;
  minVersion: string;
  maxVersion: string;
}

/** Versions of an add-on that do not work, and the applications that they do not work in. */
export interface OverriddenVersions {
  addonMinVersion: string;
  addonMaxVersion: string;
  applications: OverriddenApplication[];
}

export interface CompatOverrideRow {
  guid: string;
  name: string;
  /** Null when no add-on with this guid is known here. */
  addonId: number | null;
  ranges: ({ addonMinVersion: string; addonMaxVersion: string } & OverriddenApplication)[];
}

/** One statement for count and page. Two texts, so that each has its own plan: one reads the index, the other the whole list. */
const listing = (condition: string) => `
  WITH wanted AS (SELECT id, guid, name FROM compat_override WHERE ${condition}),
    page AS (
      SELECT w.id, json_build_object('guid', w.guid, 'name', w.name, 'addonId', (
          SELECT a.id FROM addon a WHERE a.guid = w.guid AND a.deleted_at IS NULL
        ), 'ranges', coalesce((
          SELECT json_agg(json_build_object('addonMinVersion', r.addon_min_version, 'addonMaxVersion', r.addon_max_version,
            'app', r.app, 'minVersion', r.min_version, 'maxVersion', r.max_version) ORDER BY r.id)
          FROM compat_override_range r WHERE r.override_id = w.id
        ), '[]')) AS body
      FROM wanted w ORDER BY w.id LIMIT $1 OFFSET $2)
  SELECT (SELECT count(*)::int FROM wanted) AS count, coalesce((SELECT json_agg(body ORDER BY id) FROM page), '[]') AS rows`;

const ALL = { name: 'compat-overrides', text: listing('true') };
const BY_GUID = { name: 'compat-overrides-by-guid', text: listing('guid = ANY($3::text[]::citext[])') };

/**
 * The compat overrides for these guids, or all of them, oldest first (contract, compat-override). An unknown guid has
 * none; upper and lower case are the same.
 */
export async function listCompatOverrides(
  guids: readonly string[] | null,
  page: NumberedPage,
): Promise<NumberedList<CompatOverrideRow>> {
  const { offset, limit } = sliceOf(page);
  const statement =
    guids === null ? { ...ALL, values: [limit, offset] } : { ...BY_GUID, values: [limit, offset, [...guids]] };
  const [row] = (await pool.query<{ count: number; rows: CompatOverrideRow[] }>(statement)).rows;
  return { ...page, count: row?.count ?? 0, results: row?.rows ?? [] };
}

/** The ranges of an override, those for the same versions of the add-on put together, in the order they were entered. */
export function versionRangesOf({ ranges }: Pick<CompatOverrideRow, 'ranges'>): OverriddenVersions[] {
  const byVersions = new Map<string, OverriddenVersions>();
  for (const { addonMinVersion, addonMaxVersion, ...application } of ranges) {
    const key = JSON.stringify([addonMinVersion, addonMaxVersion]);
    const group = byVersions.get(key) ?? { addonMinVersion, addonMaxVersion, applications: [] };
    group.applications.push(application);
    byVersions.set(key, group);
  }
  return [...byVersions.values()];
}
