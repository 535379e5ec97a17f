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

/** What decides for the anonymous, and what state the published document has. */
const STATE = `a.id, a.type, a.status, a.is_disabled_by_developer AS "isDisabledByDeveloper", a.deleted_at AS "deletedAt",
    d.row_version AS "rowVersion"`;

/** What decides for accounts beside that. */
const AUTHORS = `coalesce((
      SELECT json_agg(json_build_object('accountId', w.account_id, 'role', w.role)) FROM addon_author w WHERE w.addon_id = a.id
    ), '[]') AS authors,
    EXISTS (
      SELECT FROM version v WHERE v.addon_id = a.id AND v.channel = 'listed' AND v.deleted_at IS NULL
    ) AS "hasListedVersion"`;

/** A row for the anonymous lacks the authors: to have them in the statement costs a quarter of it, asked for or not. */
type RightsRow = Omit<AddonRights, 'authors' | 'hasListedVersion'> & Partial<AddonRights>;

const rightsOf = (row: RightsRow): AddonRights => ({ authors: [], hasListedVersion: false, ...row });

type Asker = 'anonymous' | 'account';

const columnsFor = (asker: Asker): string => (asker === 'account' ? `${STATE}, ${AUTHORS}` : STATE);

const byId = (asker: Asker) => ({
  name: `addon-rights-id-${asker}`,
  text: `SELECT ${columnsFor(asker)} FROM addon a LEFT JOIN addon_document d ON d.addon_id = a.id WHERE a.id = ANY($1)`,
});

/** Upper and lower case are for the database to compare: a row says at which place in the list its name stands. */
const byName = (column: 'guid' | 'slug', asker: Asker) => ({
  name: `addon-rights-${column}-${asker}`,
  text: `SELECT ${columnsFor(asker)}, asked.place::int FROM unnest($1::text[]) WITH ORDINALITY AS asked(name, place)
    JOIN addon a ON a.${column} = asked.name::citext LEFT JOIN addon_document d ON d.addon_id = a.id`,
});

function rightsLookups(asker: Asker) {
  const named = (column: 'guid' | 'slug') => {
    const statement = byName(column, asker);
    return acrossRequests<string, AddonRights>(async (names) => {
      const { rows } = await lookupPool.query<RightsRow & { place: number }>({ ...statement, values: [names] });
      return new Map(rows.map(({ place, ...row }) => [names[place - 1] ?? '', rightsOf(row)]));
    });
  };
  const statement = byId(asker);
  return {
    guid: named('guid'),
    slug: named('slug'),
    id: acrossRequests<number, AddonRights>(async (ids) => {
      const { rows } = await lookupPool.query<RightsRow>({ ...statement, values: [ids] });
      return new Map(rows.map((row) => [row.id, rightsOf(row)]));
    }),
  };
}

/** Apart by what they read: authors matter to accounts only. */
const LOOKUPS = { anonymous: rightsLookups('anonymous'), account: rightsLookups('account') };

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
