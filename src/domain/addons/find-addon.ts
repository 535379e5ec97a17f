import { canSeeAddon, refuse } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import type { Context } from '../../graphql/context.ts';
import { databaseId } from '../../graphql/global-id.ts';
import { acrossRequests, rememberedPerRequest } from '../../graphql/per-request.ts';
import { lookupPool } from '../../infra/db.ts';
import { SnapshotMemory } from '../../infra/snapshot-memory.ts';
import { isGuid } from '../../package/manifest/identity.ts';

/** An add-on as far as permissions are concerned, with the version of its published document. */
export interface AddonRights {
  id: number;
  type: string;
  status: string;
  isDisabledByDeveloper: boolean;
  deletedAt: Date | null;
  /** Null while it has never been published. */
  rowVersion: string | null;
  /** Empty for the anonymous, to whom nobody's authorship matters. */
  authors: { accountId: number; role: string }[];
  hasListedVersion: boolean;
}

/** What decides for accounts. */
const COLUMNS = `a.id, a.type, a.status, a.is_disabled_by_developer AS "isDisabledByDeveloper", a.deleted_at AS "deletedAt",
    d.row_version AS "rowVersion", coalesce((
      SELECT json_agg(json_build_object('accountId', w.account_id, 'role', w.role)) FROM addon_author w WHERE w.addon_id = a.id
    ), '[]') AS authors,
    EXISTS (
      SELECT FROM version v WHERE v.addon_id = a.id AND v.channel = 'listed' AND v.deleted_at IS NULL
    ) AS "hasListedVersion"`;

/** What decides for the anonymous: to read authors for them would cost a quarter of the statement. */
const STATE = `json_build_object('id', a.id, 'type', a.type, 'status', a.status, 'isDisabledByDeveloper', a.is_disabled_by_developer,
    'deletedAt', a.deleted_at, 'rowVersion', d.row_version::text) AS value`;

/** The add-ons with the ids of an array. */
const byId = (parameter: string) =>
  `FROM addon a LEFT JOIN addon_document d ON d.addon_id = a.id WHERE a.id = ANY(${parameter}::int[])`;

/** The add-ons with the names of an array, `asked.name`: upper and lower case are for the database to compare. */
const byName = (column: 'guid' | 'slug', parameter: string) =>
  `FROM unnest(${parameter}::text[]) AS asked(name) JOIN addon a ON a.${column} = asked.name::citext
    LEFT JOIN addon_document d ON d.addon_id = a.id`;

interface StateRow extends Omit<AddonRights, 'deletedAt' | 'authors' | 'hasListedVersion'> {
  deletedAt: string | null;
}

function anonymousRights(row: StateRow): AddonRights {
  const deletedAt = row.deletedAt === null ? null : new Date(row.deletedAt);
  return { ...row, deletedAt, authors: [], hasListedVersion: false };
}

function forAnonymous<Key extends number | string>(name: string, key: string, from: string) {
  const memory = new SnapshotMemory<Key, StateRow, AddonRights>(
    `addon-state-${name}`,
    `SELECT ${key} AS key, ${STATE} ${from}`,
    anonymousRights,
  );
  return acrossRequests<Key, AddonRights>((keys) => memory.read(keys));
}

function forAccounts<Key extends number | string>(name: string, key: string, from: string) {
  const statement = { name: `addon-rights-${name}`, text: `SELECT ${key} AS key, ${COLUMNS} ${from}` };
  return acrossRequests<Key, AddonRights>(async (keys) => {
    const { rows } = await lookupPool.query<AddonRights & { key: Key }>({ ...statement, values: [keys] });
    return new Map(rows.map(({ key, ...rights }) => [key, rights]));
  });
}

/** Apart by what they read: authors matter to accounts only. */
const LOOKUPS = {
  anonymous: {
    id: forAnonymous<number>('id', 'a.id', byId('$2')),
    guid: forAnonymous<string>('guid', 'asked.name', byName('guid', '$2')),
    slug: forAnonymous<string>('slug', 'asked.name', byName('slug', '$2')),
  },
  account: {
    id: forAccounts<number>('id', 'a.id', byId('$1')),
    guid: forAccounts<string>('guid', 'asked.name', byName('guid', '$1')),
    slug: forAccounts<string>('slug', 'asked.name', byName('slug', '$1')),
  },
};

function known(rights: AddonRights | undefined): AddonRights {
  if (rights === undefined) throw new NotFoundError();
  return rights;
}

/** The rights on add-ons by their ids; NotFoundError for an unknown one. */
export const addonRights = rememberedPerRequest<number, AddonRights>(async (id, { viewer }) =>
  known(await LOOKUPS[viewer.kind].id.load(id)),
);

/** The same by slug or guid. */
const rightsByName = rememberedPerRequest<string, AddonRights>(async (name, { viewer }) =>
  known(await LOOKUPS[viewer.kind][isGuid(name) ? 'guid' : 'slug'].load(name)),
);

/**
 * The add-on that `ref` names, whoever asks: digits are an id, the shape of a guid is a guid, anything else a slug, in any
 * case (contract, Add-on catalogue).
 * @throws {NotFoundError} for an unknown one.
 */
export async function findAddonRights(context: Context, ref: string): Promise<AddonRights> {
  if (/^\d+$/.test(ref)) {
    const id = databaseId(ref);
    if (id === 0) throw new NotFoundError();
    return addonRights(context).load(id);
  }
  if (ref.includes('\0')) throw new NotFoundError();
  const rights = await rightsByName(context).load(ref);
  addonRights(context).prime(rights.id, rights);
  return rights;
}

/** Makes the rest of a request see what a mutation in it has changed. */
export function forgetRights(context: Context, id: number): void {
  addonRights(context).clear(id);
  rightsByName(context).clearAll();
}

/**
 * Lets a viewer pass who may see the add-on (contract, Add-on detail).
 * @throws {NotFoundError} for a deleted one; NotAuthenticatedError or NotPermittedError, with the two disabled flags, for
 * one that is not public.
 */
export function requireVisible(viewer: Viewer, addon: AddonRights): void {
  if (canSeeAddon(viewer, addon)) return;
  if (addon.deletedAt !== null) throw new NotFoundError();
  throw refuse(viewer, {
    is_disabled_by_developer: addon.isDisabledByDeveloper,
    is_disabled_by_vendor: addon.status === 'disabled',
  });
}
