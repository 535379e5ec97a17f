import { apiKeyOf, type SignedIn } from '../../auth/viewer.ts';
import { Prisma, type Transaction } from '../../infra/db.ts';
import type { Application, Channel } from '../../package/enums.ts';
import type { ManifestTexts, PackageManifest } from '../../package/manifest/package-manifest.ts';
import { activityInsert, recordActivity } from '../activity/record-activity.ts';
import type { AddonChanges } from '../listing/addon-input.ts';
import { randomSlug, slugOfName } from '../listing/check-listing.ts';
import { FieldErrors } from '../listing/field-errors.ts';
import { lockExistingAddon, requireRightTo } from '../listing/lock-addon.ts';
import { homepageFromPackage, localizedFromPackage, packageLocale } from '../listing/package-texts.ts';
import { applyAddonChanges, changedPart, lockNamedRows } from '../listing/update-addon.ts';
import { newUploadPk } from '../uploads/load-upload.ts';
import type { UploadTarget } from '../uploads/who-may-upload.ts';
import { noteApplicationVersions, rangeRow } from '../versions/check-compatibility.ts';
import { fileNameFor } from '../versions/file-name.ts';
import { manifestCompatibility } from '../versions/manifest-limits.ts';
import { applyVersionChanges } from '../versions/update-version.ts';
import type { VersionChanges } from '../versions/version-input.ts';

/** An upload whose package and sender are checked and whose bytes are in the blob store. */
export interface CheckedUpload {
  account: SignedIn;
  guid: string;
  version: string;
  channel: Channel;
  manifest: PackageManifest;
  fileName: string;
  /** In bytes. */
  size: number;
  sha256: string;
  /** Has a signature of the operator's privileged class. */
  isVendorSigned: boolean;
}

/** The first stage of a version, and the waiting upload that becomes it. */
interface VersionStart {
  stage: 'received' | 'valid';
  /** Null makes a new row. */
  uploadId: number | null;
  /** Whether the submission of that upload named no add-on. */
  makesAddon?: boolean;
}

/** Database ids of a new version. */
export interface AddedVersion {
  addonId: number;
  versionId: number;
  uploadId: number;
}

/**
 * Writes the version of a checked package with its file and activity, and the add-on if it is new or deleted. The caller has
 * locked the account, then the add-on.
 * @throws an error that `retryAfterConflict` retries when the number or the id was taken at the same time.
 */
export async function addVersion(
  tx: Transaction,
  upload: CheckedUpload,
  existing: UploadTarget | null,
  start: VersionStart,
): Promise<AddedVersion> {
  const addonId = existing?.id ?? (await createAddon(tx, upload));
  if (existing?.deletedAt) await reviveAddon(tx, addonId, upload);
  const compatibility = compatibilityRows(upload.manifest);
  await noteApplicationVersions(tx, compatibility);
  const licenseId = upload.channel === 'listed' ? (existing?.licenseId ?? null) : null;
  const ids = await insertVersion(tx, { ...upload, ...start, addonId, licenseId, compatibility });
  return { addonId, ...ids };
}

async function createAddon(tx: Transaction, upload: CheckedUpload): Promise<number> {
  const { manifest } = upload;
  const locale = packageLocale(manifest);
  const name = localizedFromPackage(manifest.name, manifest);
  const isListed = upload.channel === 'listed';
  const { id } = await tx.addon.create({
    data: {
      guid: upload.guid,
      slug: isListed ? await slugOfName(tx, name[locale] ?? '') : randomSlug(),
      type: manifest.type,
      defaultLocale: locale,
      name: nameOrGuid(name, locale, upload.guid),
      summary: localizedFromPackage(manifest.summary, manifest),
      homepage: homepageFromPackage(manifest),
      e10s: manifest.e10s,
      targetLocale: manifest.targetLocale,
      authors: { create: { accountId: upload.account.accountId, role: 'owner' } },
    },
    select: { id: true },
  });
  await recordActivity(tx, { action: 'addon-created', accountId: upload.account.accountId, addonId: id });
  return id;
}

/** Any name of the package, else the guid, is the one in the default locale of the add-on, until a developer sets it. */
function nameOrGuid(name: ManifestTexts, locale: string, guid: string): ManifestTexts {
  return locale in name ? name : { ...name, [locale]: Object.values(name)[0] ?? guid };
}

async function reviveAddon(tx: Transaction, addonId: number, upload: CheckedUpload): Promise<void> {
  await tx.addon.update({
    where: { id: addonId },
    data: { deletedAt: null, status: 'incomplete', slug: randomSlug() },
  });
  await recordActivity(tx, { action: 'addon-revived', accountId: upload.account.accountId, addonId });
}

interface NewVersion extends CheckedUpload, VersionStart {
  addonId: number;
  licenseId: number | null;
  compatibility: ReturnType<typeof compatibilityRows>;
}

