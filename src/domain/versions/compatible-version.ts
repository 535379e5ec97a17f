import { refusedField } from '../../errors.ts';
import { pageLoader } from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { encodeSingleVersion, floorApplicationVersion } from '../../package/application-version.ts';
import type { Application } from '../../package/enums.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import type { VersionDocument } from '../addons/version-document.ts';
import { IS_PUBLIC_VERSION } from './find-version.ts';
import { VERSION_COLUMNS, VERSION_JOINS, type VersionRow, versionOf } from './load-versions.ts';

/**
 * SQL: the newest public version of a language pack for an application version. The arguments are SQL: the id of the add-on,
 * the application, the code of its version and the lowest upper bound that includes it. The upper bound always applies.
 */
export const newestCompatible = (addonId: string, app: string, code: string, floor: string): string => `
  SELECT v.id, v.license_id FROM version v LEFT JOIN version_compatibility c ON c.version_id = v.id AND c.app = ${app}
  WHERE v.addon_id = ${addonId} AND v.channel = 'listed'
    AND (c.min_code <= ${code} AND c.max_code >= ${floor}
      OR NOT EXISTS (SELECT FROM version_compatibility o WHERE o.version_id = v.id))
    AND ${IS_PUBLIC_VERSION}
  ORDER BY v.created DESC, v.id DESC LIMIT 1`;

interface NewestRow extends VersionRow {
  parentId: number;
}

const readNewest = prepared<NewestRow>(
  lookupPool,
  'newest-compatible-versions',
  `SELECT wanted.addon_id AS "parentId", ${VERSION_COLUMNS} FROM unnest($1::int[]) AS wanted(addon_id)
   CROSS JOIN LATERAL (${newestCompatible('wanted.addon_id', '$2', '$3', '$4')}) v ${VERSION_JOINS}`,
);

const newest = pageLoader<NewestRow, { app: Application; code: number }>((addonIds, { app, code }) =>
  readNewest(addonIds, app, code, floorApplicationVersion(code)),
);

/**
 * The version of an add-on for an application (contract, Add-on detail). For language packs, this is the newest
 * compatible public version if there is one; otherwise the current version. A version without compatibility works with every
 * application.
 * @throws {InvalidInputError} for a language pack with an invalid `appVersion`, or with one but no `app`.
 */
export function versionFor(
  context: Context,
  addon: AddonDocument,
  app: Application | null,
  appVersion: string | null,
): Promise<VersionDocument | null> | VersionDocument | null {
  if (appVersion === null || addon.type !== 'language') return addon.currentVersion;
  const name = 'appVersion';
  if (app === null) throw refusedField('app', message('parameter.app_missing', { name }));
  const code = encodeSingleVersion(appVersion);
  if (code === null) {
    throw refusedField(name, message('parameter.not_version', { name, value: printable(appVersion) }));
  }
  return newestFor(context, addon, app, code);
}

async function newestFor(
  context: Context,
  addon: AddonDocument,
  app: Application,
  code: number,
): Promise<VersionDocument | null> {
  const [row] = await newest(context, addon.id, { app, code });
  return row === undefined ? addon.currentVersion : versionOf(row);
}
