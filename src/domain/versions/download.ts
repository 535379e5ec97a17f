import { canDownloadFile } from '../../auth/permissions.ts';
import { isPublicAddon } from '../../auth/public-addon.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { config } from '../../config.ts';
import { NotFoundError } from '../../errors.ts';
import { builder, INTERNAL } from '../../graphql/builder.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { FILE_STATUS } from '../../package/enums.ts';

/** A stored file to send. */
interface Download {
  addonId: number;
  sha256: string;
  size: number;
  name: string;
  contentType: string;
  /** Whether a browser may install the file from a link: a signed WebExtension that all viewers may download. */
  isInstallable: boolean;
  /** Whether all viewers may download it. */
  isPublic: boolean;
  /** URL of the same bytes on a mirror; null when this service sends them. */
  mirrorUrl: string | null;
}

interface Candidate {
  addonId: number;
  name: string;
  size: string;
  sha256: string;
  status: number;
  format: string;
  signedSha256: string | null;
  isVendorSignedExtension: boolean;
  isStored: boolean;
  channel: string;
  deletedAt: Date | null;
  addonDeletedAt: Date | null;
  type: string;
  addonStatus: string;
  isDisabledByDeveloper: boolean;
  authors: { accountId: number; role: string }[];
}

/** One statement, also for an unknown id: the time does not reveal which files exist. */
const candidates = prepared<Candidate>(
  lookupPool,
  'file-to-download',
  `SELECT a.id AS "addonId", f.name, f.size::text, f.sha256, f.status, f.format, f.signed_sha256 AS "signedSha256",
    f.is_vendor_signed_extension AS "isVendorSignedExtension", f.is_stored AS "isStored", v.channel,
    v.deleted_at AS "deletedAt", a.deleted_at AS "addonDeletedAt", a.type, a.status AS "addonStatus",
    a.is_disabled_by_developer AS "isDisabledByDeveloper", coalesce((
      SELECT json_agg(json_build_object('accountId', w.account_id, 'role', w.role)) FROM addon_author w WHERE w.addon_id = a.id
    ), '[]') AS authors
   FROM file f JOIN version v ON v.id = f.version_id JOIN addon a ON a.id = v.addon_id WHERE f.id = $1`,
);

function isPublicFile({ status, channel, deletedAt, addonDeletedAt, ...addon }: Candidate): boolean {
  return (
    status === FILE_STATUS.public &&
    channel === 'listed' &&
    deletedAt === null &&
    addonDeletedAt === null &&
    isPublicAddon({ status: addon.addonStatus, isDisabledByDeveloper: addon.isDisabledByDeveloper })
  );
}

/** The version of a file with its add-on, as the rights on downloads take it. */
const versionOf = ({ channel, deletedAt, addonDeletedAt, type, authors }: Candidate) => ({
  ...{ channel, deletedAt },
  addon: { type, authors, deletedAt: addonDeletedAt },
});

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
  const [file] = await candidates(id);
  if (file === undefined || !file.isStored) throw new NotFoundError();
  const open = isPublicFile(file);
  if (!open && !canDownloadFile(viewer, versionOf(file))) throw new NotFoundError();
  return {
    addonId: file.addonId,
    sha256: file.sha256,
    size: Number(file.size),
    name: file.name,
    contentType: CONTENT_TYPES[file.format] ?? 'application/x-xpinstall',
    isInstallable: open && isSignedWebExtension(file),
    isPublic: open,
    mirrorUrl:
      open && config.MIRROR_URL ? `${config.MIRROR_URL}/${file.sha256}/${encodeURIComponent(file.name)}` : null,
  };
}

const DownloadType = builder.objectRef<Download>('FileDownload').implement({
  description: 'A file to download.',
  fields: (t) => ({
    addonId: t.exposeInt('addonId'),
    sha256: t.exposeString('sha256', { description: 'Hex digest of the bytes.' }),
    size: t.exposeInt('size', { description: 'In bytes.' }),
    name: t.exposeString('name'),
    contentType: t.exposeString('contentType'),
    isInstallable: t.exposeBoolean('isInstallable', {
      description: 'Whether a browser may install the file from a link: a signed WebExtension for all viewers.',
    }),
    isPublic: t.exposeBoolean('isPublic', { description: 'Whether all viewers may download it.' }),
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
