/* What an API key may be used for that only uploads versions of one add-on. Routes that accept such keys name what a request is about. */
import { isAuthor } from '../../auth/permissions.ts';
import { uploadKeyOf } from '../../auth/viewer.ts';
import { NotFoundError, NotPermittedError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { textKeyOf } from '../../graphql/global-id.ts';
import { db } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { AddonRefInput } from '../addons/addon-ref.ts';
import { findAddonRights } from '../addons/find-addon.ts';
import { VersionRefInput, versionIn } from '../versions/queries.ts';

export const AdmittedVersionInput = builder.inputType('AdmittedVersionInput', {
  description: 'Names a version.',
  fields: (t) => ({
    addon: t.field({ type: AddonRefInput, required: true, description: 'The add-on.' }),
    version: t.field({ type: VersionRefInput, required: true, description: 'The version.' }),
  }),
});

export const UploadKeyUseInput = builder.inputType('UploadKeyUse', {
  description: 'What a request with such a key is about.',
  isOneOf: true,
  fields: (t) => ({
    newUpload: t.boolean({
      description: 'A package that an author of the add-on uploads; its submission names the add-on.',
    }),
    upload: t.id({ description: 'An upload, which the key has made.' }),
    addon: t.field({ type: AddonRefInput, description: 'The add-on of the key.' }),
    uploadedVersion: t.field({
      type: AdmittedVersionInput,
      description: 'A version of this add-on that the key has uploaded.',
    }),
    file: t.int({ description: 'Id of a file of this add-on.' }),
  }),
});

/** @throws {NotPermittedError} when the API key of the viewer only uploads versions, and is not for this. */
export async function requireUploadKeyUse(context: Context, use: UploadKeyUse): Promise<void> {
  const key = uploadKeyOf(context.viewer);
  if (key !== null && !(await isAllowed(context, key, use))) throw new NotPermittedError(message('token.other_addon'));
}

type UploadKeyUse = typeof UploadKeyUseInput.$inferInput;
type UploadKey = NonNullable<ReturnType<typeof uploadKeyOf>>;

/** @throws {NotFoundError} for an unknown version. */
async function isAllowed(
  context: Context,
  { apiKeyId, addonId }: UploadKey,
  { newUpload, upload, addon, uploadedVersion, file }: UploadKeyUse,
): Promise<boolean> {
  if (newUpload) return isAuthor(context.viewer, (await findAddonRights(context, { databaseId: addonId })).authors);
  if (upload != null)
    return (await db.upload.count({ where: { pk: textKeyOf('Upload', upload, 'id'), apiKeyId } })) > 0;
  if (file != null) return (await db.file.count({ where: { id: file, version: { addonId } } })) > 0;
  const wanted = addon ?? uploadedVersion?.addon;
  if (wanted === undefined || wanted === null) return false;
  const named = await findAddonRights(context, wanted).catch((error: unknown) => {
    // An unknown add-on is another one: a new add-on needs another key.
    if (error instanceof NotFoundError) return null;
    throw error;
  });
  if (named?.id !== addonId) return false;
  if (!uploadedVersion) return true;
  const versionId = await versionIn(addonId, uploadedVersion.version, context);
  return (await db.upload.count({ where: { versionId, apiKeyId } })) > 0;
}
