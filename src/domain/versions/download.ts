import { canDownloadFile } from '../../auth/permissions.ts';
import { isPublicAddon } from '../../auth/public-addon.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { config } from '../../config.ts';
import { NotFoundError } from '../../errors.ts';
import { builder, INTERNAL } from '../../graphql/builder.ts';
import { db } from '../../infra/db.ts';
import { FILE_STATUS } from '../../package/words.ts';

/** A stored file to send. */
export interface Download {
  sha256: string;
  size: number;
  name: string;
  contentType: string;
  /** Whether a browser may install the file from a link: a signed WebExtension that all viewers may download. */
  isInstallable: boolean;
  /** URL of the same bytes on a mirror; null when this service sends them. */
  mirrorUrl: string | null;
}

async function fileWithVersion(id: number) {
  return db.file.findUnique({
    where: { id },
    select: {
      id: true,
      name: true,
      size: true,
      sha256: true,
      status: true,
      format: true,
      signedSha256: true,
      isVendorSignedExtension: true,
      isStored: true,
      version: {
        select: {
          channel: true,
          stage: true,
          deletedAt: true,
          addon: {
            select: {
              type: true,
              status: true,
              isDisabledByDeveloper: true,
              deletedAt: true,
              authors: { select: { accountId: true, role: true } },
            },
          },
        },
      },
    },
  });
}

type Candidate = NonNullable<Awaited<ReturnType<typeof fileWithVersion>>>;

function isPublicFile({ status, version: { channel, deletedAt, addon } }: Candidate): boolean {
  return (
    status === FILE_STATUS.public &&
    channel === 'listed' &&
    deletedAt === null &&
    addon.deletedAt === null &&
    isPublicAddon(addon)
  );
}

function isSignedWebExtension({ format, signedSha256, isVendorSignedExtension }: Candidate): boolean {
  return format === 'webextension' && (signedSha256 !== null || isVendorSignedExtension);
}

const CONTENT_TYPES = { opensearch: 'application/opensearchdescription+xml' } as Record<string, string>;

/**
 * Finds a file that the viewer may download (contract, Signing, file): public listed files for all viewers, other files for
 * authors and for reviewers of the channel.
 * @throws {NotFoundError} for others, so that the response does not reveal which files exist.
 */
async function findDownload(viewer: Viewer, id: number): Promise<Download> {
  const file = id > 0 ? await fileWithVersion(id) : null;
  if (file === null || !file.isStored) throw new NotFoundError();
  const open = isPublicFile(file);
  if (!open && !canDownloadFile(viewer, file.version)) throw new NotFoundError();
  return {
    sha256: file.sha256,
    size: Number(file.size),
    name: file.name,
    contentType: CONTENT_TYPES[file.format] ?? 'application/x-xpinstall',
    isInstallable: open && isSignedWebExtension(file),
    mirrorUrl:
      open && config.MIRROR_URL ? `${config.MIRROR_URL}/${file.sha256}/${encodeURIComponent(file.name)}` : null,
  };
}

const DownloadType = builder.objectRef<Download>('FileDownload').implement({
  description: 'A file to download.',
  fields: (t) => ({
    sha256: t.exposeString('sha256', { description: 'Hex digest of the bytes.' }),
    size: t.exposeInt('size', { description: 'In bytes.' }),
    name: t.exposeString('name'),
    contentType: t.exposeString('contentType'),
    isInstallable: t.exposeBoolean('isInstallable', {
      description: 'Whether a browser may install the file from a link: a signed WebExtension for all viewers.',
    }),
    mirrorUrl: t.exposeString('mirrorUrl', { nullable: true }),
  }),
});

builder.queryField('fileDownload', (t) =>
  t.field({
    subGraphs: INTERNAL,
    type: DownloadType,
    description: 'The file with this id, if the viewer may download it.',
    args: { id: t.arg.int({ required: true }) },
    resolve: (_root, { id }, { viewer }) => findDownload(viewer, id),
  }),
);
