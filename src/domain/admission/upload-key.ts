/* What an API key may be used for that only uploads versions of one add-on. Routes that accept such keys name what a request is about. */
import { uploadKeyOf } from '../../auth/viewer.ts';
import { NotFoundError, NotPermittedError } from '../../errors.ts';
import { builder, INTERNAL } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { textKeyOf } from '../../graphql/global-id.ts';
import { db } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { AddonRefInput } from '../addons/addon-ref.ts';
import { findAddonRights } from '../addons/find-addon.ts';
import { versionIn } from '../versions/queries.ts';
import { AdmittedVersionInput } from './admission.ts';

const UploadKeyUseInput = builder.inputType('UploadKeyUse', {
  description: 'What a request with such a key is about.',
  isOneOf: true,
  fields: (t) => ({
    newUpload: t.boolean({ description: 'A package that is uploaded; its submission names the add-on.' }),
    upload: t.id({ description: 'An upload, which the key has made.' }),
    addon: t.field({ type: AddonRefInput, description: 'The add-on of the key.' }),
    uploadedVersion: t.field({
      type: AdmittedVersionInput,
      description: 'A version of this add-on that the key has uploaded.',
    }),
    file: t.int({ description: 'Id of a file of this add-on.' }),
  }),
});

builder.queryField('uploadKeyUse', (t) =>
  t.boolean({
    subGraphs: INTERNAL,
    description: 'True, or an error when the API key of the viewer is not for this.',
    args: { of: t.arg({ type: UploadKeyUseInput, required: true, description: 'What the request is about.' }) },
    resolve: async (_root, { of }, context) => {
      const key = uploadKeyOf(context.viewer);
      if (key !== null && !(await isAllowed(context, key, of))) {
        throw new NotPermittedError(message('token.other_addon'));
      }
      return true;
    },
  }),
);

type UploadKey = NonNullable<ReturnType<typeof uploadKeyOf>>;

/** @throws {NotFoundError} for an unknown version. */
async function isAllowed(
  context: Context,
  { apiKeyId, addonId }: UploadKey,
  { newUpload, upload, addon, uploadedVersion, file }: typeof UploadKeyUseInput.$inferInput,
): Promise<boolean> {
  if (newUpload) return true;
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
