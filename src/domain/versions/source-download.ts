import { canSeeAddon, isAuthor } from '../../auth/permissions.ts';
import { canReadSource } from '../../auth/review-permissions.ts';
import { NotFoundError } from '../../errors.ts';
import { builder, INTERNAL } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { db } from '../../infra/db.ts';
import { requireWritable } from '../../infra/read-only.ts';
import { recordAudit } from '../activity/record-audit.ts';
import { type AddonRef, AddonRefInput } from '../addons/addon-ref.ts';
import { type AddonRights, findAddonRights } from '../addons/find-addon.ts';
import { versionFacts } from './find-version.ts';
import { VersionRefInput, versionIn } from './queries.ts';

/** The file to send; `size` is in bytes. */
interface SourceDownload {
  sha256: string;
  size: number;
  name: string;
}

/**
 * The source code of a version, for its authors and the reviewers of its channel, whose reads the audit log has.
 * @throws {NotFoundError} for other viewers and without source code; {ReadOnlyError} for reviewers in read-only mode, when the audit log
 * takes no rows.
 */
async function openSource(
  context: Context,
  by: AddonRef,
  version: typeof VersionRefInput.$inferInput,
): Promise<SourceDownload> {
  const { viewer } = context;
  const addon = await findAddonRights(context, by);
  if (!canSeeAddon(viewer, addon)) throw new NotFoundError();
  const versionId = await versionIn(addon.id, version, context);
  const facts = await versionFacts(context).load(versionId);
  if (viewer.kind === 'anonymous' || !canReadSource(viewer, { ...facts, addon })) throw new NotFoundError();
  const source = await db.versionSource.findUnique({ where: { versionId } });
  if (source === null) throw new NotFoundError();
  const { sha256, name } = source;
  await recordSourceRead(context, addon, { versionId, sha256 });
  return { sha256, name, size: Number(source.size) };
}

/**
 * Writes to the audit log that the viewer reads the source code of a version, unless they are an author of the add-on.
 * @throws {ReadOnlyError} for others than authors in read-only mode.
 */
export async function recordSourceRead(
  { viewer, locale }: Context,
  addon: AddonRights,
  { versionId, sha256 }: { versionId: number; sha256: string },
): Promise<void> {
  if (viewer.kind === 'anonymous' || isAuthor(viewer, addon.authors)) return;
  await requireWritable(locale);
  await db.$transaction((tx) => recordAudit(tx, viewer, 'source-read', { addonId: addon.id, versionId, sha256 }));
}

const SourceDownloadType = builder.objectRef<SourceDownload>('SourceDownload').implement({
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
    args: {
      by: t.arg({ type: AddonRefInput, required: true, description: 'The add-on.' }),
      version: t.arg({ type: VersionRefInput, required: true, description: 'The version.' }),
    },
    resolve: (_root, { by, version }, context) => openSource(context, by, version),
  }),
);
