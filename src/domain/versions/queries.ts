import { canSeeVersionsOf } from '../../auth/permissions.ts';
import { NotFoundError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { keysetConnection, numberedConnection, numberedPage } from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import { Addon } from '../addons/addon.ts';
import { ApplicationEnum, PlatformEnum } from '../addons/enums.ts';
import { addonRights } from '../addons/find-addon.ts';
import type { VersionDocument } from '../addons/version-document.ts';
import { versionFor } from './compatible-version.ts';
import { File } from './file.ts';
import { versionFacts } from './find-version.ts';
import { countVersions, scopeOf, versionsAt, versionsByKey } from './list-versions.ts';
import { newestUnlisted } from './load-versions.ts';
import { Version } from './version.ts';

const VersionFilterEnum = builder.enumType('VersionFilter', {
  description: 'Which versions a list shows beyond the public ones; each needs rights on the add-on.',
  values: {
    ALL_WITHOUT_UNLISTED: { value: 'all_without_unlisted' },
    ALL_WITH_UNLISTED: { value: 'all_with_unlisted' },
    ALL_WITH_DELETED: { value: 'all_with_deleted' },
  } as const,
});

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
    description: 'The version on offer. Of a language pack, the newest that works with the given application version.',
    args: { app: t.arg({ type: ApplicationEnum }), appversion: t.arg.string() },
    resolve: (addon, { app, appversion }) => versionFor(addon, app ?? null, appversion ?? null),
  }),
  latestFile: t.field({
    type: File,
    nullable: true,
    description: 'The file of the current version for an application and platform; null when there is none.',
    args: { app: t.arg({ type: ApplicationEnum }), platform: t.arg({ type: PlatformEnum }) },
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
  viewerSeesUnlisted: t.boolean({
    description: 'Whether the viewer is an author of it or reviews unlisted versions.',
    resolve: ({ id }, _args, context) => context.viewer.kind === 'account' && reviewsUnlisted(id, context),
  }),
  latestUnlistedVersion: t.field({
    type: Version,
    nullable: true,
    description: 'For authors and reviewers of unlisted versions; null for anybody else, and when there is none.',
    resolve: ({ id }, _args, context) => (context.viewer.kind === 'account' ? latestUnlisted(id, context) : null),
  }),
  version: t.field({
    type: Version,
    description: 'The version of this add-on with this database id.',
    args: { id: t.arg.int({ required: true }) },
    resolve: async (addon, { id }, context) => {
      const { addonId } = await versionFacts(context).load(id);
      if (addonId !== addon.id) throw new NotFoundError();
      return id;
    },
  }),
}));

builder.objectField(Addon, 'versions', (t) =>
  t.connection(
    {
      type: Version,
      description: 'Newest first; by cursor, or by numbered pages where page is given.',
      args: { filter: t.arg({ type: VersionFilterEnum }), page: t.arg.int(), pageSize: t.arg.int() },
      resolve: async ({ id }, { filter, page, pageSize, ...cursors }, context) => {
        const scope = scopeOf(context.viewer, await addonRights(context).load(id), filter ?? null);
        const numbered = numberedPage(page, pageSize ?? cursors.first ?? cursors.last);
        const { edges, pageInfo } =
          page == null && pageSize == null
            ? await keysetConnection(cursors, (keys) => versionsByKey(scope, keys))
            : await numberedConnection(numbered, (offset, limit) => versionsAt(scope, offset, limit));
        let counting: Promise<number> | undefined;
        const count = () => (counting ??= countVersions(scope));
        return { edges, pageInfo, count, pageSize: numbered.pageSize };
      },
    },
    {
      name: 'VersionConnection',
      fields: (connection) => ({
        count: connection.int({ description: 'Of all pages together.', resolve: ({ count }) => count() }),
        totalCount: connection.int({ description: 'The same as count.', resolve: ({ count }) => count() }),
        pageCount: connection.int({
          description: 'Numbered pages of the size that was asked for; an empty list has one.',
          resolve: async ({ count, pageSize: size }) => Math.max(1, Math.ceil((await count()) / size)),
        }),
      }),
    },
    { name: 'VersionEdge' },
  ),
);
