import { canSeeDeletedVersions, canSeeVersionsOf } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import { db } from '../../infra/db.ts';
import { findAddonRights, findVisibleAddon } from '../addons/find-addon.ts';
import { listedIn } from './list-versions.ts';

const MAX_ID = 2_147_483_647;

/**
 * The id of a version that a viewer may see: a public one of an add-on that he may see, or any that has not been deleted
 * for the add-on's authors and the reviewers of its channel.
 * @throws {NotFoundError} for every other, so that nobody learns what exists.
 */
export async function findVisibleVersion(viewer: Viewer, id: number): Promise<{ id: number }> {
  if (!Number.isInteger(id) || id < 1 || id > MAX_ID) throw new NotFoundError();
  const version = await db.version.findUnique({
    where: { id },
    select: { id: true, addonId: true, channel: true, deletedAt: true },
  });
  if (version === null) throw new NotFoundError();
  const addon = await findAddonRights(String(version.addonId));
  const channel = version.channel === 'listed' ? 'listed' : 'unlisted';
  if (canSeeVersionsOf(viewer, addon, channel) && (version.deletedAt === null || canSeeDeletedVersions(viewer))) {
    return { id };
  }
  await findVisibleAddon(viewer, String(addon.id));
  if ((await db.version.count({ where: { AND: [{ id }, listedIn(viewer, addon, null)] } })) === 0) {
    throw new NotFoundError();
  }
  return { id };
}
