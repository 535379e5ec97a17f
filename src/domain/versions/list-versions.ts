import { canSeeDeletedVersions, canSeeVersionsOf, refuse } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { AddonRights } from '../addons/find-addon.ts';

/** The documented values of the `filter` parameter (contract, versions). */
export type VersionFilter = 'all_without_unlisted' | 'all_with_unlisted' | 'all_with_deleted';

const PUBLIC = 4;
const NOT_A_VERSION = ['received', 'validating', 'invalid', 'error'];

/**
 * Which versions of an add-on a list shows: public ones, or with a filter those its authors, reviewers or administrators
 * may see. Failed uploads are in none.
 * @throws NotAuthenticatedError or NotPermittedError for a filter that this viewer may not use.
 */
export function listedIn(viewer: Viewer, addon: AddonRights, filter: VersionFilter | null): Prisma.VersionWhereInput {
  if (filter === null) {
    return {
      addonId: addon.id,
      channel: 'listed',
      deletedAt: null,
      stage: { notIn: NOT_A_VERSION },
      files: { some: {}, every: { status: PUBLIC } },
    };
  }
  const channel = filter === 'all_without_unlisted' ? 'listed' : 'unlisted';
  const allowed =
    filter === 'all_with_deleted' ? canSeeDeletedVersions(viewer) : canSeeVersionsOf(viewer, addon, channel);
  if (!allowed) throw refuse(viewer);
  return {
    addonId: addon.id,
    stage: { notIn: NOT_A_VERSION },
    ...(filter === 'all_with_deleted' ? {} : { deletedAt: null }),
    ...(filter === 'all_without_unlisted' ? { channel: 'listed' } : {}),
  };
}
