import { canSeeUploadStatus, requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError, NotPermittedError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { textKeyOf } from '../../graphql/global-id.ts';
import { db } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { loadUpload, loadUploadOf, type UploadState } from './load-upload.ts';
import { Upload } from './upload.ts';
import { findUploadTarget, NOT_OWNER } from './who-may-upload.ts';

const AddonVersionRefInput = builder.inputType('AddonVersionRefInput', {
  description: 'Names a version by its add-on and number.',
  fields: (t) => ({
    guid: t.string({ required: true, description: 'The guid of the add-on.' }),
    version: t.string({ required: true, description: 'The version number.' }),
    upload: t.id({ description: 'Global id of an upload: only this one of the version.' }),
  }),
});

const UploadRefInput = builder.inputType('UploadRefInput', {
  description: 'Names an upload in one way.',
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: 'Global id of the upload.' }),
    addonVersion: t.field({
      type: AddonVersionRefInput,
      description: 'The newest upload of this version, or the named one; requires authorship or Addons:Edit.',
    }),
  }),
});

/**
 * The newest upload of a version number, or the one that it names, for the developers of the add-on (contract, Signing).
 * @throws {NotFoundError} with the documented texts, {NotPermittedError} for accounts that do not own the add-on.
 */
async function findUploadStatus(
  viewer: Viewer,
  { guid, version, upload: id }: typeof AddonVersionRefInput.$inferInput,
): Promise<UploadState> {
  requireSignedIn(viewer);
  const addon = await findUploadTarget(db, guid);
  if (addon === null || addon.deletedAt !== null) {
    throw new NotFoundError(message('upload.addon_not_found', { guid: printable(guid) }));
  }
  if (!canSeeUploadStatus(viewer, addon.authors)) throw new NotPermittedError(NOT_OWNER);
  const pk = id == null ? null : textKeyOf('Upload', id, 'upload');
  const upload = await loadUploadOf(addon.id, version, pk);
  if (upload === null) throw new NotFoundError(message('upload.none_of_version'));
  return upload;
}

/** The upload with this public identifier, which is enough to see stage and messages. @throws {NotFoundError} */
export async function findUpload(pk: string): Promise<UploadState> {
  const upload = pk.includes('\0') ? null : await loadUpload({ pk });
  if (upload === null) throw new NotFoundError();
  return upload;
}

builder.queryField('upload', (t) =>
  t.field({
    type: Upload,
    nullable: true,
    description:
      'One upload. Its id is a secret: everyone who has it sees stage and messages. Null with the error NOT_FOUND, NOT_AUTHENTICATED or NOT_PERMITTED.',
    args: { by: t.arg({ type: UploadRefInput, required: true, description: 'What names the upload.' }) },
    resolve: (_root, { by: { id, addonVersion } }, { viewer }) =>
      addonVersion == null ? findUpload(textKeyOf('Upload', String(id), 'id')) : findUploadStatus(viewer, addonVersion),
  }),
);
