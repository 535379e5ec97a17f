import { canSeeDeletedVersions, canSeeVersionsOf, refuse } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { KeysetPage } from '../../graphql/connections.ts';
import { acrossRequests, cachedPerRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import type { AddonRights } from '../addons/find-addon.ts';
import type { VersionDocument } from '../addons/version-document.ts';
import { HAS_PUBLIC_FILES, NOT_A_VERSION } from './find-version.ts';
import { VERSION_COLUMNS, VERSION_JOINS, type VersionRow, versionOf } from './load-versions.ts';

/** The documented values of the `filter` parameter (contract, versions). */
export type VersionFilter = 'all_without_unlisted' | 'all_with_unlisted' | 'all_with_deleted';

/** Selects versions of an add-on for a list. Lists never contain failed uploads. */
export interface VersionScope {
  addonId: number;
  onlyPublic: boolean;
  onlyListed: boolean;
  withDeleted: boolean;
}

/**
 * The scope of a list: public versions, or with a filter also those that authors, reviewers or administrators may see.
 * @throws NotAuthenticatedError or NotPermittedError for a filter that the viewer may not use.
 */
export function scopeOf(viewer: Viewer, addon: AddonRights, filter: VersionFilter | null): VersionScope {
  if (filter === null) return { addonId: addon.id, onlyPublic: true, onlyListed: true, withDeleted: false };
  const withDeleted = filter === 'all_with_deleted';
  const onlyListed = filter === 'all_without_unlisted';
  const allowed = withDeleted
    ? canSeeDeletedVersions(viewer)
    : canSeeVersionsOf(viewer, addon, onlyListed ? 'listed' : 'unlisted');
  if (!allowed) throw refuse(viewer);
  return { addonId: addon.id, onlyPublic: false, onlyListed, withDeleted };
}

const IN_SCOPE = `v.addon_id = $1 AND v.stage NOT IN (${NOT_A_VERSION.map((stage) => `'${stage}'`).join(', ')})
  AND (NOT $2::boolean OR ${HAS_PUBLIC_FILES})
  AND (NOT $3::boolean OR v.channel = 'listed') AND ($4::boolean OR v.deleted_at IS NULL)`;

const scopeValues = ({ addonId, onlyPublic, onlyListed, withDeleted }: VersionScope) => [
  addonId,
  onlyPublic,
  onlyListed,
  withDeleted,
];

const count = prepared<{ count: number }>(
  lookupPool,
  'count-versions',
  `SELECT count(*)::int AS count FROM version v WHERE ${IN_SCOPE}`,
);

export async function countVersions(scope: VersionScope): Promise<number> {
  return (await count(...scopeValues(scope)))[0]?.count ?? 0;
}

const countPublic = prepared<{ id: number; count: number }>(
  lookupPool,
  'count-public-versions',
  `SELECT v.addon_id AS id, count(*)::int AS count FROM version v
    WHERE v.addon_id = ANY($1) AND v.stage <> ALL($2) AND ${HAS_PUBLIC_FILES} AND v.channel = 'listed' AND v.deleted_at IS NULL
    GROUP BY v.addon_id`,
);

const publicCounts = acrossRequests<number, number>(
  async (ids) => new Map((await countPublic(ids, NOT_A_VERSION)).map(({ id, count }) => [id, count])),
);

/** The number of public versions of an add-on, by its id. */
export const publicVersionCount = cachedPerRequest<number, number>(async (id) => (await publicCounts.load(id)) ?? 0);

/** A statement that reads the documents of the versions that `page` selects. DESC is newest first. */
const selectVersions = (name: string, direction: 'ASC' | 'DESC', page: string) =>
  prepared<VersionRow>(
    lookupPool,
    name,
    `SELECT ${VERSION_COLUMNS} FROM (
      SELECT v.id, v.created, v.license_id FROM version v WHERE ${IN_SCOPE} ${page}
    ) v ${VERSION_JOINS} ORDER BY v.created ${direction}, v.id ${direction}`,
  );

const numbered = selectVersions('versions-of-page', 'DESC', 'ORDER BY v.created DESC, v.id DESC LIMIT $5 OFFSET $6');

/** The versions of a page that starts at `offset`, newest first. */
export async function versionsAt(scope: VersionScope, offset: number, limit: number): Promise<VersionDocument[]> {
  return (await numbered(...scopeValues(scope), limit, offset)).map(versionOf);
}

const positionOf = (parameter: string) =>
  `(SELECT p.created, p.id FROM version p WHERE p.id = ${parameter} AND p.addon_id = $1)`;

const keyset = (direction: 'ASC' | 'DESC') =>
  selectVersions(
    `versions-by-key-${direction}`,
    direction,
    `AND ($5::int IS NULL OR (v.created, v.id) < ${positionOf('$5')})
     AND ($6::int IS NULL OR (v.created, v.id) > ${positionOf('$6')})
     ORDER BY v.created ${direction}, v.id ${direction} LIMIT $7`,
  );

const [newestFirst, oldestFirst] = [keyset('DESC'), keyset('ASC')];

/** The versions of a page after or before a cursor, newest first unless inverted. */
export async function versionsByKey(scope: VersionScope, page: KeysetPage): Promise<VersionDocument[]> {
  const read = page.inverted ? oldestFirst : newestFirst;
  return (await read(...scopeValues(scope), page.after, page.before, page.limit)).map(versionOf);
}
