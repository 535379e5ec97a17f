import { randomBytes } from 'node:crypto';
import type { SignedIn } from '../../auth/viewer.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { enqueue } from '../../jobs/enqueue.ts';
import type { LocalizedText, PackageManifest } from '../../package/manifest/package-manifest.ts';
import { encodeApplicationVersion } from '../../package/versions/application-version.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { homepageFromPackage, localizedFromPackage, packageLocale } from '../addons/package-texts.ts';
import { publishAddons } from '../addons/publish-addons.ts';
import { noteApplicationVersions } from '../applications/known-versions.ts';
import { fileNameFor } from '../versions/file-name.ts';
import { checkType } from './check-package.ts';
import type { Channel } from './stages.ts';
import { requireUploadTarget } from './who-may-upload.ts';

/** An upload whose package and sender have been checked and whose bytes are in the store. */
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
  /** Signed by the operator's privileged class already. */
  isVendorSigned: boolean;
}

/** What was recorded; `addonCreated` tells a new add-on from a further version of one. */
export interface AcceptedUpload {
  uploadId: number;
  addonCreated: boolean;
}

/**
 * Writes add-on, version, file, upload, activity and the validation job in one transaction.
 * @throws the refusals of `requireUploadTarget` and `checkType` for what has come to be since the package was checked.
 * @throws {Prisma.PrismaClientKnownRequestError} P2002 when the number or the id is taken at the same moment.
 */
export async function recordUpload(upload: CheckedUpload): Promise<AcceptedUpload> {
  return db.$transaction(async (tx) => {
    // Asked again: since the checks, somebody else may have made an add-on with this id.
    const existing = await requireUploadTarget(tx, upload.account, upload.guid, upload.version);
    if (existing !== null) checkType(upload.manifest, existing);
    const addonId = existing?.id ?? (await createAddon(tx, upload));
    if (existing?.deletedAt) await reviveAddon(tx, addonId, upload);
    const versionId = await createVersion(tx, addonId, upload, existing?.licenseId ?? null);
    const { id } = await tx.upload.create({
      data: {
        pk: randomBytes(16).toString('hex'),
        addonId,
        versionId,
        accountId: upload.account.accountId,
        apiKeyId: upload.account.via.scheme === 'jwt' ? upload.account.via.apiKeyId : null,
        fileName: upload.fileName.slice(0, 255),
      },
      select: { id: true },
    });
    await recordActivity(tx, {
      action: 'upload-received',
      accountId: upload.account.accountId,
      addonId,
      versionId,
      details: { version: upload.version, channel: upload.channel, sha256: upload.sha256 },
    });
    await enqueue(tx, 'validate-version', { versionId });
    // A version shows in the catalogue only once it has passed validation.
    if (existing === null || existing.deletedAt !== null) await publishAddons(tx, [addonId]);
    return { uploadId: id, addonCreated: existing === null };
  });
}

async function createAddon(tx: Transaction, upload: CheckedUpload): Promise<number> {
  const { manifest } = upload;
  const locale = packageLocale(manifest);
  const { id } = await tx.addon.create({
    data: {
      guid: upload.guid,
      slug: randomBytes(10).toString('hex'),
      type: manifest.type,
      defaultLocale: locale,
      name: nameOrGuid(localizedFromPackage(manifest.name, locale), locale, upload.guid),
      summary: localizedFromPackage(manifest.summary, locale),
      homepage: homepageFromPackage(manifest, locale),
      e10s: manifest.e10s,
      targetLocale: manifest.targetLocale,
      authors: { create: { accountId: upload.account.accountId, role: 'owner' } },
    },
    select: { id: true },
  });
  await recordActivity(tx, { action: 'addon-created', accountId: upload.account.accountId, addonId: id });
  return id;
}

/** Legacy packages may come without a name that can be read; their id has to do until a developer gives one. */
function nameOrGuid(name: LocalizedText, locale: string, guid: string): LocalizedText {
  return Object.keys(name).length > 0 ? name : { [locale]: guid };
}

async function reviveAddon(tx: Transaction, addonId: number, upload: CheckedUpload): Promise<void> {
  await tx.addon.update({
    where: { id: addonId },
    data: { deletedAt: null, status: 'incomplete', slug: randomBytes(10).toString('hex') },
  });
  await recordActivity(tx, { action: 'addon-revived', accountId: upload.account.accountId, addonId });
}

async function createVersion(
  tx: Transaction,
  addonId: number,
  upload: CheckedUpload,
  licenseId: number | null,
): Promise<number> {
  const { manifest, channel } = upload;
  const compatibility = compatibilityRows(manifest);
  await noteApplicationVersions(tx, compatibility);
  const { id } = await tx.version.create({
    data: {
      addonId,
      version: upload.version,
      channel,
      stage: 'received',
      licenseId: channel === 'listed' ? licenseId : null,
      isStrictCompatibilityEnabled: manifest.strictCompatibility,
      compatibility: { create: compatibility },
      files: {
        create: {
          name: fileNameFor(manifest.name, upload.guid, upload.version, manifest),
          size: BigInt(upload.size),
          sha256: upload.sha256,
          originalSha256: upload.sha256,
          permissions: manifest.permissions,
          isWebextension: manifest.format === 'webextension',
          isRestartRequired: manifest.restartRequired,
          isVendorSignedExtension: upload.isVendorSigned,
          format: manifest.format,
        },
      },
    },
    select: { id: true },
  });
  return id;
}

function compatibilityRows(manifest: PackageManifest) {
  return Object.entries(manifest.compatibility).map(([app, { min, max }]) => ({
    app,
    min,
    max,
    minCode: BigInt(encodeApplicationVersion(min) ?? 0),
    maxCode: BigInt(encodeApplicationVersion(max) ?? 0),
  }));
}
