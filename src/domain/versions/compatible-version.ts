import { InvalidInputError } from '../../errors.ts';
import { pool } from '../../infra/db.ts';
import { encodeApplicationVersion, floorApplicationVersion } from '../../package/versions/application-version.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import type { Application } from '../addons/enums.ts';
import { VERSION_COLUMNS, VERSION_JOINS, type VersionRow, versionOf } from './load-versions.ts';
import type { VersionDocument } from './version-document.ts';

function invalid(argument: 'app' | 'appversion', message = `Invalid "${argument}" parameter.`): InvalidInputError {
  return new InvalidInputError(message, { [argument]: [message] });
}

/**
 * The code of the application version that `app` and `appversion` ask for, or null when they ask for none.
 * @throws {InvalidInputError} for what is no version, and a version of no application.
 */
export function askedVersion(app: Application | null, appversion: string | null): number | null {
  if (appversion === null) return null;
  if (app === null) throw invalid('app');
  if (appversion === '') throw invalid('app', 'Invalid combination of "app" and "appversion" parameters.');
  const code = encodeApplicationVersion(appversion);
  if (code === null) throw invalid('appversion');
  return code;
}

const NEWEST_COMPATIBLE = {
  name: 'newest-compatible-version',
  text: `SELECT ${VERSION_COLUMNS} FROM (
      SELECT v.id, v.license_id FROM version v JOIN version_compatibility c ON c.version_id = v.id AND c.app = $2
      WHERE v.addon_id = $1 AND v.channel = 'listed' AND v.deleted_at IS NULL AND v.stage = 'signed'
        AND c.min_code <= $3 AND c.max_code >= $4
        AND NOT EXISTS (SELECT FROM file f WHERE f.version_id = v.id AND f.status <> 4)
      ORDER BY v.created DESC, v.id DESC LIMIT 1
    ) v ${VERSION_JOINS}`,
};

/**
 * The version of an add-on to show to an application: of a language pack the newest public one that works with it, where
 * there is one; the current version in every other case (contract, Add-on detail: appversion).
 * @throws what `askedVersion` throws.
 */
export function versionFor(
  addon: AddonDocument,
  app: Application | null,
  appversion: string | null,
): Promise<VersionDocument | null> | VersionDocument | null {
  const code = askedVersion(app, appversion);
  if (app === null || code === null || addon.type !== 'language') return addon.currentVersion;
  return newestFor(addon, app, code);
}

async function newestFor(addon: AddonDocument, app: Application, code: number): Promise<VersionDocument | null> {
  const values = [addon.id, app, code, floorApplicationVersion(code)];
  const [row] = (await pool.query<VersionRow>({ ...NEWEST_COMPATIBLE, values })).rows;
  return row === undefined ? addon.currentVersion : versionOf(row);
}
