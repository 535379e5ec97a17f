import { canUploadVersion, requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotPermittedError, VersionExistsError } from '../../errors.ts';
import { type Database, db, type Transaction } from '../../infra/db.ts';
import { requireRoom } from '../../infra/staging/staging.ts';
import type { Channel } from '../../package/enums.ts';
import { message } from '../../texts/messages.ts';
import { newestVersion } from '../addons/newest-version.ts';
import { FAILED_STAGES } from '../addons/stages.ts';

export const DUPLICATE_GUID = message('package.duplicate_guid');
export const NOT_OWNER = message('addon.not_owner');

/** Data of an add-on that the checks of an upload use. */
export interface UploadTarget {
  id: number;
  guid: string;
  type: string;
  status: string;
  deletedAt: Date | null;
  licenseId: number | null;
  authors: { accountId: number }[];
  /** Channel of the newest version in any stage; default of further uploads (contract, States). */
  newestChannel: Channel;
  /** Whether it has a version that has not failed; with a version number: whether the number is taken. */
  hasVersion: boolean;
}

/**
 * The add-on with this guid, case-insensitively, also a deleted one. `version` limits `hasVersion` to a number, which
 * versions in progress, successful and deleted ones take.
 */
export async function findUploadTarget(
  tx: Database,
  guid: string,
  version: string | null = null,
): Promise<UploadTarget | null> {
  const [addon] = await tx.$queryRaw<(Omit<UploadTarget, 'authors'> & { authors: number[] })[]>`
    SELECT id, guid::text, type, status, deleted_at AS "deletedAt", license_id AS "licenseId",
      ARRAY(SELECT account_id FROM addon_author WHERE addon_id = addon.id) AS authors,
      coalesce((SELECT channel FROM version WHERE addon_id = addon.id ORDER BY created DESC, id DESC LIMIT 1), 'unlisted')
        AS "newestChannel",
      EXISTS (SELECT FROM version WHERE addon_id = addon.id AND stage <> ALL(${FAILED_STAGES}::text[])
        AND (${version}::text IS NULL OR version = ${version}::text)) AS "hasVersion"
    FROM addon WHERE guid = ${guid}::citext`;
  return addon === undefined ? null : { ...addon, authors: addon.authors.map((accountId) => ({ accountId })) };
}

/** Of two changes of one add-on, such as an upload and a deletion, the second one checks it after the first one has ended. */
export async function lockByGuid(tx: Transaction, guid: string): Promise<void> {
  await tx.$queryRaw`SELECT FROM addon WHERE guid = ${guid}::citext FOR NO KEY UPDATE`;
}

/**
 * Checks an upload to `guid` before its body is read (contract, Signing): ownership, then the add-on's state, then the
 * version number. Returns the add-on, or null when the upload would create it.
 * @throws {NotPermittedError} for another account's add-on.
 * @throws {InvalidInputError} for a deleted add-on of another account and for one that the operator disabled.
 * @throws {VersionExistsError} for a number that is taken.
 */
export async function requireUploadTarget(
  tx: Database,
  viewer: Viewer,
  guid: string,
  version: string | null,
): Promise<UploadTarget | null> {
  const addon = await findUploadTarget(tx, guid, version);
  if (addon === null) return null;
  if (!canUploadVersion(viewer, addon.authors)) {
    if (addon.deletedAt !== null) throw new InvalidInputError(DUPLICATE_GUID);
    throw new NotPermittedError(NOT_OWNER);
  }
  if (addon.status === 'disabled') {
    throw new InvalidInputError(message('upload.addon_disabled'));
  }
  if (version !== null && addon.hasVersion) throw await versionExists(tx, addon.id, version);
  return addon;
}

/** The refusal of a taken number; its text names the newest version. */
async function versionExists(tx: Database, addonId: number, version: string): Promise<VersionExistsError> {
  const newest = await newestVersion(tx, addonId);
  return new VersionExistsError(message('package.version_exists', { version: newest ?? version }));
}

/**
 * Checks whether the viewer may upload, before the body is read. `guid` and `version` are null for an upload without an id.
 * @throws what `requireUploadTarget` throws, NotAuthenticatedError, UnavailableError when the disk is full.
 */
export async function requireUploadPermission(
  viewer: Viewer,
  guid: string | null,
  version: string | null,
): Promise<void> {
  requireSignedIn(viewer);
  if (guid !== null) await requireUploadTarget(db, viewer, guid, version);
  await requireRoom();
}
