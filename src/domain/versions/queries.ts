import { canSeeDeletedVersions, canSeeVersionsOf, refuse } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import { type KeysetPage, pageArguments, pagedConnection, pageLoader } from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import { idOf } from '../../graphql/global-id.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { Batcher } from '../../infra/batcher.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { Addon } from '../addons/addon.ts';
import { ApplicationEnum, PlatformEnum } from '../addons/enums.ts';
import { type AddonRights, addonRights } from '../addons/find-addon.ts';
import { NOT_A_VERSION, stagesSql } from '../addons/stages.ts';
import type { VersionDocument } from '../addons/version-document.ts';
import { versionFor } from './compatible-version.ts';
import { File } from './file.ts';
import { findVersionByNumber, HAS_PUBLIC_FILES, NO_VERSION, versionFacts } from './find-version.ts';
import { newestUnlisted, VERSION_COLUMNS, VERSION_JOINS, type VersionRow, versionOf } from './load-versions.ts';
import { Version } from './version.ts';

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
function scopeOf(viewer: Viewer, addon: AddonRights, filter: VersionFilter | null): VersionScope {
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

async function countVersions(context: Context, { addonId, ...flags }: VersionScope): Promise<number> {
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
const publicVersionCount = perRequest<number, number>((ids) => publicCounts.loadMany(ids));

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
function versionsAt(context: Context, scope: VersionScope, offset: number, limit: number): Promise<VersionDocument[]> {
  return versionsOf(context, scope, { before: null, after: null, inverted: false, limit, offset });
}

/** The versions of a page after or before a cursor, newest first unless inverted. */
function versionsByKey(context: Context, scope: VersionScope, page: KeysetPage): Promise<VersionDocument[]> {
  return versionsOf(context, scope, { ...page, offset: 0 });
}

async function versionsOf(
  context: Context,
  { addonId, ...flags }: VersionScope,
  page: KeysetPage & { offset: number },
): Promise<VersionDocument[]> {
  return (await pages(context, addonId, { ...flags, ...page })).map(versionOf);
}

const VersionFilterEnum = enumOf(
  'VersionFilter',
  'Versions to list in addition to public ones. Each value requires permissions on the add-on.',
  {
    all_without_unlisted: 'All listed versions. For developers of the add-on and reviewers.',
    all_with_unlisted: 'All versions. For developers of the add-on and reviewers of unlisted versions.',
    all_with_deleted: 'Deleted versions too. For administrators.',
  },
);

export const VersionRefInput = builder.inputType('VersionRefInput', {
  description: 'Names a version of an add-on in one way.',
  isOneOf: true,
  fields: (t) => ({
    databaseId: t.int({ description: 'The id of the version in REST.' }),
    number: t.string({ description: 'The version number, such as 1.0.2.' }),
  }),
});

/** The id of a version of this add-on. @throws {NotFoundError} */
export async function versionIn(
  addonId: number,
  { databaseId, number }: typeof VersionRefInput.$inferInput,
  context: Context,
): Promise<number> {
  if (databaseId == null) {
    const found = await findVersionByNumber(context, addonId, number ?? '');
    // An unknown number is refused where a known one would be, after the same statements.
    if (found === null) await versionFacts(context).load(NO_VERSION);
    return found ?? NO_VERSION;
  }
  const facts = await versionFacts(context).load(databaseId);
  if (facts.addonId !== addonId) throw new NotFoundError();
  return databaseId;
}

async function reviewsUnlisted(addonId: number, context: Context): Promise<boolean> {
  return canSeeVersionsOf(context.viewer, await addonRights(context).load(addonId), 'unlisted');
}

async function latestUnlisted(addonId: number, context: Context): Promise<VersionDocument | null> {
  return (await reviewsUnlisted(addonId, context)) ? newestUnlisted(context).load(addonId) : null;
}

builder.objectFields(Addon, (t) => ({
  currentVersion: t.field({
    type: Version,
    nullable: true,
    description:
      'The newest public version; null without one. For add-ons that are not public, the newest version that is not rejected.',
    args: {
      app: t.arg({ type: ApplicationEnum, description: 'Application that a language pack must work with.' }),
      appVersion: t.arg.string({
        description: 'Version of app, such as 60.0: selects the newest version of a language pack that works with it.',
      }),
    },
    resolve: (addon, { app, appVersion }, context) => versionFor(context, addon, app ?? null, appVersion ?? null),
  }),
  latestFile: t.field({
    type: File,
    nullable: true,
    description: 'The file of the current version for an application and platform; null when there is none.',
    args: {
      app: t.arg({ type: ApplicationEnum, description: 'Application that the version must work with.' }),
      platform: t.arg({ type: PlatformEnum, description: 'Platform; files for all platforms match too.' }),
    },
    resolve: ({ currentVersion }, { app, platform }) => {
      if (currentVersion === null) return null;
      const { compatibility, files } = currentVersion;
      if (app && compatibility.length > 0 && !compatibility.some((range) => range.app === app)) return null;
      const wanted = platform ?? 'all';
      return (
        files.find((file) => file.platform === wanted) ??
        files.find((file) => file.platform === 'all' || platform == null) ??
        null
      );
    },
  }),
  latestUnlistedVersion: t.field({
    type: Version,
    nullable: true,
    description:
      'The newest unlisted version that is not rejected. Null without one, and for all but developers and reviewers of unlisted versions.',
    resolve: ({ id }, _args, context) => (context.viewer.kind === 'account' ? latestUnlisted(id, context) : null),
  }),
  publicVersionCount: t.int({
    description: 'Number of public versions, without reading them as `versions` does.',
    resolve: ({ id }, _args, context) => publicVersionCount(context).load(id),
  }),
  version: t.field({
    type: Version,
    nullable: true,
    description: 'One version of this add-on; null with an error when the viewer may not see it.',
    args: { by: t.arg({ type: VersionRefInput, required: true, description: 'What names the version.' }) },
    resolve: (addon, { by }, context) => versionIn(addon.id, by, context),
  }),
}));

builder.queryField('version', (t) =>
  t.field({
    type: Version,
    nullable: true,
    description: 'One version of any add-on; null with an error when the viewer may not see it.',
    args: { id: t.arg.id({ required: true, description: 'Global id of the version.' }) },
    resolve: (_root, { id }) => idOf('Version', id),
  }),
);

builder.objectField(Addon, 'versions', (t) =>
  t.connection(
    {
      type: Version,
      description: 'Versions, newest first. Default: public ones.',
      args: {
        filter: t.arg({ type: VersionFilterEnum, description: 'Versions to list in addition to public ones.' }),
        ...pageArguments,
      },
      resolve: async ({ id }, { filter, ...paging }, context) => {
        const scope = scopeOf(context.viewer, await addonRights(context).load(id), filter ?? null);
        const page = await pagedConnection(
          `Addon.versions/${id}`,
          paging,
          (offset, limit) => versionsAt(context, scope, offset, limit),
          (keys) => versionsByKey(context, scope, keys),
        );
        let counting: Promise<number> | undefined;
        const count = () => (counting ??= countVersions(context, scope));
        return { ...page, count };
      },
    },
    {
      name: 'VersionConnection',
      fields: (connection) => ({
        totalCount: connection.int({
          description: 'Number of versions on all pages.',
          resolve: ({ count }) => count(),
        }),
      }),
    },
    { name: 'VersionEdge' },
  ),
);
