import { canSeeDeletedVersions, canSeeVersionsOf, refuse } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { type KeysetPage, pageLoader } from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { Batcher } from '../../infra/batcher.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import type { AddonRights } from '../addons/find-addon.ts';
import { NOT_A_VERSION, stagesSql } from '../addons/stages.ts';
import type { VersionDocument } from '../addons/version-document.ts';
import { HAS_PUBLIC_FILES } from './find-version.ts';
import { VERSION_COLUMNS, VERSION_JOINS, type VersionRow, versionOf } from './load-versions.ts';

/** The documented values of the `filter` parameter (contract, versions). */
type VersionFilter = 'all_without_unlisted' | 'all_with_unlisted' | 'all_with_deleted';

/** Selects versions of an add-on for a list. Lists never contain failed uploads. */
interface VersionScope {
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

/** SQL: the version `v` is in the list of the wanted add-on. $2 to $4 are flags of `VersionScope`. */
const IN_SCOPE = `v.addon_id = wanted.addon_id AND v.stage NOT IN ${stagesSql(NOT_A_VERSION)}
  AND (NOT $2::boolean OR ${HAS_PUBLIC_FILES})
  AND (NOT $3::boolean OR v.channel = 'listed') AND ($4::boolean OR v.deleted_at IS NULL)`;

type Flags = Omit<VersionScope, 'addonId'>;

const flagValues = ({ onlyPublic, onlyListed, withDeleted }: Flags) => [onlyPublic, onlyListed, withDeleted];

const readCounts = prepared<{ parentId: number; count: number }>(
  lookupPool,
  'count-versions',
  `SELECT wanted.addon_id AS "parentId", (SELECT count(*)::int FROM version v WHERE ${IN_SCOPE}) AS count
   FROM unnest($1::int[]) AS wanted(addon_id)`,
);

const counts = pageLoader<{ parentId: number; count: number }, Flags>((addonIds, flags) =>
  readCounts(addonIds, ...flagValues(flags)),
);

export async function countVersions(context: Context, { addonId, ...flags }: VersionScope): Promise<number> {
  return (await counts(context, addonId, flags))[0]?.count ?? 0;
}

const countPublic = prepared<{ id: number; count: number }>(
  lookupPool,
  'count-public-versions',
  `SELECT v.addon_id AS id, count(*)::int AS count FROM version v
    WHERE v.addon_id = ANY($1) AND v.stage <> ALL($2) AND ${HAS_PUBLIC_FILES} AND v.channel = 'listed' AND v.deleted_at IS NULL
    GROUP BY v.addon_id`,
);

const publicCounts = new Batcher<number, number>(async (ids) => {
  const found = new Map((await countPublic(ids, NOT_A_VERSION)).map(({ id, count }) => [id, count]));
  return ids.map((id) => found.get(id) ?? 0);
});

/** The number of public versions of an add-on, by its id. */
export const publicVersionCount = perRequest<number, number>((ids) => publicCounts.loadMany(ids));

interface PageRow extends VersionRow {
  parentId: number;
}

const positionOf = (parameter: string) =>
  `(SELECT p.created, p.id FROM version p WHERE p.id = ${parameter} AND p.addon_id = v.addon_id)`;

/** The statement that reads pages of the lists of add-ons. DESC is newest first. */
const selectPages = (direction: 'ASC' | 'DESC') =>
  prepared<PageRow>(
    lookupPool,
    `versions-of-pages-${direction}`,
    `SELECT wanted.addon_id AS "parentId", ${VERSION_COLUMNS}
     FROM unnest($1::int[]) AS wanted(addon_id) CROSS JOIN LATERAL (
       SELECT v.id, v.created, v.license_id FROM version v WHERE ${IN_SCOPE}
         AND ($5::int IS NULL OR (v.created, v.id) < ${positionOf('$5')})
         AND ($6::int IS NULL OR (v.created, v.id) > ${positionOf('$6')})
       ORDER BY v.created ${direction}, v.id ${direction} LIMIT $7 OFFSET $8
     ) v ${VERSION_JOINS} ORDER BY v.created ${direction}, v.id ${direction}`,
  );

const [newestFirst, oldestFirst] = [selectPages('DESC'), selectPages('ASC')];

const pages = pageLoader<PageRow, Flags & KeysetPage & { offset: number }>((addonIds, page) => {
  const read = page.inverted ? oldestFirst : newestFirst;
  return read(addonIds, ...flagValues(page), page.after, page.before, page.limit, page.offset);
});

/** The versions of a page that starts at `offset`, newest first. */
export function versionsAt(
  context: Context,
  scope: VersionScope,
  offset: number,
  limit: number,
): Promise<VersionDocument[]> {
  return versionsOf(context, scope, { before: null, after: null, inverted: false, limit, offset });
}

/** The versions of a page after or before a cursor, newest first unless inverted. */
export function versionsByKey(context: Context, scope: VersionScope, page: KeysetPage): Promise<VersionDocument[]> {
  return versionsOf(context, scope, { ...page, offset: 0 });
}

async function versionsOf(
  context: Context,
  { addonId, ...flags }: VersionScope,
  page: KeysetPage & { offset: number },
): Promise<VersionDocument[]> {
  return (await pages(context, addonId, { ...flags, ...page })).map(versionOf);
}
