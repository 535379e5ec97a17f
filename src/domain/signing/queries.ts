import { canSeeUploadStatus, requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotFoundError, NotPermittedError } from '../../errors.ts';
import { builder, INTERNAL } from '../../graphql/builder.ts';
import { db } from '../../infra/db.ts';
import { isGuid } from '../../package/manifest/identity.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { loadUpload, loadUploadOf, type UploadState } from './load-upload.ts';
import { Upload } from './upload.ts';
import { findUploadTarget, NOT_OWNER, requireUploadPermission } from './who-may-upload.ts';

/**
 * The newest upload of a version number, or the one with `pk`, for the developers of the add-on (contract, Signing).
 * @throws {NotFoundError} with the documented texts, {NotPermittedError} for accounts that do not own the add-on.
 */
async function findUploadStatus(
  viewer: Viewer,
  guid: string,
  version: string,
  pk: string | null,
): Promise<UploadState> {
  requireSignedIn(viewer);
  const addon = await findUploadTarget(db, guid);
  if (addon === null || addon.deletedAt !== null) {
    throw new NotFoundError(message('upload.addon_not_found', { guid: printable(guid) }));
  }
  if (!canSeeUploadStatus(viewer, addon.authors)) throw new NotPermittedError(NOT_OWNER);
  const upload = await loadUploadOf(addon.id, version, pk);
  if (upload === null) throw new NotFoundError(message('upload.none_of_version'));
  return upload;
}

/** The upload with this public identifier, which is enough to see stage and messages. @throws {NotFoundError} */
export async function findUpload(pk: string): Promise<UploadState> {
  const upload = await loadUpload({ pk });
  if (upload === null) throw new NotFoundError();
  return upload;
}

builder.queryField('upload', (t) =>
  t.field({
    type: Upload,
    nullable: true,
    description:
      'The upload with this pk, or the newest one of a guid and version number. Null with the error NOT_FOUND, NOT_AUTHENTICATED or NOT_PERMITTED; BAD_USER_INPUT without either.',
    args: {
      pk: t.arg.string({ description: 'Identifier of the upload.' }),
      guid: t.arg.string({ description: 'The guid of the add-on; requires version, and authorship or Addons:Edit.' }),
      version: t.arg.string({ description: 'The version number; requires guid.' }),
    },
    resolve: (_root, { pk, guid, version }, { viewer }) => {
      if (guid != null && version != null) return findUploadStatus(viewer, guid, version, pk ?? null);
      if (pk != null) return findUpload(pk);
      throw new InvalidInputError(message('upload.pk_or_version'));
    },
  }),
);

builder.queryField('uploadPermission', (t) =>
  t.boolean({
    subGraphs: INTERNAL,
    description:
      'True, or the error that an upload of this version would get. Without a guid, checks what concerns every upload.',
    args: {
      guid: t.arg.string({ description: 'The guid of the add-on.' }),
      version: t.arg.string({ description: 'The version number.' }),
      isNamed: t.arg.boolean({ description: 'Whether any other text than a guid is the error NOT_FOUND.' }),
    },
    resolve: async (_root, { guid, version, isNamed }, { viewer }) => {
      requireSignedIn(viewer);
      if (isNamed && !isGuid(guid ?? '')) throw new NotFoundError();
      await requireUploadPermission(viewer, guid ?? null, version ?? null);
      return true;
    },
  }),
);
