import { builder } from '../../graphql/builder.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db } from '../../infra/db.ts';
import { seesVersionDetails } from './find-version.ts';
import { Version } from './version.ts';

/** Approval notes by version id. They are in no document, which every viewer may read. */
const approvalNotes = perRequest<number, string>(async (ids) => {
  const rows = await db.version.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, approvalNotes: true },
  });
  const byId = new Map(rows.map((row) => [row.id, row.approvalNotes]));
  return ids.map((id) => byId.get(id) ?? '');
});

builder.objectField(Version, 'approvalNotes', (t) =>
  t.string({
    nullable: true,
    description:
      'What the developers wrote for reviewers; empty without a text. Null unless the viewer is an author of the add-on or a reviewer of the channel.',
    resolve: async (version, _args, context) =>
      (await seesVersionDetails(context, version)) ? approvalNotes(context).load(version.id) : null,
  }),
);

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
    resolve: async (version, _args, context) =>
      (await seesVersionDetails(context, version)) ? disabledVersions(context).load(version.id) : null,
  }),
);
