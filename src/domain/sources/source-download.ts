import { isAuthor } from '../../auth/permissions.ts';
import { canReadSource } from '../../auth/review-permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import { builder, INTERNAL } from '../../graphql/builder.ts';
import { db } from '../../infra/db.ts';
import { requireWritable } from '../../infra/read-only.ts';
import { recordAudit } from '../activity/record-audit.ts';

/** The file to send; `size` is in bytes. */
interface SourceDownload {
  sha256: string;
  size: number;
  name: string;
}

const SELECTED = {
  version: {
    select: {
      channel: true,
      deletedAt: true,
      addon: { select: { id: true, type: true, deletedAt: true, authors: { select: { accountId: true } } } },
    },
  },
} as const;

/**
 * The source code of a version, for its authors and the reviewers of its channel, whose reads the audit log has.
 * @throws {NotFoundError} for other viewers and without source code; {ReadOnlyError} for reviewers in read-only mode, when the audit log
 * takes no rows.
 */
async function openSource(viewer: Viewer, versionId: number, locale: string): Promise<SourceDownload> {
  const source = versionId > 0 ? await db.versionSource.findUnique({ where: { versionId }, include: SELECTED }) : null;
  if (source === null || viewer.kind === 'anonymous') throw new NotFoundError();
  const { addon } = source.version;
  if (!canReadSource(viewer, source.version)) throw new NotFoundError();
  const { sha256, name } = source;
  if (!isAuthor(viewer, addon.authors)) {
    await requireWritable(locale);
    await db.$transaction((tx) => recordAudit(tx, viewer, 'source-read', { addonId: addon.id, versionId, sha256 }));
  }
  return { sha256, name, size: Number(source.size) };
}

const SourceDownloadType = builder.objectRef<SourceDownload>('SourceDownload').implement({
  subGraphs: INTERNAL,
  description: 'An archive of source code to download.',
  fields: (t) => ({
    sha256: t.exposeString('sha256', { description: 'Hex digest of the bytes.' }),
    size: t.exposeInt('size', { description: 'In bytes.' }),
    name: t.exposeString('name', { description: 'Name of the file.' }),
  }),
});

builder.queryField('sourceDownload', (t) =>
  t.field({
    subGraphs: INTERNAL,
    type: SourceDownloadType,
    description: 'The source code of a version, if the viewer may read it. Reads by reviewers are in the audit log.',
    args: { version: t.arg.int({ required: true, description: 'The id of the version in REST.' }) },
    resolve: (_root, { version }, { viewer, locale }) => openSource(viewer, version, locale),
  }),
);
