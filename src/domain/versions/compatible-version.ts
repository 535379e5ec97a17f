import { type InvalidInputError, refusedField } from '../../errors.ts';
import { lookupPool } from '../../infra/db.ts';
import { encodeSingleVersion, floorApplicationVersion } from '../../package/versions/application-version.ts';
import type { Application } from '../../package/words.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import type { VersionDocument } from '../addons/version-document.ts';
import { VERSION_COLUMNS, VERSION_JOINS, type VersionRow, versionOf } from './load-versions.ts';

function invalid(argument: 'app' | 'appversion'): InvalidInputError {
  const message = `Invalid "${argument}" parameter.`;
  return refusedField(argument, message);
}

/** @throws {InvalidInputError} on `appversion` unless it is a single version. */
function readVersion(appversion: string): number {
  const code = encodeSingleVersion(appversion);
  if (code === null) throw invalid('appversion');
  return code;
}

const NEWEST_COMPATIBLE = {
  name: 'newest-compatible-version',
  text: `SELECT ${VERSION_COLUMNS} FROM (
      SELECT v.id, v.license_id FROM version v LEFT JOIN version_compatibility c ON c.version_id = v.id AND c.app = $2
      WHERE v.addon_id = $1 AND v.channel = 'listed' AND v.deleted_at IS NULL AND v.stage = 'signed'
        AND (c.min_code <= $3 AND c.max_code >= $4
          OR NOT EXISTS (SELECT FROM version_compatibility o WHERE o.version_id = v.id))
        AND EXISTS (SELECT FROM file f WHERE f.version_id = v.id) AND NOT EXISTS (SELECT FROM file f WHERE f.version_id = v.id AND f.status <> 4)
      ORDER BY v.created DESC, v.id DESC LIMIT 1
    ) v ${VERSION_JOINS}`,
};

/**
 * The version of an add-on for an application (contract, Add-on detail: appversion). For language packs, this is the newest
 * compatible public version if there is one; otherwise the current version. A version without compatibility works with every
 * application.
 * @throws {InvalidInputError} for a language pack with an invalid `appversion`, or with one but no `app`.
 */
export function versionFor(
  addon: AddonDocument,
  app: Application | null,
  appversion: string | null,
): Promise<VersionDocument | null> | VersionDocument | null {
  if (appversion === null || addon.type !== 'language') return addon.currentVersion;
  if (app === null) throw invalid('app');
  return newestFor(addon, app, readVersion(appversion));
}

async function newestFor(addon: AddonDocument, app: Application, code: number): Promise<VersionDocument | null> {
  const values = [addon.id, app, code, floorApplicationVersion(code)];
  const [row] = (await lookupPool.query<VersionRow>({ ...NEWEST_COMPATIBLE, values })).rows;
  return row === undefined ? addon.currentVersion : versionOf(row);
}
