/*
 * Overrides by guid. Applications ask with every start for all that is installed, and few add-ons have an override, so all
 * overrides are held in memory under the revision of their list. Nobody is answered from there who has not learnt from the
 * database, after he asked, that this is the revision still; the same statement says which add-ons the overrides are for.
 */
import { acrossRequests } from '../../graphql/per-request.ts';
import { lookupPool } from '../../infra/db.ts';
import { SnapshotMemory } from '../../infra/snapshot-memory.ts';
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

/** The overrides of one revision by guid, in lower case; none when there are too many. */
interface Held {
  revision: string;
  overrides: ReadonlyMap<string, CompatOverrideRow>;
  isWhole: boolean;
}

let held: Held | undefined;

const REVISION = `SELECT coalesce(string_agg(revision::text, ' ' ORDER BY bulk_load), '') FROM compat_override_revision`;

interface State {
  revision: string;
  addonId: number | null;
}

/** The revision, and the add-on with a guid, by guids. */
const states = new SnapshotMemory<string, State, State>(
  'compat-override-states',
  `SELECT asked.guid AS key, json_build_object('revision', list.revision, 'addonId', ${ADDON_ID('asked.guid')}) AS value
    FROM unnest($2::text[]) AS asked(guid) CROSS JOIN (SELECT (${REVISION}) AS revision OFFSET 0) AS list`,
  (state) => state,
);

/** A guid that no add-on has, to ask for the revision alone. */
const NO_GUID = '';

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
  const isWhole = rows.length <= MOST_HELD;
  return { revision, overrides: byGuid(isWhole ? rows : []), isWhole };
}

const byGuid = (rows: readonly StoredOverride[]): Map<string, CompatOverrideRow> =>
  new Map(rows.map((row) => [row.guid.toLowerCase(), overrideOf(row)]));

/** The add-ons that overrides are for at present; null when another revision than theirs is the present one. */
async function readAddonIds(
  revision: string,
  overrides: readonly CompatOverrideRow[],
): Promise<Map<CompatOverrideRow, number | null> | null> {
  const present = await states.read([NO_GUID, ...overrides.map(({ guid }) => guid)]);
  if (present.get(NO_GUID)?.revision !== revision) return null;
  return new Map(overrides.map((override) => [override, present.get(override.guid)?.addonId ?? null]));
}

/** One look into the index of lower-case guids for each name (OFFSET 0 keeps the planner from reading the whole table). */
const BY_GUID = {
  name: 'compat-overrides-by-guid',
  text: `SELECT ${OVERRIDE_COLUMNS} FROM unnest($1::text[]) AS asked(name) CROSS JOIN LATERAL (
      SELECT id, guid, name FROM compat_override WHERE lower(guid::text) = lower(asked.name) OFFSET 0
    ) o`,
};

/** What some overrides have for guids in any case, in the order in which they were entered, each once. */
function overridesAmong(
  overrides: ReadonlyMap<string, CompatOverrideRow>,
  guids: readonly string[],
): CompatOverrideRow[] {
  const found = new Set<CompatOverrideRow>();
  for (const guid of guids) {
    const override = overrides.get(guid.toLowerCase());
    if (override !== undefined) found.add(override);
  }
  return [...found].sort((one, other) => one.id - other.id);
}

/** The same from the database, for a list too long for memory. */
async function lookUp(lists: readonly (readonly string[])[]): Promise<CompatOverrideRow[][]> {
  const values = [[...new Set(lists.flat())]];
  const overrides = byGuid((await lookupPool.query<StoredOverride>({ ...BY_GUID, values })).rows);
  return lists.map((guids) => overridesAmong(overrides, guids));
}

/** The overrides for lists of guids. One statement where nothing has changed since the last time, else one more. */
async function findOverrides(lists: readonly (readonly string[])[]): Promise<CompatOverrideRow[][]> {
  const known = held;
  if (known !== undefined) {
    const found = lists.map((guids) => overridesAmong(known.overrides, guids));
    const addonIds = await readAddonIds(known.revision, [...new Set(found.flat())]);
    if (addonIds !== null) {
      if (!known.isWhole) return lookUp(lists);
      return found.map((list) => list.map((one) => ({ ...one, addonId: addonIds.get(one) ?? null })));
    }
  }
  const present = await readList();
  held = present;
  return present.isWhole ? lists.map((guids) => overridesAmong(present.overrides, guids)) : lookUp(lists);
}

const overridesFor = acrossRequests<readonly string[], CompatOverrideRow[]>(async (lists) => {
  const found = await findOverrides(lists);
  return new Map(lists.map((guids, index) => [guids, found[index] ?? []]));
});

/** The overrides for guids in any case, in the order in which they were entered, each once. */
export async function findCompatOverrides(guids: readonly string[]): Promise<CompatOverrideRow[]> {
  return (await overridesFor.load(guids)) ?? [];
}
