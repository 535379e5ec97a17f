import { canSeeAddon, refuse } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { db } from '../../infra/db.ts';
import { isGuid } from '../../package/manifest/identity.ts';

const MAX_ID = 2_147_483_647;

/** How `ref` names an add-on: digits are an id, the shape of a guid is a guid, anything else a slug (contract, Add-on catalogue). */
export function addonWhere(ref: string): Prisma.AddonWhereUniqueInput | null {
  if (/^\d+$/.test(ref)) return Number(ref) <= MAX_ID ? { id: Number(ref) } : null;
  if (ref.includes('\0')) return null;
  return isGuid(ref) ? { guid: ref } : { slug: ref };
}

const visibilitySelection = {
  id: true,
  type: true,
  status: true,
  isDisabledByDeveloper: true,
  deletedAt: true,
  authors: { select: { accountId: true, role: true } },
  versions: { where: { channel: 'listed', deletedAt: null }, take: 1, select: { id: true } },
} satisfies Prisma.AddonSelect;

/** An add-on as far as permissions are concerned. */
export type AddonRights = Prisma.AddonGetPayload<{ select: typeof visibilitySelection }>;

/**
 * The add-on that `ref` (id, slug or guid, in any case) names, whoever asks.
 * @throws {NotFoundError} for an unknown or deleted one.
 */
export async function findAddonRights(ref: string): Promise<AddonRights> {
  const where = addonWhere(ref);
  const addon = where && (await db.addon.findUnique({ where, select: visibilitySelection }));
  if (!addon || addon.deletedAt !== null) throw new NotFoundError();
  return addon;
}

/**
 * The add-on that `ref` names, if this viewer may see it (contract, Add-on catalogue).
 * @throws {NotFoundError} for an unknown or deleted one; NotAuthenticatedError or NotPermittedError, with the two
 * disabled flags, for one that is not public.
 */
export async function findVisibleAddon(viewer: Viewer, ref: string): Promise<AddonRights> {
  const addon = await findAddonRights(ref);
  if (!canSeeAddon(viewer, { ...addon, hasListedVersion: addon.versions.length > 0 })) {
    throw refuse(viewer, {
      is_disabled_by_developer: addon.isDisabledByDeveloper,
      is_disabled_by_vendor: addon.status === 'disabled',
    });
  }
  return addon;
}
