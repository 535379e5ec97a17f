/* The add-on that an upload is submitted to, checked under its lock. */
import { canUploadVersion, refuse } from '../../auth/permissions.ts';
import type { SignedIn } from '../../auth/viewer.ts';
import { InvalidInputError, NotFoundError, refusedField, VersionExistsError } from '../../errors.ts';
import type { Transaction } from '../../infra/db.ts';
import type { PackageManifest } from '../../package/manifest/package-manifest.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { FAILED_STAGES } from '../addons/stages.ts';
import {
  DUPLICATE_GUID,
  findUploadTarget,
  lockByGuid,
  requireUploadTarget,
  type UploadTarget,
} from '../uploads/who-may-upload.ts';
import { checkReserved, checkType, requireWebExtension, resolveGuid } from './inspect-package.ts';

/**
 * A new add-on, whose guid is that of the package or made up; an existing or new one with this guid, which the package must
 * name; or an existing one by its database id.
 */
export type SubmittedTo = { kind: 'new' } | { kind: 'guid'; guid: string } | { kind: 'addon'; id: number };

/** `existing` is null for a new add-on, and `guid` is null where it must be made up. */
interface Target {
  existing: UploadTarget | null;
  guid: string | null;
}

/**
 * Locks and checks the add-on of a submission: existence, ownership, state and guid.
 * @throws {NotFoundError}, {NotPermittedError}, {InvalidInputError} on `upload` or no field, {PackageError}.
 */
export async function targetOf(
  tx: Transaction,
  account: SignedIn,
  to: SubmittedTo,
  manifest: PackageManifest,
): Promise<Target> {
  if (to.kind === 'new') return newAddon(tx, account, manifest);
  return to.kind === 'guid' ? addonNamed(tx, account, to.guid, manifest) : addonWithId(tx, account, to.id, manifest);
}

async function newAddon(tx: Transaction, account: SignedIn, manifest: PackageManifest): Promise<Target> {
  requireWebExtension(manifest);
  const { guid } = manifest;
  if (guid === null) return { existing: null, guid };
  await lockByGuid(tx, guid);
  const existing = await findUploadTarget(tx, guid);
  if (existing === null) return { existing, guid };
  // Its author may use the id again after a deletion, and when all its uploads failed.
  const isFree = existing.deletedAt !== null || !existing.hasVersion;
  if (!canUploadVersion(account, existing.authors)) throw refusedField('upload', DUPLICATE_GUID);
  if (!isFree) throw refusedField('upload', message('package.duplicate_own_guid', { guid: existing.guid }));
  await requireUploadTarget(tx, account, guid, null);
  return { existing, guid: requireSameGuid(existing, manifest) };
}

async function addonNamed(
  tx: Transaction,
  account: SignedIn,
  guid: string,
  manifest: PackageManifest,
): Promise<Target> {
  if (manifest.guid === null) throw new InvalidInputError(message('package.id_required'));
  await lockByGuid(tx, guid);
  const existing = await requireUploadTarget(tx, account, guid, null);
  const expected = existing?.guid ?? guid;
  if (manifest.guid !== expected) {
    const facts = { expected: printable(expected), guid: printable(manifest.guid) };
    throw new InvalidInputError(message('package.other_id', facts));
  }
  return { existing, guid: manifest.guid };
}

async function addonWithId(tx: Transaction, account: SignedIn, id: number, manifest: PackageManifest): Promise<Target> {
  const [row] = await tx.$queryRaw<{ guid: string; isDeleted: boolean }[]>`
    SELECT guid::text, deleted_at IS NOT NULL AS "isDeleted" FROM addon WHERE id = ${id} FOR NO KEY UPDATE`;
  if (row === undefined || row.isDeleted) throw new NotFoundError();
  const found = await findUploadTarget(tx, row.guid);
  if (found === null || !canUploadVersion(account, found.authors)) throw refuse(account);
  const existing = await requireUploadTarget(tx, account, row.guid, null);
  return { existing, guid: requireSameGuid(found, manifest) };
}

/** @throws {PackageError} when the package names another id than that of the add-on, or has none and is a legacy package. */
function requireSameGuid(addon: UploadTarget, manifest: PackageManifest): string {
  return resolveGuid(manifest, { guid: addon.guid, version: manifest.version ?? '' }, addon) ?? addon.guid;
}

/**
 * Checks that a package can be submitted as a version of an existing add-on.
 * @throws {NotFoundError}, {NotPermittedError}, {PackageError}, {VersionExistsError}.
 */
export async function requireFurtherVersion(
  tx: Transaction,
  account: SignedIn,
  addonId: number,
  manifest: PackageManifest,
): Promise<void> {
  const { existing, guid } = await addonWithId(tx, account, addonId, manifest);
  if (existing !== null) checkType(manifest, existing);
  checkReserved(manifest, null);
  if (guid !== null) await requireUploadTarget(tx, account, guid, manifest.version);
}

/** @throws {VersionExistsError} for a number that the add-on has, or had and deleted. */
export async function requireFreeNumber(tx: Transaction, addonId: number, version: string): Promise<void> {
  const taken = await tx.version.findFirst({
    where: { addonId, version, stage: { notIn: [...FAILED_STAGES] } },
    select: { deletedAt: true },
  });
  if (taken === null) return;
  const isDeleted = taken.deletedAt !== null;
  throw new VersionExistsError(
    isDeleted ? message('package.number_deleted', { version }) : message('package.number_taken', { version }),
    'version',
  );
}
