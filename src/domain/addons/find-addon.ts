import { canSeeAddon, refuse } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import type { Context } from '../../graphql/context.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { pool } from '../../infra/db.ts';
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

/** What decides about rights, in one statement: the larger parts are looked at only where they can matter. */
const RIGHTS = `
  SELECT a.id, a.type, a.status, a.is_disabled_by_developer AS "isDisabledByDeveloper", a.deleted_at AS "deletedAt",
    d.row_version AS "rowVersion",
    CASE WHEN $2::boolean THEN coalesce((
      SELECT json_agg(json_build_object('accountId', w.account_id, 'role', w.role)) FROM addon_author w WHERE w.addon_id = a.id
    ), '[]') ELSE '[]' END AS authors,
    CASE WHEN $2::boolean THEN EXISTS (
      SELECT FROM version v WHERE v.addon_id = a.id AND v.channel = 'listed' AND v.deleted_at IS NULL
    ) ELSE false END AS "hasListedVersion"
  FROM addon a LEFT JOIN addon_document d ON d.addon_id = a.id`;

async function readRights(by: 'id' | 'guid' | 'slug', value: unknown, { kind }: Viewer): Promise<AddonRights[]> {
  const condition = by === 'id' ? 'a.id = ANY($1)' : `a.${by} = $1::citext`;
  const text = `${RIGHTS} WHERE ${condition}`;
  return (await pool.query<AddonRights>({ name: `addon-rights-${by}`, text, values: [value, kind === 'account'] }))
    .rows;
}

/** The rights on add-ons by their ids; NotFoundError for an unknown one. */
export const addonRights = perRequest<number, AddonRights>(async (ids, { viewer }) => {
  const rows = await readRights('id', ids, viewer);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? new NotFoundError());
});

/** The same by slug or guid. */
const rightsByName = perRequest<string, AddonRights>((names, { viewer }) =>
  Promise.all(
    names.map(async (name) => {
      const [row] = await readRights(isGuid(name) ? 'guid' : 'slug', name, viewer);
      return row ?? new NotFoundError();
    }),
  ),
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

/**
 * The add-on that `ref` names, if the viewer may see it.
 * @throws what `findAddonRights` and `requireVisible` throw.
 */
export async function findVisibleAddon(context: Context, ref: string): Promise<AddonRights> {
  const addon = await findAddonRights(context, ref);
  requireVisible(context.viewer, addon);
  return addon;
}
