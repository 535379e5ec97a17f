import { canSeeAddon, isAuthor, refuse } from '../../auth/permissions.ts';
import { isPublicAddon } from '../../auth/public-addon.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import type { Context } from '../../graphql/context.ts';
import { databaseId, idOf } from '../../graphql/global-id.ts';
import { isFound, perRequest } from '../../graphql/per-request.ts';
import { Batcher } from '../../infra/batcher.ts';
import { db, lookupPool, prepared } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import type { AddonDocument } from './addon-document.ts';
import type { AddonRef } from './addon-ref.ts';
import { cacheDocument, cachedVersion, loadDocuments } from './load-documents.ts';

/** The columns of an add-on that decide about permissions, and the row version of its published document. */
export interface AddonRights {
  id: number;
  type: string;
  status: string;
  isDisabledByDeveloper: boolean;
  deletedAt: Date | null;
  /** Null if it was never published. */
  rowVersion: string | null;
  /** Empty for an anonymous viewer, who has no rights that depend on them. */
  authors: { accountId: number; role: string }[];
  /** Of a deleted add-on, whether it had one before. */
  hasListedVersion: boolean;
}

// $1: whether to read the authors, which take a quarter of the time of the statement. A current version is listed and not deleted,
// so an add-on with one needs no look-up of its versions.
const COLUMNS = `a.id, a.type, a.status, a.is_disabled_by_developer AS "isDisabledByDeveloper", a.deleted_at AS "deletedAt",
    d.row_version AS "rowVersion", CASE WHEN $1::boolean THEN coalesce((
      SELECT json_agg(json_build_object('accountId', w.account_id, 'role', w.role)) FROM addon_author w WHERE w.addon_id = a.id
    ), '[]') ELSE '[]' END AS authors,
    a.current_version_id IS NOT NULL OR EXISTS (
      SELECT FROM version v WHERE v.addon_id = a.id AND v.channel = 'listed'
        AND (v.deleted_at IS NULL OR v.deleted_at = a.deleted_at)
    ) AS "hasListedVersion"`;

const findById = prepared<AddonRights & { body: string | null }>(
  lookupPool,
  'addon-rights-by-id',
  `SELECT ${COLUMNS}, CASE WHEN d.row_version = requested.cached THEN NULL ELSE d.body::text END AS body
   FROM unnest($2::int[], $3::int8[]) AS requested(id, cached)
   JOIN addon a ON a.id = requested.id LEFT JOIN addon_document d ON d.addon_id = a.id`,
);

/** Most callers load the document next, so one that is not cached comes with the rights. */
const lookupById = (withAuthors: boolean) =>
  new Batcher<number, AddonRights>(async (ids) => {
    const found = new Map<number, AddonRights>();
    for (const { body, ...rights } of await findById(withAuthors, ids, ids.map(cachedVersion))) {
      found.set(rights.id, rights);
      if (body !== null && rights.rowVersion !== null) cacheDocument(rights.id, rights.rowVersion, body);
    }
    return ids.map((id) => found.get(id) ?? new NotFoundError());
  });

/** Guids and slugs are citext, so the database compares them and returns the key as it was requested. */
function lookupByName(column: 'guid' | 'slug', withAuthors: boolean) {
  const find = prepared<AddonRights & { key: string }>(
    lookupPool,
    `addon-rights-by-${column}`,
    `SELECT requested.key, ${COLUMNS} FROM unnest($2::citext[]) AS requested(key)
     JOIN addon a ON a.${column} = requested.key LEFT JOIN addon_document d ON d.addon_id = a.id`,
  );
  return new Batcher<string, AddonRights>(async (keys) => {
    const found = new Map((await find(withAuthors, keys)).map(({ key, ...rights }) => [key, rights]));
    return keys.map((key) => found.get(key) ?? new NotFoundError());
  });
}

const lookups = (withAuthors: boolean) => ({
  id: lookupById(withAuthors),
  guid: lookupByName('guid', withAuthors),
  slug: lookupByName('slug', withAuthors),
});

// Requests of the two kinds of viewers are not in one batch.
const LOOKUPS: Record<Viewer['kind'], ReturnType<typeof lookups>> = {
  anonymous: lookups(false),
  account: lookups(true),
};

/** The id of no add-on. Its look-up takes the statement of every other one, so that the time of a refusal reveals nothing. */
export const NO_ADDON = 0;

