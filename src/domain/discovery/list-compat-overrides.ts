import type { NumberedPage } from '../../graphql/connections.ts';
import { acrossRequests } from '../../graphql/per-request.ts';
import { lookupPool } from '../../infra/db.ts';
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
  /** Overrides are shown in the order in which they were entered. */
  id: number;
  guid: string;
  name: string;
  /** Null when no add-on with this guid is known here. */
  addonId: number | null;
  ranges: ({ addonMinVersion: string; addonMaxVersion: string } & OverriddenApplication)[];
}

/** What is shown of an override. */
const COLUMNS = `o.id, o.guid, o.name, (
    SELECT a.id FROM addon a WHERE lower(a.guid::text) = lower(o.guid::text) AND a.deleted_at IS NULL
  ) AS "addonId", coalesce((
    SELECT json_agg(json_build_object('addonMinVersion', r.addon_min_version, 'addonMaxVersion', r.addon_max_version,
      'app', r.app, 'minVersion', r.min_version, 'maxVersion', r.max_version) ORDER BY r.id)
    FROM compat_override_range r WHERE r.override_id = o.id
  ), '[]') AS ranges`;

/** One statement for count and page. */
const ALL = {
  name: 'compat-overrides',
  text: `WITH page AS (SELECT ${COLUMNS} FROM compat_override o ORDER BY o.id LIMIT $1 OFFSET $2)
    SELECT (SELECT count(*)::int FROM compat_override) AS count, coalesce((SELECT json_agg(page ORDER BY id) FROM page), '[]') AS rows`,
};

/** One look into the index of lower-case guids for each name (OFFSET 0 keeps the planner from reading the whole table). */
const BY_GUID = {
  name: 'compat-overrides-by-guid',
  text: `SELECT asked.place::int, ${COLUMNS} FROM unnest($1::text[]) WITH ORDINALITY AS asked(name, place)
    CROSS JOIN LATERAL (
      SELECT id, guid, name FROM compat_override WHERE lower(guid::text) = lower(asked.name) OFFSET 0
    ) o`,
};

/** The overrides for lists of guids: applications ask with every start, and many of them for the same add-ons. */
const overridesFor = acrossRequests<readonly string[], CompatOverrideRow[]>(async (lists) => {
  const names = [...new Set(lists.flat())];
  const { rows } = await lookupPool.query<CompatOverrideRow & { place: number }>({ ...BY_GUID, values: [names] });
  const byName = new Map(rows.map((row) => [names[row.place - 1], row]));
  return new Map(
    lists.map((list) => {
      // Two spellings of one guid name one override.
      const byId = new Map<number, CompatOverrideRow>();
      for (const name of list) {
        const found = byName.get(name);
        if (found !== undefined) byId.set(found.id, found);
      }
      return [list, [...byId.values()].sort((one, other) => one.id - other.id)];
    }),
  );
});

/**
 * The compat overrides for these guids, or all of them, oldest first (contract, compat-override). An unknown guid has
 * none; upper and lower case are the same.
 */
export async function listCompatOverrides(
  guids: readonly string[] | null,
  page: NumberedPage,
): Promise<NumberedList<CompatOverrideRow>> {
  const { offset, limit } = sliceOf(page);
  if (guids !== null) {
    const found = (await overridesFor.load(guids)) ?? [];
    return { ...page, count: found.length, results: found.slice(offset, offset + limit) };
  }
  const [row] = (
    await lookupPool.query<{ count: number; rows: CompatOverrideRow[] }>({ ...ALL, values: [limit, offset] })
  ).rows;
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