/** One statement, because the client waits for it. */
async function insertVersion(
  tx: Transaction,
  { addonId, licenseId, compatibility, account, manifest, stage, ...upload }: NewVersion,
): Promise<{ versionId: number; uploadId: number }> {
  const { version, channel, sha256 } = upload;
  const ranges = compatibility.map((range) => ({ ...range, minCode: `${range.minCode}`, maxCode: `${range.maxCode}` }));
  const name = fileNameFor(manifest.name, upload.guid, version, manifest);
  const [ids] = await tx.$queryRaw<{ versionId: number; uploadId: number }[]>`
    WITH created AS (
      INSERT INTO version (addon_id, version, channel, stage, license_id, is_strict_compatibility_enabled,
        manifest_compatibility)
      VALUES (${addonId}, ${version}, ${channel}, ${stage}, ${licenseId}::int, ${manifest.strictCompatibility},
        ${JSON.stringify(manifestCompatibility(manifest))}::jsonb)
      RETURNING id
    ), ranged AS (
      INSERT INTO version_compatibility (version_id, app, min, max, min_code, max_code)
      SELECT created.id, app, min, max, "minCode", "maxCode"
      FROM created, json_to_recordset(${JSON.stringify(ranges)}::json)
        AS r(app text, min text, max text, "minCode" int8, "maxCode" int8)
    ), filed AS (
      INSERT INTO file (version_id, name, size, sha256, original_sha256, permissions, optional_permissions,
        host_permissions, data_collection_permissions, optional_data_collection_permissions, is_webextension,
        is_restart_required, is_vendor_signed_extension, is_experiment, format)
      SELECT id, ${name}, ${upload.size}::int8, ${sha256}, ${sha256}, ${manifest.permissions}::text[],
        ${manifest.optionalPermissions}::text[], ${manifest.hostPermissions}::text[],
        ${manifest.dataCollectionPermissions ?? []}::text[], ${manifest.optionalDataCollectionPermissions ?? []}::text[],
        ${manifest.format === 'webextension'}::bool, ${manifest.restartRequired}::bool,
        ${upload.isVendorSigned}::bool, ${manifest.isExperiment}::bool, ${manifest.format}
      FROM created
    ), logged AS (
      ${activityInsert(
        { action: 'upload-received', accountId: account.accountId, details: { version, channel, sha256 } },
        Prisma.sql`SELECT ${addonId}::int, id FROM created`,
      )}
    ), answered AS (
      UPDATE review_queue SET is_information_requested = false
      WHERE addon_id = ${addonId} AND channel = ${channel} AND is_information_requested
    ), taken AS (${uploadOfVersion({ ...upload, account, addonId })})
    SELECT created.id AS "versionId", taken.id AS "uploadId" FROM created, taken`;
  if (ids === undefined) throw new Error('The statement that records an upload returned no row.');
  return ids;
}

type NewVersionUpload = Pick<NewVersion, 'account' | 'addonId' | 'fileName' | 'uploadId' | 'makesAddon'>;

/** SQL that makes the row of the upload, or turns the waiting one into that of the version, and returns its id. */
function uploadOfVersion(upload: NewVersionUpload): Prisma.Sql {
  const { account, addonId, fileName, uploadId, makesAddon = false } = upload;
  if (uploadId !== null) {
    return Prisma.sql`
      UPDATE upload SET addon_id = ${addonId}::int, version_id = created.id, updated = now(), channel = NULL, stage = NULL,
        reason = NULL, reason_message = NULL, sha256 = NULL, size = NULL, manifest = NULL, expires = NULL, makes_addon = ${makesAddon}
      FROM created WHERE upload.id = ${uploadId} RETURNING upload.id`;
  }
  return Prisma.sql`
    INSERT INTO upload (pk, addon_id, version_id, account_id, api_key_id, file_name)
    SELECT ${newUploadPk()}, ${addonId}::int, id, ${account.accountId}::int, ${apiKeyOf(account)}::int,
      ${fileName.slice(0, 255)}
    FROM created RETURNING id`;
}

const compatibilityRows = ({ compatibility }: PackageManifest) =>
  Object.entries(compatibility).map(([app, range]) => rangeRow({ app: app as Application, ...range }));

export interface SubmittedChanges {
  addon: AddonChanges;
  version: VersionChanges;
}

/** Whether an object has a value. */
export const isGiven = (changes: object): boolean => Object.values(changes).some((value) => value !== undefined);

/** Whether there is anything to change. */
export const hasChanges = ({ addon, version }: SubmittedChanges): boolean => isGiven(addon) || isGiven(version);

/** Locks the rows that changes name. Must run before the add-on is locked; see `lockNamedRows`. */
export async function lockForChanges(tx: Transaction, { addon, version }: SubmittedChanges): Promise<void> {
  await lockNamedRows(tx, { categories: addon.categories, license: version.license });
}

/**
 * Locks the add-on, writes the valid changes and returns the invalid fields. The caller throws these and publishes the add-on.
 * @throws {NotPermittedError} as `updateAddon` and `updateVersion` do.
 */
export async function applyChanges(
  tx: Transaction,
  account: SignedIn,
  { addonId, versionId }: { addonId: number; versionId: number },
  changes: SubmittedChanges,
): Promise<FieldErrors> {
  const faults = new FieldErrors();
  const addon = await lockExistingAddon(tx, addonId);
  requireRightTo(changes.version.license === undefined ? 'releases' : 'ownership', account, addon);
  requireRightTo(changedPart(changes.addon), account, addon);
  if (isGiven(changes.addon)) await applyAddonChanges(tx, { viewer: account, account, addon }, changes.addon, faults);
  if (isGiven(changes.version)) {
    await applyVersionChanges(tx, { account, addon, versionId }, changes.version, faults);
  }
  return faults;
}
