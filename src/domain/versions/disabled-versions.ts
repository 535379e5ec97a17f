import { canSeeVersionsOf } from '../../auth/permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db } from '../../infra/db.ts';
import { addonRights } from '../addons/find-addon.ts';
import { Version } from './version.ts';

/** Whether the developers of versions have disabled them, by version id. */
const disabledVersions = perRequest<number, boolean>(async (ids) => {
  const rows = await db.file.findMany({
    where: { versionId: { in: [...ids] }, statusWhenEnabled: { not: null } },
    select: { versionId: true },
    distinct: ['versionId'],
  });
  const disabled = new Set(rows.map(({ versionId }) => versionId));
  return ids.map((id) => disabled.has(id));
});

builder.objectField(Version, 'isDisabled', (t) =>
  t.boolean({
    nullable: true,
    description:
      'Whether its developers have disabled it. Null unless the viewer is an author of the add-on or a reviewer of the channel.',
    resolve: async ({ id, addonId, channel }, _args, context) =>
      canSeeVersionsOf(context.viewer, await addonRights(context).load(addonId), channel)
        ? disabledVersions(context).load(id)
        : null,
  }),
);
