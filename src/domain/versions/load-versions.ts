import type { Context } from '../../graphql/context.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { NOT_A_VERSION, stagesSql } from '../addons/stages.ts';
import type { VersionDocument } from '../addons/version-document.ts';
import { requireVisibleVersion, versionWithAddon } from './find-version.ts';

/** The columns of `VersionRow`. */
export const VERSION_COLUMNS = 'd.version_id AS id, d.body::text AS body, l.text AS "licenseText"';

/** The joins that `VERSION_COLUMNS` needs, for versions with alias `v`. */
export const VERSION_JOINS =
  'JOIN version_document d ON d.version_id = v.id LEFT JOIN license l ON l.id = v.license_id';

export interface VersionRow {
  id: number;
  body: string;
  licenseText: unknown;
}

/** The document of a row. */
export function versionOf({ body, licenseText }: VersionRow): VersionDocument {
  const version = JSON.parse(body) as VersionDocument;
  return { ...version, license: version.license && { ...version.license, text: licenseText } };
}

const readVersions = prepared<VersionRow>(
  lookupPool,
  'versions-by-id',
  `SELECT ${VERSION_COLUMNS} FROM version v ${VERSION_JOINS} WHERE v.id = ANY($1)`,
);

/**
 * The versions with these ids in the same order, with an error for each one that the viewer may not see. Three
 * statements, or two when the viewer may see none.
 */
export async function loadVisibleVersions(
  ids: readonly number[],
  context: Context,
): Promise<(VersionDocument | Error)[]> {
  const checked = await Promise.all(
    ids.map(async (id) => {
      try {
        const { facts, addon } = await versionWithAddon(context, id);
        requireVisibleVersion(context.viewer, addon, facts);
        return id;
      } catch (error) {
        return error as Error;
      }
    }),
  );
  const visible = checked.filter((id) => typeof id === 'number');
  const rows = visible.length === 0 ? [] : await readVersions(visible);
  const byId = new Map(rows.map((row) => [row.id, versionOf(row)]));
  return checked.map((id) => (id instanceof Error ? id : (byId.get(id) ?? new Error(`version ${id} has no document`))));
}

/** The version with this id, without access checks, for results of mutations that have checked them. */
export async function versionAfterMutation(id: number): Promise<VersionDocument> {
  const [row] = await readVersions([id]);
  if (row === undefined) throw new Error(`version ${id} has no document`);
  return versionOf(row);
}

const readNewestUnlisted = prepared<VersionRow & { addonId: number }>(
  lookupPool,
  'newest-unlisted-versions',
  `SELECT DISTINCT ON (v.addon_id) v.addon_id AS "addonId", ${VERSION_COLUMNS} FROM version v ${VERSION_JOINS}
    WHERE v.addon_id = ANY($1) AND v.channel = 'unlisted' AND v.deleted_at IS NULL
      AND v.stage NOT IN ${stagesSql([...NOT_A_VERSION, 'rejected'])}
    ORDER BY v.addon_id, v.created DESC, v.id DESC`,
);

/** The newest unlisted version of an add-on that is not rejected, or null. Callers check access first. */
export const newestUnlisted = perRequest<number, VersionDocument | null>(async (addonIds) => {
  const byAddon = new Map((await readNewestUnlisted(addonIds)).map((row) => [row.addonId, versionOf(row)]));
  return addonIds.map((id) => byAddon.get(id) ?? null);
});
