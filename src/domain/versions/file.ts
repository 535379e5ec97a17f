import { builder } from '../../graphql/builder.ts';
import { fileDownload } from '../addons/addresses.ts';
import { type Platform, PlatformEnum } from '../addons/enums.ts';
import type { FileDocument } from '../addons/version-document.ts';

export const File = builder.objectRef<FileDocument>('File').implement({
  description: 'A package file of a version.',
  fields: (t) => ({
    databaseId: t.int({ description: 'The id that REST uses.', resolve: (file) => file.id }),
    name: t.exposeString('name'),
    created: t.field({ type: 'DateTime', resolve: (file) => file.created }),
    hash: t.string({
      description: 'sha256:<hex> of the bytes that a download serves; of the signed file once it is signed.',
      resolve: (file) => `sha256:${file.sha256}`,
    }),
    signed: t.boolean({ resolve: (file) => file.signedSha256 !== null || file.isVendorSignedExtension }),
    size: t.int({ description: 'In bytes.', resolve: (file) => Number(file.size) }),
    status: t.exposeInt('status', { description: '1 awaiting review, 4 public, 5 disabled or rejected.' }),
    platform: t.field({ type: PlatformEnum, resolve: (file) => file.platform as Platform }),
    permissions: t.exposeStringList('permissions'),
    isWebextension: t.exposeBoolean('isWebextension'),
    isRestartRequired: t.exposeBoolean('isRestartRequired'),
    isVendorSignedExtension: t.exposeBoolean('isVendorSignedExtension'),
    certificateSerial: t.exposeString('certificateSerial', {
      nullable: true,
      description: 'Serial of the certificate that signed it, as in the signature log.',
    }),
    url: t.string({
      description: 'Address of the download; a public one needs no credentials.',
      resolve: (file) => fileDownload(file.id, file.name),
    }),
  }),
});
