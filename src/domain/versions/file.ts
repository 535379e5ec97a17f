import { NotFoundError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { loadableNode } from '../../graphql/loadable-node.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { FILE_STATUS } from '../../package/enums.ts';
import { fileDownloadUrl } from '../addons/addresses.ts';
import { PlatformEnum } from '../addons/enums.ts';
import type { FileDocument } from '../addons/version-document.ts';
import { NO_VERSION } from './find-version.ts';
import { loadVisibleVersions } from './load-versions.ts';

const FileStatusEnum = builder.enumType('FileStatus', {
  description: 'The state of a file in review and publication.',
  values: {
    AWAITING_REVIEW: { value: FILE_STATUS.awaitingReview, description: 'Waits for validation, signing or review.' },
    PUBLIC: { value: FILE_STATUS.public, description: 'Approved and signed.' },
    DISABLED: { value: FILE_STATUS.disabled, description: 'Rejected, or withdrawn by its developers or the operator.' },
  } as const,
});

const versionsOfFiles = prepared<{ id: number; versionId: number }>(
  lookupPool,
  'versions-of-files',
  'SELECT id, version_id AS "versionId" FROM file WHERE id = ANY($1)',
);

/** The files of versions that the viewer may see, in the order of the ids. */
async function loadVisibleFiles(ids: readonly number[], context: Context): Promise<(FileDocument | Error)[]> {
  const rows = await versionsOfFiles(ids);
  // For unknown files the look-ups of a version follow, too: the time does not reveal which files exist.
  const versionIds = rows.length === 0 ? [NO_VERSION] : [...new Set(rows.map(({ versionId }) => versionId))];
  const versions = await loadVisibleVersions(versionIds, context);
  const byVersion = new Map(versionIds.map((id, index) => [id, versions[index]]));
  const versionOf = new Map(rows.map(({ id, versionId }) => [id, byVersion.get(versionId)]));
  return ids.map((id) => {
    const version = versionOf.get(id) ?? new NotFoundError();
    return version instanceof Error ? version : (version.files.find((file) => file.id === id) ?? new NotFoundError());
  });
}

export const File = loadableNode<FileDocument>('File', loadVisibleFiles);

builder.objectType(File, {
  description: 'A package file of a version. Viewers who may see the version may see its files.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'The id in REST.' }),
    name: t.exposeString('name', { description: 'Name of the downloaded file.' }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was uploaded.' }),
    hash: t.string({
      description: 'sha256:<hex> of the bytes of the download: of the signed file once it is signed.',
      resolve: (file) => `sha256:${file.sha256}`,
    }),
    isSigned: t.boolean({
      description: 'Whether the file is signed.',
      resolve: (file) => file.signedSha256 !== null || file.isVendorSignedExtension,
    }),
    size: t.int({ description: 'In bytes.', resolve: (file) => Number(file.size) }),
    status: t.expose('status', { type: FileStatusEnum, description: 'State in review and publication.' }),
    platform: t.expose('platform', { type: PlatformEnum, description: 'The operating system that it is for.' }),
    permissions: t.exposeStringList('permissions', {
      description: 'Permissions of a WebExtension, in the order of its manifest; empty for other formats.',
    }),
    optionalPermissions: t.exposeStringList('optionalPermissions', {
      description: 'Permissions that a WebExtension may request later, in the order of its manifest.',
    }),
    hostPermissions: t.exposeStringList('hostPermissions', {
      description: 'Host permissions of a WebExtension of manifest version 3, in the order of its manifest.',
    }),
    dataCollectionPermissions: t.exposeStringList('dataCollectionPermissions', {
      description:
        'Kinds of data that a WebExtension says it collects or sends, in the order of its manifest; `none` alone if it collects none, empty if it says nothing.',
    }),
    optionalDataCollectionPermissions: t.exposeStringList('optionalDataCollectionPermissions', {
      description: 'Kinds of data that a WebExtension may ask to collect later, in the order of its manifest.',
    }),
    isWebextension: t.exposeBoolean('isWebextension', { description: 'Whether it is a WebExtension.' }),
    isRestartRequired: t.exposeBoolean('isRestartRequired', {
      description: 'Whether the application must restart after installation.',
    }),
    isVendorSignedExtension: t.exposeBoolean('isVendorSignedExtension', {
      description: 'Whether the operator signed it with the internal certificate.',
    }),
    isStored: t.exposeBoolean('isStored', {
      description:
        'Whether the service has the package. It is missing when an import described the file only; its url then responds with 404.',
    }),
    certificateSerial: t.exposeString('certificateSerial', {
      nullable: true,
      description: 'Serial of the signing certificate, as in the signature log; null for an unsigned file.',
    }),
    url: t.string({
      description: 'Address of the download; a public file needs no credentials.',
      resolve: (file) => fileDownloadUrl(file.id, file.name),
    }),
  }),
});
