import type { Context } from '../../graphql/context.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { addonRights, requireVisible } from '../addons/find-addon.ts';
import { requireVisibleVersion, versionFacts } from './find-version.ts';

/** An add-on, or a version of it, that shows a licence. */
interface LicenseUse {
  licenseId: number;
  addonId: number;
  versionId: number | null;
  defaultLocale: string;
}

const readUses = prepared<LicenseUse>(
  lookupPool,
  'license-uses',
  `SELECT license_id AS "licenseId", id AS "addonId", NULL::int AS "versionId", default_locale AS "defaultLocale"
    FROM addon WHERE license_id = ANY($1)
    UNION ALL SELECT v.license_id, v.addon_id, v.id, a.default_locale
    FROM version v JOIN addon a ON a.id = v.addon_id WHERE v.license_id = ANY($1)`,
);

async function isVisible({ addonId, versionId }: LicenseUse, context: Context): Promise<boolean> {
  try {
    const [addon, version] = await Promise.all([
      addonRights(context).load(addonId),
      versionId === null ? null : versionFacts(context).load(versionId),
    ]);
    if (version === null) requireVisible(context.viewer, addon);
    else requireVisibleVersion(context.viewer, addon, version);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns, by licence id, the default language of a visible add-on or version that uses the licence. Licences that the viewer
 * may not see are absent. Always three statements.
 */
export async function localesOfVisibleUses(ids: readonly number[], context: Context): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await readUses(ids);
  const visible = await Promise.all(rows.map((use) => isVisible(use, context)));
  return new Map(rows.filter((_use, index) => visible[index]).map((use) => [use.licenseId, use.defaultLocale]));
}
