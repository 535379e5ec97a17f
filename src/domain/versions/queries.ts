import { canSeeVersionsOf } from '../../auth/permissions.ts';
import { NotFoundError } from '../../errors.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import { pageArguments, pagedConnection } from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import { idOf } from '../../graphql/global-id.ts';
import { Addon } from '../addons/addon.ts';
import { ApplicationEnum, PlatformEnum } from '../addons/enums.ts';
import { addonRights } from '../addons/find-addon.ts';
import type { VersionDocument } from '../addons/version-document.ts';
import { versionFor } from './compatible-version.ts';
import { File } from './file.ts';
import { findVersionByNumber, NO_VERSION, versionFacts } from './find-version.ts';
import { countVersions, publicVersionCount, scopeOf, versionsAt, versionsByKey } from './list-versions.ts';
import { newestUnlisted } from './load-versions.ts';
import { Version } from './version.ts';

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
