/*
 * Overrides by guid. Applications ask with every start for all that is installed, and few add-ons have an override, so all
 * overrides are held in memory under the revision of their list. Nobody is answered from there who has not learnt from the
 * database, after he asked, that this is the revision still; the same statement says which add-ons the overrides are for.
 */
import { acrossRequests } from '../../graphql/per-request.ts';
import { lookupPool } from '../../infra/db.ts';
import type { Application } from '../addons/enums.ts';

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
  versionRanges: OverriddenVersions[];
}

/** An override as it is read: its ranges each for itself, in the order in which they were entered. */
export interface StoredOverride extends Omit<CompatOverrideRow, 'versionRanges'> {
  ranges: ({ addonMinVersion: string; addonMaxVersion: string } & OverriddenApplication)[];
}

const ADDON_ID = (guid: string) =>
  `(SELECT a.id FROM addon a WHERE lower(a.guid::text) = lower(${guid}) AND a.deleted_at IS NULL)`;

/** What is shown of an override. */
export const OVERRIDE_COLUMNS = `o.id, o.guid, o.name, ${ADDON_ID('o.guid::text')} AS "addonId", coalesce((
    SELECT json_agg(json_build_object('addonMinVersion', r.addon_min_version, 'addonMaxVersion', r.addon_max_version,
      'app', r.app, 'minVersion', r.min_version, 'maxVersion', r.max_version) ORDER BY r.id)
    FROM compat_override_range r WHERE r.override_id = o.id
  ), '[]') AS ranges`;

/** An override with the ranges for the same versions of the add-on put together, in the order they were entered. */
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

/** So many overrides are held in memory at most, which are some 10 MB; of a longer list none are. */
const MOST_HELD = 10_000;

/** The overrides of one revision by guid, in lower case; null when there are too many. */
interface Held {
  revision: string;
  overrides: ReadonlyMap<string, CompatOverrideRow> | null;
}

let held: Held | undefined;

const REVISION = `SELECT coalesce(string_agg(revision::text, ' ' ORDER BY bulk_load), '') FROM compat_override_revision`;

/** The revision, and the add-ons with some guids. */
const CURRENT = {
  name: 'compat-override-revision',
  text: `SELECT (${REVISION}) AS revision, (
      SELECT json_agg(${ADDON_ID('asked.guid')} ORDER BY asked.place) FROM unnest($1::text[]) WITH ORDINALITY AS asked(guid, place)
    ) AS "addonIds"`,
};

const LIST = {
  name: 'compat-overrides-to-hold',
  text: `SELECT (${REVISION}) AS revision, coalesce((
      SELECT json_agg(o) FROM (SELECT ${OVERRIDE_COLUMNS} FROM compat_override o LIMIT $1) o
    ), '[]') AS rows`,
};

/** Reads revision and overrides as they are at one moment. */
async function readList(): Promise<Held> {
  const values = [MOST_HELD + 1];
  const [list] = (await lookupPool.query<{ revision: string; rows: StoredOverride[] }>({ ...LIST, values })).rows;
  const { revision, rows } = list ?? { revision: '', rows: [] };
  if (rows.length > MOST_HELD) return { revision, overrides: null };
  return { revision, overrides: new Map(rows.map((row) => [row.guid.toLowerCase(), overrideOf(row)])) };
}

/** The overrides that a list has for guids, as they are now; null when the list is not the present one. */
async function readCurrent(list: Held, guids: readonly string[]): Promise<Map<string, CompatOverrideRow> | null> {
  const found = guids.flatMap((guid) => list.overrides?.get(guid) ?? []);
  const values = [found.map(({ guid }) => guid)];
  const query = { ...CURRENT, values };
  const [state] = (await lookupPool.query<{ revision: string; addonIds: (number | null)[] | null }>(query)).rows;
  if (state?.revision !== list.revision) return null;
  const current = found.map((override, index) => ({ ...override, addonId: state.addonIds?.[index] ?? null }));
  return new Map(current.map((override) => [override.guid.toLowerCase(), override]));
}

/** One look into the index of lower-case guids for each name (OFFSET 0 keeps the planner from reading the whole table). */
const BY_GUID = {
  name: 'compat-overrides-by-guid',
  text: `SELECT ${OVERRIDE_COLUMNS} FROM unnest($1::text[]) AS asked(name) CROSS JOIN LATERAL (
      SELECT id, guid, name FROM compat_override WHERE lower(guid::text) = lower(asked.name) OFFSET 0
    ) o`,
};

/** What a list too long for memory has for guids. */
async function lookUp(guids: readonly string[]): Promise<Map<string, CompatOverrideRow>> {
  const { rows } = await lookupPool.query<StoredOverride>({ ...BY_GUID, values: [guids] });
  return new Map(rows.map((row) => [row.guid.toLowerCase(), overrideOf(row)]));
}

/** The overrides for guids in lower case. One statement where nothing has changed since the last time, else one more. */
async function findOverrides(guids: readonly string[]): Promise<ReadonlyMap<string, CompatOverrideRow>> {
  if (held !== undefined) {
    const { overrides } = held;
    const current = await readCurrent(held, guids);
    if (current !== null) return overrides === null ? lookUp(guids) : current;
  }
  const list = await readList();
  held = list;
  return list.overrides ?? lookUp(guids);
}

const overridesFor = acrossRequests<readonly string[], CompatOverrideRow[]>(async (lists) => {
  const found = await findOverrides([...new Set(lists.flat())]);
  return new Map(
    lists.map((list) => [list, list.flatMap((guid) => found.get(guid) ?? []).sort((one, other) => one.id - other.id)]),
  );
});

/** The overrides for guids in any case, in the order in which they were entered, each once. */
export async function findCompatOverrides(guids: readonly string[]): Promise<CompatOverrideRow[]> {
  const asked = new Set(guids.map((guid) => guid.toLowerCase()));
  return (await overridesFor.load([...asked])) ?? [];
}
