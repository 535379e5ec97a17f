import { canSeeAddon, refuse } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import type { Context } from '../../graphql/context.ts';
import { acrossRequests, rememberedPerRequest } from '../../graphql/per-request.ts';
import { lookupPool } from '../../infra/db.ts';
import { isGuid } from '../../package/manifest/identity.ts';

const MAX_ID = 2_147_483_647;

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

/** What decides about rights: the larger parts are looked at only where they can matter. */
const RIGHTS = `a.id, a.type, a.status, a.is_disabled_by_developer AS "isDisabledByDeveloper", a.deleted_at AS "deletedAt",
    d.row_version AS "rowVersion",
    CASE WHEN $2::boolean THEN coalesce((
      SELECT json_agg(json_build_object('accountId', w.account_id, 'role', w.role)) FROM addon_author w WHERE w.addon_id = a.id
    ), '[]') ELSE '[]' END AS authors,
    CASE WHEN $2::boolean THEN EXISTS (
      SELECT FROM version v WHERE v.addon_id = a.id AND v.channel = 'listed' AND v.deleted_at IS NULL
    ) ELSE false END AS "hasListedVersion"`;

const BY_ID = {
  name: 'addon-rights-id',
  text: `SELECT ${RIGHTS} FROM addon a LEFT JOIN addon_document d ON d.addon_id = a.id WHERE a.id = ANY($1)`,
};

/** Upper and lower case are for the database to compare: a row says at which place in the list its name stands. */
const byName = (column: 'guid' | 'slug') => ({
  name: `addon-rights-${column}`,
  text: `SELECT ${RIGHTS}, asked.place::int FROM unnest($1::text[]) WITH ORDINALITY AS asked(name, place)
    JOIN addon a ON a.${column} = asked.name::citext LEFT JOIN addon_document d ON d.addon_id = a.id`,
});

function rightsLookups(isAccount: boolean) {
  const named = (column: 'guid' | 'slug') =>
    acrossRequests<string, AddonRights>(async (names) => {
      const statement = { ...byName(column), values: [names, isAccount] };
      const { rows } = await lookupPool.query<AddonRights & { place: number }>(statement);
      return new Map(rows.map((row) => [names[row.place - 1] ?? '', row]));
    });
  return {
    guid: named('guid'),
    slug: named('slug'),
    id: acrossRequests<number, AddonRights>(async (ids) => {
      const { rows } = await lookupPool.query<AddonRights>({ ...BY_ID, values: [ids, isAccount] });
      return new Map(rows.map((row) => [row.id, row]));
    }),
  };
}

/** Apart by what they read: authors matter to accounts only. */
const LOOKUPS = { anonymous: rightsLookups(false), account: rightsLookups(true) };

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
    if (Number(ref) > MAX_ID) throw new NotFoundError();
    return addonRights(context).load(Number(ref));
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
