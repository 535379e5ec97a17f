/* Checks of REST requests before their body is read, so that a client that is refused sends none. */
import { canEditListing, canUploadVersion, refuse, requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import { builder, INTERNAL } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { globalId } from '../../graphql/global-id.ts';
import { isGuid } from '../../package/manifest/identity.ts';
import { checkReportLimit } from '../abuse/submit-report.ts';
import { AccountRefInput } from '../accounts/account-ref.ts';
import { editableAccountId } from '../accounts/find-account.ts';
import { type AddonRef, AddonRefInput } from '../addons/addon-ref.ts';
import { type AddonRights, findAddonRights, requireVisible } from '../addons/find-addon.ts';
import { checkAccountEditLimit } from '../profiles/update-profile.ts';
import { requireSuperCreate } from '../sessions/super-create.ts';
import { requireUploadPermission } from '../uploads/who-may-upload.ts';
import { requireEditableVersion } from '../versions/find-version.ts';
import { versionIn } from '../versions/queries.ts';
import { AdmittedVersionInput, requireUploadKeyUse, UploadKeyUseInput } from './upload-key.ts';

const AdmittedUploadInput = builder.inputType('AdmittedUploadInput', {
  description: 'What an upload says of itself before its body.',
  fields: (t) => ({
    guid: t.string({ description: 'The guid of the add-on; without it, only what concerns every upload is checked.' }),
    version: t.string({ description: 'The version number.' }),
    isNamed: t.boolean({ description: 'Whether any other text than a guid is the error NOT_FOUND.' }),
  }),
});

const AdmissionInput = builder.inputType('AdmissionInput', {
  description: 'What the request will do.',
  isOneOf: true,
  fields: (t) => ({
    abuseReport: t.boolean({ description: 'Report something. Counts the report.' }),
    profile: t.field({ type: AccountRefInput, description: 'Change this account. Counts the change.' }),
    account: t.field({ type: AccountRefInput, description: 'Change something else of this account.' }),
    listing: t.field({ type: AddonRefInput, description: 'Edit the listing of this add-on.' }),
    newVersion: t.field({ type: AddonRefInput, description: 'Submit a version of this add-on.' }),
    version: t.field({ type: AdmittedVersionInput, description: 'Edit this version.' }),
    upload: t.field({ type: AdmittedUploadInput, description: 'Upload a package.' }),
    testAccount: t.boolean({ description: 'Create an account for tests.' }),
    uploadKey: t.field({ type: UploadKeyUseInput, description: 'Use an API key that only uploads versions for this.' }),
  }),
});

type Admission = typeof AdmissionInput.$inferInput;

/** The id of an add-on that is not deleted, for a viewer who `may` change it. */
async function addonFor(
  context: Context,
  by: AddonRef,
  may: (viewer: Viewer, addon: AddonRights) => boolean,
): Promise<string> {
  const addon = await findAddonRights(context, by);
  requireVisible(context.viewer, addon);
  if (addon.deletedAt !== null) throw new NotFoundError();
  if (!may(context.viewer, addon)) throw refuse(context.viewer);
  return globalId('Addon', addon.id);
}

async function versionFor(
  context: Context,
  { addon: by, version }: typeof AdmittedVersionInput.$inferInput,
): Promise<string> {
  const addon = await findAddonRights(context, by);
  requireVisible(context.viewer, addon);
  const id = await versionIn(addon.id, version, context);
  await requireEditableVersion(context, id);
  return globalId('Version', id);
}

async function requireUpload(
  { viewer }: Context,
  { guid, version, isNamed }: typeof AdmittedUploadInput.$inferInput,
): Promise<void> {
  requireSignedIn(viewer);
  if (isNamed && !isGuid(guid ?? '')) throw new NotFoundError();
  await requireUploadPermission(viewer, guid ?? null, version ?? null);
}

/** The global id of the object that the request names; null for others. @throws the error that the change would get. */
async function admit(context: Context, wanted: Admission): Promise<string | null> {
  const { viewer } = context;
  const { abuseReport, profile, account, listing, newVersion, version, upload, testAccount, uploadKey } = wanted;
  if (account) return globalId('Account', await editableAccountId(viewer, account));
  if (listing) return addonFor(context, listing, canEditListing);
  if (newVersion) return addonFor(context, newVersion, (_viewer, { authors }) => canUploadVersion(viewer, authors));
  if (version) return versionFor(context, version);
  if (abuseReport) await checkReportLimit(context);
  if (profile) await checkAccountEditLimit(viewer, profile);
  if (upload) await requireUpload(context, upload);
  if (testAccount) requireSuperCreate(viewer);
  if (uploadKey) await requireUploadKeyUse(context, uploadKey);
  return null;
}

builder.queryField('admission', (t) =>
  t.id({
    nullable: true,
    subGraphs: INTERNAL,
    description: 'The global id of what the request will change, or the error that the change would get.',
    args: { to: t.arg({ type: AdmissionInput, required: true, description: 'What it will do.' }) },
    resolve: (_root, { to }, context) => admit(context, to),
  }),
);