/** Add-on rights by id; NotFoundError for an unknown id. */
export const addonRights = perRequest<number, AddonRights>((ids, { viewer }) => LOOKUPS[viewer.kind].id.loadMany(ids));

const rightsBy = (column: 'guid' | 'slug') =>
  perRequest<string, AddonRights>((names, { viewer }) => LOOKUPS[viewer.kind][column].loadMany(names));
const [rightsByGuid, rightsBySlug] = [rightsBy('guid'), rightsBy('slug')];

/**
 * Finds an add-on in any state, without access checks.
 * @throws {NotFoundError} for an unknown add-on, {InvalidInputError} for a global id of another type.
 */
export async function findAddonRights(
  context: Context,
  { id, databaseId, slug, guid }: AddonRef,
): Promise<AddonRights> {
  if (id != null) return addonRights(context).load(idOf('Addon', id));
  if (databaseId != null) {
    if (databaseId <= 0) throw new NotFoundError();
    return addonRights(context).load(databaseId);
  }
  const name = guid ?? slug ?? '';
  if (name.includes('\0')) throw new NotFoundError();
  const rights = await (guid == null ? rightsBySlug : rightsByGuid)(context).load(name);
  addonRights(context).prime(rights.id, rights);
  return rights;
}

/**
 * Finds an add-on in any state whose type is known, without access checks.
 * @throws as `findAddonRights` does, {NotFoundError} also for a hidden type.
 */
export async function findServedAddon(context: Context, by: AddonRef): Promise<AddonRights> {
  const rights = await findAddonRights(context, by);
  if (context.hiddenTypes?.some((type) => type === rights.type)) throw new NotFoundError();
  return rights;
}

/**
 * Throws unless the viewer may see the add-on (contract, Add-on detail).
 * @throws {NotFoundError} for a deleted add-on; NotAuthenticatedError or NotPermittedError, with the two disabled flags, for
 * one that is not public.
 */
export function requireVisible(viewer: Viewer, addon: AddonRights): void {
  if (canSeeAddon(viewer, addon)) return;
  if (addon.deletedAt !== null) throw new NotFoundError();
  throw refuse(viewer, disabledFlags(addon));
}

/** Whether the viewer is an author, with `role` if it is given, of an add-on that is not deleted. */
export async function isAuthorOfLive(context: Context, addonId: number, role?: 'owner'): Promise<boolean> {
  if (context.viewer.kind === 'anonymous') return false;
  const { authors, deletedAt } = await addonRights(context).load(addonId);
  return deletedAt === null && isAuthor(context.viewer, authors, role);
}

/** The two disabled flags of an add-on that is not public, for 401 and 403 (contract, Errors); undefined for a public one. */
export function disabledFlags(addon: AddonRights): Record<string, boolean> | undefined {
  if (isPublicAddon(addon)) return undefined;
  return { is_disabled_by_developer: addon.isDisabledByDeveloper, is_disabled_by_vendor: addon.status === 'disabled' };
}

/**
 * The add-ons with these ids in the same order, with an error for each one that the viewer may not see. One statement reads
 * permissions and row versions, a second one the documents that are not cached.
 */
export async function loadVisibleAddons(ids: readonly number[], context: Context): Promise<(AddonDocument | Error)[]> {
  const rights = await addonRights(context).loadMany([...ids]);
  const checked = rights.map((addon) => {
    if (addon instanceof Error) return addon;
    try {
      requireVisible(context.viewer, addon);
      return addon;
    } catch (error) {
      return error as Error;
    }
  });
  const visible = checked.filter((addon) => isFound(addon));
  const documents = await loadDocuments(visible);
  const byId = new Map(visible.map(({ id }, index) => [id, documents[index]]));
  return checked.map((addon) => {
    if (addon instanceof Error) return addon;
    return byId.get(addon.id) ?? new Error(`add-on ${addon.id} has no document`);
  });
}

/**
 * Finds an add-on by id, slug or guid in any case, without access checks, and returns its id.
 * @throws {NotFoundError} for an unknown or deleted add-on.
 */
export async function addonIdOf(name: string): Promise<number> {
  const where = /^\d+$/.test(name) ? { id: databaseId(name) } : { OR: [{ guid: name }, { slug: name }] };
  const found = name.includes('\0') ? null : await db.addon.findFirst({ where: { ...where, deletedAt: null } });
  if (found === null) throw new NotFoundError(message('addon.unknown', { name: printable(name) }));
  return found.id;
}
